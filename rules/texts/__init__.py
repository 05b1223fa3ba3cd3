"""What people read of codes, events and rules, in Spanish, English and Portuguese, by code.

`title` is a few words, `text` one sentence with its values filled in, `rule_text` the quoted rule, `event_text` the sentence of an event.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields

from rules.errors import BadInput
from rules.events import BY_PAIR, Advice, Event, Infraction, Ruled
from rules.observations import Observation
from rules.seats import PAIRS, Seat
from rules.texts import (
    english,
    english_acts,
    english_rules,
    english_words,
    portuguese,
    portuguese_acts,
    portuguese_rules,
    portuguese_words,
    spanish,
    spanish_acts,
    spanish_rules,
    spanish_words,
)
from rules.tiles import Tile

CATALOGUES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "es": spanish.TEXTS | spanish_acts.TEXTS | spanish_words.TEXTS,
    "en": english.TEXTS | english_acts.TEXTS | english_words.TEXTS,
    "pt": portuguese.TEXTS | portuguese_acts.TEXTS | portuguese_words.TEXTS,
}
"""By language and code: a title and a sentence."""

QUOTES: Mapping[str, Mapping[str, str]] = {"es": spanish_rules.RULES, "en": english_rules.RULES, "pt": portuguese_rules.RULES}
"""By language and id: the sentence of the rule."""

LANGUAGES = tuple(CATALOGUES)

UNKNOWN = {"winner": "nobody", "seat": "somebody", "opener": "somebody", "by_seat": "somebody", "tile": "tile"}
"""What a value of None is called, by the name of the value."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")


def title(code: str, language: str) -> str:
    """A few words for a code; BadInput for a code or language that has none."""
    return _entry(code, language)[0]


def text(code: str, language: str, /, **values: object) -> str:
    """The sentence of a code with its values filled in; others are left aside, and BadInput names one that is missing.

    Seats, pairs, arms and other codes are written by their title, tiles as 6-4, points of both pairs as `A 17, B 0`,
    and None as unknown (a seat as somebody, a tile as a tile, a winner as nobody).
    """
    sentence = _entry(code, language)[1]
    missing = [name for name in PLACEHOLDER.findall(sentence) if name not in values]
    if missing:
        raise BadInput(f"expected a value for {', '.join(missing)} in the text of {code}, found {', '.join(values) or 'none'}")
    return PLACEHOLDER.sub(lambda found: _shown(found[1], values[found[1]], language), sentence)


def rule_text(rule: str, language: str) -> str:
    """The quoted rule; BadInput for an id that does not exist.

    `FID-ACT-3` alone, `DUSA-5` and `FID-TAR` with all their parts, `DUSA-5b` one of them, `DUSA-2/7` both.
    """
    if rule == "custom":
        return text(rule, language)
    quotes = _of_language(QUOTES, language)
    first, *more = rule.split("/")
    ids = [first, *(first.rpartition("-")[0] + "-" + part for part in more)]
    return " · ".join(_quote(quotes, one) for one in ids)


def event_text(event: Event, language: str, observations: Sequence[Observation | None] = ()) -> str:
    """One sentence for an event; an infraction and an advice by their code, with the tile and the arm of the observation they are about."""
    values = {f.name: getattr(event, f.name) for f in fields(event)}
    if isinstance(event, Ruled) and event.refused is not None:
        return text("ruling_refused", language, **values)
    if not isinstance(event, Infraction | Advice):
        return text(event.type, language, **values)
    at = event.at_obs if isinstance(event, Infraction) else event.obs
    seen = observations[at] if at < len(observations) else None
    about = {"tile": getattr(seen, "tile", None), "end": getattr(seen, "at", None)}
    return text(event.code, language, **(about | values))


def _of_language(catalogues: Mapping[str, Mapping[str, str]], language: str) -> Mapping[str, str]:
    if language not in catalogues:
        raise BadInput(f"expected a language of {', '.join(catalogues)}, found {language!r}")
    return catalogues[language]


def _entry(code: str, language: str) -> tuple[str, str]:
    if language not in CATALOGUES:
        raise BadInput(f"expected a language of {', '.join(CATALOGUES)}, found {language!r}")
    if code not in CATALOGUES[language]:
        raise BadInput(f"expected a code with a text, found {code!r}; add it to the three catalogues of rules/texts")
    return CATALOGUES[language][code]


def _quote(quotes: Mapping[str, str], rule: str) -> str:
    parts = [rule] if rule in quotes else [key for key in quotes if re.fullmatch(re.escape(rule) + r"([a-z]|-\w+)", key)]
    if not parts:
        raise BadInput(f"expected the id of a rule such as DUSA-5 or FID-ACT-3, found {rule!r}")
    return " … ".join(quotes[part] for part in parts)


def _shown(name: str, value: object, language: str) -> str:
    """A value as people read it."""
    if value is None:
        return title(UNKNOWN.get(name, "unknown"), language)
    if isinstance(value, Seat):
        return title(value.name, language)
    if isinstance(value, Tile):
        return str(value)
    if name in BY_PAIR and isinstance(value, tuple):
        return ", ".join(f"{pair} {points}" for pair, points in zip(PAIRS, value, strict=True))
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Tile) and isinstance(value[1], float):
        return f"{value[0]} {value[1]:.0%}"
    if isinstance(value, tuple):
        return ", ".join(_shown("", item, language) for item in value)
    if isinstance(value, float):
        return f"{value:g}"
    return title(value, language) if isinstance(value, str) and value in CATALOGUES[language] else str(value)
