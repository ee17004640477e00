"""Time line of a run: begin, now, and the range in which it ends, as percentages of a bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Self

from django.db.models import Sum
from django.utils import timezone

from analysis.runs.models import Run
from analysis.work.progress import JobProgress

MINUTES: Final = 15  # minutes of the drawing of the pace
APART: Final = 11.0  # per cent of the bar: a time that is nearer to a neighbour is not written


@dataclass(frozen=True, slots=True)
class TimeMark:
    """One time under the bar: where it stands, what it is, and from which side it is written."""

    position: float
    words: str
    moment: datetime

    @property
    def anchor(self) -> str:
        return "start" if self.position < 6 else "end" if self.position > 90 else "middle"


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Begin, present and foreseen ends of a job."""

    began: datetime
    now: datetime
    first_guess: datetime | None  # the end as it was foreseen at the begin
    earliest: datetime
    latest: datetime

    @classmethod
    def from_moments(
        cls,
        began: datetime,
        current_moment: datetime,
        seconds_left: tuple[float, float],
        planned_seconds: float = 0.0,
    ) -> Self:
        """Build the time line of a job. `seconds_left`: shortest and longest seconds to the end;
        `planned_seconds`: seconds of all the work.
        """
        shortest_time, longest_time = (timedelta(seconds=seconds) for seconds in seconds_left)
        guess = began + timedelta(seconds=planned_seconds) if planned_seconds else None
        return cls(
            began,
            current_moment,
            guess,
            current_moment + shortest_time,
            current_moment + longest_time,
        )

    def position_of(self, moment: datetime) -> float:
        """Per cent of the bar at which a time stands."""
        total_seconds = max((self.latest - self.began).total_seconds(), 1.0)
        return min(max(100 * (moment - self.began).total_seconds() / total_seconds, 0.0), 100.0)

    @property
    def now_position(self) -> float:
        return self.position_of(self.now)

    @property
    def sure_width(self) -> float:
        """Width of the part from now to the earliest end."""
        return self.position_of(self.earliest) - self.now_position

    @property
    def marks(self) -> list[TimeMark]:
        """Times with room for their words, the most telling first: ends, begin, first guess."""
        labelled_moments = [("latest", self.latest), ("earliest", self.earliest), ("", self.began)]
        if self.first_guess and self.first_guess < self.latest:
            labelled_moments.append(("first guess", self.first_guess))
        if (self.latest - self.earliest).total_seconds() < 60:
            labelled_moments = [("about", self.latest), *labelled_moments[2:]]
        marks: list[TimeMark] = []
        for label, moment in labelled_moments:
            mark = TimeMark(self.position_of(moment), label, moment)
            if all(abs(mark.position - other_mark.position) >= APART for other_mark in marks):
                marks.append(mark)
        return marks


def run_time_line(run: Run, progress: JobProgress) -> TimeLine | None:
    """The line of a run at work; None before its first answer, and once it has ended."""
    seconds_left = progress.seconds_left
    if not run.is_open or run.began is None or seconds_left is None:
        return None
    planned_milliseconds = run.units.aggregate(ms=Sum("expected_ms"))["ms"] or 0.0
    planned_seconds = planned_milliseconds / 1000 / max(len(progress.workers), 1)
    return TimeLine.from_moments(run.began, timezone.now(), seconds_left, planned_seconds)


def pace_bars(counts: Sequence[int]) -> list[float]:
    """Answers of each minute as per cent of the fastest one."""
    largest_count = max(counts, default=0)
    return [100 * count / largest_count for count in counts] if largest_count else []
