"""What was told of the acts as one line, and back: `! RENEGE W DUSA-5 at=7 fine=50 credit=A`, `= domination N A 17:0 left=2:15`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.errors import BadInput
from rules.events import Accused, HandEnded, Infraction, MatchEnded, ScoreChanged
from rules.fields import READERS, shown
from rules.notation_words import (
    Cursor,
    Unreadable,
    any_value,
    flag,
    flag_words,
    number_words,
    plain_value,
    points,
    points_words,
    seat_words,
    text_words,
)
from rules.record import Note
from rules.seats import Seat

Noted = Infraction | HandEnded | ScoreChanged | MatchEnded
"""The events that a record notes beside the acts."""

Reader = Callable[[Any], Any]
"""Makes the value of a field from what stands in the line; BadInput says what was expected."""

INFRACTION, RESULT = "!", "="
ENDS = ("domination", "tranque", "tie", "void")
COUNT: Reader = READERS["count"]
TEXT: Reader = READERS["text"]


def read_note(cursor: Cursor, last: int) -> Noted:
    """The event that a line after `!` or `=` tells; `last` is the number of the act above it. Unreadable says what was expected where."""
    if cursor.takes(INFRACTION):
        return _read_infraction(cursor, last)
    cursor.need(RESULT)
    cursor.rest()
    column = cursor.at + 1
    what = cursor.checked(TEXT, plain_value)
    if what == "score":
        total = cursor.checked(points, any_value)
        found = _details(cursor, {"fines": points, "since": COUNT})
        return ScoreChanged(obs=found.get("since", last), points=total, fines=found.get("fines", (0, 0)))
    if what == "match":
        reason, winner = cursor.checked(TEXT, plain_value), cursor.checked(_pair, plain_value)
        score = cursor.checked(points, any_value)
        return MatchEnded(obs=_details(cursor, {"since": COUNT}).get("since", last), reason=reason, winner=winner, score=score)
    if what not in ENDS:
        raise Unreadable(column, f"expected score, match, or how the hand ended ({', '.join(ENDS)}), found {shown(what)}")
    return _read_hand_end(cursor, what, last)


def _read_infraction(cursor: Cursor, last: int) -> Infraction:
    code, accused = cursor.checked(TEXT, plain_value), cursor.checked(_accused, plain_value)
    rule = cursor.checked(TEXT, plain_value)
    known: dict[str, Reader] = {
        "at": COUNT, "since": COUNT, "fine": COUNT, "credit": _pair, "remedy": _seat, "difference": COUNT,
        "because": READERS["slots"],
    }  # fmt: skip
    found = _details(cursor, known)
    since = found.get("since", last)
    at = found.get("at", since)
    return Infraction(
        obs=since,
        code=code,
        rule=rule,
        seat=accused,
        at_obs=at,
        fine=found.get("fine"),
        credit=found.get("credit"),
        remedy_holder=found.get("remedy"),
        difference=found.get("difference"),
        because=found.get("because", _grounds(at, since)),
    )


def _read_hand_end(cursor: Cursor, end: str, last: int) -> HandEnded:
    by, winner = cursor.checked(_seat, plain_value), cursor.checked(_pair, plain_value)
    total = cursor.checked(points, any_value)
    found = _details(cursor, {"left": points, "next": _seat, "counted": flag, "since": COUNT})
    left = found.get("left")
    return HandEnded(
        obs=found.get("since", last),
        end=end,
        by_seat=by,
        winner=winner,
        points=total,
        left=left,
        next_starter=found.get("next"),
        counted=found.get("counted", left is not None),
    )


def _details(cursor: Cursor, known: Mapping[str, Reader]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while cursor.rest() and not cursor.rest().startswith((";", "#")):
        column = cursor.at + 1
        key = cursor.key()
        if key not in known or key in found:
            raise Unreadable(column, f"expected one of {', '.join(k for k in known if k not in found)}, found {key}")
        found[key] = cursor.checked(known[key], any_value)
    return found


def _seat(value: object) -> Seat | None:
    return None if value is None else Seat.parse(value)


def _pair(value: object) -> str | None:
    if value not in (None, "A", "B"):
        raise BadInput(f"expected a pair A or B, or ? for nobody, found {value!r}")
    return None if value is None else str(value)


def _accused(value: object) -> Accused:
    """A seat, two seats as `N/E` (who jumped, who was skipped), or nobody."""
    parts = value.split("/") if isinstance(value, str) else [value]
    if len(parts) == 2:
        return Seat.parse(parts[0]), Seat.parse(parts[1])
    return _seat(value)


def _grounds(at: int, since: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys((at, since)))


def note_text(note: Note, last: int) -> str:
    """The line of an event; BadInput when it has a value that cannot be read back."""
    event = note.event
    words = _infraction_words(event) if isinstance(event, Infraction) else _result_words(event)
    since = last if isinstance(event, Infraction) and event.obs == last else event.obs
    text = " ".join([*words, *([] if since == last else [f"since={since}"])])
    if read_note(Cursor(text), last) != event:
        raise BadInput(f"expected an event that reads back the same, found {event!r:.90}")
    return text


def _infraction_words(event: Infraction) -> list[str]:
    accused = "/".join(seat.name for seat in event.seat) if isinstance(event.seat, tuple) else seat_words(event.seat)
    words = [INFRACTION, text_words(event.code), accused, text_words(event.rule)]
    if event.at_obs != event.obs:
        words.append(f"at={event.at_obs}")
    if event.fine is not None:
        words.append(f"fine={number_words(event.fine)}")
    if event.credit is not None:
        words.append(f"credit={event.credit}")
    if event.remedy_holder is not None:
        words.append(f"remedy={event.remedy_holder.name}")
    if event.difference is not None:
        words.append(f"difference={number_words(event.difference)}")
    if event.because != _grounds(event.at_obs, event.obs):
        words.append(f"because=[{' '.join(map(str, event.because))}]")
    return words


def _result_words(event: HandEnded | ScoreChanged | MatchEnded) -> list[str]:
    if isinstance(event, ScoreChanged):
        fines = [] if event.fines == (0, 0) else [f"fines={points_words(event.fines)}"]
        return [RESULT, "score", points_words(event.points), *fines]
    if isinstance(event, MatchEnded):
        return [RESULT, "match", text_words(event.reason), event.winner or "?", points_words(event.score)]
    words = [RESULT, event.end, seat_words(event.by_seat), event.winner or "?", points_words(event.points)]
    if event.left is not None:
        words.append(f"left={points_words(event.left)}")
    if event.next_starter is not None:
        words.append(f"next={event.next_starter.name}")
    if event.counted != (event.left is not None):
        words.append(f"counted={flag_words(event.counted)}")
    return words
