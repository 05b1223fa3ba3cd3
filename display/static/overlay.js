// The score over the picture of a broadcast: nothing but what must be seen, on no ground. What is not live shows no score at all.

import { make } from "./dom.js";
import { KINDS, icon } from "./icons.js";
import { drawLine } from "./line.js";
import { dress, settingsOf } from "./settings.js";
import { clockWords, screenTable } from "./table_feed.js";
import { languageOf, speaker } from "./words.js";

const TICK_MS = 500;
const SHOWN = 2; // alerts at one time
const language = languageOf(location.search);
const say = speaker(language);
const asked = new URLSearchParams(location.search);
const at = (id) => document.getElementById(id);
const put = (id, words) => at(id).textContent === words || (at(id).textContent = words);
const seatName = (seat) => (seat === null ? say("unknown") : say(`seat${seat}`));

const table = screenTable(say, { changed: draw, signalled: draw });
let shownAlerts = "";

function draw() {
  const { state } = table.view;
  const { live, kind, words } = table.signal.words(state);
  document.body.dataset.signal = kind;
  put("signal", live ? "" : words);
  drawTeams(live ? state : null, state);
  put("game", state && live ? `${say("match")} ${state.match ?? "?"} · ${say("hand")} ${state.hand ?? "?"}` : "");
  put("turn", state && live ? happening(state) : "");
  drawClock();
  at("line").toggleAttribute("hidden", !live || !state?.line.length || asked.get("line") === "off");
  if (live) drawLine(at("line"), state?.line ?? [], state?.line.length ? state.ends : null, say("line"));
  drawAlerts(live ? table.view.alerts : []);
}

function drawTeams(state, known) {
  for (const team of ["A", "B"]) {
    const fines = state?.fines[team] ?? 0;
    put(`name-${team}`, known?.teams[team].name || `${say("pair")} ${team}`);
    put(`score-${team}`, String(state?.score[team] ?? "–"));
    put(`fines-${team}`, fines ? `${fines > 0 ? "+" : ""}${fines}` : "");
  }
}

function happening(state) {
  if (state.winner) return say("won", { team: state.teams[state.winner].name || state.winner });
  if (state.phase !== "playing") return say(state.phase);
  return state.turn === null ? "" : `${say("turn")}: ${seatName(state.turn)}`;
}

function drawClock() {
  const { state } = table.view;
  const runs = table.signal.live() && state?.phase === "playing" && state.turn !== null && table.turnSince !== null;
  at("clock").hidden = !runs;
  if (runs) put("clock", clockWords(performance.now() - table.turnSince));
}

function drawAlerts(alerts) {
  const key = JSON.stringify(alerts);
  if (key === shownAlerts) return;
  shownAlerts = key;
  const rows = alerts.slice(-SHOWN).map((alert) => {
    const kind = KINDS.includes(alert.type) ? alert.type : "alarm";
    const what = say(alert.code && alert.code.toLowerCase() !== alert.type ? alert.code : kind);
    const who = alert.seats.map(seatName).join(" / ");
    return make("li", { class: kind }, icon(kind), make("span", {}, [who, what].filter(Boolean).join(": ")));
  });
  at("alerts").replaceChildren(...rows);
}

async function open() {
  dress(document.documentElement, language, say, location.search);
  if (asked.get("position") === "top") document.body.classList.add("top");
  draw();
  table.open(await settingsOf(location.search));
  setInterval(draw, TICK_MS);
  new ResizeObserver(draw).observe(at("line"));
}

open();
