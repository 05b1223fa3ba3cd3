// The parts of the replay page: a table under one rule set, the list of moments, the marks on the timeline.

import { make } from "./dom.js";
import { KINDS, icon } from "./icons.js";
import { drawLine } from "./line.js";
import { clockWords } from "./table_feed.js";
import { signed, wonWords } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const TALL = { play: [9, 15], milestone: [2, 22], incident: [2, 22] };
const SHOWN = 4;

/** A table under a rule set: made once, drawn as often as time goes on. `teams`: the names before there is a state. */
export function tablePanel(page, title, teams) {
  const { say } = page;
  const parts = Object.fromEntries(
    ["A", "B"].map((pair) => [pair, { name: make("dt", { class: `pair-${pair}` }), score: make("dd", { class: `pair-${pair}` }) }]),
  );
  const line = document.createElementNS(SVG, "svg");
  line.setAttribute("role", "img");
  const facts = make("p", { class: "facts" });
  const incidents = make("ul", { class: "incidents" });
  const element = make(
    "section",
    { class: "panel" },
    make("h2", {}, title),
    make("dl", { class: "teams" }, ["A", "B"].map((pair) => make("div", {}, parts[pair].name, parts[pair].score))),
    make("div", { class: "felt" }, line),
    facts,
    incidents,
  );
  let drawn = "";

  function draw(state) {
    const { width, height } = line.getBoundingClientRect();
    const now = JSON.stringify([state?.seq ?? null, state?.match ?? null, width, height]);
    if (now === drawn) return;
    drawn = now;
    for (const pair of ["A", "B"]) {
      parts[pair].name.textContent = state?.teams[pair].name || teams[pair] || `${say("pair")} ${pair}`;
      const fines = state?.fines[pair] ?? 0;
      const more = fines ? make("small", {}, signed(fines)) : "";
      parts[pair].score.replaceChildren(...[make("b", {}, String(state?.score[pair] ?? "–")), more].filter(Boolean));
    }
    drawLine(line, state, say("line"));
    facts.textContent = factsOf(state);
    incidents.replaceChildren(...incidentsOf(state));
  }

  function factsOf(state) {
    if (!state) return say("before_start");
    const hand = `${say("hand")} ${state.hand ?? "?"}`;
    if (state.phase !== "playing") return [hand, say(state.phase), wonWords(state, say)].filter(Boolean).join(" · ");
    const turn = state.turn === null ? say("unknown") : page.tell.seatName(state.turn);
    const ends = state.ends?.map((end) => end ?? "?").join(" · ") ?? "–";
    return [hand, `${say("turn")}: ${turn}`, `${say("ends")}: ${ends}`].join("  ·  ");
  }

  function incidentsOf(state) {
    const open = [...(state?.alerts ?? []), ...(state?.advice ?? [])].slice(-SHOWN);
    return open.map((alert) => {
      const kind = KINDS.includes(alert.type) ? alert.type : "suspicion";
      const who = alert.seats.map(page.tell.seatName).join(" / ");
      const words = alert.code.toLowerCase() === alert.type ? page.tell.title(alert.type) : page.tell.title(alert.code);
      const told = make("span", {}, [who, words].filter(Boolean).join(": "));
      return make("li", { class: kind }, icon(kind), told, make("small", {}, alert.rule));
    });
  }

  return { element, draw };
}

/** The list of moments; `jump(moment)` goes to one. What proves an incident can be looked at beside it. */
export function momentList(root, moments, { say, tellEvent, start, proofs }, jump) {
  const rows = moments.map((moment) => {
    const button = make(
      "button",
      { type: "button", class: `${moment.kind}${moment.voided ? " voided" : ""}` },
      make("span", { class: "when" }, clockWords((moment.tS - start) * 1000)),
      make("span", { class: "told" }, tellEvent(moment.event)),
    );
    button.addEventListener("click", () => jump(moment));
    return make("li", {}, button, proofs(moment.event));
  });
  root.replaceChildren(...(rows.length ? rows : [make("li", { class: "none" }, say("no_moments"))]));
}

/** Which of the moments in the list is the newest at a time. */
export function markNow(root, moments, tS, follow) {
  const now = moments.findLastIndex((moment) => moment.tS <= tS + 0.05);
  [...root.children].forEach((row, n) => {
    const button = row.querySelector("button");
    if (!button || (button.getAttribute("aria-current") === "true") === (n === now)) return;
    if (n === now) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    if (n === now && follow) root.scrollTop = row.offsetTop - root.clientHeight / 2;
  });
}

/** The marks on the timeline, 1000 units long; for the eye, the list says the same. */
export function drawMarks(svg, moments, [start, end]) {
  svg.replaceChildren(
    ...moments.map(({ kind, tS, event }) => {
      const x = (1000 * (tS - start)) / (end - start);
      const mark = document.createElementNS(SVG, "path");
      mark.setAttribute("d", `M${x.toFixed(1)} ${TALL[kind][0]}V${TALL[kind][1]}`);
      mark.setAttribute("class", `${kind} ${event.type === "turn_passed" ? "pass" : ""}`);
      return mark;
    }),
  );
}
