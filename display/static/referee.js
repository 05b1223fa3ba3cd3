// The referee's console of one table: it shows what the table says, and says to it what the referee enters.

import { TOOLS, refereeActs } from "./acts.js";
import { commandDesk } from "./desk.js";
import { consoleStateOf, docket, incidentOf, sameness } from "./docket.js";
import { at, button, make, redraw } from "./dom.js";
import { follow } from "./feed.js";
import { askForm } from "./form.js";
import { refereeForms } from "./forms.js";
import { drawIncidents } from "./incidents_view.js";
import { keysOf, listen } from "./keys.js";
import { logBook } from "./log.js";
import { list, object } from "./model.js";
import { dress, settingsOf } from "./settings.js";
import { keptProofs } from "./proof_view.js";
import { pageSignal } from "./signal.js";
import { drawDiscipline, drawLog, drawSeats, drawTable } from "./table_view.js";
import { teller } from "./tell.js";
import { eventWords } from "./told.js";
import { languageOf, signed, speaker } from "./words.js";
import { WORDS } from "./words_referee.js";

const language = languageOf(location.search);
const say = speaker(language, WORDS);

const view = { state: null, alerts: [], selected: null, chosen: null, allHands: false, ruledOpen: false };
const me = {
  by: localStorage.getItem("miron-by") ?? "",
  username: sessionStorage.getItem("miron-user") ?? "",
  password: sessionStorage.getItem("miron-password") ?? "",
};
let feed = null;
let tell = null;
let forms = null;
let spoken = new Set(); // incidents that were read aloud

const signal = pageSignal(say, drawSignal);
const desk = commandDesk(
  (leaf, message) => feed?.say(leaf, message),
  () => me.by,
);
const log = logBook((from) => feed?.say("cmd/resync", { from, transaction: `${desk.page}-log`, by: me.by || "console" }));

const shownProofs = keptProofs(say);
const page = {
  say,
  get tell() {
    return tell;
  },
  state: () => view.state,
  cards: () => view.state?.cards ?? [],
  live: () => signal.live() && Boolean(me.by),
  selected: () => view.selected,
  select(seq) {
    view.selected = seq;
    draw();
  },
  ruledOpen: (open) => (open === undefined ? view.ruledOpen : (view.ruledOpen = open)),
  allHands: () => view.allHands,
  team: (pair) => view.state?.teams[pair].name || tell.title(pair),
  cardOf: (seq) => page.cards().find((card) => card.incident === seq && seq !== null) ?? null,
  clock: (time) =>
    time === null
      ? ""
      : new Date(time).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false }),
  momentOf: (incident) =>
    [incident.hand ? `${say("hand")} ${incident.hand}` : "", page.clock(incident.time)].filter(Boolean).join(" · "),
  tellEvent: (event) => eventWords(event, { say, tell, find: log.find }),
  proof: (one) => shownProofs.of(one),
};

function draw() {
  if (!tell) return;
  const events = view.state ? log.inForce(view.state.match) : [];
  const groups = docket(view.state, view.alerts, events, log.find);
  const waiting = [...groups.open, ...groups.acknowledged];
  choose(waiting);
  drawHead();
  drawIncidents(at("incidents"), groups, page);
  drawTable(at("line"), at("facts"), view.state, page);
  drawSeats(at("seats"), view.state, page);
  drawLog(at("log"), events, view.state, page);
  drawDiscipline(at("discipline"), view.state, page);
  const tools = Object.entries(TOOLS).map(([name, key]) =>
    button(say(`do_${name}`), { id: `tool-${name}`, key, off: !page.live() }, () => page.acts.tool(name)),
  );
  redraw(at("tools"), tools);
  announce(waiting);
  drawSignal();
}

function drawHead() {
  const state = view.state;
  at("match").textContent = state ? `${say("match")} ${state.match ?? "?"} · ${say("hand")} ${state.hand ?? "?"}` : "";
  at("ruleset").textContent = state?.ruleset.toUpperCase() ?? "";
  for (const pair of ["A", "B"]) {
    at(`name-${pair}`).textContent = page.team(pair);
    at(`score-${pair}`).textContent = state?.score[pair] ?? "–";
    at(`fines-${pair}`).textContent = state?.fines[pair] ? signed(state.fines[pair]) : "";
  }
  at("me").textContent = me.by || say("who_are_you");
  const unseen = state?.watching && state.watching.state !== "watching" ? state.watching.state : null;
  at("watching").hidden = !unseen;
  if (!unseen) return;
  const moved =
    unseen === "camera_moved"
      ? button(say("recalibrate"), { id: "recalibrate", off: !page.live() }, () => page.acts.recalibrate())
      : null;
  redraw(at("watching"), [make("span", {}, tell.sentence(unseen, {})), moved]);
}

/** What is open stays open under its new seq; what was ruled makes room for what waits; a new one opens when nothing is. */
function choose(incidents) {
  const open = incidents.find((incident) => incident.seq === view.selected && incident.seq !== null);
  const same = view.selected === null ? undefined : incidents.find((incident) => sameness(incident) === view.chosen);
  const fresh = incidents.find((incident) => incident.seq !== null && !spoken.has(sameness(incident)));
  const next = open ?? same ?? fresh ?? (view.selected === null ? undefined : incidents.find(({ seq }) => seq !== null));
  view.selected = next?.seq ?? null;
  view.chosen = next ? sameness(next) : null;
}

/** New incidents are read aloud once, those that a correction tells again not at all. */
function announce(incidents) {
  const fresh = incidents.filter((incident) => incident.seq !== null && !spoken.has(sameness(incident)));
  spoken = new Set(incidents.map(sameness));
  if (!fresh.length) return;
  at("announce").textContent = fresh
    .map((incident) => [say(incident.type), tell.title(incident.code), ...incident.seats.map(tell.seatName)].join(", "))
    .join(". ");
}

function drawSignal() {
  const { live, kind, words, old } = signal.words(view.state);
  const changed = document.body.dataset.signal !== kind;
  document.body.dataset.signal = kind;
  at("signal").textContent = words;
  at("stale").hidden = live;
  if (!live) at("stale").textContent = old;
  if (changed) draw();
}

function step(by) {
  const seqs = [...document.querySelectorAll("#incidents [data-seq]")].map((head) => Number(head.dataset.seq)).filter(Boolean);
  if (!seqs.length) return;
  const here = seqs.indexOf(view.selected);
  page.select(seqs[(here + by + seqs.length) % seqs.length]);
  document.querySelector(`[data-id="incident-${view.selected}"]`)?.focus();
}

function hear(leaf, message, retained) {
  if (!retained) signal.heard();
  if (leaf === "health") return;
  if (leaf === "status") signal.table(message);
  else if (leaf === "state") {
    view.state = message && consoleStateOf(message);
    signal.snapshot(message);
    if (view.state) log.upTo(view.state.seq);
  } else if (leaf === "alerts") view.alerts = list(object(message).alerts).map(incidentOf);
  else if (leaf === "event") log.event(message);
  else if (leaf === "rsp/resync") log.page(message);
  else if (leaf.startsWith("rsp/")) return desk.hear(message);
  draw();
}

function connect(config) {
  feed?.end();
  const login = me.username ? { username: me.username, password: me.password } : config.login;
  feed = follow(config, hear, linked, { more: ["rsp/+"], login });
}

function linked(up, error) {
  signal.link(up);
  if (up) log.again();
  if (up && view.state) log.upTo(view.state.seq);
  if (!error) desk.link(up);
  if (error && [4, 5, 134, 135].includes(error.code)) signIn(say("login_refused"));
}

async function signIn(reason) {
  const found = await forms.signIn(me, reason);
  if (!found) return;
  Object.assign(me, found);
  localStorage.setItem("miron-by", me.by);
  sessionStorage.setItem("miron-user", me.username);
  sessionStorage.setItem("miron-password", me.password);
  connect(page.config);
  draw();
}

async function help() {
  const found = await forms.help(localStorage.getItem("miron-keys") !== "off", keysOf(document, say));
  if (found) localStorage.setItem("miron-keys", found.keys ? "on" : "off");
}

async function open() {
  dress(document.documentElement, language, say, location.search);
  tell = await teller(language);
  forms = refereeForms((form) => askForm(at("form"), say, form), say, tell, page);
  const { state, live } = page;
  page.acts = refereeActs({ say, tell, forms, desk, log, state, live, signIn, place: at("toasts"), via: () => at("via").value });
  page.config = await settingsOf(location.search);
  redraw(
    at("via"),
    ["voice", "knock", "button", "unsignalled"].map((via) => make("option", { value: via }, tell.title(via))),
  );
  at("where").textContent = `${page.config.event} · ${page.config.table}`;
  document.title = `${say("console")} ${page.config.table} · miron`;
  at("me").addEventListener("click", () => signIn());
  at("help").addEventListener("click", help);
  at("all-hands").addEventListener("change", (event) => ((view.allHands = event.target.checked), draw()));
  listen(document, { enabled: () => localStorage.getItem("miron-keys") !== "off", step, dialog: at("form") });
  connect(page.config);
  draw();
  setInterval(drawSignal, 500);
  new ResizeObserver(() => drawTable(at("line"), at("facts"), view.state, page)).observe(at("line"));
  if (!me.by) signIn();
}

open();
