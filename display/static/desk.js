// What the referee says to the table: each word has a transaction and an author, and is said again until it is answered.

import { object, text } from "./model.js";

const AGAIN_MS = 3000;
const GIVE_UP_MS = 12_000;
const CUT_OFF = 2; // a broker hangs up on who may not write: so many times, and it is not chance

/**
 * `say(leaf, message)` sends; `author()` is the name of who speaks. `ask(name, fields)` promises the reply
 * `{ok, error, reason, seq}`; the same words may be said again with the `transaction` of a reply that never came.
 */
export function commandDesk(say, author) {
  const page = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const waiting = new Map();
  let count = 0;
  let linked = false;

  const settle = (transaction, reply) => {
    const one = waiting.get(transaction);
    if (!one) return;
    waiting.delete(transaction);
    clearInterval(one.timer);
    one.done({ ...reply, transaction });
  };
  const send = (transaction) => {
    const one = waiting.get(transaction);
    if (one && Date.now() - one.since > GIVE_UP_MS) return settle(transaction, { ok: false, reason: "no_answer", error: "" });
    if (one) say(`cmd/${one.name}`, one.message);
  };

  return {
    ask(name, fields, transaction = `${page}-${(count += 1)}`) {
      return new Promise((done) => {
        const message = { ...fields, transaction, by: author() };
        const timer = setInterval(() => send(transaction), AGAIN_MS);
        waiting.set(transaction, { name, message, done, timer, since: Date.now(), cuts: 0 });
        send(transaction);
      });
    },
    /** A reply on rsp/<name>: ours or another console's. */
    hear(message) {
      const raw = object(message);
      const reply = { ok: raw.ok === true, error: text(raw.error, 400), reason: text(raw.reason, 40), seq: raw.seq };
      settle(text(raw.transaction, 64), reply);
    },
    /** The connection is there again, or has gone. */
    link(up) {
      if (up === linked) return; // one more try that failed is no new cut
      linked = up;
      for (const [transaction, one] of [...waiting]) {
        if (up) send(transaction);
        else if ((one.cuts += 1) >= CUT_OFF) settle(transaction, { ok: false, reason: "may_not_write", error: "" });
      }
    },
    get page() {
      return page;
    },
  };
}
