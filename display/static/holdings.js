// What each seat can still hold: nobody draws in this game, so a pass that was signalled tells for the rest of the hand which numbers
// a seat has not. It is shown late, so that it helps nobody at the table.

import { endsOf, object, seat, text, tileOf, tileText } from "./model.js";

const SIGNALLED = ["voice", "knock", "button"];
const SHORTEST_S = 10;
const LONGEST_S = 3600;
const ALL = [0, 1, 2, 3, 4, 5, 6].flatMap((high) => Array.from({ length: high + 1 }, (_, low) => ({ high, low })));
const fits = (tile, ends) => ends.includes(tile.high) || ends.includes(tile.low);

/** Seconds of delay that `?holdings=` asks for; null when it does not. */
export function holdingsDelay(search) {
  const asked = Number(new URLSearchParams(search).get("holdings") || NaN);
  return Number.isFinite(asked) ? Math.min(LONGEST_S, Math.max(SHORTEST_S, asked)) : null;
}

/** By seat the tiles that it can hold, [{tile, sure}], from the events in force of one hand; `sure`: nobody else can. */
export function canHold(events) {
  const known = { lying: new Set(), ends: null, passes: [], shown: [[], [], [], []] };
  for (const event of events) if (Object.hasOwn(STEPS, event.type)) STEPS[event.type](known, object(event.data));
  const can = (who, tile) => !known.passes.some((pass) => pass.seat === who && fits(tile, pass.ends));
  const rows = [[], [], [], []];
  for (const tile of ALL.filter((one) => !known.lying.has(tileText(one)))) {
    const owner = known.shown.findIndex((tiles) => tiles.includes(tileText(tile)));
    const seats = owner >= 0 ? [owner] : [0, 1, 2, 3].filter((who) => can(who, tile));
    for (const who of seats) rows[who].push({ tile, sure: seats.length === 1 });
  }
  return rows;
}

/** A seat that has a tile which fitted when it passed: its pass tells nothing. */
function own(known, who, tile) {
  if (who === null || tile === null) return;
  known.passes = known.passes.filter((pass) => pass.seat !== who || !fits(tile, pass.ends));
}

function shown(known, data) {
  const [who, tile] = [seat(data.seat), tileOf(data.tile)];
  own(known, who, tile);
  if (who !== null && tile) known.shown[who].push(tileText(tile));
}

const STEPS = {
  tile_played(known, data) {
    const tile = tileOf(data.tile);
    own(known, seat(data.seat), tile);
    if (tile) known.lying.add(tileText(tile));
    known.ends = endsOf(data.ends);
  },
  reading_doubted(known) {
    known.ends = null;
  },
  turn_passed(known, data) {
    const who = seat(data.seat);
    const sure = known.ends && !known.ends.includes(null) && SIGNALLED.includes(text(data.via));
    if (who !== null && sure) known.passes.push({ seat: who, ends: known.ends });
  },
  tile_exposed: shown,
  tile_withdrawn(known, data) {
    known.ends = null;
    const tile = tileOf(data.tile);
    if (tile) known.lying.delete(tileText(tile));
    shown(known, data);
  },
};
