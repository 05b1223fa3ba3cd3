// One event of the log in words.

import { list, object, text } from "./model.js";

export function eventWords(event, { say, tell, find }) {
  const data = object(event.data);
  const special = { entered, ruling, correction, watching };
  if (Object.hasOwn(special, event.type)) return special[event.type](data, { say, tell });
  if (["infraction", "advice"].includes(event.type)) {
    const about = find(data.at_seq);
    return tell.sentence(text(data.code, 60), { tile: about?.data.tile, end: about?.data.end, ...data });
  }
  return tell.sentence(event.type, data);
}

function entered(data, { say, tell }) {
  const what = text(data.what, 40);
  const named = what === "ruling" && data.choice === "acknowledge" ? say("acknowledge") : tell.title(what);
  const more = [
    data.seat === undefined || data.seat === null ? "" : tell.seatName(data.seat),
    text(data.colour && say(text(data.colour, 20)), 20),
    text(data.tile, 5),
    data.points ?? "",
    text(data.reason ?? data.text, 400),
  ];
  return [`${text(data.by, 64)}: ${named}`, ...more.filter((word) => word !== "").map(String)].join(" · ");
}

function ruling(data, { say, tell }) {
  const choice = data.lapsed === true ? tell.title("lapsed") : tell.title(text(data.choice, 40));
  return [`${tell.title("ruling")}: ${choice}`, text(data.by, 64), text(data.text, 400)].filter(Boolean).join(" · ");
}

const correction = (data, { say, tell }) =>
  `${tell.title("correction")}: ${say("taken_back", { count: list(data.voids).length })}`;
const watching = (data, { tell }) => tell.sentence(text(data.state, 40), {});
