// The table as it stands, what can be entered for each seat, and what was played.

import { button, make, redraw } from "./dom.js";
import { drawLine } from "./line.js";

const ACTS = ["pass", "announce", "touch", "objection"];
const LOGGED = [
  "hand_opened",
  "tile_played",
  "reading_doubted",
  "turn_passed",
  "tile_withdrawn",
  "tile_moved",
  "tile_exposed",
  "hand_closed",
  "hand_ended",
  "infraction",
  "suspicion",
  "advice",
  "ruling",
  "entered",
  "correction",
  "match_ended",
  "watching",
];
/** Events that `correct` takes. */
const CORRECTABLE = [
  "tile_played",
  "reading_doubted",
  "turn_passed",
  "tile_withdrawn",
  "tile_moved",
  "tile_exposed",
  "entered",
];
const SEAT_KEYS = ["S", "E", "N", "W"];

let drawn = ""; // drawn anew, the newest tile would appear once more

export function drawTable(svg, facts, state, page) {
  const { width, height } = svg.getBoundingClientRect();
  const now = JSON.stringify([state?.line, state?.ends, width, height]);
  if (now !== drawn) drawLine(svg, state, page.say("line"));
  drawn = now;
  const phase = !state ? page.say("no_table") : state.phase === "playing" ? "" : page.say(state.phase);
  const rows = [
    ["turn", state && state.turn !== null ? page.tell.seatName(state.turn) : null],
    ["ends", state?.ends ? state.ends.map((end) => end ?? "?").join(" · ") : null],
    ["unplayed", state?.unplayed ?? null],
    [
      "next_opener",
      state && state.phase !== "playing" && state.nextOpener !== null ? page.tell.seatName(state.nextOpener) : null,
    ],
  ].filter(([, words]) => words !== null);
  redraw(facts, [
    phase ? make("p", { class: "phase" }, phase) : null,
    make(
      "dl",
      {},
      rows.flatMap(([name, words]) => [make("dt", {}, page.say(name)), make("dd", {}, String(words))]),
    ),
  ]);
}

/** The seats in order of play, each with its buttons; a letter goes to a row, the arrows along it. */
export function drawSeats(root, state, page) {
  const rows = [0, 1, 2, 3].map((seat) => {
    const turn = state?.turn === seat;
    const name = make(
      "th",
      { scope: "row", class: `pair-${"AB"[seat % 2]}${turn ? " turn" : ""}` },
      make("span", {}, page.tell.seatName(seat)),
      make("kbd", { "aria-hidden": "true" }, `⇧${SEAT_KEYS[seat]}`),
      make("small", {}, `${state?.held[seat] ?? "?"} ${page.say("tiles")}${turn ? ` · ${page.say("turn")}` : ""}`),
    );
    const cells = ACTS.map((act) =>
      make(
        "td",
        {},
        button(
          page.say(`do_${act}`),
          { id: `seat-${seat}-${act}`, label: `${page.say(`do_${act}`)}: ${page.tell.seatName(seat)}`, off: !page.live() },
          () => page.acts.seatAct(act, seat),
        ),
      ),
    );
    return make("tr", { "data-seat": seat }, name, cells);
  });
  redraw(root, rows);
}

/** Newest first; what can be put right has a button for it. */
export function drawLog(root, events, state, page) {
  const shown = events.filter((event) => LOGGED.includes(event.type) && (page.allHands() || !state || event.hand === state.hand));
  const when = (event) => (page.allHands() ? `${event.hand} · ${page.clock(event.time)}` : page.clock(event.time));
  const row = (event) => [make("span", { class: "when" }, when(event)), make("span", { class: "told" }, page.tellEvent(event))];
  redraw(
    root,
    shown.reverse().map((event) => make("li", { class: event.type }, row(event), fixButtons(event, page))),
  );
}

function fixButtons(event, page) {
  if (!CORRECTABLE.includes(event.type)) return null;
  const what = page.tellEvent(event);
  const correct =
    event.type === "entered"
      ? null
      : button(
          page.say("correct"),
          { id: `log-${event.seq}-correct`, label: `${page.say("correct")}: ${what}`, off: !page.live() },
          () => page.acts.correct(event.seq),
        );
  const gone = button(
    page.say("void"),
    { id: `log-${event.seq}-void`, kind: "danger", label: `${page.say("void")}: ${what}`, off: !page.live() },
    () => page.acts.voidEvent(event.seq, what),
  );
  return make("span", { class: "fix" }, correct, gone);
}

/** The cards that were shown, by pair. */
export function drawDiscipline(root, state, page) {
  redraw(
    root,
    ["A", "B"].map((pair) => {
      const shown = state?.discipline[pair] ?? [];
      const items = shown.map((one) =>
        make(
          "li",
          {},
          make("span", { class: `colour ${one.colour}` }, page.say(one.colour ?? "unknown")),
          make(
            "span",
            {},
            [one.seat === null ? "" : page.tell.seatName(one.seat), one.reason, one.by].filter(Boolean).join(" · "),
          ),
        ),
      );
      return make(
        "section",
        {},
        make("h4", {}, page.team(pair)),
        items.length ? make("ul", {}, items) : make("p", { class: "none" }, page.say("no_cards")),
      );
    }),
  );
}
