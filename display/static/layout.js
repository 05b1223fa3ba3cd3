// Where each tile of the line lies, in units of half a tile's length: the opening in the middle, arm a to the left and up, arm b to
// the right and down, bending where the row is full. Tiles already placed never move when one is added. Doubles lie across.

const RIGHT = { x: 1, y: 0, degrees: 0 };
const DOWN = { x: 0, y: 1, degrees: 90 };
const LEFT = { x: -1, y: 0, degrees: 180 };
const UP = { x: 0, y: -1, degrees: 270 };
const ROW_GAP = 3; // from one row to the next at least: doubles lie across, two units high

/**
 * Places for a line given in the order played: [{x, y, degrees, inner, outer, joined, index}], tips {a, b} with their place.
 * `inner` is the half towards the opening. `joined` is false where the halves that touch differ.
 */
export function layOut(line, width) {
  const places = [];
  const tips = {};
  const opening = line.findIndex((laid) => laid.arm === "open");
  if (opening < 0) return { places, tips };
  const { tile } = line[opening];
  const across = isDouble(tile);
  places.push({ x: 0, y: 0, degrees: across ? 90 : 0, inner: tile?.low ?? null, outer: tile?.high ?? null, joined: true, index: opening });
  const half = across ? 0.5 : 1;
  const arms = {
    a: walker(-half, LEFT, UP, width, across, tile?.low ?? null),
    b: walker(half, RIGHT, DOWN, width, across, tile?.high ?? null),
  };
  line.forEach((laid, index) => {
    if (arms[laid.arm]) places.push({ ...arms[laid.arm].step(laid), index });
  });
  tips.a = arms.a.tip();
  tips.b = arms.b.tip();
  return { places, tips };
}

const isDouble = (tile) => Boolean(tile) && tile.high === tile.low;

/** Which half touches the tile before: the equal one; else what the table saw; else the low one. */
function facing(laid, end) {
  const { tile, lowFirst } = laid;
  if (!tile) return [null, null, true];
  if (tile.low === end) return [tile.low, tile.high, true];
  if (tile.high === end) return [tile.high, tile.low, true];
  return lowFirst === false ? [tile.high, tile.low, end === null] : [tile.low, tile.high, end === null];
}

/** One arm growing from the opening. The state is the middle of the edge where the next tile joins. */
function walker(startX, outward, aside, width, startsAcross, startEnd) {
  let [x, y, end] = [startX, 0, startEnd];
  let [going, row] = [outward, outward];
  let fallen = 0; // how far the bend has come since it left the row
  let before = { reach: startsAcross ? 1 : 0.5, back: 0.5 };

  function turn(to) {
    // The next tile joins the side of the outer half of the tile before.
    x += -going.x * before.back + to.x * before.reach;
    y += -going.y * before.back + to.y * before.reach;
    if (going === row) fallen = before.reach;
    going = to;
  }

  function step(laid) {
    const length = isDouble(laid.tile) ? 1 : 2;
    const room = width / 2 - row.x * x;
    if (going === row && room < length) turn(aside);
    else if (going === aside && fallen >= ROW_GAP) {
      row = row === LEFT ? RIGHT : LEFT;
      turn(row);
    }
    const [inner, outer, joined] = facing(laid, end);
    const place = { x: x + (going.x * length) / 2, y: y + (going.y * length) / 2, degrees: going.degrees, inner, outer };
    place.joined = joined && laid.fits !== false;
    if (isDouble(laid.tile)) place.degrees = (going.degrees + 90) % 360;
    x += going.x * length;
    y += going.y * length;
    if (going === aside) fallen += length;
    before = isDouble(laid.tile) ? { reach: 1, back: 0.5 } : { reach: 0.5, back: 0.5 };
    end = outer;
    return place;
  }

  return { step, tip: () => ({ x: x + going.x * 0.75, y: y + going.y * 0.75 }) };
}
