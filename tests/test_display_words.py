"""The pages have words, in three languages, for everything that can reach them over MQTT."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rules.codes import DOUBTS
from rules.ruleset import RULESETS
from rules.seats import Seat
from rules.texts import CATALOGUES

STATIC = Path(__file__).parent.parent / "display" / "static"
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.*")) if path.suffix in (".js", ".html")}
WORD_FILES = [name for name in SOURCES if name.startswith("words")]
AGENT = Path(__file__).parent.parent / "table"
ROW = re.compile(r"^  (\w+): (\[[^\]]*\]),$", re.MULTILINE)
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def _catalogue(*names: str) -> dict[str, list[str]]:
    """The rows of the word files, all of them unless named: a key and its words in Spanish, English and Portuguese."""
    source = "".join(SOURCES[name] for name in names or WORD_FILES)
    flat = re.sub(r"\[\n\s+(.*?),\n\s+\],", lambda found: f"[{' '.join(found[1].split())}],", source, flags=re.DOTALL)
    return {key: json.loads(words) for key, words in ROW.findall(flat)}


def _listed(name: str, source: str) -> set[str]:
    """The texts of a list constant, or the keys of an object constant, of a script."""
    body = re.search(rf"^(?:export )?const {name} = [\[{{](.*?)[\]}}];$", source, re.DOTALL | re.MULTILINE)
    assert body is not None, name
    return set(re.findall(r'"(\w+)"', body[1])) or set(re.findall(r"^  (\w+):", body[1], re.MULTILINE))


def _asked_for() -> set[str]:
    """What the pages ask for by name: `say("…")`, the words of the last act, and `data-word` or `data-label` in the page."""
    asked = {key for source in SOURCES.values() for key in re.findall(r'\bsay\("(\w+)"', source)}
    asked |= {key for source in SOURCES.values() for key in re.findall(r'data-(?:word|label)="(\w+)"', source)}
    last = re.search(r"^const LAST_WORDS = \{(.*)\};$", SOURCES["board_view.js"], re.MULTILINE)
    assert last is not None
    return asked | set(re.findall(r'"(\w+)"', last[1])) | {f"seat{seat:d}" for seat in Seat}


def _codes() -> set[str]:
    """Every code that an alert can carry: charges, what a person opens, advice, doubts, and what the agent says of itself."""
    ours = {code for ruleset in RULESETS.values() for code in (*ruleset.charges, *ruleset.advice, *ruleset.by_a_person)}
    alarms = {
        code for file in AGENT.glob("*.py") for code in re.findall(r'"text_key": "(\w+)"', file.read_text(encoding="utf-8"))
    }
    assert alarms
    return ours | set(DOUBTS) | alarms


def _built() -> set[str]:
    """What the console asks for by a name that it puts together: its tools, acts, groups and deadlines."""
    acts = _listed("ACTS", SOURCES["table_view.js"])
    tools = set(re.findall(r'(\w+): "', SOURCES["acts.js"][SOURCES["acts.js"].index("TOOLS = {") :].split("};")[0]))
    deadlines = {"placement", "placement_or_count", "count"}
    groups = {"open", "acknowledged", "ruled"}
    assert len(acts) == 4 and len(tools) == 10
    return (
        {f"do_{act}" for act in acts | tools}
        | {f"deadline_{when}" for when in deadlines}
        | {f"{what}_{group}" for what in ("group", "no") for group in groups}
    )


def _reasons() -> set[str]:
    """Why the table, or the page itself, says that a command was not carried out, and rules/texts has no words for it."""
    sources = [file.read_text(encoding="utf-8") for file in AGENT.glob("commands*.py")]
    told = {reason for source in sources for reason in re.findall(r'Refused\(\s*"(\w+)"', source)}
    ours = set(re.findall(r'reason: "(\w+)"', SOURCES["desk.js"]))
    assert len(ours) == 2
    return (told | ours | {"unreadable"}) - set(CATALOGUES["es"])


def test_every_word_is_there_in_three_languages() -> None:
    """Three texts a key, none empty, with the same values to fill in."""
    found = _catalogue()
    assert len(found) > 60
    for key, words in found.items():
        assert len(words) == 3 and all(words), key
        assert len({tuple(sorted(PLACEHOLDER.findall(text))) for text in words}) == 1, key


@pytest.mark.parametrize(
    ("what", "keys"),
    [
        ("codes", _codes()),
        ("kinds of alert", _listed("SHAPES", SOURCES["icons.js"])),
        ("phases that the board names", _listed("PHASES", SOURCES["model.js"]) - {"playing"}),
        ("words the pages ask for", _asked_for()),
        ("words that the console puts together", _built()),
        ("reasons of a refusal", _reasons()),
    ],
)
def test_what_can_be_shown_has_words(what: str, keys: set[str]) -> None:
    """No code, kind of alert, phase or label comes to the board that it could only show by its key."""
    assert len(keys) >= 4, what
    assert keys <= set(_catalogue()), what


def test_no_page_names_anew_what_the_board_has_a_word_for() -> None:
    """What the board has a word for, the other pages do not say in words of their own."""
    for name in WORD_FILES:
        assert name == "words.js" or not set(_catalogue("words.js")) & set(_catalogue(name)), name
