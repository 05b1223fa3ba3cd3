// The calibration wizard: asks the program to do things, shows what came of it. The program knows; the page only shows and drags.
import { draggable, enlarge, put } from "./calibrate_marks.js";
import { drawFacts, drawOverlay, realTile } from "./calibrate_view.js";
import { make } from "./dom.js";
import { dress } from "./settings.js";
import { languageOf, speaker } from "./words.js";
import { WORDS } from "./words_calibrate.js";

const LIVE_MS = 250;
const TILE_STEP_DEG = 5;
const at = (id) => document.getElementById(id);
const language = languageOf(location.search);
const say = speaker(language, WORDS);
const number = (value, digits) => value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

let state = null;
let marks = null; // as they are dragged; the program's follow
let held = -1; // which held picture is shown
let wanted = null; // where the virtual tile is being moved to
let dragged = false;
let typed = false; // whether a size stands in the fields that the program has not been told or has not answered yet
const waiting = [];
let asking = false;

/** Ask for something to be done. Of moves that wait, the last one counts. */
function ask(form) {
  const last = waiting.at(-1);
  if (last && last.do === form.do && (form.corners || form.at)) waiting.pop();
  waiting.push(form);
  if (!asking) work();
}

async function work() {
  asking = true;
  while (waiting.length) {
    const form = waiting.shift();
    const slow = form.do === "auto" || form.do === "by_hand";
    if (slow) busy(true);
    try {
      const answer = await fetch("act", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(form) });
      if (!answer.ok) throw new Error(String(answer.status));
      state = await answer.json();
    } catch {
      waiting.length = 0;
      at("trouble").textContent = say("program_gone");
    }
    if (slow) busy(false);
    if (!waiting.length) wanted = null;
    if (form.do === "size") typed = false;
    // An answer to an earlier move is no news of where the marks are by now.
    if (!dragged && !waiting.length) marks = state.marks ?? null;
    draw();
  }
  asking = false;
}

function busy(is) {
  document.body.setAttribute("aria-busy", String(is));
  at("auto").textContent = say(is ? "looking" : "automatic");
  for (const id of ["auto", "by_hand"]) at(id).disabled = is;
}

function draw() {
  const found = Boolean(state.method);
  const trouble = state.trouble;
  at("trouble").textContent = trouble ? say(`trouble_${trouble.key}`, trouble.values) : "";
  at("liveness").textContent = say(state.live ? "picture_live" : "picture_held");
  at("liveness").classList.toggle("live", state.live);
  at("live").hidden = state.live || Boolean(state.written);
  at("how-mark").hidden = !marks;
  at("how-tile").hidden = !state.tile;
  at("nothing").hidden = found;
  at("checks").hidden = !found && !marks;
  for (const id of ["figure", "how-seats", "tile-acts"]) at(id).hidden = !found;
  at("turn").disabled = !state.table_mm;
  at("mirror").hidden = !marks;
  at("mirror").setAttribute("aria-pressed", String(Boolean(state.mirrored)));
  at("real").textContent = realTile(state, say, number);
  drawFacts(at("facts"), state, say, number);
  drawSize();
  if (state.image_size) drawPicture();
  drawAccept(found);
}

function drawSize() {
  const size = state.told_mm ?? state.table_mm;
  for (const [side, id] of ["width", "height"].entries()) {
    const field = at(id);
    field.placeholder = say("size_empty");
    if (!typed && document.activeElement !== field) field.value = size ? String(Math.round(size[side] * 10) / 10) : "";
  }
}

function drawPicture() {
  if (!state.live && held !== state.held) {
    held = state.held;
    at("picture").src = `picture.jpg?held=${held}`;
  }
  drawOverlay(at("overlay"), seats, state, marks, say);
  grip.hidden = !state.tile;
  if (state.tile) put(grip, middle(), state.image_size);
  for (const [corner, mark] of corners.entries()) {
    mark.hidden = !marks;
    if (marks) put(mark, marks[corner], state.image_size);
  }
  if (state.method && !dragged) at("above").src = `above.jpg?of=${encodeURIComponent(JSON.stringify([state.held, state.outline, state.seats]).slice(0, 900))}`;
  for (const seat of [0, 1, 2, 3]) at(`above-${seat}`).textContent = state.seats ? say(`seat${seat}`) : "";
}

function drawAccept(found) {
  const done = Boolean(state.written);
  at("accept").disabled = !found || done;
  at("accept").classList.toggle("main", found);
  at("auto").classList.toggle("main", !found);
  at("done").textContent = done ? say("written_to", { file: state.written }) : "";
  at("how-accept").hidden = done;
  if (done) for (const control of document.querySelectorAll("main button, main input")) control.disabled = true;
}

function middle() {
  const drawn = state.tile.drawn;
  return [0, 1].map((axis) => (drawn[0][axis] + drawn[1][axis] + drawn[2][axis] + drawn[3][axis]) / 4);
}

const stage = at("stage");
const size = () => state.image_size;
const seats = make("div", {});
const watch = (place) => enlarge(at("loupe"), at("picture"), place, size());

const corners = [0, 1, 2, 3].map((corner) => {
  const mark = draggable(stage, "mark", { "aria-label": `${say(`corner${corner}`)}: ${say(`corner_name${corner}`)}`, "data-corner": corner }, {
    size,
    watch,
    place: () => marks[corner],
    move: (x, y) => {
      dragged = true;
      marks = marks.map((spot, n) => (n === corner ? [x, y] : spot));
      put(mark, [x, y], size());
      ask({ do: "mark", corners: marks });
    },
    rest: () => {
      dragged = false;
      ask({ do: "mark", corners: marks });
    },
  });
  mark.append(make("b", { "aria-hidden": "true" }, say(`corner${corner}`)));
  return mark;
});

const grip = draggable(stage, "grip", { "aria-label": say("tile_grip") }, {
  size,
  place: () => wanted ?? middle(),
  move: (x, y) => {
    wanted = [x, y];
    ask({ do: "tile", at: wanted });
  },
});
grip.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "r") ask({ do: "tile", turn: event.shiftKey ? -TILE_STEP_DEG : TILE_STEP_DEG });
});

function sizeTyped() {
  const typed = ["width", "height"].map((id) => at(id).value.trim().replace(",", "."));
  if (typed.every((text) => text === "")) return ask({ do: "size", table_mm: null });
  if (typed.some((text) => text === "")) return undefined;
  return ask({ do: "size", table_mm: typed.map((text) => Number(text) || 0) });
}

/** The next live picture, when the last one has come. */
function live() {
  if (state.live && at("picture").complete) at("picture").src = `picture.jpg?t=${performance.now()}`;
}

async function begin() {
  dress(document.documentElement, language, say, location.search);
  document.title = `miron · ${say("calibration")}`;
  at("picture").alt = say("camera_picture");
  at("above").alt = say("seen_from_above");
  at("marks").append(seats, grip, ...corners);
  for (const id of ["auto", "by_hand", "live", "turn", "mirror", "next_tile", "accept"])
    at(id).addEventListener("click", () => ask({ do: id }));
  at("tile_left").addEventListener("click", () => ask({ do: "tile", turn: TILE_STEP_DEG }));
  at("tile_right").addEventListener("click", () => ask({ do: "tile", turn: -TILE_STEP_DEG }));
  for (const id of ["width", "height"]) {
    at(id).addEventListener("input", () => (typed = true));
    at(id).addEventListener("change", sizeTyped);
  }
  state = await (await fetch("state.json")).json();
  marks = state.marks ?? null;
  draw();
  live();
  setInterval(live, LIVE_MS);
  at("auto").focus();
}

begin();
