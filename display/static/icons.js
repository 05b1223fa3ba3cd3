// The marks of the alerts: drawn, because not every screen has a font with such signs.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = {
  infraction: ["M8 2h8l6 6v8l-6 6H8l-6-6V8z", "M12 7v6M12 16.6v.4"],
  suspicion: ["M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20z", "M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1-1.5 2M12 17v.4"],
  reading_doubted: ["M1.5 12C5 6 9 5 12 5s7 1 10.5 7C19 18 15 19 12 19s-7-1-10.5-7z", "M12 9a3 3 0 1 0 0 6 3 3 0 1 0 0-6z"],
  alarm: ["M12 2.5 23 21.5H1z", "M12 9v6M12 18v.4"],
};

/** The kinds of alert that have a mark of their own. */
export const KINDS = Object.keys(SHAPES);

/** Of an alert the kind whose mark it gets. */
export const kindOf = (alert) => (KINDS.includes(alert.type) ? alert.type : "alarm");

/** The mark of a kind, for the eye only: the words beside it say the same. */
export function icon(kind) {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", "icon");
  made.setAttribute("aria-hidden", "true");
  for (const [n, d] of SHAPES[kind].entries()) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("class", n === 0 ? "shape" : "sign");
    made.append(path);
  }
  return made;
}
