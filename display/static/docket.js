// What waits for the referee and what was decided, brought to plain known values.

import { alertOf, list, moment, number, object, seat, stateOf, text, tileOf, whole } from "./model.js";

const MOST = Number.MAX_SAFE_INTEGER;
const PAIRS = ["A", "B"];
const CHOICES = ["continue", "repeat_hand", "go_back"];
const COLOURS = ["yellow", "red", "black"];

/** An incident, doubt, advice or alarm. */
export function incidentOf(value) {
  const raw = object(value);
  return {
    ...alertOf(value),
    holder: seat(raw.holder ?? raw.remedy_holder),
    hand: whole(raw.hand, 0, 99999),
    tS: number(raw.t_s),
    time: moment(raw.time),
    tile: tileOf(raw.tile),
    end: ["open", "a", "b"].includes(raw.end) ? raw.end : null,
    fine: whole(raw.fine, 0, 999),
    credit: PAIRS.includes(raw.credit) ? raw.credit : null,
    difference: whole(raw.difference, 0, 999),
    atSeq: whole(raw.at_seq, 1, MOST),
    alternatives: list(raw.alternatives)
      .map((code) => text(code, 60))
      .filter(Boolean),
    candidates: list(raw.candidates)
      .map(candidateOf)
      .filter((one) => one.tile !== null),
    evidence: proofsOf(raw.evidence),
    acknowledged: text(raw.acknowledged, 64),
  };
}

/** The same incident under whatever seq: a correction far back tells it again. */
export const sameness = (incident) => JSON.stringify([incident.type, incident.code, incident.seats, incident.hand, incident.tS]);

const candidateOf = (value) => ({ tile: tileOf(list(value)[0]), p: number(list(value)[1]) });

/** The proofs in a list as a page can use them: `base` is what their addresses are relative to. */
export const proofsOf = (value, base = location.href) =>
  list(value)
    .map((one) => proofOf(one, base))
    .filter((one) => one.url !== null);

/** Only an address of the web is a link. */
function proofOf(value, base) {
  const raw = object(value);
  let url = null;
  try {
    const found = new URL(text(raw.url, 500), base);
    url = text(raw.url) && ["http:", "https:"].includes(found.protocol) ? found.href : null;
  } catch {
    url = null;
  }
  return { url, kind: text(raw.kind, 20), sha256: text(raw.sha256, 64) };
}

const cardOf = (value) => {
  const raw = object(value);
  return {
    incident: whole(raw.incident, 1, MOST),
    code: text(raw.code, 60),
    rule: text(raw.rule, 40),
    offender: seat(raw.offender),
    holder: seat(raw.holder),
    hand: whole(raw.hand, 0, 99999),
    status: text(raw.status, 20),
    choice: text(raw.choice, 20),
    deadline: text(raw.deadline, 30),
    options: list(raw.options).filter((choice) => CHOICES.includes(choice)),
  };
};

const shownOf = (value) => {
  const raw = object(value);
  return {
    seq: whole(raw.seq, 1, MOST),
    colour: COLOURS.includes(raw.colour) ? raw.colour : null,
    seat: seat(raw.seat),
    reason: text(raw.reason, 400),
    by: text(raw.by, 64),
    hand: whole(raw.hand, 0, 99999),
    time: moment(raw.time),
  };
};

/** The snapshot with what a console needs of it. */
export function consoleStateOf(value) {
  const raw = object(value);
  const result = raw.result === null || raw.result === undefined ? null : object(raw.result);
  return {
    ...stateOf(value),
    nextOpener: seat(raw.next_opener),
    unplayed: whole(raw.unplayed, 0, 168),
    result: result && {
      end: text(result.end, 20),
      winner: PAIRS.includes(result.winner) ? result.winner : null,
      points: Object.fromEntries(PAIRS.map((pair) => [pair, whole(object(result.points)[pair], 0, 999)])),
    },
    advice: list(raw.advice).map(incidentOf),
    cards: list(raw.cards).map(cardOf),
    discipline: Object.fromEntries(PAIRS.map((pair) => [pair, list(object(raw.discipline)[pair]).map(shownOf)])),
    watching: raw.watching ? { state: text(object(raw.watching).state, 40), since: moment(object(raw.watching).since) } : null,
    lastHand: whole(raw.last_hand, 0, 99999),
  };
}

/** The incidents by where they stand: open, acknowledged, ruled. */
export function docket(state, alerts, events, find) {
  const waiting = [...alerts, ...(state?.advice ?? [])].map((incident) => withProofs(incident, find));
  return {
    open: waiting.filter((incident) => !incident.acknowledged),
    acknowledged: waiting.filter((incident) => incident.acknowledged),
    ruled: events
      .filter((event) => event.type === "ruling" && !event.data.refused)
      .map((event) => ruledOf(event, find))
      .reverse(),
  };
}

/** What the event of an incident says and its entry in the list does not. */
function withProofs(incident, find) {
  const event = incident.seq === null ? null : find(incident.seq);
  if (event === null || incident.evidence.length) return incident;
  return { ...incident, evidence: incidentOf(event.data).evidence };
}

function ruledOf(event, find) {
  const about = whole(event.data.incident, 1, MOST);
  const told = about === null ? null : find(about);
  return {
    seq: event.seq,
    choice: text(event.data.choice, 40),
    by: text(event.data.by, 64),
    text: text(event.data.text, 400),
    lapsed: event.data.lapsed === true,
    hand: event.hand,
    time: event.time,
    incident: told === null ? null : { ...incidentOf({ ...told.data, seq: about, type: told.type, hand: told.hand }) },
  };
}
