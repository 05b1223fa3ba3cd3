// The buttons that decide on an incident, by what it is.

import { button } from "./dom.js";
import { tileText } from "./model.js";

const EITHER = "RENEGE_OR_OUT_OF_TURN";
const FID_KEYS = { continue: "C", repeat_hand: "R", go_back: "B" };

/** The choices that a card still gives. */
export function cardChoices(card, page, keys = {}) {
  return card.options
    .filter((choice) => choice !== card.choice)
    .map((choice) =>
      button(
        page.tell.title(choice),
        { id: `${card.incident}-${choice}`, key: keys[choice], kind: choice === "continue" ? "" : "danger", off: !page.live() },
        () => page.acts.rule(card.incident, choice),
      ),
    );
}

/** The buttons that decide on an incident. */
export function choices(incident, page) {
  const off = !page.live();
  const one = (choice, key, kind = "") =>
    button(
      choice === "acknowledge" ? page.say(choice) : page.tell.title(choice),
      { id: `${incident.seq}-${choice}`, key, kind, off },
      () => page.acts.rule(incident.seq, choice),
    );
  const known = incident.acknowledged || incident.type === "advice";
  const seen = known ? [] : [one("acknowledge", "A")];
  if (incident.seq === null) return [];
  if (incident.type === "reading_doubted") return [...seen, ...readings(incident, page, off)];
  const card = page.cardOf(incident.seq);
  return [
    ...seen,
    ...(incident.code === EITHER && incident.seats.length === 2 ? eitherOf(incident, page, off) : [one("uphold", "U", "main")]),
    one("dismiss", "D"),
    one("inconclusive", "Y"),
    ...(card ? cardChoices(card, page, FID_KEYS) : []),
    one("agreement", "O"),
    button(page.say("other_ruling"), { id: `${incident.seq}-other`, key: "F", off }, () => page.acts.otherRuling(incident)),
  ];
}

/** A seat was skipped in silence: it jumped, or the other kept silent with a tile that fitted. */
function eitherOf(incident, page, off) {
  return [
    ["OUT_OF_TURN", 0, "U"],
    ["RENEGE", 1, "Shift+U"],
  ].map(([code, n, key]) =>
    button(
      `${page.tell.title(code)}: ${page.tell.seatName(incident.seats[n])}`,
      { id: `${incident.seq}-${code}`, key, kind: "main", off },
      () => page.acts.rule(incident.seq, "uphold", { code, seat: incident.seats[n] }),
    ),
  );
}

function readings(incident, page, off) {
  const tiles = incident.candidates
    .slice(0, 4)
    .map(({ tile, p }, n) =>
      button(
        `${tileText(tile)} (${Math.round(100 * (p ?? 0))} %)`,
        { id: `${incident.seq}-is-${n}`, kind: n ? "" : "main", key: n ? null : "U", off },
        () => page.acts.readAs(incident.seq, tile),
      ),
    );
  return [
    ...tiles,
    button(page.say("another_tile"), { id: `${incident.seq}-correct`, key: "X", off }, () => page.acts.correct(incident.seq)),
    button(page.say("no_tile"), { id: `${incident.seq}-void`, key: "D", kind: "danger", off }, () =>
      page.acts.voidEvent(incident.seq, page.say("no_tile")),
    ),
  ];
}
