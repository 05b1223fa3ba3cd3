// The line in the places where the table saw its tiles, brought to units of half a tile's length: x to the right, y down.

const USUAL_MM = 25; // half of a usual tile
const PARALLEL_DEG = 20;

/** The places of `layOut` moved to where the tiles lie; null unless the place of every tile is known. */
export function asItLies(line, places) {
  if (!line.length || line.some((laid) => !laid.place)) return null;
  const unit = unitMm(line);
  return places.map((place) => {
    const { tile, place: seen } = line[place.index];
    const lowInside = !tile || tile.high === tile.low || place.inner === tile.low; // the angle goes from low to high
    const degrees = (720 - seen.angleDeg + (lowInside ? 0 : 180)) % 360;
    return { ...place, x: seen.xMm / unit, y: -seen.yMm / unit, degrees };
  });
}

/** Where the marks of the open ends go: beyond the last tile of each arm, away from its neighbour. */
export function tipsBeyond(line, places) {
  const ofArm = (arm) => places.filter((place) => [arm, "open"].includes(line[place.index].arm));
  return { a: beyond(ofArm("a"), "a", line), b: beyond(ofArm("b"), "b", line) };
}

function beyond(own, arm, line) {
  const last = own.at(-1);
  const { tile } = line[last.index];
  const turn = (last.degrees * Math.PI) / 180;
  if (tile && tile.high !== tile.low) {
    const away = own.length === 1 && arm === "a" ? -1.7 : 1.7; // of the opening both halves are open, the low one is a's
    return { x: last.x + away * Math.cos(turn), y: last.y + away * Math.sin(turn) };
  }
  const before = own.at(-2);
  const [dx, dy] = before ? [last.x - before.x, last.y - before.y] : [arm === "a" ? Math.sin(turn) : -Math.sin(turn), Math.cos(turn)];
  const length = Math.hypot(dx, dy) || 1;
  return { x: last.x + (1.2 * dx) / length, y: last.y + (1.2 * dy) / length };
}

/** Millimetres of half a tile's length, from neighbours whose distance is known by how they lie. */
function unitMm(line) {
  const found = [];
  for (const arm of ["a", "b"]) {
    const own = line.filter((laid) => [arm, "open"].includes(laid.arm) && laid.tile);
    own.slice(1).forEach((laid, n) => {
      const units = unitsBetween(own[n], laid);
      if (units) found.push(Math.hypot(laid.place.xMm - own[n].place.xMm, laid.place.yMm - own[n].place.yMm) / units);
    });
  }
  return found.sort((one, other) => one - other)[found.length >> 1] || USUAL_MM;
}

function unitsBetween(one, other) {
  const turned = Math.abs(((one.place.angleDeg - other.place.angleDeg + 270) % 180) - 90);
  const doubles = [one, other].filter(({ tile }) => tile.high === tile.low).length;
  if (!doubles && turned < PARALLEL_DEG && inLine(one, other)) return 2;
  return doubles === 1 && turned > 90 - PARALLEL_DEG ? 1.5 : null;
}

/** Whether one lies in the direction of the other, not beside it as at a bend. */
function inLine(one, other) {
  const along = Math.atan2(other.place.yMm - one.place.yMm, other.place.xMm - one.place.xMm) * (180 / Math.PI);
  return Math.abs(((along - one.place.angleDeg + 810) % 180) - 90) < PARALLEL_DEG;
}
