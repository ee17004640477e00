"""Regressions that appear are told by mail, webhook and log; what people say of one is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.urls import reverse

from analysis.runs.models import Detection, Run
from analysis.trend.models import AlarmEntry, RegressionAlarm, RegressionNotice, TrendWatch
from analysis.trend.recording_history import trend_history
from analysis.trend.starts import LAST_HALF, find_start
from analysis.trend.steady_means import MeanBudget
from analysis.trend.table import AS_USUAL, BenchmarkTrend, trends
from analysis.web.templatetags.results import percent_signed
from annotate.blind import EVERYTHING
from people import notices
from people.models import Role, User
from people.notices import Notice
from series.models import Benchmark, Dataset, Recording, Series
from series.values_store import ValuesDamaged, ValuesMissing, ValuesUnavailable

log = logging.getLogger(__name__)
SERIES_ROW: Final = 1  # primary key of the row of series
ANSWERS_ROW: Final = 2  # primary key of the row of stored answers
AT_ONCE: Final = 2000  # means of one look: a worker that looks for longer would seem dead
LISTED: Final = 20  # most benchmarks in one notice


def tell_new_regressions() -> int:
    """Look at data sets with new series, and tell each regression once; how many are new.

    A duty of workers, quick where no series is new. The first look of an installation tells
    nothing: what is there then is no news. Results are those of the last half of each series,
    which needs no answers: a notice lets nobody see what they have yet to answer.
    """
    newest_pk = Series.objects.aggregate(newest=Max("pk"))["newest"] or 0
    watch, is_first = TrendWatch.objects.get_or_create(pk=SERIES_ROW, defaults={"upto": newest_pk})
    if is_first or watch.upto >= newest_pk:
        return 0
    notice_count, is_complete = _sum_over_datasets(_changed_datasets(watch.upto), _tell_if_computed)
    if is_complete:  # else the next look goes on
        TrendWatch.objects.filter(pk=SERIES_ROW, upto__lt=newest_pk).update(upto=newest_pk)
    return notice_count


def keep_summaries() -> int:
    """Compute what trends by the default start need, once the runs of a study have ended; how many
    means wait.

    A duty of workers, quick where no answer is new: the first trend that somebody opens then reads
    what is kept.
    """
    newest_pk = Detection.objects.aggregate(newest=Max("pk"))["newest"] or 0
    watch, is_first = TrendWatch.objects.get_or_create(pk=ANSWERS_ROW, defaults={"upto": newest_pk})
    if is_first or watch.upto >= newest_pk:
        return 0
    busy_studies = set(Run.objects.open().values_list("study", flat=True))
    answered_series = Series.objects.filter(detections__pk__gt=watch.upto)
    datasets = _repeated_datasets(answered_series.values("benchmark__dataset"))
    ready_datasets = [dataset for dataset in datasets if dataset.study_id not in busy_studies]
    waiting_count, is_complete = _sum_over_datasets(ready_datasets, _waiting_after_computing)
    if is_complete and len(ready_datasets) == len(datasets):  # else the next look goes on
        TrendWatch.objects.filter(pk=ANSWERS_ROW, upto__lt=newest_pk).update(upto=newest_pk)
    return waiting_count


def _sum_over_datasets(
    datasets: Iterable[Dataset], compute_means: Callable[[Dataset, MeanBudget], int]
) -> tuple[int, bool]:
    """Sum of `compute_means` over data sets, which share a budget, and True where no mean is
    missing.

    A data set whose values cannot be read is logged and left out. The next look tries it again,
    unless the values are lost or damaged.
    """
    total, is_complete, budget = 0, True, MeanBudget(AT_ONCE)
    for dataset in datasets:
        budget_copy = replace(budget)
        try:
            total += compute_means(dataset, budget)
        except ValuesUnavailable as error:
            log.warning("no look at the trend of %s: %s", dataset, error)
            is_complete = is_complete and isinstance(error, ValuesMissing | ValuesDamaged)
            budget = budget_copy
        if budget.waiting_count:
            return total, False
    return total, is_complete


def _tell_if_computed(dataset: Dataset, budget: MeanBudget) -> int:
    history = trend_history(dataset, EVERYTHING, LAST_HALF, AS_USUAL, budget=budget)
    if history.waiting_count:
        return 0
    return _send_notice(dataset, trends(dataset, EVERYTHING, LAST_HALF).regressions)


def _waiting_after_computing(dataset: Dataset, budget: MeanBudget) -> int:
    start = find_start(dataset)
    return trend_history(dataset, EVERYTHING, start, AS_USUAL, budget=budget).waiting_count


def _changed_datasets(upto: int) -> list[Dataset]:
    """Data sets with a series after `upto`, of more than one recording."""
    return _repeated_datasets(Series.objects.filter(pk__gt=upto).values("benchmark__dataset"))


def _repeated_datasets(dataset_pks: QuerySet[Any, Any]) -> list[Dataset]:
    """Data sets of more than one recording."""
    repeated_datasets = Dataset.objects.annotate(of=Count("recordings", distinct=True)).filter(
        of__gt=1
    )
    return list(repeated_datasets.filter(pk__in=dataset_pks).select_related("study"))


@transaction.atomic
def _send_notice(dataset: Dataset, regressions: tuple[BenchmarkTrend, ...]) -> int:
    lines = [line for row in regressions if (line := _new_line(row))]
    if lines:
        notices.send(_notice(dataset, lines))
    return len(lines)


def _new_line(row: BenchmarkTrend) -> str:
    """Return the notification line of a new regression, or an empty string if it was already
    sent.
    """
    fresh_change = row.trend.fresh_regression if row.trend else None
    if fresh_change is None:
        return ""
    recording = row.dots[fresh_change.at].recording
    _, is_new = RegressionNotice.objects.get_or_create(
        benchmark=row.benchmark, recording=recording, defaults={"share": fresh_change.share}
    )
    line = f"{row.benchmark}: {percent_signed(fresh_change.share)} since {recording}"
    if is_new:
        log.warning("regression in %s: %s", row.benchmark.dataset, line)
    return line if is_new else ""


def _notice(dataset: Dataset, lines: list[str]) -> Notice:
    benchmark_phrase = f"{len(lines)} benchmark{'' if len(lines) == 1 else 's'} of {dataset}"
    more_lines = [f"and {len(lines) - LISTED} more"] if len(lines) > LISTED else []
    owners = dataset.study.memberships.filter(role=Role.OWNER)
    return Notice(
        "regression",
        f"A regression in {benchmark_phrase}",
        "\n".join(["New, by the last half of each series:", *lines[:LISTED], *more_lines]),
        dataset.study,
        reverse("trends", args=[dataset.study.slug, dataset.slug]) + "?start=half",
        to=tuple(owners.values_list("user__email", flat=True)),
    )


def alarm_fields(benchmark: Benchmark, recording: Recording) -> dict[str, str]:
    """Fields of the form that say of an alarm what stands now; without a word it is new."""
    fields = {"recording": str(recording.pk), "state": str(RegressionAlarm.State.NEW)}
    alarm = RegressionAlarm.objects.filter(benchmark=benchmark, recording=recording).first()
    if alarm is None:
        return fields
    assignee = str(alarm.assignee_id or "")
    alarm_values = {
        "state": alarm.state,
        "assignee": assignee,
        "note": alarm.note,
        "commit": alarm.commit,
    }
    return fields | alarm_values


@transaction.atomic
def judge_alarm(
    benchmark: Benchmark,
    *,
    recording: Recording,
    judge: User,
    state: str,
    assignee: User | None = None,
    note: str = "",
    commit: str = "",
) -> RegressionAlarm:
    """Say what became of the regression that began with `recording`; the last word counts.

    All words are kept in its history; the same ones once more add nothing.
    """
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)  # serialises statements
    judgement = {"state": state, "assignee": assignee, "note": note, "commit": commit}
    stored_alarms = RegressionAlarm.objects.filter(benchmark=benchmark, recording=recording)
    previous_alarm = stored_alarms.select_related("assignee").first()
    if previous_alarm and all(
        getattr(previous_alarm, name) == value for name, value in judgement.items()
    ):
        return previous_alarm
    alarm, _ = RegressionAlarm.objects.update_or_create(
        benchmark=benchmark, recording=recording, defaults={**judgement, "by": judge}
    )
    AlarmEntry.objects.create(alarm=alarm, **judgement, by=judge, when=alarm.when)
    return alarm
