// The score over the picture of a broadcast: nothing but what must be seen, on no ground. What is not live shows no score at all.

import { at, make, put } from "./dom.js";
import { icon, kindOf } from "./icons.js";
import { drawLine } from "./line.js";
import { dress, settingsOf } from "./settings.js";
import { drawClock, screenTable } from "./table_feed.js";
import { alertWords, languageOf, seatWords, signed, speaker, teamWords, wonWords } from "./words.js";

const TICK_MS = 500;
const SHOWN = 2; // alerts at one time
const language = languageOf(location.search);
const say = speaker(language);
const asked = new URLSearchParams(location.search);

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
  drawClock(table);
  at("line").toggleAttribute("hidden", !live || !state?.line.length || asked.get("line") === "off");
  if (live) drawLine(at("line"), state, say("line"));
  drawAlerts(live ? table.view.alerts : []);
}

function drawTeams(state, known) {
  for (const team of ["A", "B"]) {
    const fines = state?.fines[team] ?? 0;
    put(`name-${team}`, teamWords(known, team, say));
    put(`score-${team}`, state?.score[team]);
    put(`fines-${team}`, fines ? signed(fines) : "");
  }
}

function happening(state) {
  if (state.winner) return wonWords(state, say);
  if (state.phase !== "playing") return say(state.phase);
  return state.turn === null ? "" : `${say("turn")}: ${seatWords(state.turn, say)}`;
}

function drawAlerts(alerts) {
  const key = JSON.stringify(alerts);
  if (key === shownAlerts) return;
  shownAlerts = key;
  const rows = alerts.slice(-SHOWN).map((alert) => {
    const kind = kindOf(alert);
    return make("li", { class: kind }, icon(kind), make("span", {}, alertWords(alert, say, kind)));
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
