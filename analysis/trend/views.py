"""Trends of a data set, and of one benchmark."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from analysis.trend import figures, sentences, services
from analysis.trend.alarms import may_judge
from analysis.trend.exports import MOST_MEANS
from analysis.trend.forms import AlarmForm
from analysis.trend.models import RegressionNotice
from analysis.trend.query import TrendQuery
from analysis.trend.starts import TrendStart, UnknownStart, find_start, starts
from analysis.trend.table import BenchmarkTrend, DatasetTrends, trends
from people import query_settings
from people.access import SignedInRequest
from people.models import Role
from people.undo import success_with_undo
from series.access import benchmark_for, dataset_for
from series.models import Benchmark, Dataset, Recording

PAGE = 50
TOLD = 10  # most regressions in the log


@require_GET
def dataset(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """Every benchmark, what needs a look first, and the one of `?b=` beside the list."""
    visible_dataset = dataset_for(request, study, dataset)
    query_settings.warn_unused_parameters(request, TrendQuery.settings())
    public_id = TrendQuery.from_query(request.GET).benchmark
    opened_benchmark = benchmark_for(request, study, dataset, public_id) if public_id else None
    recordings = visible_dataset.recordings.all()[:2]
    if (
        len(recordings) < 2 and not opened_benchmark
    ):  # no method: the means of all series are not needed
        return _trendless_page(request, visible_dataset, next(iter(recordings), None))
    benchmarks = [opened_benchmark] if opened_benchmark and len(recordings) < 2 else None
    query, start_choices, dataset_trends = _asked_trends(request, visible_dataset, benchmarks)
    notices = RegressionNotice.objects.filter(benchmark__dataset=visible_dataset).select_related(
        "benchmark", "recording"
    )
    page = Paginator(dataset_trends.rows, PAGE).get_page(
        _page_number(request, dataset_trends, opened_benchmark)
    )
    alarm_rows = [
        row for row in dataset_trends.rows if row.alarm is not None and row.alarm.fits("open")
    ]
    context = {
        **_list_context(request, visible_dataset, query, start_choices, dataset_trends),
        "page": page,
        "notices": [] if opened_benchmark else notices[:TOLD],
        "rows": [(row, figures.trend_sparkline(row), _address(query, row)) for row in page],
        "alarm_count": len(alarm_rows),
        "first_alarm": _address(query, alarm_rows[0]) if alarm_rows else "",
    }
    if opened_benchmark is not None:
        context |= _benchmark_context(request, opened_benchmark)
    return render(request, "analysis/trend/dataset.html", context)


def _address(query: TrendQuery, row: BenchmarkTrend) -> str:
    return query.changed(benchmark=row.benchmark.public_id).query()


def _page_number(
    request: SignedInRequest, dataset_trends: DatasetTrends, opened_benchmark: Benchmark | None
) -> str | int | None:
    """Page of the list that the address asks for, else the one with the open benchmark."""
    if "page" in request.GET or opened_benchmark is None:
        return request.GET.get("page")
    row_indices = (
        row_index
        for row_index, row in enumerate(dataset_trends.rows)
        if row.benchmark == opened_benchmark
    )
    return next(row_indices, 0) // PAGE + 1


def _trendless_page(
    request: SignedInRequest, visible_dataset: Dataset, only_recording: Recording | None
) -> HttpResponse:
    is_owner = visible_dataset.study.role_of(request.user) == Role.OWNER
    context = {
        "dataset": visible_dataset,
        "study": visible_dataset.study,
        "only": only_recording,
        "owner": is_owner,
    }
    return render(request, "analysis/trend/dataset.html", context)


def _benchmark_context(request: SignedInRequest, benchmark: Benchmark) -> dict[str, Any]:
    """One benchmark: chart, changes, recordings."""
    _, _, dataset_trends = _asked_trends(request, benchmark.dataset, [benchmark])
    (row,) = dataset_trends.rows
    jumps = [] if row.trend is None else list(reversed(row.trend.jumps))
    stored_alarm = row.alarm.stored_alarm if row.alarm else None  # or withheld
    return {
        "benchmark": benchmark,
        "row": row,
        "sentences": sentences.trend_sentences(row),
        "alarm_form": _alarm_form(request, benchmark, row),
        "alarm_entries": list(stored_alarm.entries.select_related("by", "assignee"))
        if stored_alarm
        else [],
        "figure": figures.trend_figure(dataset_trends, row),
        "changes": [
            (
                jump,
                sentences.label(row, jump.at),
                sentences.pattern(row, jump),
                sentences.appearance_words(row, jump),
            )
            for jump in jumps
        ],
        "late_changes": [
            (change, sentences.label(row, change.at), *sentences.known_words(row, change))
            for change in (row.trend.late_changes if row.trend else ())
        ],
    }


def _alarm_form(
    request: SignedInRequest, shown_benchmark: Benchmark, row: BenchmarkTrend
) -> AlarmForm | None:
    """Form for persons who may judge the regression; None without a regression."""
    if row.alarm is None or not may_judge(request.user, shown_benchmark.dataset):
        return None
    initial_fields = {"recording": row.alarm.first_recording.pk}
    return AlarmForm(shown_benchmark, instance=row.alarm.stored_alarm, initial=initial_fields)


@require_POST
def alarms(request: SignedInRequest, study: str, dataset: str, benchmark: str) -> HttpResponse:
    """Store a person's judgement of the regression that began with a recording."""
    visible_benchmark = benchmark_for(request, study, dataset, benchmark)
    if not may_judge(request.user, visible_benchmark.dataset):
        raise PermissionDenied(
            "Owners and annotators judge regressions, once they have answered every series."
        )
    form = AlarmForm(visible_benchmark, request.POST)
    if form.is_valid():
        previous_fields = services.alarm_fields(visible_benchmark, form.cleaned_data["recording"])
        alarm = services.judge_alarm(visible_benchmark, judge=request.user, **form.cleaned_data)
        sentence = f"{str(alarm).capitalize()}: {alarm.get_state_display()}."
        success_with_undo(request, sentence, request.get_full_path(), previous_fields)
    else:
        messages.error(request, str(next(iter(form.errors.values()))[0]))
    query = TrendQuery.from_query(request.GET).changed(benchmark=benchmark).query()
    return redirect(reverse("trends", args=[study, dataset]) + query)


def _asked_trends(
    request: SignedInRequest, shown_dataset: Dataset, benchmarks: list[Benchmark] | None = None
) -> tuple[TrendQuery, list[TrendStart], DatasetTrends]:
    """Query of the request, starts to choose from, the default first, and the trends.

    404 with a sentence for a start that is none.
    """
    query, choices = TrendQuery.from_query(request.GET), starts(shown_dataset)
    try:
        start = find_start(shown_dataset, query.start, choices)
    except UnknownStart as error:
        raise Http404(str(error)) from error
    read_query = query if benchmarks is None else query.changed(alarm="any")
    dataset_trends = trends(
        shown_dataset,
        request.user,
        start,
        query=read_query,
        benchmarks=benchmarks,
        most_trends=MOST_MEANS,
    )
    is_default = start.code == choices[0].code
    return query.changed(start="" if is_default else start.code), choices, dataset_trends


def _list_context(
    request: SignedInRequest,
    shown_dataset: Dataset,
    query: TrendQuery,
    start_choices: list[TrendStart],
    dataset_trends: DatasetTrends,
) -> dict[str, Any]:
    title_by_code = {start.code: start.title for start in (*start_choices, dataset_trends.start)}
    choices = [
        ("" if code == start_choices[0].code else code, title)
        for code, title in title_by_code.items()
    ]
    return {
        "dataset": shown_dataset,
        "study": shown_dataset.study,
        "trends": dataset_trends,
        "query": query,
        "every": query.changed(window=dataset_trends.recording_count).query(),
        "controls": query.controls(choices={"start": choices}),
        "command": " ".join(query.changed(start=dataset_trends.start.code).arguments()),
        "owner": shown_dataset.study.role_of(request.user) == Role.OWNER,
    }
