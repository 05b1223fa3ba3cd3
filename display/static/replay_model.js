// A recorded match as a rule set judges it: how the table stood at each moment, and the moments to jump to.

import { list, number, object, text } from "./model.js";
import { consoleStateOf } from "./docket.js";
import { eventOf } from "./log.js";

const MOST = 100_000;
const PLAYS = ["tile_played", "turn_passed", "reading_doubted", "tile_withdrawn"];
const INCIDENTS = ["infraction", "suspicion", "reading_doubted", "advice"];
const MILESTONES = ["hand_opened", "hand_ended", "match_ended", "correction", "ruling"];
const seconds = (value) => number(value) ?? 0;

/** What the server says of a recording under one rule set. */
export function judgementOf(value) {
  const raw = object(value);
  const events = list(raw.events, MOST).map(eventOf).filter(Boolean);
  const told = list(raw.steps, MOST).filter((step) => object(step) === step);
  const steps = told.map((step) => ({ tS: seconds(object(step).t_s), state: consoleStateOf(object(step).state) }));
  const film = raw.video === null || raw.video === undefined ? null : seconds(object(raw.video).start_s);
  const teams = Object.fromEntries(["A", "B"].map((pair) => [pair, text(object(raw.teams)[pair], 64)]));
  return { teams, ruleset: text(raw.ruleset, 12), recorded: text(raw.recorded, 12), film, events, steps, find: finder(events) };
}

function finder(events) {
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return (seq) => bySeq.get(seq) ?? null;
}

/** The state of the table at a time; null before the first one. */
export function stateAt(judgement, tS) {
  let [low, high] = [0, judgement.steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (judgement.steps[middle].tS <= tS) low = middle + 1;
    else high = middle;
  }
  return low ? judgement.steps[low - 1].state : null;
}

/** The moments worth a jump, in order of time: kind play, incident or milestone; `voided`: a correction took it back later. */
export function momentsOf(judgement) {
  const voided = new Set(judgement.events.filter(({ type }) => type === "correction").flatMap(({ data }) => list(data.voids)));
  return judgement.events.flatMap((event) => {
    const kind = INCIDENTS.includes(event.type)
      ? "incident"
      : PLAYS.includes(event.type)
        ? "play"
        : MILESTONES.includes(event.type)
          ? "milestone"
          : null;
    return kind && event.t_s !== null ? [{ kind, tS: event.t_s, event, voided: voided.has(event.seq) }] : [];
  });
}

/** First and last second of a match, the longest of its judgements; a little before the first event, so that one sees it come. */
export function spanOf(judgements) {
  const times = judgements.flatMap(({ events }) => events.map((event) => event.t_s).filter((tS) => tS !== null));
  if (!times.length) return [0, 1];
  const lowest = times.reduce((one, other) => Math.min(one, other));
  const highest = times.reduce((one, other) => Math.max(one, other));
  return [Math.max(0, lowest - 2), Math.max(highest + 2, lowest + 1)];
}

/** The moment before or after a time, of those given; null when there is none. */
export function nextMoment(moments, tS, forward) {
  const margin = 0.05; // standing on one, the next is wanted
  return forward
    ? (moments.find((moment) => moment.tS > tS + margin) ?? null)
    : (moments.findLast((moment) => moment.tS < tS - margin) ?? null);
}
