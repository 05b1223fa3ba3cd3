// One table of the hall as a card: state, score, open incidents, health.

import { make } from "./dom.js";
import { icon, kindOf } from "./icons.js";
import { alertWords, seatWords, signed, teamWords, wonWords } from "./words.js";

const HEALTH_PATIENCE_S = 25; // health comes every 10 s; so much later it is no news any more
const SHOWN = 3;

/** Tables in the order of their names, numbers as numbers; only those that wait for a person when `waiting`. */
export function ordered(tables, waiting) {
  return [...tables.values()]
    .filter((table) => !waiting || table.alerts.length)
    .sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
}

/** The card of a table; `page` says words and makes addresses. */
export function card(table, page) {
  const { state } = table;
  const signal = table.signal.words(state);
  const waits = table.alerts.length ? ` ${kindOf(table.alerts[0])}` : "";
  return make(
    "li",
    { class: `card${waits}${signal.live ? "" : " gone"}`, "data-table": table.name, "data-signal": signal.kind },
    make(
      "div",
      { class: "top" },
      make("h3", {}, table.name),
      make("span", { class: "game" }, game(state, page)),
      make("span", { class: "signal" }, make("i", { "aria-hidden": "true" }), make("span", {}, signal.words)),
    ),
    signal.live ? null : make("p", { class: "old" }, signal.old),
    teams(state, page),
    make("p", { class: "play" }, ...play(state, page)),
    incidents(table, page),
    make("p", { class: "health" }, ...health(table, page)),
    make(
      "p",
      { class: "links" },
      make("a", { href: page.address("/board", table.name) }, page.say("scoreboard")),
      make("a", { href: page.address("/referee", table.name) }, page.say("to_console")),
    ),
  );
}

const game = (state, { say }) =>
  state
    ? [state.ruleset.toUpperCase(), `${say("match")} ${state.match ?? "?"}`, `${say("hand")} ${state.hand ?? "?"}`].join(" · ")
    : "";

function teams(state, { say }) {
  const rows = ["A", "B"].map((pair) => {
    const fines = state?.fines[pair] ?? 0;
    return make(
      "div",
      { class: `pair-${pair}${state?.winner === pair ? " winner" : ""}` },
      make("dt", {}, teamWords(state, pair, say)),
      make(
        "dd",
        {},
        fines ? make("small", {}, `${say("fines")} ${signed(fines)}`) : null,
        make("b", {}, String(state?.score[pair] ?? "–")),
      ),
    );
  });
  return make("dl", { class: "teams" }, rows);
}

function play(state, { say }) {
  if (!state) return [say("no_table")];
  if (state.phase === "waiting") return [say("waits_opening")];
  if (state.phase !== "playing") return [[say(state.phase), wonWords(state, say)].filter(Boolean).join(" · ")];
  const ends = state.ends?.map((end) => end ?? "?").join(" · ") ?? "–";
  return [
    make("span", {}, `${say("turn")} `, make("b", {}, seatWords(state.turn, say))),
    make("span", {}, `${say("ends")} `, make("b", {}, ends)),
    make("span", {}, make("b", {}, String(state.line.length)), ` ${say("tiles")}`),
  ];
}

function incidents(table, { say }) {
  if (!table.alerts.length) return make("p", { class: "incidents none" }, say("no_incidents"));
  const rows = table.alerts.slice(0, SHOWN).map((alert) => {
    const kind = kindOf(alert);
    return make("li", { class: kind }, icon(kind), make("span", {}, alertWords(alert, say, kind)));
  });
  return make(
    "div",
    { class: "incidents" },
    make("b", {}, say("open_incidents", { count: table.alerts.length })),
    make("ul", {}, rows, table.alerts.length > SHOWN ? make("li", {}, "…") : null),
  );
}

function health(table, { say }) {
  const { health: found, watching } = table;
  const unseen = watching && watching !== "watching" ? make("b", { class: "unseen-table" }, say(watching)) : null;
  const age = found ? Math.round((Date.now() - found.heardAt) / 1000) : null;
  const figures = [
    ["fps", found?.fps],
    ["latency", found?.latencyMs],
    ["drift", found?.driftMm],
    ["queue", found?.waiting || null],
  ].filter(([, value]) => value !== null && value !== undefined);
  const words =
    age === null
      ? say("no_health")
      : age > HEALTH_PATIENCE_S
        ? say("health_old", { s: age })
        : figures.map(([name, value]) => say(name, { value: Math.round(value * 10) / 10 })).join(" · ") || say("live");
  return [make("span", {}, `${say("health")}: `), unseen, make("span", { class: "figures" }, words)];
}
