// The events of a table in order, without a gap: what is missing is asked for with cmd/resync, as docs/mqtt.md says.

import { list, moment, number, object, text, whole } from "./model.js";

const BACK = 1500; // events before the snapshot that a page wants when it opens: more than a match has
const PATIENCE_MS = 3000; // an answer that does not come is asked for again
const LOOK_MS = 100;

/** A log without events; `ask(from)` asks the table for events from a seq on. */
export function logBook(ask, now = () => Date.now()) {
  let next = null; // the seq that is wanted next
  let events = new Map();
  let voided = new Set();
  let early = new Map();
  let asked = -Infinity;

  const want = () => {
    if (now() - asked < PATIENCE_MS) return;
    asked = now();
    ask(next);
  };
  const keep = (event) => {
    events.set(event.seq, { ...event, arrived: now() });
    if (event.type === "correction") for (const seq of list(event.data.voids)) voided.add(seq);
  };
  const drain = () => {
    while (early.has(next)) {
      keep(early.get(next));
      early.delete(next);
      next += 1;
    }
  };
  const take = (value) => {
    const event = eventOf(value);
    if (event === null || next === null || event.seq < next) return;
    early.set(event.seq, event);
    drain();
  };

  return {
    /** One event as it comes: old ones are dropped, and a gap before it is asked for. */
    event(value) {
      take(value);
      if (early.size) want();
    },
    /** A page of an answer to what this page asked for. */
    page(value) {
      list(object(value).events).forEach(take);
      asked = object(value).more === true ? now() : -Infinity;
      if (early.size) want();
    },
    /** The snapshot says how far the table is: where to begin, and whether something is missing. */
    upTo(seq) {
      if (next !== null && seq < next - 1) {
        [events, voided, early] = [new Map(), new Set(), new Map()]; // another journal: what was here is of no match that goes on
        next = null;
      }
      next ??= Math.max(1, seq - BACK + 1);
      if (next <= seq) want();
    },
    /** Ask again at once: the connection was away. */
    again() {
      asked = -Infinity;
    },
    /** Every event of a match that no correction took back, oldest first. */
    inForce: (match) => [...events.values()].filter((event) => event.match === match && !voided.has(event.seq)),
    find: (seq) => events.get(seq) ?? null,
    /** The event, once it is here: the list of incidents may come before it. Null when it does not come in time. */
    async awaited(seq) {
      const end = now() + PATIENCE_MS;
      while (!events.has(seq) && now() < end) await new Promise((done) => setTimeout(done, LOOK_MS));
      return events.get(seq) ?? null;
    },
  };
}

export function eventOf(value) {
  const raw = object(value);
  const seq = whole(raw.seq, 1, Number.MAX_SAFE_INTEGER);
  if (seq === null) return null;
  return {
    seq,
    type: text(raw.type, 40),
    match: whole(raw.match, 0, 99999),
    hand: whole(raw.hand, 0, 99999),
    t_s: number(raw.t_s),
    time: moment(raw.time),
    data: object(raw.data),
  };
}
