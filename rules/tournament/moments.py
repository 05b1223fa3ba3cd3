"""A moment as the hall's clock shows it: ISO text in and out. Nobody here asks a clock what time it is."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass

from rules.errors import BadInput

HOUR_S = 3600
DAY_S = 24 * HOUR_S

_FORM = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """Local time of the hall, in seconds from the start of 1970 on the same clock; no time zone, no summer time."""

    second: int

    @classmethod
    def parse(cls, text: object) -> Moment:
        """Read `2026-11-30T14:05` or `2026-11-30 14:05:30`; BadInput for anything else, an offset included."""
        found = _FORM.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise BadInput(f"expected a local time such as 2026-11-30T14:05, found {text!r:.60}")
        year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
        if not (year >= 1 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
            raise BadInput(f"expected a day of the calendar, found {text!r:.60}")
        if hour > 23 or minute > 59 or second > 59:
            raise BadInput(f"expected a time of day up to 23:59:59, found {text!r:.60}")
        return cls(_days(year, month, day) * DAY_S + hour * HOUR_S + minute * 60 + second)

    def __str__(self) -> str:
        year, month, day = self.date
        minute, second = divmod(self.second % DAY_S, 60)
        tail = f":{second:02}" if second else ""
        return f"{year:04}-{month:02}-{day:02}T{minute // 60:02}:{minute % 60:02}{tail}"

    @property
    def date(self) -> tuple[int, int, int]:
        """Year, month, day."""
        return _date(self.second // DAY_S)

    def plus(self, seconds: float) -> Moment:
        """This much later, to the second."""
        return Moment(self.second + round(seconds))

    def end_of_day(self) -> Moment:
        """The last minute of the same day."""
        return Moment(self.second // DAY_S * DAY_S + DAY_S - 60)

    def plus_month(self) -> Moment:
        """The same day and time of the next month, or that month's last day where it is shorter."""
        year, month, day = self.date
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
        last = calendar.monthrange(year, month)[1]
        return Moment(_days(year, month, min(day, last)) * DAY_S + self.second % DAY_S)


# Years that begin in March put the leap day last; 400 of them always have 146097 days, and 719468 of those days lie before 1970.
def _days(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a day of the Gregorian calendar."""
    era, of_era = divmod(year - (month <= 2), 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def _date(days: int) -> tuple[int, int, int]:
    """The way back from `_days`."""
    era, of_era = divmod(days + 719468, 146097)
    years = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * years + years // 4 - years // 100)
    march = (5 * of_year + 2) // 153
    month = march + 3 if march < 10 else march - 9
    return era * 400 + years + (month <= 2), month, of_year - (153 * march + 2) // 5 + 1
