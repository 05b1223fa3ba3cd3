// Draws the line as tiles with pips.

import { asItLies, tipsBeyond } from "./as_it_lies.js";
import { layOut } from "./layout.js";
import { tileText } from "./model.js";

const SVG = "http://www.w3.org/2000/svg";
const PIPS = [
  [],
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  [[-1, -1], [0, -1], [1, -1], [-1, 1], [0, 1], [1, 1]],
];
const MARGIN = 1.3; // room for the marks of the open ends
const ROWS = 5.1; // half the height that the opening's row and one more on each side take

function element(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

function half(pips, centre) {
  if (pips === null) {
    const mark = element("text", { x: centre, y: 0, class: "unknown", "text-anchor": "middle", "dominant-baseline": "central" });
    mark.textContent = "?";
    return [mark];
  }
  return PIPS[pips].map(([across, along]) => element("circle", { cx: centre + across * 0.26, cy: along * 0.26, r: 0.105 }));
}

function tile(place, newest) {
  const classes = ["tile", newest ? "newest" : "", place.joined ? "" : "misfit"].filter(Boolean).join(" ");
  return element(
    "g",
    { class: classes, transform: `translate(${place.x} ${place.y}) rotate(${place.degrees})` },
    element("rect", { x: -0.97, y: -0.47, width: 1.94, height: 0.94, rx: 0.14 }),
    element("path", { d: "M0 -0.34V0.34" }),
    ...half(place.inner, -0.5),
    ...half(place.outer, 0.5),
  );
}

function tip(place, end) {
  const number = element("text", { "text-anchor": "middle", "dominant-baseline": "central", y: 0.03 });
  number.textContent = end ?? "?";
  return element("g", { class: "tip", transform: `translate(${place.x} ${place.y})` }, element("circle", { r: 0.5 }), number);
}

/**
 * Draw the line of a state (null: nothing is known) into `svg`: where its tiles lie on the table if that is known of all of them, else
 * in rows; with the open ends. `named` says in words what it is.
 */
export function drawLine(svg, state, named) {
  const line = state?.line ?? [];
  const width = rowLength(svg.getBoundingClientRect());
  const rows = layOut(line, width);
  const lying = asItLies(line, rows.places);
  const places = lying ?? rows.places;
  const tips = lying ? tipsBeyond(line, places) : rows.tips;
  const newest = line.length - 1;
  const tipsShown = state?.ends && places.length ? [tip(tips.a, state.ends[0]), tip(tips.b, state.ends[1])] : [];
  svg.replaceChildren(...places.map((place) => tile(place, place.index === newest)), ...tipsShown);
  svg.setAttribute("viewBox", lying ? around([...places, ...Object.values(tips)]) : frame(places, width));
  svg.setAttribute("aria-label", `${named}: ${line.map((laid) => tileText(laid.tile)).join(", ")}`);
  svg.dataset.lying = String(lying !== null);
}

/** Rows as long as the table on the screen is wide for its height, so that a whole hand fills it. */
function rowLength({ width, height }) {
  if (width > height * 1.75) return 19;
  return width > height * 1.15 ? 15 : 11;
}

/** What of the plane is shown: the same through the hand, so that nothing shrinks or moves, unless the line needs more. */
function frame(places, width) {
  const ys = places.map((place) => place.y);
  const top = Math.min(-ROWS, ...ys.map((y) => y - MARGIN));
  const bottom = Math.max(ROWS, ...ys.map((y) => y + MARGIN));
  return `${-width / 2 - MARGIN} ${top} ${width + 2 * MARGIN} ${bottom - top}`;
}

/** The middle of the table and all that lies, so that little moves when a tile is added. */
function around(places) {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, right] = [Math.min(-ROWS, ...xs) - MARGIN, Math.max(ROWS, ...xs) + MARGIN];
  const [top, bottom] = [Math.min(-ROWS, ...ys) - MARGIN, Math.max(ROWS, ...ys) + MARGIN];
  return `${left} ${top} ${right - left} ${bottom - top}`;
}
