// A recorded match, played again: its film or the drawn table, under one rule set or both. All of it comes from the page's server.

import { at, make } from "./dom.js";
import { proofsOf } from "./docket.js";
import { proofView } from "./proof_view.js";
import { judgementOf, momentsOf, nextMoment, spanOf, stateAt } from "./replay_model.js";
import { drawMarks, markNow, momentList, tablePanel } from "./replay_view.js";
import { list, object, text } from "./model.js";
import { dress } from "./settings.js";
import { clockWords } from "./table_feed.js";
import { teller } from "./tell.js";
import { eventWords } from "./told.js";
import { languageOf, speaker } from "./words.js";
import { WORDS as CONSOLE } from "./words_referee.js";
import { WORDS } from "./words_replay.js";

const RULESETS = ["dusa", "fid"];
const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const TICK_MS = 100;
const OFF_S = 0.4; // a film so far from the clock is put right
const language = languageOf(location.search);
const say = speaker(language, { ...CONSOLE, ...WORDS });

const match = { name: "", judgements: new Map(), first: "", span: [0, 1], moments: [], tS: 0, playing: false, panels: new Map() };
let tell = null;

const first = () => match.judgements.get(match.first);
const filmShown = () => !at("film").hidden;

function tellEvent(event) {
  return eventWords(event, { say, tell, find: first().find });
}

/** Proofs lie in the recording's own folder. */
function proofs(event) {
  const later = first().events.filter(({ type, data }) => type === "evidence" && data.incident === event.seq);
  const base = `${location.origin}/recordings/${encodeURIComponent(match.name)}/`;
  const found = [event, ...later].flatMap(({ data }) => proofsOf(data.evidence, base));
  return found.length ? make("div", { class: "proofs" }, found.map((one) => proofView(one, say))) : null;
}

async function judge(ruleset) {
  if (match.judgements.has(ruleset)) return match.judgements.get(ruleset);
  at("said").textContent = say("loading");
  const answer = await fetch(`/recordings/${encodeURIComponent(match.name)}/${ruleset}.json`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const judgement = judgementOf(await answer.json());
  match.judgements.set(ruleset, judgement);
  at("said").textContent = "";
  return judgement;
}

async function openMatch(row) {
  pause();
  at("match").hidden = true;
  Object.assign(match, { name: row.name, judgements: new Map(), first: RULESETS.includes(row.ruleset) ? row.ruleset : RULESETS[0] });
  try {
    await judge(match.first);
  } catch {
    at("said").textContent = say("not_loaded");
    return;
  }
  at("match").hidden = false;
  const { film } = first();
  at("film-choice").hidden = film === null;
  at("film").hidden = film === null || !at("show-film").checked;
  if (film === null) at("video").removeAttribute("src");
  else at("video").src = `/recordings/${encodeURIComponent(match.name)}/video.mp4`;
  [match.tS] = spanOf([first()]);
  await arrange();
}

/** The panels that are wanted: one rule set, or both beside each other. */
async function arrange() {
  const wanted = at("compare").checked ? [match.first, ...RULESETS.filter((name) => name !== match.first)] : [match.first];
  try {
    await Promise.all(wanted.map(judge));
  } catch {
    at("said").textContent = say("not_loaded");
    return;
  }
  match.panels = new Map(wanted.map((name) => [name, tablePanel({ say, tell }, titleOf(name), first().teams)]));
  at("boards").replaceChildren(at("film"), ...[...match.panels.values()].map((panel) => panel.element));
  at("boards").classList.toggle("both", wanted.length > 1);
  match.span = spanOf(wanted.map((name) => match.judgements.get(name)));
  const [start, end] = match.span;
  Object.assign(at("time"), { min: start, max: end });
  listMoments();
  drawMarks(at("marks"), momentsOf(first()), match.span);
  draw();
}

function titleOf(ruleset) {
  const named = ruleset.toUpperCase();
  return ruleset === first().recorded ? say("recorded_under", { ruleset: named }) : named;
}

function listMoments() {
  match.moments = momentsOf(first()).filter(({ kind }) => kind === "incident" || !at("only-incidents").checked);
  momentList(at("moments"), match.moments, { say, tellEvent, proofs, start: match.span[0] }, (moment) => goTo(moment.tS));
}

function draw() {
  for (const [ruleset, panel] of match.panels) panel.draw(stateAt(match.judgements.get(ruleset), match.tS));
  const [start, end] = match.span;
  if (document.activeElement !== at("time") || match.playing) at("time").value = String(match.tS);
  const words = `${clockWords((match.tS - start) * 1000)} / ${clockWords((end - start) * 1000)}`;
  at("clock").textContent = words;
  at("time").setAttribute("aria-valuetext", words);
  at("play").textContent = say(match.playing ? "pause" : "play");
  markNow(at("moments"), match.moments, match.tS, match.playing);
}

function goTo(tS) {
  match.tS = Math.min(match.span[1], Math.max(match.span[0], tS));
  if (first().film !== null) at("video").currentTime = Math.max(0, match.tS - first().film);
  draw();
}

function pause() {
  match.playing = false;
  at("video").pause();
}

function toggle() {
  if (match.playing) pause();
  else {
    if (match.tS >= match.span[1] - 0.05) goTo(match.span[0]);
    match.playing = true;
    if (filmShown()) at("video").play().catch(() => {}); // without a film the drawn table goes on
  }
  draw();
}

/** Time goes on; the film follows the clock, so that it may be missing, short or slow. */
function tick(passedMs) {
  if (!match.playing) return;
  match.tS += (passedMs / 1000) * Number(at("speed").value);
  if (match.tS >= match.span[1]) {
    match.tS = match.span[1];
    pause();
  }
  const video = at("video");
  if (filmShown() && first().film !== null) {
    const wanted = match.tS - first().film;
    if (video.paused) video.play().catch(() => {}); // it was moved on the page
    if (video.playbackRate !== Number(at("speed").value)) video.playbackRate = Number(at("speed").value);
    const off = Math.abs(video.currentTime - wanted) > OFF_S * Math.max(1, video.playbackRate);
    if (off && wanted <= (video.duration || 0)) video.currentTime = wanted;
  }
  draw();
}

function step(forward, incidentsOnly) {
  const moments = momentsOf(first()).filter(({ kind }) => !incidentsOnly || kind === "incident");
  const moment = nextMoment(moments, match.tS, forward);
  if (moment) goTo(moment.tS);
}

function listen() {
  at("play").addEventListener("click", toggle);
  for (const way of ["back", "forward"]) {
    at(way).addEventListener("click", () => step(way === "forward", false));
    at(`incident-${way}`).addEventListener("click", () => step(way === "forward", true));
  }
  at("time").addEventListener("input", () => goTo(Number(at("time").value)));
  at("compare").addEventListener("change", arrange);
  at("only-incidents").addEventListener("change", () => (listMoments(), draw()));
  at("show-film").addEventListener("change", () => {
    at("film").hidden = first().film === null || !at("show-film").checked;
    if (match.playing && filmShown()) at("video").play().catch(() => {});
    draw();
  });
  document.addEventListener("keydown", (event) => {
    const on = event.target.tagName;
    if (at("match").hidden || event.ctrlKey || event.altKey || event.metaKey || ["INPUT", "SELECT", "VIDEO"].includes(on)) return;
    if (event.key === " " && on !== "BUTTON") toggle();
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") step(event.key === "ArrowRight", event.shiftKey);
    else return;
    event.preventDefault();
  });
  new ResizeObserver(draw).observe(at("boards"));
}

async function open() {
  dress(document.documentElement, language, say, location.search);
  document.title = `${say("replay")} · miron`;
  tell = await teller(language);
  const found = list(object(await (await fetch("/recordings.json")).json()).recordings).filter((row) => text(object(row).name)).map((row) => ({
    name: text(object(row).name, 128),
    ruleset: text(object(row).ruleset, 12),
    words: [text(object(row).title, 120) || text(object(row).name, 128), text(object(row).start, 16).replace("T", " ")]
      .filter(Boolean)
      .join(" · "),
  }));
  at("which").replaceChildren(...found.map((row) => make("option", { value: row.name }, row.words)));
  at("which").disabled = !found.length;
  at("speed").replaceChildren(...SPEEDS.map((speed) => make("option", { value: speed, selected: speed === 1 }, `${speed}×`)));
  at("said").textContent = found.length ? "" : say("no_recordings");
  listen();
  at("which").addEventListener("change", () => openMatch(found[at("which").selectedIndex]));
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    tick(now - last);
    last = now;
  }, TICK_MS);
  const asked = new URLSearchParams(location.search).get("recording");
  const chosen = found.find((row) => row.name === asked) ?? found[0];
  if (!chosen) return;
  at("which").value = chosen.name;
  await openMatch(chosen);
}

open();
