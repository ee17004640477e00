"""Alarms: the regression of each benchmark that people look after, and what they say about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from analysis.trend.models import RegressionAlarm, RegressionNotice
from annotate import blind
from annotate.blind import Reader
from detectors.trends.trend import Trend, TrendChange
from people.models import Role, User
from series.models import Dataset, Recording, Series

State = RegressionAlarm.State
OPEN: Final = frozenset({State.NEW, State.CONFIRMED})
ACCEPTED: Final = frozenset({State.EXPLAINED, State.IGNORED})
"""States in which a regression fails no build."""

JUDGES: Final = frozenset({Role.OWNER, Role.ANNOTATOR})


@dataclass(frozen=True, slots=True)
class TrendAlarm:
    """The alarm of a benchmark's regression.

    change  the regression
    first_recording   the recording that it is known by
    stored_alarm    what people said of it; None where nobody has, or where the reader may not know
    """

    change: TrendChange
    first_recording: Recording
    state: str = State.NEW
    stored_alarm: RegressionAlarm | None = None

    @property
    def is_accepted(self) -> bool:
        return self.state in ACCEPTED

    @property
    def looks_fixed(self) -> bool:
        """True if the trend has returned, and no person has judged the alarm fixed."""
        return self.change.pattern == "reverted" and self.state in OPEN

    @property
    def reason(self) -> str:
        """Its state, by whom, and why."""
        if self.stored_alarm is None:
            return str(self.state)
        person_phrase = f" by {self.stored_alarm.by.name}" if self.stored_alarm.by else ""
        return (
            f"{self.state}{person_phrase}: {self.stored_alarm.note}"
            if self.stored_alarm.note
            else f"{self.state}{person_phrase}"
        )

    def fits(self, wanted_state: str) -> bool:
        """True if a list of alarms in `wanted_state` shows the alarm."""
        return self.state in OPEN if wanted_state == "open" else self.state == wanted_state


@dataclass(frozen=True, slots=True)
class KnownAlarms:
    """Alarms of a data set's regressions, by keys of benchmark and recording."""

    stored_alarms: Mapping[tuple[int, int], RegressionAlarm]
    notified_keys: frozenset[tuple[int, int]]
    is_withheld: bool

    def alarm(
        self, benchmark: int, trend: Trend, recording_at: Callable[[int], Recording]
    ) -> TrendAlarm | None:
        """The newest regression that is the last change, was told, or was spoken of.

        recording  that of the result at a place: few of a million are asked for
        """
        changes = (
            change
            for change in reversed(trend.jumps)
            if change.kind == "regression" and change.pattern not in {"small", "short"}
        )
        alarms = (self._alarm_of(benchmark, trend, change, recording_at) for change in changes)
        return next(filter(None, alarms), None)

    def _alarm_of(
        self,
        benchmark: int,
        trend: Trend,
        change: TrendChange,
        recording_at: Callable[[int], Recording],
    ) -> TrendAlarm | None:
        recordings = [recording_at(dot_index) for dot_index in _detected_positions(trend, change)]
        keys = [(benchmark, detected.pk) for detected in recordings]
        for recording, key in zip(recordings, keys, strict=True):
            if stored_alarm := self.stored_alarms.get(key):
                return TrendAlarm(
                    change,
                    recording,
                    stored_alarm.state,
                    None if self.is_withheld else stored_alarm,
                )
        is_standing = change is trend.last_change and change.counts
        is_fresh = trend.fresh_regression is not None and change.at == trend.fresh_regression.at
        is_alarm = is_standing or is_fresh or not self.notified_keys.isdisjoint(keys)
        return TrendAlarm(change, recordings[0]) if is_alarm else None


def _detected_positions(trend: Trend, change: TrendChange) -> list[int]:
    """List all positions at which this change was detected, so that its alarm survives a shift."""
    earlier_indices = [
        known_change.at
        for known_change in trend.known
        if known_change.moved == change.at and known_change.kind == change.kind
    ]
    return list(dict.fromkeys([change.at, *earlier_indices]))


def known_alarms(dataset: Dataset, reader: Reader) -> KnownAlarms:
    """Read once for all benchmarks. Words of others are withheld from who has yet to answer."""
    stored_alarms = RegressionAlarm.objects.filter(benchmark__dataset=dataset)
    notices = RegressionNotice.objects.filter(benchmark__dataset=dataset)
    return KnownAlarms(
        {
            (alarm.benchmark_id, alarm.recording_id): alarm
            for alarm in stored_alarms.select_related("assignee", "by")
        },
        frozenset(notices.values_list("benchmark", "recording")),
        is_withheld=_is_blind(reader, dataset),
    )


def may_judge(user: User, dataset: Dataset) -> bool:
    """Owners and annotators, unless they have yet to answer a series of the data set."""
    return dataset.study.role_of(user) in JUDGES and not _is_blind(user, dataset)


def _is_blind(reader: Reader, dataset: Dataset) -> bool:
    series = Series.objects.filter(benchmark__dataset=dataset)
    return not blind.sees_all(reader, dataset.study, series)
