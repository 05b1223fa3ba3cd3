// What was found, drawn over the picture and told beside it.
import { make, redraw } from "./dom.js";
import { put } from "./calibrate_marks.js";

const SVG = "http://www.w3.org/2000/svg";
const POINTS = (points) => points.map(([x, y]) => `${x + 0.5},${y + 0.5}`).join(" ");

/** Rim, virtual tile and seats over the picture. `marks`: the corners as they are being dragged, else null. */
export function drawOverlay(overlay, seats, state, marks, say) {
  const size = state.image_size;
  overlay.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const shapes = [];
  const rim = state.outline ?? marks;
  if (rim) shapes.push(shape("polygon", "halo", rim), shape("polygon", state.outline ? "rim" : "rim doubtful", rim));
  if (state.tile) {
    const drawn = state.tile.drawn;
    shapes.push(shape("polygon", "halo", drawn.slice(0, 4)), shape("polygon", "tile", drawn.slice(0, 4)), shape("polyline", "tile", drawn.slice(4)));
  }
  overlay.replaceChildren(...shapes);
  seats.replaceChildren(
    ...(state.seats ?? []).map((place, seat) => {
      const label = make("span", { class: "seat" }, say(`seat${seat}`));
      put(label, place, size);
      return label;
    }),
  );
}

/** How the table was found, its error, its size and what is said of the picture, as a list of facts. */
export function drawFacts(list, state, say, number) {
  const rows = state.method ? [...facts(state, say, number)] : [];
  redraw(list, rows.flatMap(([key, words, kind]) => [make("dt", {}, say(key)), make("dd", { class: kind }, words)]));
}

function* facts(state, say, number) {
  yield ["found_how", say(`method_${state.method}`)];
  const { mm, by, tiles, poor } = state.error;
  const told = by ? say(`error_by_${by}`, { mm: number(mm, 2), count: tiles }) : say("error_unknown");
  yield ["error_mm", poor ? `${told}. ${say(`error_poor_${by}`)}` : told, poor || !by ? "poor" : null];
  if (!state.table_mm) {
    yield ["table_top", say("table_unknown"), "poor"];
    return;
  }
  yield ["table_top", `${state.table_mm.map((side) => number(side, 0)).join(" × ")} mm`];
  yield ["picture_is", `${say(state.mirrored ? "is_mirrored" : "is_not_mirrored")}; ${north(state.turned_deg, say)}`];
}

function north(deg, say) {
  return Math.abs(deg) <= 10 ? say("north_up") : say("north_turned", { deg: (deg + 360) % 360 });
}

/** What the tile under the virtual one measures. */
export function realTile(state, say, number) {
  if (!state.tile) return "";
  const real = state.tile.real_mm;
  if (!real) return say("no_real_tile");
  const [length, width, set_length, set_width] = [...real, ...state.tile.tile_mm].map((side) => number(side, 1));
  return say("real_tile", { length, width, set_length, set_width });
}

function shape(name, kind, points) {
  const made = document.createElementNS(SVG, name);
  made.setAttribute("class", kind);
  made.setAttribute("points", POINTS(points));
  return made;
}
