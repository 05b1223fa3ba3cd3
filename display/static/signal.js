// Whether what a page shows is live, and how it is said when it is not: nothing old passes for new.

const PATIENCE_S = 5; // a page that has just been opened is connecting, not cut off
const SILENCE_S = 35; // a table speaks every 10 s: three times unheard, it is cut off somewhere between its broker and ours

/** `changed()` is called when the signal changes, but for what time alone changes. `silenceS`: as long may nothing be heard. */
export function pageSignal(say, changed, silenceS = SILENCE_S) {
  const seconds = () => performance.now() / 1000; // no step of the wall clock moves it
  const now = { up: false, status: null, boot: null, fresh: false, of: null, everUp: false, lostS: seconds(), heardS: 0 };
  const ours = () => now.of === null || now.boot === null || now.of === now.boot; // not what an earlier run left behind
  const silent = () => now.up && now.status === "online" && seconds() - now.heardS > silenceS;
  const live = () => now.up && now.status === "online" && now.fresh && ours() && !silent();

  const set = (change) => {
    const was = live();
    Object.assign(now, change);
    if (was && !live()) now.lostS = seconds();
    changed();
  };

  function words() {
    const lost = Math.max(0, Math.round(seconds() - (silent() ? now.heardS : now.lostS)));
    const gone = !now.up || now.status === "offline" || silent();
    if (live()) return ["live", say("live")];
    if (gone && !now.everUp && lost < PATIENCE_S) return ["none", say("connecting")];
    if (gone) return ["none", say("no_signal", { s: lost })];
    return ["waiting", say(now.status === "stopped" ? "stopped" : "no_table")];
  }

  return {
    live,
    /** The connection to the broker is there or gone; what comes after it is fresh again. */
    link: (up) => set(up ? { up, everUp: true, heardS: seconds() } : { up, status: null, fresh: false }),
    /** The table has spoken just now: what is retained may be old. */
    heard: () => (silent() ? set({ heardS: seconds() }) : (now.heardS = seconds())),
    /** The table's own word. */
    table: (message) => set({ status: named(message?.status), boot: named(message?.boot) }),
    /** A snapshot has come over this connection, or null: the table has none yet. */
    snapshot: (message) => set({ fresh: message !== null, of: named(message?.boot) }),
    /** What is shown of it: kind live, none or waiting, and how old the state is. */
    words(state) {
      const [kind, said] = words();
      return { live: live(), kind, words: said, old: state ? oldWords(say, state) : say("old_nothing") };
    },
  };
}

const named = (value) => (typeof value === "string" ? value : null);

function oldWords(say, state) {
  const seconds = state.time === null ? null : Math.max(0, Math.round((Date.now() - state.time) / 1000));
  return say("old", { match: state.match ?? "?", hand: state.hand ?? "?", age: seconds === null ? "?" : spoken(seconds) });
}

/** Seconds as a person says them. */
function spoken(seconds) {
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
