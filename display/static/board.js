// The scoreboard of one table. Nothing that arrives is ever put into the page as HTML.

import { follow } from "./feed.js";
import { KINDS, icon } from "./icons.js";
import { drawLine } from "./line.js";
import { nothing, tileText, withAlerts, withEvent, withState } from "./model.js";
import { pageSignal } from "./signal.js";
import { languageOf, speaker } from "./words.js";

const language = languageOf(location.search);
const say = speaker(language);
const at = (id) => document.getElementById(id);
const LAST_WORDS = { turn_passed: "passed", reading_doubted: "doubted", tile_withdrawn: "withdrew", tile_exposed: "exposed" };
const PAIR_OF = ["A", "B", "A", "B"];

let view = nothing();
const signal = pageSignal(say, drawSignal);
let shownAlerts = "";

const seatName = (seat) => (seat === null ? say("unknown") : say(`seat${seat}`));
const teamName = (team) => view.state?.teams[team].name || `${say("pair")} ${team}`;
const put = (id, words) => {
  const text = words === null || words === undefined ? "–" : String(words);
  if (at(id).textContent !== text) at(id).textContent = text;
};

function make(name, className, words) {
  const made = document.createElement(name);
  made.className = className;
  if (words !== undefined) made.textContent = words;
  return made;
}

function drawTeams(state) {
  for (const team of ["A", "B"]) {
    put(`name-${team}`, teamName(team));
    put(`score-${team}`, state?.score[team]);
    put(`seats-${team}`, (state?.teams[team].seats ?? []).map(seatName).join(" · "));
    const fines = state?.fines[team] ?? null;
    const total = (state?.score[team] ?? 0) + (fines ?? 0);
    put(`fines-${team}`, fines > 0 ? `+${fines}` : fines);
    put(`target-${team}`, state?.target);
    put(`total-${team}`, total);
    at(`total-${team}`).parentElement.classList.toggle("blank", !fines);
    const share = state?.target ? Math.min(1, Math.max(0, total / state.target)) : 0;
    at(`goal-${team}`).style.setProperty("--share", String(share));
    at(`name-${team}`).parentElement.classList.toggle("winner", state?.winner === team);
  }
}

function drawSeat(seat, state) {
  const held = state?.held[seat] ?? null;
  const tiles = make("span", "held");
  tiles.append(...Array.from({ length: held ?? 0 }, () => make("i", "")));
  tiles.setAttribute("aria-label", `${held ?? "?"} ${say("tiles")}`);
  tiles.setAttribute("role", "img");
  const passed = view.passes.includes(seat) ? [make("em", "", say("passed"))] : [];
  at(`seat-${seat}`).replaceChildren(make("b", "", seatName(seat)), tiles, ...passed);
  at(`seat-${seat}`).classList.toggle("turn", state?.turn === seat);
  at(`seat-${seat}`).dataset.pair = PAIR_OF[seat];
}

function drawFooter(state) {
  const ends = state?.ends;
  put("ends", ends ? ends.map((end) => end ?? "?").join("  ·  ") : null);
  put("turn", state?.turn === null || !state ? null : seatName(state.turn));
  put("passes", view.passes.length ? view.passes.map(seatName).join(", ") : null);
  put("last", lastPlay(state?.last));
}

function lastPlay(last) {
  if (!last) return null;
  const what = Object.hasOwn(LAST_WORDS, last.type) ? [say(LAST_WORDS[last.type])] : [];
  if (last.tile) what.push(tileText(last.tile));
  return `${seatName(last.seat)}: ${what.join(" ")}`;
}

function drawTable(state) {
  put("match", state?.match ? `${say("match")} ${state.match}` : "");
  put("hand", state?.hand ? `${say("hand")} ${state.hand}` : "");
  put("ruleset", state?.ruleset.toUpperCase() ?? "");
  at("ruleset").hidden = !state?.ruleset;
  drawLine(at("line"), state?.line ?? [], state?.line.length ? state.ends : null, say("line"));
  const won = state?.winner ? say("won", { team: teamName(state.winner) }) : "";
  const phase = !state ? say("no_table") : state.phase === "playing" ? (state.line.length ? "" : say("waiting")) : say(state.phase);
  put("empty", [phase, won].filter(Boolean).join(" · "));
  at("empty").classList.toggle("over-line", Boolean(state?.line.length));
}

function drawAlerts() {
  const key = JSON.stringify(view.alerts);
  if (key === shownAlerts) return; // a list rebuilt without a change would be read aloud again
  shownAlerts = key;
  at("alerts").replaceChildren(...view.alerts.map(alertItem));
}

function alertItem(alert) {
  const kind = KINDS.includes(alert.type) ? alert.type : "alarm";
  const item = make("li", kind);
  const who = alert.seats.map(seatName).join(" / ");
  const what = alert.code && alert.code.toLowerCase() !== alert.type ? say(alert.code) : "";
  item.append(icon(kind), make("b", "", say(kind)), make("span", "", [who, what].filter(Boolean).join(": ")));
  if (alert.rule) item.append(make("span", "rule", alert.rule));
  return item;
}

/** Whether what is shown is live; if not, how it is said. */
function drawSignal() {
  const { live, kind, words, old } = signal.words(view.state);
  document.body.dataset.signal = kind;
  put("signal", words);
  at("stale").hidden = live;
  if (!live) put("stale", old);
}

function draw() {
  drawTeams(view.state);
  [0, 1, 2, 3].forEach((seat) => drawSeat(seat, view.state));
  drawTable(view.state);
  drawFooter(view.state);
  drawAlerts();
  drawSignal();
}

function hear(leaf, message) {
  if (leaf === "status") return signal.table(message);
  if (leaf === "state") signal.fresh();
  const step = { state: withState, alerts: withAlerts, event: withEvent }[leaf];
  if (!step) return;
  view = step(view, message);
  draw();
}

async function open() {
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll("[data-word]")) place.textContent = say(place.dataset.word);
  draw();
  const config = await (await fetch("/config.json")).json();
  put("where", `${config.event} · ${config.table}`);
  document.title = `${config.table} · miron`;
  follow(config, hear, signal.link);
  setInterval(drawSignal, 500);
  new ResizeObserver(() => drawTable(view.state)).observe(at("line"));
}

open();
