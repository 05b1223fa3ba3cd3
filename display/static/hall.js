// The hall: every table of an event, and its tournament, on one page. It only reads.

import { at, put } from "./dom.js";
import { listenTo } from "./feed.js";
import { emptyHall, hallTopics } from "./hall_model.js";
import { card, ordered } from "./hall_view.js";
import { dress, settingsOf } from "./settings.js";
import { pageSignal } from "./signal.js";
import { drawTournament } from "./tournament_view.js";
import { languageOf, speaker } from "./words.js";
import { WORDS } from "./words_hall.js";

const DRAW_MS = 150; // many tables speak at once: they are drawn together
const language = languageOf(location.search);
const say = speaker(language, WORDS);

const page = {
  say,
  clock: (time) => new Date(time).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false }),
  address(path, table) {
    const asked = new URLSearchParams(location.search);
    asked.set("table", table);
    return `${path}?${asked}`;
  },
};
const drawn = new Map(); // what each card shows: a card is made anew only when that changes
let hall = null;
let linked = false;
let onlyWaiting = false;
let due = null;
let published = null; // the tournament that is on the page

const fresh = new Set(); // tables that spoke since they were drawn
const signal = pageSignal(say, () => drawSoon(), Infinity); // of the broker: a hall without tables is silent
const tableSignal = () => {
  const made = pageSignal(say, () => drawSoon());
  made.link(linked);
  return made;
};

function drawSoon(name) {
  if (name) fresh.add(name);
  due ??= setTimeout(() => draw(), DRAW_MS);
}

/** `all`: what time alone changes too, such as since when there is no signal. */
function draw(all = false) {
  due = null;
  if (!hall) return;
  if (all) for (const name of hall.tables.keys()) fresh.add(name);
  drawSignal();
  drawTables();
  if (hall.tournament !== published) drawTournament(hall.tournament, page);
  published = hall.tournament;
}

function drawTables() {
  const shown = ordered(hall.tables, onlyWaiting);
  for (const table of shown) {
    if (drawn.has(table.name) && !fresh.has(table.name)) continue;
    const made = card(table, page);
    if (!drawn.get(table.name)?.isEqualNode(made)) drawn.set(table.name, made);
    fresh.delete(table.name);
  }
  const cards = shown.map((table) => drawn.get(table.name));
  for (const name of drawn.keys()) if (!hall.tables.has(name)) drawn.delete(name);
  place(at("tables"), cards);
  const waiting = [...hall.tables.values()].filter((table) => table.alerts.length).length;
  const live = [...hall.tables.values()].filter((table) => table.signal.live()).length;
  put("counts", say("counts", { live, all: hall.tables.size }));
  put("waiting", say("waiting_tables", { count: waiting }));
  at("waiting").classList.toggle("some", waiting > 0);
  put("none", shown.length ? "" : say(onlyWaiting && hall.tables.size ? "nobody_waits" : "no_tables"));
}

/** The cards in their order; one that stays is not touched, so that who stands on a link of it keeps it. */
function place(list, cards) {
  cards.forEach((made, n) => {
    const there = list.children[n];
    if (there === made) return;
    if (there?.dataset.table === made.dataset.table) replace(there, made);
    else list.insertBefore(made, there ?? null);
  });
  while (list.children.length > cards.length) list.lastChild.remove();
}

function replace(old, made) {
  const focused = [...old.querySelectorAll("a")].indexOf(document.activeElement);
  old.replaceWith(made);
  if (focused >= 0) made.querySelectorAll("a")[focused]?.focus({ preventScroll: true });
}

function drawSignal() {
  const { live, kind, words } = signal.words(null);
  document.body.dataset.signal = kind;
  put("signal", words);
  at("stale").hidden = live;
  put("bridges", hall.bridges.size ? say("bridge_down", { names: [...hall.bridges].sort().join(", ") }) : "");
  at("bridges").hidden = !hall.bridges.size;
}

/** The hall is live as soon as the broker is there; each table says for itself whether it is. */
function link(up) {
  linked = up;
  signal.link(up);
  if (up) {
    signal.table({ status: "online" });
    signal.snapshot({});
  }
  for (const table of hall.tables.values()) {
    table.signal.link(up);
    fresh.add(table.name);
  }
}

async function open() {
  dress(document.documentElement, language, say, location.search);
  at("stale").textContent = say("hall_stale");
  const config = await settingsOf(location.search);
  hall = emptyHall(config.event, tableSignal);
  at("where").textContent = config.event;
  document.title = `${say("hall")} ${config.event} · miron`;
  at("waiting").addEventListener("click", () => {
    onlyWaiting = !onlyWaiting;
    at("waiting").setAttribute("aria-pressed", String(onlyWaiting));
    draw(true);
  });
  const hear = (topic, message, retained) => {
    const name = hall.hear(topic, message, retained);
    if (name !== null) drawSoon(name);
  };
  listenTo(config.ws_url, hallTopics(config.event), hear, link, config.login);
  draw();
  setInterval(() => draw(true), 1000);
}

open();
