"""Trends of a data set, and of one benchmark: pages and files."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from analysis.trend import exports, figures, sentences, services
from analysis.trend.alarms import may_judge
from analysis.trend.forms import AlarmForm
from analysis.trend.models import AlarmEntry, RegressionNotice
from analysis.trend.query import TrendQuery
from analysis.trend.starts import TrendStart, UnknownStart, start_named, starts
from analysis.trend.table import BenchmarkTrend, DatasetTrends, trends
from formats import tables
from people import downloads, query_settings
from people.access import SignedInRequest
from people.models import Role
from people.undo import success_with_undo
from series.access import benchmark_for, dataset_for
from series.models import Benchmark, Dataset, Recording

PAGE = 50
TOLD = 10  # regressions of the log
# Means that one view computes at most, a second or two; the rest follow when it is opened again.
AT_ONCE = 4000


@require_GET
def dataset(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """Every benchmark, what needs a look first, and the one of `?b=` beside the list."""
    here = dataset_for(request, study, dataset)
    query_settings.warn_unused_parameters(request, TrendQuery.settings())
    public_id = TrendQuery.of(request.GET).benchmark
    opened = benchmark_for(request, study, dataset, public_id) if public_id else None
    recordings = here.recordings.all()[:2]
    if len(recordings) < 2 and not opened:  # nothing to compute the means of all series for
        return _without_trend(request, here, next(iter(recordings), None))
    alone = [opened] if opened and len(recordings) < 2 else None
    asked, there, found = _found(request, here, alone)
    told = RegressionNotice.objects.filter(benchmark__dataset=here)
    page = Paginator(found.rows, PAGE).get_page(_page_number(request, found, opened))
    alarms = [row for row in found.rows if row.alarm is not None and row.alarm.fits("open")]
    context = {
        **_context(request, here, asked, there, found),
        "page": page,
        "told": [] if opened else told.select_related("benchmark", "recording")[:TOLD],
        "rows": [(row, figures.trend_sparkline(row), _beside(asked, row)) for row in page],
        "alarm_count": len(alarms),
        "first_alarm": _beside(asked, alarms[0]) if alarms else "",
    }
    if opened is not None:
        context |= _opened(request, opened)
    return render(request, "analysis/trend/dataset.html", context)


def _beside(asked: TrendQuery, row: BenchmarkTrend) -> str:
    return asked.changed(benchmark=row.benchmark.public_id).query()


def _page_number(
    request: SignedInRequest, found: DatasetTrends, opened: Benchmark | None
) -> str | int | None:
    """Page of the list that the address asks for, else the one with the open benchmark."""
    if "page" in request.GET or opened is None:
        return request.GET.get("page")
    places = (at for at, row in enumerate(found.rows) if row.benchmark == opened)
    return next(places, 0) // PAGE + 1


def _without_trend(request: SignedInRequest, here: Dataset, only: Recording | None) -> HttpResponse:
    owner = here.study.role_of(request.user) == Role.OWNER
    context = {"dataset": here, "study": here.study, "only": only, "owner": owner}
    return render(request, "analysis/trend/dataset.html", context)


def _opened(request: SignedInRequest, benchmark: Benchmark) -> dict[str, Any]:
    """One benchmark: chart, changes, recordings."""
    asked, _, found = _found(request, benchmark.dataset, [benchmark])
    (row,) = found.rows
    jumps = [] if row.trend is None else list(reversed(row.trend.jumps))
    return {
        "benchmark": benchmark,
        "row": row,
        "sentence": sentences.trend_sentence(row),
        "alarm_form": _alarm_form(request, benchmark, row),
        "alarm_entries": _entries(row),
        "figure": figures.trend_figure(found, row, asked)
        if row.trend and len(row.dots) > 1
        else None,
        "changes": [
            (
                jump,
                sentences.label(row, jump.at),
                sentences.pattern(row, jump),
                sentences.appeared(row, jump),
            )
            for jump in jumps
        ],
        "known": [
            (change, sentences.label(row, change.at), *sentences.known_words(row, change))
            for change in (row.trend.late_or_vanished if row.trend else ())
        ],
    }


def _entries(row: BenchmarkTrend) -> list[AlarmEntry]:
    """What was ever said of the alarm, the last word first; nothing where it is withheld."""
    said = row.alarm.said if row.alarm else None
    return list(said.entries.select_related("by", "assignee")) if said else []


def _alarm_form(request: SignedInRequest, here: Benchmark, row: BenchmarkTrend) -> AlarmForm | None:
    """For who may say something about the regression, where there is one."""
    if row.alarm is None or not may_judge(request.user, here.dataset):
        return None
    start = {"recording": row.alarm.since.pk}
    return AlarmForm(here, instance=row.alarm.said, initial=start)


@require_POST
def alarms(request: SignedInRequest, study: str, dataset: str, benchmark: str) -> HttpResponse:
    """What somebody says about the regression that began with a recording."""
    here = benchmark_for(request, study, dataset, benchmark)
    if not may_judge(request.user, here.dataset):
        raise PermissionDenied(
            "Owners and annotators judge regressions, once they have answered every series."
        )
    form = AlarmForm(here, request.POST)
    if form.is_valid():
        before = services.alarm_fields(here, form.cleaned_data["recording"])
        alarm = services.judge_alarm(here, by=request.user, **form.cleaned_data)
        sentence = f"{str(alarm).capitalize()}: {alarm.get_state_display()}."
        success_with_undo(request, sentence, request.get_full_path(), before)
    else:
        messages.error(request, str(next(iter(form.errors.values()))[0]))
    query = TrendQuery.of(request.GET).changed(benchmark=benchmark).query()
    return redirect(reverse("trends", args=[study, dataset]) + query)


@require_GET
def dataset_file(request: SignedInRequest, study: str, dataset: str) -> StreamingHttpResponse:
    here = dataset_for(request, study, dataset)
    *_, found = _found(request, here)
    pieces = tables.write_rows(exports.COLUMNS, exports.trend_rows(found))
    return downloads.csv(pieces, f"{downloads.named(study, dataset, 'trend')}.csv")


@require_GET
def benchmark_file(
    request: SignedInRequest, study: str, dataset: str, benchmark: str
) -> StreamingHttpResponse:
    here = benchmark_for(request, study, dataset, benchmark)
    *_, found = _found(request, here.dataset, [here])
    pieces = tables.write_rows(exports.DOT_COLUMNS, exports.dot_rows(found.rows[0]))
    return downloads.csv(pieces, f"{downloads.named(study, here.public_id, 'trend')}.csv")


def _found(
    request: SignedInRequest, here: Dataset, benchmarks: list[Benchmark] | None = None
) -> tuple[TrendQuery, list[TrendStart], DatasetTrends]:
    """What is asked for, the starts there are, the default first, and the trends.

    404 with a sentence for a start that is none.
    """
    asked, there = TrendQuery.of(request.GET), starts(here)
    try:
        start = start_named(here, asked.start, there)
    except UnknownStart as unknown:
        raise Http404(str(unknown)) from unknown
    read = asked if benchmarks is None else asked.changed(alarm="any")
    found = trends(here, request.user, start, asked=read, benchmarks=benchmarks, most=AT_ONCE)
    usual = start.code == there[0].code
    return asked.changed(start="" if usual else start.code), there, found


def _context(
    request: SignedInRequest,
    here: Dataset,
    asked: TrendQuery,
    there: list[TrendStart],
    found: DatasetTrends,
) -> dict[str, Any]:
    titles = {each.code: each.title for each in (*there, found.start)}
    choices = [("" if code == there[0].code else code, words) for code, words in titles.items()]
    return {
        "dataset": here,
        "study": here.study,
        "found": found,
        "asked": asked,
        "every": asked.changed(window=found.of).query(),
        "controls": asked.controls(choices={"start": choices}),
        "command": " ".join(asked.changed(start=found.start.code).arguments()),
        "owner": here.study.role_of(request.user) == Role.OWNER,
    }
