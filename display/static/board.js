// The scoreboard of one table. Nothing that arrives is ever put into the page as HTML.

import { boardView } from "./board_view.js";
import { at, put } from "./dom.js";
import { canHold, holdingsDelay } from "./holdings.js";
import { logBook } from "./log.js";
import { dress, settingsOf } from "./settings.js";
import { soundSwitch } from "./sound.js";
import { drawClock, screenTable } from "./table_feed.js";
import { languageOf, speaker } from "./words.js";

const TICK_MS = 500;
const language = languageOf(location.search);
const say = speaker(language);
const delayS = holdingsDelay(location.search);

const draws = boardView(say);
const table = screenTable(say, {
  changed: draw,
  signalled: drawSignal,
  happened: (event) => sound?.of(event.type),
  heard: delayS === null ? undefined : keepLog,
  more: delayS === null ? [] : ["rsp/resync"],
});
const log = logBook((from) => table.feed?.say("cmd/resync", { from, transaction: `board-${from}`, by: "board" }));
let sound = null;

function draw() {
  const { state, passes, alerts } = table.view;
  draws.teams(state);
  draws.seats(state, passes);
  draws.head(state);
  draws.line(state);
  draws.footer(state, passes);
  draws.alerts(alerts);
  drawSignal();
}

function drawSignal() {
  draws.signal(table.signal.words(table.view.state));
  drawClock(table);
}

function keepLog(leaf, message) {
  if (leaf === "state") log.upTo(Number(message?.seq) || 0);
  else if (leaf === "event") log.event(message);
  else if (leaf === "rsp/resync") log.page(message);
}

/** What each seat can hold, as it was some time ago: who sits at the table learns nothing from it. */
function drawHoldings() {
  const { state } = table.view;
  at("holdings").hidden = !table.signal.live() || state?.phase !== "playing";
  if (at("holdings").hidden) return;
  const old = (event) => event.hand === state.hand && Date.now() - event.arrived >= delayS * 1000;
  draws.holdings(canHold(log.inForce(state.match).filter(old)), delayS);
}

function tick() {
  drawSignal();
  if (delayS !== null) drawHoldings();
}

async function open() {
  dress(document.documentElement, language, say, location.search);
  sound = soundSwitch(at("sound"), say, location.search);
  draw();
  const config = await settingsOf(location.search);
  put("where", `${config.event} · ${config.table}`);
  document.title = `${config.table} · miron`;
  table.open(config);
  setInterval(tick, TICK_MS);
  new ResizeObserver(() => draws.line(table.view.state)).observe(at("line"));
}

open();
