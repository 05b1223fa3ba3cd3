"""The match sheet: one page of HTML to print and sign. No scripts, nothing from elsewhere, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from rules.errors import BadInput
from rules.seats import Seat
from rules.texts import LANGUAGES, rule_text, title
from table.envelope import EventRecord
from table.exports import MatchFile, hand_rows
from table.exports_evidence import figures, proofs_by_incident
from table.exports_words import WORDS

STYLE = """
body { font: 11pt/1.4 sans-serif; color: #000; background: #fff; max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 16pt; margin: 0; } h2 { font-size: 12pt; margin: 1.2rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; } th, td { border: 1px solid #777; padding: .2rem .4rem; text-align: left;
vertical-align: top; } td.n { text-align: right; } .score { font-size: 20pt; font-weight: bold; }
.quote { font-size: 9pt; color: #333; } .sign { display: inline-block; width: 30%; margin: 2.5rem 1% 0; border-top: 1px solid #000; }
h3 { font-size: 11pt; margin: .6rem 0 .2rem; } figure { display: inline-block; width: 48%; margin: .3rem 1% .3rem 0; vertical-align: top; }
figure img { width: 100%; } figcaption { font-size: 8pt; overflow-wrap: anywhere; }
@page { margin: 15mm; } figure { page-break-inside: avoid; } tr { page-break-inside: avoid; }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def as_sheet(match: MatchFile, language: str, evidence: Path | None = None) -> str:
    """The sheet of a match in es, en or pt; BadInput for another language. evidence: the folder of pictures and clips."""
    if language not in LANGUAGES:
        raise BadInput(f"expected a language ({', '.join(LANGUAGES)}), found {language!r}; choose one of them")
    words = WORDS[language]
    parts = [
        _head(match, words),
        _section(words["hands"], _hands(match, language), words),
        _section(words["incidents"], _incidents(match, language), words),
        _evidence(match, words, evidence),
        _section(words["rulings"], _rulings(match, language), words),
        _section(words["entries"], _entries(match, words), words),
        _signatures(match, words),
    ]
    heading = escape(f"{words['sheet']}: {match.teams[0]} – {match.teams[1]}")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<title>{heading}</title>\n<style>{STYLE}</style>\n'
        f"</head>\n<body>\n{''.join(parts)}</body>\n</html>\n"
    )


def _head(match: MatchFile, words: dict[str, str]) -> str:
    first = match.events[0]
    rules = match.header.ruleset.name.upper() if match.header is not None else "?"
    score: dict[str, Any] = next(
        (e.data for e in reversed(match.in_force) if e.type == "score_changed"), {"points": {}, "fines": {}}
    )
    ended = next((e.data for e in reversed(match.in_force) if e.type == "match_ended"), None)
    winner = words["not_over"] if ended is None else dict(zip("AB", match.teams, strict=True)).get(ended["winner"], "–")
    a, b = (score["points"].get(pair, 0) for pair in "AB")
    fines = [f"{pair} {n}" for pair, n in score["fines"].items() if n]
    where = f"{first.event} · {words['table']} {first.table} · {words['match']} {match.number} · {words['rules']} {rules}"
    return (
        f"<h1>{escape(words['sheet'])}</h1>\n<p>{escape(where)} · {escape(first.time[:16].replace('T', ' '))} UTC</p>\n"
        f'<p class="score">{escape(match.teams[0])} {a} : {b} {escape(match.teams[1])}</p>\n'
        f"<p>{escape(words['winner'])}: {escape(winner)}"
        + (f" · {escape(words['fines'])}: {escape(', '.join(fines))}" if fines else "")
        + "</p>\n"
    )


def _hands(match: MatchFile, language: str) -> tuple[Sequence[str], list[Sequence[object]]]:
    words = WORDS[language]
    a, b = match.teams
    columns = (words["hand"], words["end"], words["by"], f"{words['points']} {a}", f"{words['points']} {b}",
               f"{words['total']} {a}", f"{words['total']} {b}")  # fmt: skip
    rows: list[Sequence[object]] = [
        (row["hand"], _title(row["end"], language), _seats(row["by_seat"], language), row["points_a"], row["points_b"],
         row["total_a"], row["total_b"])
        for row in hand_rows(match)
    ]  # fmt: skip
    return columns, rows


def _decided(match: MatchFile) -> dict[Any, EventRecord]:
    """The ruling on each incident, by its seq."""
    return {e.data.get("incident"): e for e in match.in_force if e.type == "ruling" and not e.data.get("refused")}


def _told(match: MatchFile) -> list[EventRecord]:
    """Infractions, and doubts that a person decided on."""
    decided = _decided(match)
    return [e for e in match.in_force if e.type == "infraction" or (e.type == "suspicion" and e.seq in decided)]


def _evidence(match: MatchFile, words: dict[str, str], folder: Path | None) -> str:
    proofs = proofs_by_incident(match.in_force)
    parts = [figures(event.seq, proofs[event.seq], folder, words) for event in _told(match) if event.seq in proofs]
    return f"<h2>{escape(words['evidence'])}</h2>\n{''.join(parts) or '<p>' + escape(words['none']) + '</p>'}\n"


def _incidents(match: MatchFile, language: str) -> tuple[Sequence[str], list[Sequence[object]]]:
    """What was put to the referee, with the rule's own words and what was decided."""
    words, decided = WORDS[language], _decided(match)
    rows: list[Sequence[object]] = []
    for event in _told(match):
        what = _title(event.data["code"], language) + (f" ({words['doubt']})" if event.type == "suspicion" else "")
        fine = f", {words['fine']}: {event.data['fine']}" if event.data.get("fine") else ""
        seat = _seats(event.data.get("seat", event.data.get("seats")), language)
        ruling = _choice(decided[event.seq], language) if event.seq in decided else words["open"]
        rows.append((event.seq, event.hand, what + fine, seat, _rule(event.data.get("rule"), language), ruling))
    return ("#", words["hand"], words["incidents"], words["seat"], words["rule"], words["decision"]), rows


def _rulings(match: MatchFile, language: str) -> tuple[Sequence[str], list[Sequence[object]]]:
    words = WORDS[language]
    rows: list[Sequence[object]] = []
    for event in match.in_force:
        if event.type == "ruling":
            about = f"{words['on']} {event.data['incident']}" if event.data.get("incident") is not None else ""
            text = " ".join(part for part in (about, event.data.get("text") or "") if part)
            rows.append((_clock(event), _choice(event, language), text, event.data.get("by") or ""))
    return (words["time"], words["decision"], "", words["by"]), rows


def _entries(match: MatchFile, words: dict[str, str]) -> tuple[Sequence[str], list[Sequence[object]]]:
    """Who entered what, and which events were taken back by it."""
    rows: list[Sequence[object]] = []
    for event in match.events:
        if event.type == "entered":
            fields = (f"{k} {v}" for k, v in event.data.items() if k not in ("what", "by", "transaction"))
            rows.append((_clock(event), event.data["what"], ", ".join(fields), event.data["by"]))
        elif event.type == "correction":
            gone = f"{words['voids']} {', '.join(map(str, event.data['voids']))}"
            rows.append((_clock(event), "correction", gone, event.data.get("by") or ""))
    return (words["time"], "", "", words["by"]), rows


def _section(heading: str, table: tuple[Sequence[str], list[Sequence[object]]], words: dict[str, str]) -> str:
    columns, rows = table
    if not rows:
        return f"<h2>{escape(heading)}</h2>\n<p>{escape(words['none'])}</p>\n"
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{_cells(row)}</tr>\n" for row in rows)
    return f"<h2>{escape(heading)}</h2>\n<table>\n<tr>{head}</tr>\n{body}</table>\n"


def _cells(row: Iterable[object]) -> str:
    return "".join(
        f'<td class="n">{cell}</td>' if isinstance(cell, int) else f"<td>{escape('' if cell is None else str(cell))}</td>"
        for cell in row
    )


def _signatures(match: MatchFile, words: dict[str, str]) -> str:
    lines = (f"{words['pair']} {match.teams[0]}", f"{words['pair']} {match.teams[1]}", words["referee"])
    return (
        f"<h2>{escape(words['signatures'])}</h2>\n"
        + "".join(f'<span class="sign">{escape(line)}</span>' for line in lines)
        + "\n"
    )


def _choice(event: EventRecord, language: str) -> str:
    return _title("lapsed" if event.data.get("lapsed") else event.data["choice"], language)


def _rule(rule: str | None, language: str) -> str:
    try:
        return f"{rule}: {rule_text(rule, language)}" if rule else ""
    except BadInput:
        return rule or ""


def _title(code: str, language: str) -> str:
    try:
        return title(code, language)
    except BadInput:
        return code


def _seats(seat: Any, language: str) -> str:
    if isinstance(seat, list):
        return ", ".join(_seats(one, language) for one in seat)
    return "" if seat is None else _title(Seat(seat).name, language)


def _clock(event: EventRecord) -> str:
    return event.time[11:19]
