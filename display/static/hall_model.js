// All tables of an event and its tournament, folded from what arrives over MQTT and brought to plain known values.

import { alertsOf, list, moment, number, object, stateOf, text, whole } from "./model.js";

const NAME = /^[a-z0-9-]{1,32}$/;
const BRIDGE = /^miron\/v1\/bridge\/([A-Za-z0-9_-]{1,64})$/;
const MOST_TABLES = 500;
const MOST = 99_999;

/** The topics of a hall page. */
export const hallTopics = (event) => [
  ...Object.keys(STEPS).map((leaf) => `miron/v1/${event}/table/+/${leaf}`),
  `miron/v1/${event}/tournament`,
  "miron/v1/bridge/+",
];

/**
 * A hall of which nothing is known yet: `tables` by name, the `tournament`, and the names of the `bridges` between brokers that are down.
 * `signalOf()` makes the signal of a new table.
 */
export function emptyHall(event, signalOf) {
  const root = `miron/v1/${event}/`;
  const hall = { tables: new Map(), tournament: null, bridges: new Set(), hear };

  /** Take in a message; gives the name of the table that it is about, "" for tournament and bridges, else null. */
  function hear(topic, message, retained) {
    const bridge = BRIDGE.exec(topic)?.[1];
    if (bridge && [0, 1, null].includes(message)) {
      hall.bridges[message === 0 ? "add" : "delete"](bridge);
      return "";
    }
    const [kind, name, leaf, ...more] = topic.slice(root.length).split("/");
    if (kind === "tournament" && name === undefined) {
      hall.tournament = message && tournamentOf(message);
      return "";
    }
    if (kind !== "table" || !NAME.test(name ?? "") || !Object.hasOwn(STEPS, leaf ?? "") || more.length) return null;
    const table = tableOf(name, message !== null);
    if (table && !retained) table.signal.heard();
    if (table && STEPS[leaf](table, message) === GONE) hall.tables.delete(name);
    return table && name;
  }

  function tableOf(name, mayBeNew) {
    if (mayBeNew && !hall.tables.has(name) && hall.tables.size < MOST_TABLES)
      hall.tables.set(name, { name, state: null, alerts: [], watching: "", health: null, signal: signalOf() });
    return hall.tables.get(name) ?? null;
  }

  return hall;
}

const GONE = "gone";

const STEPS = {
  status(table, message) {
    if (message === null) return GONE; // its topic was emptied: the table is no part of the event any more
    return table.signal.table(message);
  },
  state(table, message) {
    table.state = message && stateOf(message);
    table.watching = text(object(object(message).watching).state, 40);
    table.signal.snapshot(message);
  },
  alerts(table, message) {
    table.alerts = alertsOf(message);
  },
  health(table, message) {
    table.health = message && { ...healthOf(message), heardAt: Date.now() };
  },
};

function healthOf(value) {
  const raw = object(value);
  return {
    fps: number(raw.fps),
    latencyMs: number(raw.latency_ms),
    driftMm: number(raw.drift_mm),
    waiting: whole(object(raw.journal).waiting, 0, Number.MAX_SAFE_INTEGER),
  };
}

/** The tournament as docs/mqtt.md has it. */
function tournamentOf(value) {
  const raw = object(value);
  const next = object(raw.pairing);
  return {
    name: text(raw.name, 120),
    rounds: whole(raw.rounds, 1, MOST),
    after: whole(raw.after, 0, MOST),
    thirdKey: ["points_for", "rivals_wins"].includes(raw.third_key) ? raw.third_key : null,
    standings: list(raw.standings, 1000).map(standingOf),
    round: whole(next.round, 1, MOST),
    open: next.open === true,
    tables: list(next.tables, 500).map(meetingOf),
    bye: text(next.bye, 120),
    time: moment(raw.time),
  };
}

const standingOf = (value) => {
  const raw = object(value);
  const counts = ["place", "wins", "points_for", "rivals_wins", "matches"].map((name) => [name, whole(raw[name], 0, 10 * MOST)]);
  return {
    ...Object.fromEntries(counts),
    pair: text(raw.pair, 120),
    difference: whole(raw.difference, -10 * MOST, 10 * MOST),
    status: ["withdrawn", "expelled"].includes(raw.status) ? raw.status : "in",
  };
};

const meetingOf = (value) => {
  const raw = object(value);
  const points = Array.isArray(raw.points) ? [0, 1].map((n) => whole(raw.points[n], 0, MOST)) : null;
  return {
    table: whole(raw.table, 1, MOST),
    pairs: [0, 1].map((n) => text(list(raw.pairs)[n], 120)),
    points: points?.includes(null) ? null : points,
    winner: text(raw.winner, 120),
    outcome: text(raw.outcome, 20),
  };
};
