"""How long a test goes on: briefly in every run of the suite, far longer where `--hypothesis-profile=full` asks for it."""

from __future__ import annotations

from hypothesis import settings


def in_full() -> bool:
    """Whether the long run was asked for."""
    return settings.get_current_profile_name() == "full"


def times(short: int, full: int) -> int:
    """So many examples, hands or deals."""
    return full if in_full() else short
