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
    since   the recording that it is known by
    said    what people said of it; None where nobody has, or where the reader may not know
    """

    change: TrendChange
    since: Recording
    state: str = State.NEW
    said: RegressionAlarm | None = None

    @property
    def is_accepted(self) -> bool:
        return self.state in ACCEPTED

    @property
    def looks_fixed(self) -> bool:
        """Whether the trend has returned, and nobody has said what became of it."""
        return self.change.pattern == "reverted" and self.state in OPEN

    @property
    def reason(self) -> str:
        """Its state, by whom, and why."""
        if self.said is None:
            return str(self.state)
        by = f" by {self.said.by.name}" if self.said.by else ""
        return f"{self.state}{by}: {self.said.note}" if self.said.note else f"{self.state}{by}"

    def fits(self, asked: str) -> bool:
        """Whether a list of alarms that are `asked` shows it."""
        return self.state in OPEN if asked == "open" else self.state == asked


@dataclass(frozen=True, slots=True)
class KnownAlarms:
    """What is known of a data set's regressions, by keys of benchmark and recording."""

    said: Mapping[tuple[int, int], RegressionAlarm]
    told: frozenset[tuple[int, int]]
    withheld: bool

    def alarm(
        self, benchmark: int, trend: Trend, recording: Callable[[int], Recording]
    ) -> TrendAlarm | None:
        """The newest regression that is the last change, was told, or was spoken of.

        recording  that of the result at a place: few of a million are asked for
        """
        changes = (
            each
            for each in reversed(trend.jumps)
            if each.kind == "regression" and each.pattern not in {"small", "short"}
        )
        found = (self._of(benchmark, trend, each, recording) for each in changes)
        return next(filter(None, found), None)

    def _of(
        self,
        benchmark: int,
        trend: Trend,
        change: TrendChange,
        recording: Callable[[int], Recording],
    ) -> TrendAlarm | None:
        names = [recording(at) for at in _places(trend, change)]
        keys = [(benchmark, each.pk) for each in names]
        for since, key in zip(names, keys, strict=True):
            if said := self.said.get(key):
                return TrendAlarm(change, since, said.state, None if self.withheld else said)
        stands = change is trend.jumps[-1] and change.counts
        fresh = trend.fresh is not None and change.at == trend.fresh.at
        known = stands or fresh or not self.told.isdisjoint(keys)
        return TrendAlarm(change, names[0]) if known else None


def _places(trend: Trend, change: TrendChange) -> list[int]:
    """Where the change was ever put: an alarm follows it when later results move it."""
    before = [one.at for one in trend.known if one.moved == change.at and one.kind == change.kind]
    return list(dict.fromkeys([change.at, *before]))


def known_alarms(dataset: Dataset, reader: Reader) -> KnownAlarms:
    """Read once for all benchmarks. Words of others are withheld from who has yet to answer."""
    said = RegressionAlarm.objects.filter(benchmark__dataset=dataset)
    told = RegressionNotice.objects.filter(benchmark__dataset=dataset)
    return KnownAlarms(
        {
            (each.benchmark_id, each.recording_id): each
            for each in said.select_related("assignee", "by")
        },
        frozenset(told.values_list("benchmark", "recording")),
        withheld=_is_blind(reader, dataset),
    )


def may_judge(user: User, dataset: Dataset) -> bool:
    """Owners and annotators, unless they have yet to answer a series of the data set."""
    return dataset.study.role_of(user) in JUDGES and not _is_blind(user, dataset)


def _is_blind(reader: Reader, dataset: Dataset) -> bool:
    series = Series.objects.filter(benchmark__dataset=dataset)
    return not blind.sees_all(reader, dataset.study, series)
