// The words of the rules in one language, as the server gives them: titles, sentences with their values, quoted rules.

import { list, object, seat, text, tileOf, tileText, whole } from "./model.js";

const SEATS = ["S", "E", "N", "W"];
const UNKNOWN = { winner: "nobody", seat: "somebody", opener: "somebody", by_seat: "somebody", seats: "somebody", tile: "tile" };
const OF_SEATS = ["seat", "seats", "opener", "by_seat", "next_starter"];

export async function teller(language) {
  const words = await (await fetch(`/words/${language}.json`)).json();
  const title = (code) => (Object.hasOwn(words.titles, code) ? words.titles[code] : String(code));
  const seatName = (who) => (who === null ? title("somebody") : title(SEATS[who]));

  function shown(name, value) {
    if (value === null || value === undefined) return title(UNKNOWN[name] ?? "unknown");
    if (Array.isArray(value))
      return (
        list(value)
          .map((one) => item(name, one))
          .join(", ") || title(UNKNOWN[name] ?? "unknown")
      );
    if (typeof value === "object")
      return Object.entries(value)
        .map(([pair, points]) => `${pair} ${text(String(points), 12)}`)
        .join(", ");
    return item(name, value);
  }

  function item(name, value) {
    if (OF_SEATS.includes(name)) return seatName(seat(value));
    if (Array.isArray(value)) return `${tileText(tileOf(value[0]))} ${Math.round(100 * Number(value[1]))} %`;
    if (value === null) return "?";
    return typeof value === "string" ? title(text(value, 400)) : text(String(value), 20);
  }

  return {
    title,
    seatName,
    /** The sentence of a code; a code without one is told by its title. */
    sentence(code, values) {
      if (!Object.hasOwn(words.texts, code)) return title(code);
      return words.texts[code].replace(/\{(\w+)\}/g, (_, name) => shown(name, object(values)[name]));
    },
    /** The quoted rule; empty where there is none. */
    rule: (id) => (Object.hasOwn(words.rules, id) ? words.rules[id] : ""),
    /** What a person may open an incident under: code, rule, fine. */
    codes: (ruleset) =>
      Object.entries(Object.hasOwn(words.codes, ruleset) ? words.codes[ruleset] : {}).map(([code, charge]) => ({
        code,
        rule: text(charge.rule, 40),
        fine: whole(charge.fine, 0, 999) ?? 0,
      })),
  };
}
