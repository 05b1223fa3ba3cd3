// The incidents: what happened, which rule it breaks, what may follow, and the buttons to decide.

import { cardChoices, choices } from "./choices_view.js";
import { make, redraw } from "./dom.js";
import { KINDS, icon } from "./icons.js";
import { tileText } from "./model.js";

const MOST_PROOFS = 12;

let drawn = ""; // drawn anew, a clip that plays would stop

/** Draw the groups into `root`. `page` says words, names seats, knows the state and carries out what is pressed. */
export function drawIncidents(root, groups, page) {
  const now = JSON.stringify([groups, page.selected(), page.live(), page.cards(), page.team("A"), page.team("B")]);
  if (now === drawn) return;
  drawn = now;
  redraw(root, [
    group("open", groups.open, page),
    group("acknowledged", groups.acknowledged, page),
    cardsLeft(groups, page),
    ruledGroup(groups.ruled, page),
  ]);
}

function group(name, incidents, page) {
  const list = make(
    "ol",
    { class: `incidents ${name}`, "aria-labelledby": `group-${name}` },
    incidents.map((incident) => incidentItem(incident, page)),
  );
  const empty = incidents.length ? null : make("p", { class: "none" }, page.say(`no_${name}`));
  return [
    make(
      "h3",
      { id: `group-${name}` },
      `${page.say(`group_${name}`)} `,
      make("span", { class: "count" }, String(incidents.length)),
    ),
    empty ?? list,
  ];
}

function ruledGroup(ruled, page) {
  const shown = ruled.slice(0, 40).map((one) => make("li", { class: "ruled" }, ruledLine(one, page)));
  const summary = make(
    "summary",
    { "data-id": "ruled" },
    make(
      "span",
      { role: "heading", "aria-level": "3" },
      `${page.say("group_ruled")} `,
      make("span", { class: "count" }, String(ruled.length)),
    ),
  );
  const made = make(
    "details",
    { open: page.ruledOpen() },
    summary,
    shown.length ? make("ol", { class: "incidents" }, shown) : make("p", { class: "none" }, page.say("no_ruled")),
  );
  made.addEventListener("toggle", () => page.ruledOpen(made.open));
  return made;
}

function ruledLine(one, page) {
  const about = one.incident
    ? `${page.tell.title(one.incident.code || one.incident.type)} · ${who(one.incident, page)}`
    : page.say("general");
  const choice = one.lapsed ? page.tell.title("lapsed") : page.tell.title(one.choice);
  return [
    make("b", {}, choice),
    make("span", {}, about),
    one.text ? make("q", {}, one.text) : null,
    one.by ? make("small", {}, one.by) : null,
  ];
}

const who = (incident, page) => incident.seats.map(page.tell.seatName).join(" / ") || page.tell.title("somebody");

function incidentItem(incident, page) {
  const kind = KINDS.includes(incident.type) ? incident.type : incident.type === "advice" ? "suspicion" : "alarm";
  const chosen = page.selected() === incident.seq && incident.seq !== null;
  const code = incident.code === "READING_DOUBTED" ? page.tell.title("reading_doubted") : titleOf(incident.code, page);
  const head = make(
    "button",
    { type: "button", class: "head", "aria-expanded": chosen, "data-id": `incident-${incident.seq}`, "data-seq": incident.seq },
    icon(kind),
    make(
      "span",
      { class: "what" },
      make("b", {}, code),
      make(
        "span",
        {},
        [who(incident, page), incident.tile ? tileText(incident.tile) : "", page.momentOf(incident)].filter(Boolean).join(" · "),
      ),
    ),
    make(
      "span",
      { class: "kind" },
      page.say(
        incident.type in { infraction: 1, suspicion: 1, reading_doubted: 1, alarm: 1, advice: 1 } ? incident.type : "alarm",
      ),
    ),
  );
  head.addEventListener("click", () => page.select(chosen ? null : incident.seq));
  return make("li", { class: `${kind}${chosen ? " chosen" : ""}` }, head, chosen ? detail(incident, page) : null);
}

const titleOf = (code, page) => (page.tell.title(code) === code ? page.say(code) : page.tell.title(code));

function detail(incident, page) {
  const values = {
    seat: oneOrMore(incident.seats),
    seats: incident.seats,
    tile: incident.tile && tileText(incident.tile),
    end: incident.end,
    candidates: incident.candidates.map((one) => [tileText(one.tile), one.p]),
  };
  const quote = page.tell.rule(incident.rule);
  return make(
    "div",
    { class: "detail" },
    make(
      "p",
      { class: "sentence" },
      page.tell.sentence(incident.type === "reading_doubted" ? "reading_doubted" : incident.code, values),
    ),
    quote ? make("blockquote", {}, make("cite", {}, incident.rule), ` ${quote}`) : null,
    make(
      "dl",
      {},
      facts(incident, page).flatMap(([name, words]) => [make("dt", {}, page.say(name)), make("dd", {}, words)]),
    ),
    proofs(incident, page),
    cardBox(page.cardOf(incident.seq), page),
    make("div", { class: "buttons", role: "group", "aria-label": page.say("decide") }, choices(incident, page)),
  );
}

const oneOrMore = (seats) => (seats.length > 1 ? seats : (seats[0] ?? null));

function facts(incident, page) {
  const credit = incident.credit ? page.team(incident.credit) : "–";
  const proposed = incident.fine
    ? page.say("fine_of", { points: incident.fine, team: credit })
    : incident.holder !== null
      ? page.say("choice_of", { seat: page.tell.seatName(incident.holder) })
      : page.say("no_fine");
  return [
    incident.type === "infraction" ? ["proposed", proposed] : null,
    incident.alternatives.length ? ["alternatives", incident.alternatives.map(page.tell.title).join(", ")] : null,
    incident.difference ? ["difference", String(incident.difference)] : null,
    incident.end ? ["at_end", page.tell.title(incident.end)] : null,
    incident.acknowledged ? ["seen_by", incident.acknowledged] : null,
  ].filter(Boolean);
}

/** Clips first: what moved says more. */
function proofs(incident, page) {
  if (!incident.evidence.length) return null;
  const kinds = ["clip", "still"];
  const order = (one) => (kinds.indexOf(one.kind) + kinds.length + 1) % (kinds.length + 1);
  const shown = incident.evidence.toSorted((one, other) => order(one) - order(other)).slice(0, MOST_PROOFS);
  return make("div", { class: "proofs", role: "group", "aria-label": page.say("evidence") }, shown.map((one) => page.proof(one)));
}

function cardBox(card, page) {
  if (!card) return null;
  return make(
    "div",
    { class: "card" },
    make("b", {}, page.say("fid_card")),
    make(
      "span",
      {},
      page.say("card_of", { holder: page.tell.seatName(card.holder), offender: page.tell.seatName(card.offender) }),
    ),
    make("span", {}, page.say(`deadline_${card.deadline}`)),
    card.choice ? make("span", {}, page.say("chosen", { choice: page.tell.title(card.choice) })) : null,
  );
}

/** Cards on which somebody chose to go on, and which may still be changed. */
function cardsLeft({ open, acknowledged }, page) {
  const shown = new Set([...open, ...acknowledged].map((incident) => incident.seq));
  const left = page.cards().filter((card) => card.options.length && card.incident !== null && !shown.has(card.incident));
  if (!left.length) return null;
  const items = left.map((card) =>
    make(
      "li",
      { class: "suspicion" },
      make(
        "div",
        { class: "detail" },
        make("b", {}, page.tell.title(card.code)),
        cardBox(card, page),
        make("div", { class: "buttons", role: "group", "aria-label": page.say("decide") }, cardChoices(card, page)),
      ),
    ),
  );
  return [make("h3", {}, page.say("cards_left")), make("ol", { class: "incidents" }, items)];
}
