// What the board shows, folded from what arrives over MQTT. Everything from outside is brought to plain known values here,
// so that the drawing code never meets anything else.

const PHASES = ["waiting", "playing", "closed", "ended", "over"];
const TEAMS = ["A", "B"];
const ARMS = ["open", "a", "b"];

export const whole = (value, low, high) => (Number.isInteger(value) && value >= low && value <= high ? value : null);
export const text = (value, longest = 80) => (typeof value === "string" ? value.slice(0, longest) : "");
export const list = (value, most = 200) => (Array.isArray(value) ? value.slice(0, most) : []);
export const seat = (value) => whole(value, 0, 3);
export const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
export const moment = (value) => (Number.isNaN(Date.parse(text(value))) ? null : Date.parse(value)); // a text with a date in it
export const object = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});

/** "6-4" or "4-6" as {high, low}; null when it is not a tile. */
export function tileOf(value) {
  const found = /^([0-6])-([0-6])$/.exec(text(value));
  if (!found) return null;
  const [one, other] = [Number(found[1]), Number(found[2])];
  return { high: Math.max(one, other), low: Math.min(one, other) };
}

export const tileText = (tile) => (tile ? `${tile.high}-${tile.low}` : "?");

const laid = (value) => ({
  tile: tileOf(object(value).tile),
  arm: ARMS.includes(object(value).arm) ? object(value).arm : "b",
  seat: seat(object(value).seat),
  lowFirst: typeof object(value).low_first === "boolean" ? object(value).low_first : null,
  fits: object(value).fits !== false,
  seq: whole(object(value).seq, 1, Number.MAX_SAFE_INTEGER),
  place: placeOf(object(value)),
});

/** Where a tile lies on the table, if that is told: millimetres from its middle, east and north; null otherwise. */
function placeOf(value) {
  const [xMm, yMm, angleDeg] = [value.x_mm, value.y_mm, value.angle_deg];
  const told = [xMm, yMm, angleDeg].every((one) => typeof one === "number" && Math.abs(one) <= 5000);
  return told ? { xMm, yMm, angleDeg } : null;
}

export const endsOf = (value) => (Array.isArray(value) && value.length === 2 ? value.map((end) => whole(end, 0, 6)) : null);

const lastOf = (value) =>
  object(value) === value ? { type: text(value.type, 40), seat: seat(value.seat), tile: tileOf(value.tile) } : null;

export const alertOf = (value) => ({
  seq: whole(object(value).seq, 0, Number.MAX_SAFE_INTEGER),
  type: text(object(value).type, 40),
  code: text(object(value).code ?? object(value).text_key, 60),
  rule: text(object(value).rule, 40),
  seats: [object(value).seats ?? object(value).seat].flat().map(seat).filter((who) => who !== null),
});

const perTeam = (value, read) => Object.fromEntries(TEAMS.map((team) => [team, read(object(object(value)[team] ?? null), object(value)[team])]));
const points = (value) => perTeam(value, (_, number) => whole(number, -99999, 99999));

/** The retained snapshot as known values. */
export function stateOf(value) {
  const raw = object(value);
  return {
    seq: whole(raw.seq, 0, Number.MAX_SAFE_INTEGER) ?? 0,
    match: whole(raw.match, 0, 99999),
    hand: whole(raw.hand, 0, 99999),
    ruleset: text(raw.ruleset, 12),
    phase: PHASES.includes(raw.phase) ? raw.phase : "waiting",
    teams: perTeam(raw.teams, (team) => ({ name: text(team.name, 64), seats: list(team.seats).map(seat).filter((s) => s !== null) })),
    score: points(raw.score),
    fines: points(raw.fines),
    target: whole(raw.target, 1, 99999),
    opener: seat(raw.opener),
    turn: seat(raw.turn),
    ends: endsOf(raw.ends),
    line: list(raw.line).map(laid),
    held: [0, 1, 2, 3].map((s) => whole(list(raw.held)[s], 0, 28)),
    last: lastOf(raw.last),
    alerts: list(raw.alerts).map(alertOf),
    winner: TEAMS.includes(raw.winner) ? raw.winner : null,
    time: moment(raw.time),
  };
}

/** The board before anything has arrived. `corrected`: events were taken back, and only the next snapshot tells how the table stands. */
export const nothing = () => ({ state: null, alerts: [], passes: [], corrected: false });

/** A new snapshot replaces what was there: it is the truth, corrections included. */
export function withState(view, value) {
  const state = stateOf(value);
  const sameHand = view.state && view.state.match === state.match && view.state.hand === state.hand;
  const passes = sameHand && !view.corrected ? view.passes : [];
  const said = state.last?.type === "turn_passed" ? added(passes, state.last.seat) : state.last ? [] : passes;
  return { ...view, state, passes: said, corrected: view.corrected && state.seq < view.state.seq };
}

/** The open alerts, as the table lists them. */
export const alertsOf = (value) => list(object(value).alerts).map(alertOf);
export const withAlerts = (view, value) => ({ ...view, alerts: alertsOf(value) });

/**
 * An event newer than the snapshot is shown at once; the next snapshot has the last word. What a correction took back is told anew event
 * by event: none of that is shown, so that no line is ever seen that never lay.
 */
export function withEvent(view, value) {
  const event = object(value);
  const data = object(event.data);
  const { state } = view;
  if (!state || !(event.seq > state.seq) || event.match !== state.match) return view;
  const seen = { ...state, seq: event.seq, time: moment(event.time) ?? state.time };
  if (view.corrected || event.type === "correction") return { ...view, state: { ...state, seq: event.seq }, corrected: true };
  const change = Object.hasOwn(STEPS, event.type) ? STEPS[event.type](state, data, event) : {};
  const passes = event.type === "turn_passed" ? added(view.passes, seat(data.seat)) : event.type === "tile_played" ? [] : view.passes;
  const alerts = ["infraction", "suspicion", "reading_doubted"].includes(event.type)
    ? [...view.alerts, alertOf({ ...data, code: data.code ?? event.type, seq: event.seq, type: event.type })]
    : view.alerts;
  return { ...view, state: { ...seen, ...change }, passes, alerts };
}

const added = (passes, who) => (who === null || passes.includes(who) ? passes : [...passes, who]);
const after = (who) => (who === null ? null : (who + 1) % 4);

const STEPS = {
  hand_opened: (state, data, event) => ({
    hand: whole(event.hand, 0, 99999), phase: "playing", line: [], ends: null, last: null,
    held: [7, 7, 7, 7], opener: seat(data.opener), turn: seat(data.opener),
  }),
  tile_played: (state, data) => {
    const who = seat(data.seat);
    if (data.resolves !== undefined) return {}; // a tile already lying there gets its value: the snapshot tells which
    return {
      phase: "playing",
      line: [...state.line, laid({ ...data, arm: data.end })],
      ends: endsOf(data.ends),
      held: state.held.map((count, s) => (s === who && count ? count - 1 : count)),
      last: { type: "tile_played", seat: who, tile: tileOf(data.tile) },
      turn: after(who),
    };
  },
  turn_passed: (state, data) => ({ last: { type: "turn_passed", seat: seat(data.seat), tile: null }, turn: after(seat(data.seat)) }),
  hand_closed: () => ({ phase: "closed", turn: null }),
  hand_ended: () => ({ phase: "ended", turn: null }),
};
