// The Swiss table and who meets whom.

import { at, make } from "./dom.js";
import { signed } from "./words.js";

/** What is published of a tournament: name, moment, pairing and standings. */
export function drawTournament(tournament, page) {
  at("tournament").hidden = !tournament;
  if (!tournament) return;
  at("head-tournament").textContent = tournament.name;
  at("published").textContent = tournament.time === null ? "" : page.say("published", { time: page.clock(tournament.time) });
  at("pairing").replaceChildren(...pairing(tournament, page));
  at("standings").replaceChildren(...standings(tournament, page));
}

function pairing(tournament, { say }) {
  if (tournament.round === null) return [];
  const rows = tournament.tables.map((meeting) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, String(meeting.table ?? "")),
      ...meeting.pairs.map((pair) => make("td", { class: pair && pair === meeting.winner ? "won" : null }, pair)),
      make("td", { class: "number" }, meeting.points ? meeting.points.join(" : ") : ""),
    ),
  );
  const title = say(tournament.open ? "round_open" : "round_next", { round: tournament.round });
  const heads = [say("table"), say("pair"), say("rivals"), say("result")];
  return [
    make("h3", {}, title),
    make("table", { "aria-label": title }, head(heads, [0]), make("tbody", {}, rows)),
    tournament.bye ? make("p", {}, say("bye", { pair: tournament.bye })) : null,
  ].filter(Boolean);
}

function standings(tournament, { say }) {
  const third = tournament.thirdKey;
  const title = tournament.after
    ? say("standings_after", { after: tournament.after, rounds: tournament.rounds ?? "?" })
    : say("standings_first");
  const rows = tournament.standings.map((line) => {
    const gone = line.status === "in" ? null : make("small", {}, ` ${say(line.status)}`);
    const numbers = [line.wins, line.difference === null ? null : signed(line.difference), third ? line[third] : undefined, line.matches];
    return make(
      "tr",
      { class: line.status },
      make("th", { scope: "row" }, String(line.place ?? "–")),
      make("td", {}, line.pair, gone),
      numbers.filter((value) => value !== undefined).map((value) => make("td", { class: "number" }, String(value ?? "–"))),
    );
  });
  const heads = [say("place"), say("pair"), say("wins"), say("difference_sum"), third ? say(third) : "", say("played")];
  return [
    make("h3", {}, title),
    make("table", { "aria-label": title }, head(heads.filter(Boolean), [0, 2, 3, 4, 5]), make("tbody", {}, rows)),
  ];
}

const head = (words, numbers) =>
  make(
    "thead",
    {},
    make("tr", {}, words.map((word, n) => make("th", { scope: "col", class: numbers.includes(n) && n ? "number" : null }, word))),
  );
