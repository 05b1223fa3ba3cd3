"""Every code, event and rule has its words in three languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.codes import DOUBTS, DUSA_ADVICE, DUSA_CHARGES, FID_ADVICE, FID_CHARGES
from rules.errors import BadInput
from rules.events import (
    Advice,
    Event,
    HandEnded,
    Infraction,
    MatchEnded,
    ReadingDoubted,
    Ruled,
    ScoreChanged,
    Suspicion,
    TilePlayed,
)
from rules.observations import KINDS, Place
from rules.referee import replay, start_match
from rules.ruleset import RULESETS
from rules.rulings import RULINGS
from rules.seats import PAIRS, Seat
from rules.texts import (
    CATALOGUES,
    LANGUAGES,
    PLACEHOLDER,
    QUOTES,
    english,
    english_acts,
    english_words,
    event_text,
    portuguese,
    portuguese_acts,
    portuguese_words,
    rule_text,
    spanish,
    spanish_acts,
    spanish_words,
    text,
    title,
)
from rules.tiles import Tile
from table.commands import COMMANDS
from table.envelope import EVENT_TYPES

ROOT = Path(__file__).parent.parent
SOURCES = {
    path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules").rglob("*.py")) if path.parent.name != "texts"
}
RULE_ID = re.compile(r"\b(?:DUSA-\d+[a-e]?|FID-(?:0|[A-Z]{3}(?:-(?:[A-Z]\d?|\d+))?))(?:/\d+)*")
HAND_ENDS = ("domination", "tranque", "tie", "void")
RULING_FILES = [ROOT / "rules" / name for name in ("rulings.py", "remedies.py", "cards.py", "incidents.py")]


def _event_types() -> set[str]:
    return {cls.type for cls in Event.__subclasses__()}


def _refusals() -> set[str]:
    """Why a ruling had no effect: what the files that take rulings in return, alone or as the last of several."""
    trees = [ast.parse(source) for path, source in SOURCES.items() if path in RULING_FILES]
    return {why for tree in trees for why in _returned(tree)} - set(KINDS)


def _returned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Return | ast.Assign) and node.value is not None:
            yield from _outcomes(node.value)


def _outcomes(value: ast.expr) -> Iterator[str]:
    """The words that an expression can give: `a if x else b`, the last of a tuple, a text."""
    if isinstance(value, ast.IfExp):
        yield from (*_outcomes(value.body), *_outcomes(value.orelse))
    elif isinstance(value, ast.Tuple) and value.elts:
        yield from _outcomes(value.elts[-1])
    elif isinstance(value, ast.Constant) and isinstance(value.value, str) and re.fullmatch(r"[a-z_]+", value.value):
        yield value.value


def _match_ends() -> set[str]:
    """The reasons given to `end_match`, and those that `reason_to_end` gives."""
    found: set[str] = set()
    for source in SOURCES.values():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "end_match":
                found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
            if isinstance(node, ast.FunctionDef) and node.name == "reason_to_end":
                found |= set(_returned(node))
    return found


def _charged() -> set[str]:
    """The codes given to `charge`, `suspect` and `advise` anywhere in the package, and every `alternatives`."""
    found: set[str] = set()
    for source in SOURCES.values():
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("charge", "suspect", "advise")
            ):
                found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
                for keyword in node.keywords:
                    if keyword.arg == "alternatives":
                        found |= {leaf.value for leaf in ast.walk(keyword.value) if isinstance(leaf, ast.Constant)}
    return {code for code in found if code}


def test_the_catalogues_have_the_same_codes_and_placeholders() -> None:
    """Spanish, English and Portuguese: every code with a title and a sentence, the same values in each, nothing empty."""
    assert LANGUAGES == ("es", "en", "pt")
    spanish = CATALOGUES["es"]
    for language in LANGUAGES:
        assert set(CATALOGUES[language]) == set(spanish)
        for code, (short, sentence) in CATALOGUES[language].items():
            assert 1 <= len(short) <= 60 and sentence.endswith("."), (language, code)
            assert PLACEHOLDER.findall(short) == []
            assert set(PLACEHOLDER.findall(sentence)) == set(PLACEHOLDER.findall(spanish[code][1])), (language, code)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_text(language: str) -> None:
    """Infractions, advice, doubts, events, ends, rulings and why they had no effect, observations, commands, seats, arms, rule sets."""
    codes = {*DUSA_CHARGES, *FID_CHARGES, *DUSA_ADVICE, *FID_ADVICE, *DOUBTS, *_charged(), *_event_types()}
    codes |= {*RULESETS, *PAIRS, *Seat.__members__, *RULINGS, *_refusals(), *_match_ends(), *HAND_ENDS}
    codes |= {code for ruleset in RULESETS.values() for code in (*ruleset.charges, *ruleset.advice, *ruleset.by_a_person)}
    codes |= {
        "open",
        "a",
        "b",
        "voice",
        "knock",
        "button",
        "seen",
        "unsignalled",
        "none_can_play",
        *KINDS,
        *EVENT_TYPES,
        *COMMANDS,
    }
    assert codes <= set(CATALOGUES[language])


def test_the_scan_of_the_package_finds_codes() -> None:
    """The test above looks at something."""
    assert {"OUT_OF_TURN", "READ_CONFLICT", "HANDS_ON_TABLE", "silent pass"} <= _charged()
    assert len(_event_types()) >= 16
    assert {"no_incident", "already_ruled", "hand_over", "not_the_holder", "already_chosen", "unknown_choice"} <= _refusals()
    assert {"target", "clock", "last_hand", "renege_intentional", "black_card"} == _match_ends()


def test_a_code_has_its_words_in_one_place() -> None:
    """The catalogue of a language and that of what people do share no code."""
    for parts in (
        (spanish, spanish_acts, spanish_words),
        (english, english_acts, english_words),
        (portuguese, portuguese_acts, portuguese_words),
    ):
        codes = [code for part in parts for code in part.TEXTS]
        assert len(codes) == len(set(codes))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_the_package_names_can_be_quoted(language: str) -> None:
    """Each id in code and comments of the rules, combined ones too, has its sentence."""
    named = {rule for source in SOURCES.values() for rule in RULE_ID.findall(source)}
    named |= {charge.rule for charges in (DUSA_CHARGES, FID_CHARGES) for charge in charges.values()}
    named |= {charge.rule for ruleset in RULESETS.values() for charge in ruleset.by_a_person.values()}
    named |= {rule for advice in (DUSA_ADVICE, FID_ADVICE) for rule in advice.values()}
    assert {"DUSA-2/7", "DUSA-5", "FID-ACT-3", "FID-TAR-N3", "custom"} <= named
    for rule in named:
        assert len(rule_text(rule, language)) > 10, rule


def test_the_quotes_are_the_same_rules_in_each_language() -> None:
    """Same ids, all with a sentence; a translation is no copy of the Spanish one."""
    for language in LANGUAGES:
        assert set(QUOTES[language]) == set(QUOTES["es"])
        assert all(len(quote) > 10 for quote in QUOTES[language].values())
    for rule, quote in QUOTES["es"].items():
        assert len({quote, QUOTES["en"][rule], QUOTES["pt"][rule]}) == 3, rule


def test_a_rule_is_quoted_whole_in_part_and_together() -> None:
    """DUSA-5 has two sentences, 5b is one of them, and 2/7 are two rules."""
    assert "paso" in rule_text("DUSA-5", "es") and rule_text("DUSA-5b", "es") in rule_text("DUSA-5", "es")
    assert rule_text("DUSA-2/7", "en") == rule_text("DUSA-2", "en") + " · " + rule_text("DUSA-7", "en")
    assert rule_text("FID-ACT-8/9", "pt").count("cartão preto") == 2
    assert rule_text("custom", "es") == text("custom", "es")


def test_values_are_written_as_people_read_them() -> None:
    """Seats and arms by name, tiles as they are, unknown ones as unknown."""
    assert (
        text("WRONG_END", "es", seat=Seat.N, tile=Tile(6, 4), end="a")
        == "Norte puso 6-4 en la punta a, y solo casaba en la otra."
    )
    assert text("EXPOSED", "en", seat=Seat.W, tile=None) == "West let a tile be seen."
    assert text("RENEGE", "pt", seat="Ana") == "Ana passou tendo uma pedra que casava."
    assert title("tranque", "en") == "Block"


def test_events_have_a_sentence() -> None:
    """Points by pair, ends, candidates with their probability, nobody as the winner of a tie."""
    ended = HandEnded(
        obs=3, end="tie", by_seat=Seat.E, winner=None, points=(0, 0), left=(9, 9), next_starter=Seat.E, counted=True
    )
    assert event_text(ended, "en") == "Tie; won by nobody; points: A 0, B 0."
    assert event_text(ScoreChanged(obs=1, points=(17, 0), fines=(0, 20)), "es") == "Tantos: A 17, B 0; multas: A 0, B 20."
    assert "Cartão preto" in event_text(MatchEnded(obs=1, winner="A", reason="black_card", score=(150, 40)), "pt")
    doubt = ReadingDoubted(obs=1, candidates=((Tile(6, 4), 0.6), (Tile(5, 4), 0.4)), seat=Seat.S, end="b")
    assert event_text(doubt, "en") == "The tile of South is not read well (end b): 6-4 60%, 5-4 40%."
    played = TilePlayed(obs=1, seat=None, tile=Tile(6, 4), end="a", ends=(6, None), confidence=1.0)
    assert event_text(played, "es") == "alguien juega 6-4 (punta a); puntas: 6, sin identificar."
    refused = Ruled(obs=1, incident=None, choice="go_back", refused="hand_over")
    assert event_text(refused, "en") == "The ruling (Go back) has no effect: the hand is over."
    assert "South, North" in event_text(Suspicion(obs=1, code="OUT_OF_TURN", seats=(Seat.S, Seat.N), at_obs=1), "en")


def test_an_infraction_is_told_with_the_tile_it_is_about() -> None:
    """The observation it is attributed to gives tile and arm; without the observations they are unknown."""
    seen = [Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"), Place(t=2.0, seat=Seat.E, tile=Tile(4, 1), at="a", tip=1)]
    (found,) = [e for e in replay(start_match(RULESETS["dusa"]), seen).events if isinstance(e, Infraction)]
    assert event_text(found, "en", seen) == "East laid 4-1, which fits neither end."
    assert event_text(found, "es") == "Este puso una ficha, que no casa en ninguna punta."
    assert (
        event_text(Advice(obs=1, code="HANDS_ON_TABLE", rule="DUSA-4", seat=Seat.E), "en")
        == "East held a hand over the table out of turn."
    )


def test_what_has_no_text_is_refused() -> None:
    """A language, a code, a value or a rule that does not exist is told, never shown as it is."""
    for broken in (
        lambda: text("RENEGE", "fr", seat=Seat.S),
        lambda: text("NO_SUCH_CODE", "es"),
        lambda: text("RENEGE", "es"),
        lambda: title("RENEGE", ""),
        lambda: rule_text("FID-ACT-99", "es"),
        lambda: rule_text("FID-ACT-3", "fr"),
    ):
        with pytest.raises(BadInput, match="expected"):
            broken()
