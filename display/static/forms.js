// What the referee is asked for, action by action: each gives the fields of a command, or null when it is left.

import { tileText } from "./model.js";

const SEATS = [0, 1, 2, 3];
const PAIRS = ["A", "B"];
const PIPS = [0, 1, 2, 3, 4, 5, 6];
const ALL_TILES = PIPS.flatMap((high) => PIPS.slice(0, high + 1).map((low) => `${high}-${low}`));

const halves = (tile) => tile.split("-").map(Number);

/** A misread tile is most often one whose halves differ by a pip or two: the nearest come first, what was read before all. */
function nearestFirst(tiles, read) {
  if (read === null) return tiles;
  const [high, low] = halves(read);
  const apart = (tile) => {
    const [one, other] = halves(tile);
    return Math.min(Math.abs(one - high) + Math.abs(other - low), Math.abs(other - high) + Math.abs(one - low));
  };
  return tiles.toSorted((one, other) => apart(one) - apart(other));
}

/** The forms of a console: `ask` shows one, `say` and `tell` have the words, `page` knows the state. */
export function refereeForms(ask, say, tell, page) {
  const seats = (name, label, value, others = []) => ({
    name,
    label,
    kind: "choice",
    value,
    options: [...SEATS.map((seat) => [seat, tell.seatName(seat)]), ...others],
  });
  const nobody = ["none", say("nobody_named")];
  const words = (required = false, value = "") => ({ name: "text", label: say("words"), kind: "text", value, required });
  const given = (fields) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "" && value !== "none" && value !== null));

  return {
    /** Name and, where the broker wants it, user and password. */
    signIn: (known, why) =>
      ask({
        title: say("who_are_you"),
        submit: say("sign_in"),
        fields: [
          why ? { kind: "note", words: why, tone: "bad" } : null,
          { name: "by", label: say("your_name"), kind: "text", value: known.by, required: true, max: 64, autocomplete: "name" },
          { kind: "note", words: say("login_hint") },
          { name: "username", label: say("user"), kind: "text", value: known.username, autocomplete: "username" },
          { name: "password", label: say("password"), kind: "password", value: known.password, autocomplete: "current-password" },
        ].filter(Boolean),
      }),

    async incident() {
      const codes = tell
        .codes(page.state()?.ruleset ?? "")
        .map(({ code, rule, fine }) => [code, `${tell.title(code)} · ${rule}${fine ? ` · ${fine}` : ""}`]);
      const found = await ask({
        title: say("do_incident"),
        fields: [
          { name: "code", label: say("code"), kind: "select", value: "INCIDENT", options: codes },
          seats("seat", say("seat"), "none", [nobody]),
          words(),
        ],
      });
      return found && given({ ...found, text: found.text || (found.code === "INCIDENT" ? tell.title("INCIDENT") : "") });
    },

    async ruling(incident) {
      const fid = page.state()?.ruleset === "fid";
      const intent = !fid && (incident?.code ?? "RENEGE").startsWith("RENEGE") ? ["renege_intentional"] : [];
      const choices = incident
        ? ["uphold", "dismiss", "inconclusive", "agreement", "free", "continue", "repeat_hand", "go_back", ...intent]
        : ["free", "agreement", "repeat_hand", ...intent];
      const found = await ask({
        title: incident ? say("other_ruling") : say("do_free"),
        fields: [
          {
            name: "choice",
            label: say("choice"),
            kind: "choice",
            value: "free",
            options: choices.map((choice) => [choice, tell.title(choice)]),
          },
          seats("seat", say("seat"), "none", [nobody]),
          words(),
        ],
      });
      return found && given({ ...found, ...(incident ? { incident: incident.seq } : {}) });
    },

    agreement: () => ask({ title: tell.title("agreement"), fields: [{ kind: "note", words: say("agreement_hint") }, words()] }),

    async card() {
      const found = await ask({
        title: say("do_card"),
        fields: [
          {
            name: "colour",
            label: say("colour"),
            kind: "choice",
            value: "yellow",
            options: ["yellow", "red", "black"].map((colour) => [colour, say(colour)]),
          },
          {
            ...seats(
              "whom",
              say("to_whom"),
              null,
              PAIRS.map((pair) => [pair, page.team(pair)]),
            ),
            required: true,
          },
          { name: "reason", label: say("reason"), kind: "text", required: true },
          { kind: "note", words: (values) => (values.colour === "black" ? [say("black_hint"), true] : ["", false]) },
        ],
      });
      return (
        found && given({ colour: found.colour, reason: found.reason, [PAIRS.includes(found.whom) ? "pair" : "seat"]: found.whom })
      );
    },

    points() {
      const unplayed = page.state()?.unplayed ?? null;
      const check = ({ points }) => {
        if (unplayed === null) return [say("count_unknown"), false];
        if (points === null) return [say("count_is", { points: unplayed }), false];
        return points === unplayed
          ? [say("count_right", { points: unplayed }), false]
          : [say("count_wrong", { points: unplayed, difference: Math.abs(points - unplayed) }), true];
      };
      return ask({
        title: say("do_points"),
        fields: [
          {
            name: "pair",
            label: say("pair_won"),
            kind: "choice",
            required: true,
            value: null,
            options: PAIRS.map((pair) => [pair, page.team(pair)]),
          },
          { name: "points", label: say("points"), kind: "number", required: true, max: 168 },
          { kind: "note", words: check },
        ],
      });
    },

    async match() {
      const state = page.state();
      const found = await ask({
        title: say("do_match"),
        fields: [
          {
            name: "ruleset",
            label: say("ruleset"),
            kind: "choice",
            value: state?.ruleset ?? "dusa",
            options: ["dusa", "fid"].map((name) => [name, tell.title(name)]),
          },
          ...PAIRS.map((pair) => ({
            name: pair,
            label: tell.title(pair),
            kind: "text",
            value: state?.teams[pair].name ?? pair,
            required: true,
            max: 64,
          })),
          seats("opener", say("opener"), "none", [["none", say("whoever")]]),
          { name: "abandon", label: say("abandon"), kind: "check" },
        ],
      });
      return (
        found &&
        given({ ruleset: found.ruleset, teams: { A: found.A, B: found.B }, opener: found.opener, abandon: found.abandon })
      );
    },

    async hand() {
      const due = page.state()?.nextOpener ?? null;
      const found = await ask({
        title: say("do_hand"),
        fields: [seats("opener", say("opener"), due ?? "none", due === null ? [["none", say("whoever")]] : [])],
      });
      return found && given(found.opener === due ? {} : found);
    },

    /** A play put right: what is likely comes first. Only what was changed is said. */
    async correct(event, candidates, lying) {
      const { data, type } = event;
      const own = typeof data.tile === "string" ? data.tile : null;
      const likely = candidates.map(({ tile, p }) => [
        tileText(tile),
        tileText(tile),
        p === null ? "" : `${Math.round(100 * p)} %`,
      ]);
      const named = new Set(likely.map(([tile]) => tile));
      const unseen = nearestFirst(ALL_TILES.filter((tile) => !named.has(tile) && (tile === own || !lying.has(tile))), own).map(
        (tile) => [tile, tile],
      );
      const has = { tile: type !== "turn_passed", end: ["tile_played", "reading_doubted"].includes(type) && data.end !== "open" };
      const found = await ask({
        title: `${say("correct")}: ${tell.title(type)}`,
        fields: [
          has.tile
            ? {
                name: "tile",
                label: say("tile_is"),
                kind: "choice",
                value: own ?? likely[0]?.[0],
                options: [...likely, ...unseen],
              }
            : null,
          seats("seat", say("seat"), data.seat ?? "none", type === "turn_passed" ? [] : [["none", tell.title("somebody")]]),
          has.end
            ? {
                name: "end",
                label: say("at_end"),
                kind: "choice",
                value: data.end,
                options: ["a", "b"].map((end) => [end, tell.title(end)]),
              }
            : null,
        ].filter(Boolean),
      });
      if (found === null) return null;
      const changed = {};
      if (has.tile && found.tile !== own) changed.tile = found.tile;
      if (found.seat !== (data.seat ?? "none")) changed.seat = found.seat === "none" ? null : found.seat;
      if (has.end && found.end !== data.end) changed.end = found.end;
      return Object.keys(changed).length ? changed : null;
    },

    confirm: (title, words, submit) => ask({ title, danger: true, submit: submit ?? title, fields: [{ kind: "note", words }] }),

    help: (keysOn, rows) =>
      ask({
        title: say("shortcuts"),
        submit: say("keep"),
        fields: [
          ...rows.map(([key, words]) => ({ kind: "note", words: `${key} — ${words}`, tone: "key" })),
          { name: "keys", label: say("keys_on"), kind: "check", value: keysOn },
        ],
      }),
  };
}
