"""Savings of a data set's plans, kept while what they were made of stands.

A large suite takes minutes: workers compute its rows when runs have ended, or after a page asked
for them, some seconds at a time. The cache, which web and workers share, keeps them; what it loses
is asked for again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, F, Max, Q

from analysis.planner.query import PlanQuery
from analysis.planner.reads import PlanPage, dataset_plan_pages
from analysis.references.models import ReviewDecision
from analysis.runs.certainty import default_key
from analysis.runs.models import Detection, Run
from annotate.blind import EVERYTHING
from annotate.models import GroundTruth, Mark
from detectors.planning.suite_saving import SavingRow, saving_rows
from people.database import pair_checksum
from series.models import Dataset, Series
from series.values_store import ValuesUnavailable

log = logging.getLogger(__name__)
RULE: Final = 5  # by which rows are made: another one makes all of them anew
WANTED: Final = "suites:wanted"  # primary keys of data sets, in the cache
LOOKED_AT: Final = "suites:answers"  # the newest answer at the last look, in the cache
KEPT_SECONDS: Final = 30 * 24 * 3600  # rows of a deleted data set go, too
LOOK_SECONDS: Final = 5.0  # a worker that looks for longer would seem dead


def page_rows(page: PlanPage) -> Iterator[SavingRow]:
    """Rows of one benchmark; none without enough steady forks."""
    if page.plan is not None:
        recorded_forks = [fork.measured_fork for fork in page.forks]
        yield from saving_rows(str(page.benchmark), page.plan, recorded_forks)


@dataclass(frozen=True, slots=True)
class KeptSuite:
    """Rows of the benchmarks up to the one with primary key `upto`.

    key  digest of what they were made of; another one today makes them anew
    """

    key: str
    rows: Sequence[SavingRow] = ()
    upto: int = 0
    complete: bool = False


def kept_rows(dataset: Dataset) -> Sequence[SavingRow] | None:
    """Rows of all benchmarks by the default query; None where they are not kept, or outdated."""
    suite = _kept_suite(dataset)
    if suite is None or not suite.complete or suite.key != summary_key(dataset):
        return None
    return suite.rows


def want_rows(datasets: Iterable[int]) -> None:
    """Let workers compute the rows of data sets, by primary key."""
    cache.set(WANTED, _wanted_datasets() | set(datasets), None)


def keep_savings() -> int:
    """Compute rows that are wanted, or whose data set has new answers; how many sets still wait.

    A duty of workers, quick where nothing is new. Data sets of studies with open runs wait.
    """
    _want_newly_answered()
    if not (wanted_pks := _wanted_datasets()):
        return 0
    busy_studies = Run.objects.open().values("study")
    datasets = Dataset.objects.filter(pk__in=wanted_pks)
    _no_longer_want(wanted_pks - set(datasets.values_list("pk", flat=True)))  # they were deleted
    ready_datasets = datasets.exclude(study__in=busy_studies)
    deadline = thread_time() + LOOK_SECONDS
    for dataset in ready_datasets.select_related("study"):
        try:
            is_complete = _continue(dataset, deadline)
        except ValuesUnavailable as error:
            log.warning("no look at the savings of %s: %s", dataset, error)
            is_complete = True
        if is_complete:
            _no_longer_want({dataset.pk})
        if thread_time() > deadline:
            break
    return len(_wanted_datasets())


def _wanted_datasets() -> set[int]:
    return cache.get(WANTED) or set()


def _no_longer_want(datasets: set[int]) -> None:
    if datasets:
        cache.set(WANTED, _wanted_datasets() - datasets, None)


def _kept_suite(dataset: Dataset) -> KeptSuite | None:
    return cache.get(f"suite:{dataset.pk}")


def _want_newly_answered() -> None:
    newest = Detection.objects.aggregate(newest=Max("pk"))["newest"] or 0
    upto = cache.get(LOOKED_AT)
    if upto is not None and upto < newest:
        series = Series.objects.filter(detections__pk__gt=upto)
        want_rows(series.order_by().values_list("benchmark__dataset", flat=True).distinct())
    if upto is None or upto < newest:
        cache.set(LOOKED_AT, newest, None)


def _continue(dataset: Dataset, deadline: float) -> bool:
    """Look at further benchmarks until a moment of this thread's clock, and keep their rows; True
    after the last one.
    """
    key, suite = summary_key(dataset), _kept_suite(dataset)
    if suite is None or suite.key != key:
        suite = KeptSuite(key)
    rows, upto, is_complete = list(suite.rows), suite.upto, True
    for page in dataset_plan_pages(dataset, EVERYTHING, PlanQuery(), after_pk=upto):
        if isinstance(page, PlanPage):
            rows += page_rows(page)
            upto = page.benchmark.pk
        if thread_time() > deadline:
            is_complete = False
            break
    cache.set(f"suite:{dataset.pk}", KeptSuite(key, rows, upto, is_complete), KEPT_SECONDS)
    return is_complete


def summary_key(dataset: Dataset) -> str:
    """Digest of all that the default plans of a data set depend on.

    Those are its series, how long their iterations last, and the answers, known starts, marks,
    ground truth and reviews of its study. The database counts and sums.
    """
    study = dataset.study
    in_study = {"series__benchmark__dataset__study": study}
    own_series = Series.objects.filter(benchmark__dataset=dataset).order_by()
    known_series = Series.objects.filter(benchmark__dataset__study=study, known_start__gte=-1)
    lengths = own_series.values_list("seconds_per_iteration").annotate(Count("pk"), Max("pk"))
    facts: list[Any] = [
        default_key(),  # its answers are taken where there is no ground truth
        list(lengths.order_by("seconds_per_iteration")),
        known_series.order_by().aggregate(starts=pair_checksum(F("pk"), F("known_start") + 2)),
        list(dataset.benchmarks.order_by("pk").values_list("pk", "unit", "mode")),
        list(dataset.recordings.order_by("pk").values_list("pk", "label", "measured_at")),
        list(study.campaigns.order_by("pk").values_list("pk", "slug", "state", "recipe")),
        Detection.objects.filter(**in_study)
        .order_by()
        .aggregate(Count("pk"), Max("pk"), starts=pair_checksum(F("pk"), F("steady_start") + 2)),
        GroundTruth.objects.filter(task__campaign__study=study)
        .order_by()
        .aggregate(
            Count("pk"),
            never=Count("pk", filter=Q(steady=False)),
            starts=pair_checksum(F("pk"), F("steady_start") + 2),
        ),
        Mark.objects.filter(task__campaign__study=study).aggregate(Count("pk"), Max("pk")),
        ReviewDecision.objects.filter(**in_study).order_by().aggregate(Count("pk"), Max("pk")),
    ]
    return hashlib.sha256(repr((RULE, facts)).encode()).hexdigest()
