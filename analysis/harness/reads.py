"""Series of a data set with what says where they become steady, and the rules run on them.

Values of a series never change, so what a rule does with one is kept as long as the process
lives. A page waits for a moment, shows what is known and asks again, while a process beside it
computes (`beside`); a command computes all.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Final

import numpy as np

from analysis.comparison.inputs import FIELDS, ORDER, ComparedSeries, compared_series_of
from analysis.harness.judging import (
    NEVER_STEADY,
    UNANSWERED,
    UNTIMED,
    AskedSeries,
    JudgedSeries,
    Judgement,
    judge_series,
)
from analysis.harness.judging_child import JudgesBeside
from analysis.harness.outcomes import HarnessOutcome
from analysis.harness.query import HarnessQuery
from analysis.harness.rules import HarnessChoice
from analysis.methods.method_style import MethodStyles
from analysis.methods.series_context import context_of_series
from analysis.references import review_status, yardsticks
from analysis.references.yardsticks import Yardstick
from analysis.web.latest_used import LatestUsed
from annotate import blind
from annotate.blind import HiddenSeriesCount, Reader
from detectors.contract import NEVER, Detector, as_series
from detectors.registry import DEFAULT_METHOD, from_key
from series.models import Dataset, Series
from series.models.series import SeriesQuerySet

BATCH: Final = 32  # series whose values are in memory at once
FIRST: Final = 8
AHEAD: Final = 1  # starts read ahead of those being computed
FEW_VALUES: Final = 100_000  # values up to which the web process computes starts itself
ASKED: Final = "asked"  # code of a start of which no statement is kept
MOST_SERIES: Final = 2_000  # series that are looked at; of a larger data set as many, evenly chosen
KEPT: Final = 3 * MOST_SERIES
GOLDEN: Final = (5**0.5 - 1) / 2
JUDGE: Final[Detector] = from_key(DEFAULT_METHOD)
"""Who says where series become steady if nobody has marked."""
CacheKey = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class SteadySeries:
    """One steady series, and what each rule would have done with it.

    start, seconds  first steady iteration, and the time until it
    outcomes        by the name of the rule
    """

    line: ComparedSeries
    start: int
    seconds: float
    outcomes: Mapping[str, HarnessOutcome]


@dataclass(frozen=True, slots=True)
class HarnessRuns:
    """Harness outcomes that are known of a data set so far.

    choices            rules that are shown; the outcomes of a series are of all
    yardstick          what says where series become steady; None: plateau, for nobody has marked
    visible_count      series of the data set that may be seen; `asked_count` of these are looked at
    never_count        of those asked: never steady
    unanswered_count   of those asked: without an answer
    untimed_count      steady ones of which nobody says how long an iteration lasts
    unrecorded_count   of those asked: warm-up was run before their first recorded value
    waiting_count      not looked at yet
    """

    dataset: Dataset
    choices: Sequence[HarnessChoice]
    yardstick: Yardstick | None
    visible_count: int
    asked_count: int
    series: tuple[SteadySeries, ...]
    never_count: int
    unanswered_count: int
    untimed_count: int
    unrecorded_count: int
    waiting_count: int
    excluded_count: int
    hidden_count: HiddenSeriesCount

    @property
    def judge(self) -> str:
        """Title of the yardstick or method that says where the series become steady."""
        return _title_of(self.yardstick)


_kept: LatestUsed[CacheKey, Judgement] = LatestUsed(KEPT)


def harness_runs(
    dataset: Dataset, reader: Reader, query: HarnessQuery, seconds: float | None = None
) -> HarnessRuns:
    """All rules on the steady series of `dataset` that `reader` may see.

    seconds  after which the others are left for the next time; None: all are computed
    Raises UnknownYardstick.
    """
    yardstick = yardstick_of(dataset, query.yardstick)
    answered_series = yardstick.series() if yardstick else Series.objects.all()
    universe = query.narrow(answered_series.filter(benchmark__dataset=dataset))
    campaign = yardstick.campaign if yardstick else None
    reasons = review_status.excluded_reasons(dataset.study, campaign)
    visible_series = blind.visible_series(reader, universe)
    counted_series = visible_series.exclude(pk__in=list(reasons))
    counted_pks = list(counted_series.order_by(*ORDER).values_list("pk", flat=True))
    chosen_series = Series.objects.filter(pk__among=_evenly_chosen(counted_pks)).order_by(*ORDER)
    rows = list(chosen_series.values_list(*FIELDS, "benchmark__better"))
    chosen_lines = [compared_series_of(row[:-1]) for row in rows]
    direction_by_series = {row[0]: row[-1] for row in rows}
    excluded_count = visible_series.filter(pk__in=list(reasons)).count() if reasons else 0
    judging = _Judging(_starts(yardstick, chosen_lines, dataset), direction_by_series, seconds)
    judging.run(chosen_lines)
    return HarnessRuns(
        dataset=dataset,
        choices=query.choices,
        yardstick=yardstick,
        visible_count=len(counted_pks),
        asked_count=len(chosen_lines),
        series=tuple(judging.steady_series(chosen_lines)),
        never_count=judging.count(NEVER_STEADY),
        unanswered_count=judging.count(UNANSWERED),
        untimed_count=judging.count(UNTIMED),
        unrecorded_count=sum(line.recorded_from > 0 for line in chosen_lines),
        waiting_count=len(chosen_lines) - len(judging.judgements),
        excluded_count=excluded_count,
        hidden_count=blind.count_hidden_series(reader, universe, len(counted_pks) + excluded_count),
    )


def yardstick_of(dataset: Dataset, code: str) -> Yardstick | None:
    """The one that is asked for, else the first ground truth that knows any series; else None."""
    if code:
        return yardsticks.yardstick(dataset.study, code)
    truth_yardsticks = yardsticks.yardsticks_of(dataset.study)
    return next((y for y in truth_yardsticks if _covered_series(y, dataset).exists()), None)


def judge_title(dataset: Dataset) -> str:
    """Title of who says where series become steady, where nobody is chosen."""
    return _title_of(yardstick_of(dataset, ""))


def _title_of(yardstick: Yardstick | None) -> str:
    return yardstick.title if yardstick else JUDGE.title


def yardsticks_of(dataset: Dataset) -> list[Yardstick]:
    """Yardsticks that cover any series of the data set; those of one campaign cover equal
    series.
    """
    covers_by_key: dict[object, bool] = {}
    covering_yardsticks = []
    for yardstick in yardsticks.yardsticks(dataset.study):
        cover_key = yardstick.campaign or (yardstick.kind, yardstick.key)
        if cover_key not in covers_by_key:
            covers_by_key[cover_key] = _covered_series(yardstick, dataset).exists()
        if covers_by_key[cover_key]:
            covering_yardsticks.append(yardstick)
    return covering_yardsticks


def _covered_series(yardstick: Yardstick, dataset: Dataset) -> SeriesQuerySet:
    return yardstick.series().filter(benchmark__dataset=dataset)


def _evenly_chosen(pks: Sequence[int]) -> list[int]:
    """Select at most MOST_SERIES primary keys evenly, the first and the last among them."""
    if len(pks) <= MOST_SERIES:
        return list(pks)
    indices = np.linspace(0, len(pks) - 1, MOST_SERIES).round().astype(int)
    return [pks[index] for index in indices]


# --- where series become steady -------------------------------------------------------------------
def _starts(
    yardstick: Yardstick | None, lines: Sequence[ComparedSeries], dataset: Dataset
) -> Mapping[int, int | None]:
    """Starts by primary key: first steady iteration, NEVER or None; for missing ones plateau is
    asked.
    """
    pks = [line.pk for line in lines]
    start_yardstick = yardstick or yardsticks.method_yardstick(
        dataset.study, JUDGE.key, MethodStyles(dataset.study)
    )
    answers = yardsticks.yardstick_answers(start_yardstick, pks).answers
    start_by_pk = {
        pk: int(answers.index[row_index])
        if answers.steady[row_index]
        else NEVER
        if answers.never[row_index]
        else None
        for row_index, pk in enumerate(pks)
    }
    if yardstick is None:
        return {pk: start for pk, start in start_by_pk.items() if start is not None}
    return start_by_pk


# --- running the rules ----------------------------------------------------------------------------
@dataclass(slots=True)
class _Judging:
    """Series as far as the time goes; what was computed before takes none.

    judgements  by primary key: what each rule would have done, or why there is none
    """

    starts: Mapping[int, int | None]
    directions: Mapping[int, str]
    seconds: float | None
    judgements: dict[int, Judgement] = field(default_factory=dict)

    def count(self, reason: str) -> int:
        return sum(judgement == reason for judgement in self.judgements.values())

    def steady_series(self, lines: Sequence[ComparedSeries]) -> Iterator[SteadySeries]:
        """Steady series in the order of the lines."""
        for line in lines:
            if isinstance(judgement := self.judgements.get(line.pk), JudgedSeries):
                yield SteadySeries(line, judgement.start, judgement.seconds, judgement.outcomes)

    def run(self, lines: Sequence[ComparedSeries]) -> None:
        self._look_up(lines)
        missing_lines = [line for line in lines if line.pk not in self.judgements]
        missing_lines = _interleaved_lines(missing_lines)
        if self.seconds is None or sum(line.n for line in missing_lines) <= FEW_VALUES:
            self._compute(missing_lines)
        else:
            self._request_judgements(missing_lines, time.monotonic() + self.seconds)
            self._look_up(missing_lines)

    def _look_up(self, lines: Sequence[ComparedSeries]) -> None:
        """Look up judgements that need no values, or were computed before."""
        cached_judgements = ((line.pk, self._known_judgement(line)) for line in lines)
        self.judgements |= {
            pk: judgement for pk, judgement in cached_judgements if judgement is not None
        }

    def _known_judgement(self, line: ComparedSeries) -> Judgement | None:
        start = self.starts.get(line.pk, ASKED)
        if start is None:
            return UNANSWERED
        return NEVER_STEADY if start == NEVER else _kept.get(self._cache_key(line), None)

    def _cache_key(self, line: ComparedSeries) -> CacheKey:
        """All that its outcomes depend on: an owner may say how long iterations last, say."""
        return line, self.directions[line.pk], self.starts.get(line.pk, ASKED)

    def _compute(self, lines: Sequence[ComparedSeries]) -> None:
        """Compute in this process, which for few series is faster than starting a child."""
        began = time.monotonic()
        for line, asked_series in chain.from_iterable(map(self._loaded_series, _batches(lines))):
            if self.seconds is not None and time.monotonic() - began > self.seconds:
                return
            self.judgements[line.pk] = judgement = judge_series(asked_series, JUDGE)
            _kept.keep(self._cache_key(line), judgement)

    def _request_judgements(self, lines: Sequence[ComparedSeries], deadline: float) -> None:
        """Compute in a process beside this one; some series are loaded while others are
        computed.
        """
        cache_keys = {line: self._cache_key(line) for line in lines}
        future_by_line = {
            line: _beside.pending_judgement(cache_key) for line, cache_key in cache_keys.items()
        }
        waiting_futures = deque(
            dict.fromkeys(
                pending_future for pending_future in future_by_line.values() if pending_future
            )
        )
        for batch in _batches([line for line, future in future_by_line.items() if future is None]):
            while len(waiting_futures) > AHEAD:
                if not _has_ended(waiting_futures.popleft(), deadline):
                    return
            batch_by_key = {
                cache_keys[line]: asked_series for line, asked_series in self._loaded_series(batch)
            }
            waiting_futures.append(_beside.ask(batch_by_key, JUDGE))
        for future in waiting_futures:
            _has_ended(future, deadline)

    def _loaded_series(
        self, lines: Sequence[ComparedSeries]
    ) -> Iterator[tuple[ComparedSeries, AskedSeries]]:
        rows = Series.objects.select_related("benchmark", "stored")
        series_by_pk = rows.in_bulk([line.pk for line in lines])
        for line in lines:
            if series := series_by_pk.get(line.pk):
                values, start = as_series(series.array()), self.starts.get(line.pk)
                yield (
                    line,
                    AskedSeries(values, context_of_series(series), line.unit, line.length, start),
                )


def _has_ended(future: Future[None], deadline: float) -> bool:
    """Wait until a moment; True if the future ended before. Its exception is raised here."""
    try:
        future.result(max(deadline - time.monotonic(), 0.0))
    except TimeoutError:
        return False
    return True


_beside: Final = JudgesBeside(_kept.keep)


def _interleaved_lines(lines: Sequence[ComparedSeries]) -> list[ComparedSeries]:
    """Reorder lines so that the first few lie evenly among all: a page shows these first."""
    return [lines[line_index] for line_index in np.argsort(np.arange(len(lines)) * GOLDEN % 1)]


def _batches(lines: Sequence[ComparedSeries]) -> Iterator[Sequence[ComparedSeries]]:
    """The first of them is small, so that a page soon has something to show."""
    batch_ends = [0, *range(FIRST, len(lines), BATCH), len(lines)]
    return (lines[begin:end] for begin, end in pairwise(batch_ends))
