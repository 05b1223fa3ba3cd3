"""The words of the rules for the pages: titles, sentences and quoted rules of one language, as one value for JSON."""

from __future__ import annotations

from typing import Any

from rules.ruleset import RULESETS, Ruleset
from rules.texts import CATALOGUES, LANGUAGES, QUOTES, rule_text

__all__ = ["LANGUAGES", "words_of"]


def words_of(language: str) -> dict[str, Any]:
    """`titles` and `texts` by code, `rules` by id as alerts name them, and by rule set the codes that a person may open.

    BadInput for a language that there is none of.
    """
    codes = {name: _openable(rules) for name, rules in RULESETS.items()}
    named = {row["rule"] for rows in codes.values() for row in rows.values()}
    named |= {rule for rules in RULESETS.values() for rule in rules.advice.values()} | set(QUOTES["es"])
    return {
        "language": language,
        "titles": {code: entry[0] for code, entry in CATALOGUES.get(language, {}).items()},
        "texts": {code: entry[1] for code, entry in CATALOGUES.get(language, {}).items()},
        "rules": {rule: rule_text(rule, language) for rule in sorted(named)},
        "codes": codes,
    }


def _openable(rules: Ruleset) -> dict[str, dict[str, Any]]:
    """The codes of a rule set that a person may open an incident under, each with its rule and the fine that it proposes."""
    charges = {code: rules.charge(code) or charge for code, charge in {**rules.charges, **rules.by_a_person}.items()}
    return {code: {"rule": charge.rule, "fine": charge.fine} for code, charge in charges.items()}
