// What the referee can do: each action is one command to the table, and its outcome is said in words.

import { incidentOf } from "./docket.js";
import { button, make } from "./dom.js";
import { tileText } from "./model.js";

const CONFIRMED = ["repeat_hand", "go_back", "intentional", "renege_intentional"];
const SHOWN = 5; // outcomes on the page at one time
const SHOWN_MS = 8000;

/** The actions that stand at the foot of the page: name and key. */
export const TOOLS = {
  incident: "N",
  card: "T",
  points: "E",
  agreement: "Shift+O",
  free: "Shift+F",
  undo: "Z",
  hand: "H",
  match: "M",
  time: "G",
  last: "L",
};

/** The actions of a page that has words, forms, a desk, the log, and a place for outcomes. */
export function refereeActs({ say, tell, forms, desk, log, place, state, live, signIn, via }) {
  function toast(words, kind) {
    const made = make("p", { class: `toast ${kind}`, role: kind === "bad" ? "alert" : null }, words);
    place.prepend(made);
    while (place.children.length > SHOWN) place.lastChild.remove();
    if (kind === "good") setTimeout(() => made.remove(), SHOWN_MS);
    return made;
  }

  /** Say a command, and how it went. What was not answered can be said again, and is still done once. */
  async function enter(name, fields, words, transaction) {
    if (!live()) return toast(say("not_live"), "bad");
    const waiting = toast(`${words} …`, "waiting");
    const reply = await desk.ask(name, fields, transaction);
    waiting.remove();
    if (reply.ok) return toast(`${say("done")}: ${words}`, "good");
    const told = toast(`${words}: ${why(reply)}`, "bad");
    const offer = (label, run) => told.append(button(label, {}, () => (told.remove(), run())));
    if (reply.reason === "no_answer") offer(say("again"), () => enter(name, fields, words, reply.transaction));
    if (reply.reason === "may_not_write") offer(say("sign_in"), () => signIn(say("may_not_write")));
    return told;
  }

  /** The reason in the language of the page; the table's own sentence where there are no words for it. */
  function why(reply) {
    const named = [say(reply.reason), tell.title(reply.reason)].find((words) => words !== reply.reason);
    return named ?? reply.error;
  }

  async function asked(form, command, more = {}) {
    const found = await forms[form]();
    if (!found) return;
    const given = Object.entries(found).filter(([, value]) => value !== "");
    enter(command, { ...Object.fromEntries(given), ...more }, say(`do_${form}`));
  }

  async function called(command, words) {
    if (await forms.confirm(words, tell.sentence(command, {}))) enter(command, {}, words);
  }

  /** What the tile of an event may be, where its reading was in doubt. */
  function candidates(event) {
    const doubted = (one) => one.type === "reading_doubted" && [event.seq, event.data.resolves].includes(one.seq);
    return log
      .inForce(event.match)
      .filter(doubted)
      .flatMap((doubt) => incidentOf(doubt.data).candidates);
  }

  /** The tiles that lie, or lay, in the hand of an event. */
  function lying(event) {
    if (event.hand === state()?.hand) return new Set(state().line.map((laid) => tileText(laid.tile)));
    const played = (one) => one.type === "tile_played" && one.hand === event.hand;
    return new Set(log.inForce(event.match).filter(played).map((one) => one.data.tile));
  }

  let wanted = null; // the event that is to be corrected, until it is here
  const tools = {
    incident: () => asked("incident", "incident"),
    card: () => asked("card", "card"),
    points: () => asked("points", "entry"),
    agreement: () => asked("agreement", "ruling", { choice: "agreement" }),
    free: () => acts.otherRuling(null),
    undo: () => enter("undo", {}, say("do_undo")),
    hand: () => asked("hand", "start_hand"),
    match: () => asked("match", "start_match"),
    time: () => called("time_called", say("do_time")),
    last: () => called("last_hand", say("do_last")),
  };

  const acts = {
    tool: (name) => tools[name](),
    recalibrate: () => enter("recalibrate", { accept: true }, say("recalibrate")),
    readAs: (seq, tile) => enter("correct", { seq, tile: tileText(tile) }, `${say("tile_is")} ${tileText(tile)}`),
    seatAct: (act, seat) =>
      enter(act, act === "pass" ? { seat, via: via() } : { seat }, `${say(`do_${act}`)}: ${tell.seatName(seat)}`),

    async rule(incident, choice, more = {}) {
      if (CONFIRMED.includes(choice) && !(await forms.confirm(tell.title(choice), tell.sentence(choice, {})))) return;
      const words = choice === "acknowledge" ? say(choice) : say("ruling_done", { choice: tell.title(choice) });
      enter("ruling", { incident, choice, ...more }, words);
    },

    async otherRuling(incident) {
      const found = await forms.ruling(incident);
      if (found) enter("ruling", found, say("ruling_done", { choice: tell.title(found.choice) }));
    },

    async correct(seq) {
      wanted = seq;
      const event = await log.awaited(seq);
      if (wanted !== seq) return; // meanwhile another one was wanted, or this one is open
      wanted = null;
      if (!event) return toast(say("not_here"), "bad");
      const found = await forms.correct(event, candidates(event), lying(event));
      if (found) enter("correct", { seq, ...found }, say("corrected"));
    },

    async voidEvent(seq, words) {
      if (await forms.confirm(say("void"), words)) enter("correct", { seq, void: true }, say("voided"));
    },
  };
  return acts;
}
