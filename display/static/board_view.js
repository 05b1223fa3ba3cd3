// The parts of the scoreboard, drawn from what a table shows.

import { at, make, put } from "./dom.js";
import { icon, kindOf } from "./icons.js";
import { drawLine } from "./line.js";
import { tileText } from "./model.js";
import { alertWords, seatWords, signed, teamWords, wonWords } from "./words.js";

const LAST_WORDS = { turn_passed: "passed", reading_doubted: "doubted", tile_withdrawn: "withdrew", tile_exposed: "exposed" };
const PAIR_OF = ["A", "B", "A", "B"];

/** The parts, saying their words with `say`. */
export function boardView(say) {
  const seatName = (seat) => seatWords(seat, say);

  function teams(state) {
    for (const team of ["A", "B"]) {
      put(`name-${team}`, teamWords(state, team, say));
      put(`score-${team}`, state?.score[team]);
      put(`seats-${team}`, (state?.teams[team].seats ?? []).map(seatName).join(" · "));
      const fines = state?.fines[team] ?? null;
      const total = (state?.score[team] ?? 0) + (fines ?? 0);
      put(`fines-${team}`, fines === null ? null : signed(fines));
      put(`target-${team}`, state?.target);
      put(`total-${team}`, total);
      at(`total-${team}`).parentElement.classList.toggle("blank", !fines);
      const share = state?.target ? Math.min(1, Math.max(0, total / state.target)) : 0;
      at(`goal-${team}`).style.setProperty("--share", String(share));
      at(`name-${team}`).parentElement.classList.toggle("winner", state?.winner === team);
    }
  }

  function seat(who, state, passes) {
    const held = state?.held[who] ?? null;
    const tiles = make(
      "span",
      { class: "held", role: "img", "aria-label": `${held ?? "?"} ${say("tiles")}` },
      Array.from({ length: held ?? 0 }, () => make("i")),
    );
    const passed = passes.includes(who) ? make("em", {}, say("passed")) : null;
    at(`seat-${who}`).replaceChildren(...[make("b", {}, seatName(who)), tiles, passed].filter(Boolean));
    at(`seat-${who}`).classList.toggle("turn", state?.turn === who);
    at(`seat-${who}`).dataset.pair = PAIR_OF[who];
  }

  function footer(state, passes) {
    put("ends", state?.ends ? state.ends.map((end) => end ?? "?").join("  ·  ") : null);
    put("turn", state?.turn === null || !state ? null : seatName(state.turn));
    put("passes", passes.length ? passes.map(seatName).join(", ") : null);
    put("last", lastPlay(state?.last));
  }

  function lastPlay(last) {
    if (!last) return null;
    const what = Object.hasOwn(LAST_WORDS, last.type) ? [say(LAST_WORDS[last.type])] : [];
    if (last.tile) what.push(tileText(last.tile));
    return `${seatName(last.seat)}: ${what.join(" ")}`;
  }

  function alertItem(alert) {
    const kind = kindOf(alert);
    const rule = alert.rule ? make("span", { class: "rule" }, alert.rule) : null;
    return make("li", { class: kind }, icon(kind), make("b", {}, say(kind)), make("span", {}, alertWords(alert, say)), rule);
  }

  let shownAlerts = "";
  return {
    teams,
    seats: (state, passes) => [0, 1, 2, 3].forEach((who) => seat(who, state, passes)),
    footer,

    head(state) {
      put("match", state?.match ? `${say("match")} ${state.match}` : "");
      put("hand", state?.hand ? `${say("hand")} ${state.hand}` : "");
      put("ruleset", state?.ruleset.toUpperCase() ?? "");
      at("ruleset").hidden = !state?.ruleset;
    },

    line(state) {
      drawLine(at("line"), state, say("line"));
      const waits = state?.line.length ? "" : say("waiting");
      const phase = !state ? say("no_table") : state.phase === "playing" ? waits : say(state.phase);
      put("empty", [phase, wonWords(state, say)].filter(Boolean).join(" · "));
      at("empty").classList.toggle("over-line", Boolean(state?.line.length));
    },

    alerts(alerts) {
      const key = JSON.stringify(alerts);
      if (key === shownAlerts) return; // a list rebuilt without a change would be read aloud again
      shownAlerts = key;
      at("alerts").replaceChildren(...alerts.map(alertItem));
    },

    /** Whether what is shown is live; if not, how it is said. */
    signal({ live, kind, words, old }) {
      document.body.dataset.signal = kind;
      put("signal", words);
      at("stale").hidden = live;
      if (!live) put("stale", old);
    },

    /** By seat what it can still hold; `sure` ones are with nobody else. */
    holdings(rows, seconds) {
      put("holdings-title", say("holdings", { s: seconds }));
      at("holdings-seats").replaceChildren(
        ...rows.map((tiles, who) =>
          make(
            "div",
            { "data-pair": PAIR_OF[who] },
            make("dt", {}, seatName(who)),
            make("dd", {}, tiles.map(({ tile, sure }) => make("span", { class: sure ? "sure" : null }, tileText(tile)))),
          ),
        ),
      );
    },
  };
}
