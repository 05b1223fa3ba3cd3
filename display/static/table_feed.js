// One table followed by a screen: what it shows, whether that is live, since when it is somebody's turn.

import { at, put } from "./dom.js";
import { follow } from "./feed.js";
import { nothing, withAlerts, withEvent, withState } from "./model.js";
import { pageSignal } from "./signal.js";

const LONGEST_MS = 3_600_000; // no turn is that old: the table was left, or a clock is wrong
const STEPS = { state: withState, alerts: withAlerts, event: withEvent };

/**
 * A table that is not followed yet: `view` and `signal` at any time, `open(config)` to begin. `changed()` is called when there is
 * something to draw, `signalled()` when the signal changes, `happened(event)` for each event that the view took in,
 * of a correction for it alone; `heard(leaf, message)` for everything, `more` leaves among it.
 */
export function screenTable(say, { changed, signalled, happened = () => {}, heard = () => {}, more = [] }) {
  const signal = pageSignal(say, signalled);
  const table = { view: nothing(), signal, turnSince: null, feed: null };

  function hear(leaf, message, retained) {
    if (!retained) signal.heard();
    if (leaf === "status") return signal.table(message);
    if (leaf === "state") signal.snapshot(message);
    heard(leaf, message);
    const step = STEPS[leaf];
    if (!step) return;
    const before = table.view;
    table.view = leaf === "state" && message === null ? nothing() : step(before, message);
    if (table.view === before) return;
    table.turnSince = turnSince(before, table, retained);
    if (leaf === "event" && (!table.view.corrected || message.type === "correction")) happened(message);
    changed();
  }

  return Object.assign(table, {
    open(config) {
      table.feed = follow(config, hear, signal.link, { more });
    },
  });
}

const turnOf = ({ state }) => state && JSON.stringify([state.match, state.hand, state.phase, state.turn, state.line.length]);

/** On this page's own clock, which no step of the wall clock moves; a page that comes late takes the table's word; null: not known. */
function turnSince(before, { view, turnSince: known }, retained) {
  if (turnOf(before) === turnOf(view)) return known;
  const age = retained && view.state?.time ? Math.max(0, Date.now() - view.state.time) : 0;
  return age > LONGEST_MS ? null : performance.now() - age;
}

/** Since when it is somebody's turn; a clock that is not live does not run. */
export function drawClock({ view: { state }, signal, turnSince }) {
  const runs = signal.live() && state?.phase === "playing" && state.turn !== null && turnSince !== null;
  at("clock").hidden = !runs;
  if (runs) put("clock", clockWords(performance.now() - turnSince));
}

/** Seconds as a clock shows them: 0:07, 12:30. */
export function clockWords(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
