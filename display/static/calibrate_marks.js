// What is dragged over the picture: the marks of the four corners and the grip of the virtual tile, by pointer and by keyboard.
import { make } from "./dom.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LOUPE_PX = 38; // of the picture, across the loupe

/** A button over the picture that is dragged. `move(x, y)`: pixels of the picture; `rest()`: it was let go. */
export function draggable(stage, name, attributes, { size, place, move, rest, watch }) {
  const made = make("button", { type: "button", class: name, ...attributes });
  const spot = (event) => {
    const box = stage.getBoundingClientRect();
    const [width, height] = size();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  };
  let off = null;
  const go = (x, y) => {
    const [width, height] = size();
    move(Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1));
    watch?.(place());
  };
  made.addEventListener("dragstart", (event) => event.preventDefault());
  made.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // else the browser may begin a drag of its own after the first move
    made.focus({ preventScroll: true });
    made.setPointerCapture(event.pointerId);
    const [x, y] = spot(event);
    off = [place()[0] - x, place()[1] - y];
    watch?.(place());
  });
  made.addEventListener("pointermove", (event) => {
    if (!off) return;
    const [x, y] = spot(event);
    go(x + off[0], y + off[1]);
  });
  const end = () => {
    if (!off) return;
    off = null;
    rest?.();
  };
  made.addEventListener("pointerup", end);
  made.addEventListener("pointercancel", end);
  made.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    go(place()[0] + far * step[0], place()[1] + far * step[1]);
    rest?.();
  });
  made.addEventListener("focus", () => watch?.(place()));
  made.addEventListener("blur", () => watch?.(null));
  return made;
}

/** Put an element at a place of the picture. */
export function put(element, [x, y], [width, height]) {
  element.style.left = `${(x / width) * 100}%`;
  element.style.top = `${(y / height) * 100}%`;
}

/** The picture around a place, enlarged, with a cross at the place itself; null hides it. */
export function enlarge(canvas, picture, place, [width]) {
  canvas.hidden = !place;
  if (!place || !picture.naturalWidth) return;
  const scale = picture.naturalWidth / width;
  canvas.classList.toggle("aside", place[0] < width / 2);
  const pen = canvas.getContext("2d");
  const side = canvas.width;
  pen.fillStyle = "#000";
  pen.fillRect(0, 0, side, side);
  pen.imageSmoothingEnabled = false;
  const low = [(place[0] + 0.5) * scale - LOUPE_PX / 2, (place[1] + 0.5) * scale - LOUPE_PX / 2];
  pen.drawImage(picture, low[0], low[1], LOUPE_PX, LOUPE_PX, 0, 0, side, side);
  pen.strokeStyle = "#ffcc66";
  pen.beginPath();
  for (const [from, to] of [[0, 0.42], [0.58, 1]]) {
    pen.moveTo(side / 2, from * side);
    pen.lineTo(side / 2, to * side);
    pen.moveTo(from * side, side / 2);
    pen.lineTo(to * side, side / 2);
  }
  pen.stroke();
}
