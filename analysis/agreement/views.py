"""Pages of the agreement: figures, the series behind a figure, file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.agreement import drilldown, exports, sentences
from analysis.agreement.drilldown import UnknownFigure
from analysis.agreement.figures import AgreementFigures, figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from analysis.statistics.answers import NEVER, Answers
from annotate.access import campaign_for
from annotate.models import Campaign
from formats import tables
from people import downloads, query_settings
from people.access import SignedInRequest
from series.models import Series

A_PAGE = 50


@require_GET
def agreement(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    here = _campaign(request, study, campaign)
    query_settings.warn_unused_parameters(request, AgreementQuery.settings())
    found = _figures(request, here)
    said = {
        name: getattr(sentences, name)(found)
        for name in (
            "yes_no",
            "chance",
            "alpha",
            "spread",
            "clusters",
            "absences",
            "drifts",
            "twice",
        )
    }
    bands = [(drilldown.spread_code(band), band) for band in found.bands]
    pairs = [(f"pair:{pair.first}:{pair.second}", pair) for pair in found.met]
    context = {**_frame(here, found), "say": said, "bands": bands, "pairs": pairs}
    return render(request, "analysis/agreement/agreement.html", context)


@require_GET
def series(request: SignedInRequest, study: str, campaign: str) -> HttpResponse:
    """The series behind one figure, with everybody's answers."""
    here = _campaign(request, study, campaign)
    query_settings.warn_unused_parameters(
        request, AgreementQuery.settings(), {"of": query_settings.AddressSetting("of")}
    )
    found = _figures(request, here)
    try:
        listed = drilldown.behind(found, request.GET.get("of", "votes"))
    except UnknownFigure as unknown:
        raise Http404(str(unknown)) from unknown
    page = Paginator(listed.positions, A_PAGE).get_page(request.GET.get("page"))
    context = {
        **_frame(here, found),
        "listed": listed,
        "page": page,
        "rows": _rows(here, found, list(page)),
    }
    return render(request, "analysis/agreement/series.html", context)


AgreementSeriesRow = tuple[int, Series, str, float | None, list[str]]
"""Position, series, ground truth, spread and everybody's answers, as they are shown."""


def _rows(
    campaign: Campaign, found: AgreementFigures, positions: Sequence[int]
) -> list[AgreementSeriesRow]:
    tasks = campaign.tasks.filter(position__in=positions).select_related("series__benchmark")
    series = {task.position: task.series for task in tasks}
    rows = []
    for position in positions:
        at = found.votes.positions.index(position)
        start, spread = found.votes.truth.start[at], float(found.spread[at])
        truth = "–" if math.isnan(start) else _said(int(start))
        answers = [_answer(each, at) for each in found.votes.people.values()]
        known = None if math.isnan(spread) else spread
        rows.append((position, series[position], truth, known, answers))
    return rows


def _answer(answers: Answers, at: int) -> str:
    if not answers.given[at]:
        return "–"
    if answers.steady[at] and math.isnan(answers.index[at]):
        return "steady"  # a screening asks for no iteration
    return _said(int(answers.index[at]) if answers.steady[at] else NEVER)


def _said(start: int) -> str:
    return "never" if start == NEVER else str(start)


@require_GET
def file(request: SignedInRequest, study: str, campaign: str) -> StreamingHttpResponse:
    here = _campaign(request, study, campaign)
    found = _figures(request, here)
    name = downloads.named(here.study.slug, here.slug, "agreement")
    return downloads.csv(
        tables.write(exports.COLUMNS, exports.agreement_rows(found)), f"{name}.csv"
    )


def _campaign(request: HttpRequest, study: str, slug: str) -> Campaign:
    """Training has no ground truth to agree on, and a second pass belongs to its first one."""
    here = campaign_for(request, study, slug)
    if here.is_training or here.is_repeat:
        raise Http404("neither training nor a second pass has a page of agreement of its own")
    return here


def _figures(request: SignedInRequest, campaign: Campaign) -> AgreementFigures:
    return figures(read_votes(campaign, request.user, AgreementQuery.of(request.GET)))


def _frame(campaign: Campaign, found: AgreementFigures) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "study": campaign.study,
        "found": found,
        "votes": found.votes,
        "asked": found.votes.asked,
        "left_out": found.votes.left_out,
    }
