"""The page of one case: chart, answers, possible decisions, decisions made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse

from analysis.references.models import ReviewDecision
from analysis.references.review_status import ReviewStatus, in_scope, review_statuses
from analysis.review.cases import Review, ReviewCase
from analysis.series_page import overlay_page, series_overlay
from annotate import blind, reannotation
from annotate.models import Campaign, Task
from annotate.results import Vote, result_of
from people.models import Role, Study
from series import chart
from series.models import Series
from series.panels import PagePanel

METHOD_REASONS: Final = {"truth", "never", "pair", "change"}
"""Reasons that show detectors from the start; the others begin with the people's marks alone."""


@dataclass(frozen=True, slots=True)
class AnnotatorBox:
    """One box of *Look again*: ticked for those whose mark is outside of the cluster."""

    pseudonym: str
    ticked: bool
    asked: bool  # has answered, or was never asked, and so can be asked


@dataclass(frozen=True, slots=True)
class CasePage:
    """One case. `to_go` counts from here to the end of the list, this one included.

    case    its reasons, also where the list has it not: it was decided, or opened by a link
    """

    study: Study
    series: Series
    campaign: Campaign | None
    case: ReviewCase | None
    listed: bool
    standing: ReviewStatus
    to_go: int
    of: int
    previous: str
    next: str
    address: str
    queue: str
    history: Sequence[ReviewDecision]
    people: Sequence[AnnotatorBox]
    may_decide: bool
    may_write: bool

    @property
    def may_ask(self) -> bool:
        """Whether annotators can be asked: only an open campaign takes answers."""
        return self.campaign is not None and self.campaign.state == Campaign.State.OPEN

    @property
    def why_not_ask(self) -> str:
        if self.campaign is None:
            return "No campaign has this series, so nobody can be asked again."
        return f"{self.campaign} is {self.campaign.state}: it takes no more answers."

    @property
    def accept_words(self) -> str:
        """What accepting says."""
        if self.campaign is None:
            return "The answers differ, and may"
        return "The ground truth stands as the recipe makes it"

    @property
    def short_name(self) -> str:
        return self.series.benchmark.short_name

    @property
    def reasons(self) -> str:
        """Codes for the form, so that a decision says what it was about."""
        return " ".join(self.case.codes) if self.case else ""


def case_page(request: HttpRequest, series: Series, review: Review) -> CasePage:
    study, campaign = review.yardstick.study, review.campaign
    id_, place = series.public_id, review.place(series.public_id)
    role = study.role_of(request.user)
    stands = review_statuses(study, campaign).get(series.pk, ReviewStatus())
    return CasePage(
        study=study,
        series=series,
        campaign=campaign,
        case=review.case(id_),
        listed=place is not None,
        standing=stands,
        to_go=len(review.cases) - (place or 0),
        of=len(review.cases),
        previous=address(study, review, review.beside(id_, -1)),
        next=address(study, review, review.beside(id_, 1)),
        address=reverse("review-decisions", args=[study.slug, id_]) + review.asked.query(),
        queue=reverse("review", args=[study.slug]) + review.asked.query(),
        history=list(in_scope(study, campaign).filter(series=series).select_related("by")),
        people=_people(series, campaign),
        may_decide=role == Role.OWNER,
        may_write=role in {Role.OWNER, Role.ANNOTATOR},
    )


def address(study: Study, review: Review, case: ReviewCase | None) -> str:
    """Of a case in this review; empty for none."""
    if case is None:
        return ""
    return reverse("review-case", args=[study.slug, case.id]) + review.asked.query()


def _people(series: Series, campaign: Campaign | None) -> list[AnnotatorBox]:
    if campaign is None:
        return []
    task = Task.objects.filter(campaign=campaign, series=series).select_related("campaign").first()
    if task is None:
        return []
    first = reannotation.is_undecided_by_screening(task)
    everybody = [vote for vote in result_of(task).votes if vote.human]
    votes = [vote for vote in everybody if vote.asked or first]
    clustered = any(vote.clustered for vote in votes)
    return [_person(vote, clustered) for vote in votes]


def _person(vote: Vote, clustered: bool) -> AnnotatorBox:  # noqa: FBT001
    may_ask = vote.mark is not None or not vote.asked
    return AnnotatorBox(vote.pseudonym, may_ask and not (clustered and vote.clustered), may_ask)


def overlay_context(request: HttpRequest, shown: CasePage, review: Review) -> dict[str, Any]:
    """The chart's data and the parts of the overlay page, as their templates take them."""
    series, asked = shown.series, review.asked
    code = review.yardstick.code
    overlay = series_overlay.overlay_of(series, code=code, tolerance=asked.tolerance)
    panel = {
        **overlay_page.overlay_panel(overlay),
        "may_run": shown.may_decide,
        "file_query": review.asked.compared.query(),
        "on": request.GET.getlist("on") or _on(shown),
    }
    data = {
        "series": {**chart.chart_data(series), "label": str(series)},
        "id": series.public_id,
        "name": f"{shown.short_name} fork {series.fork}",
        "next": shown.next,
        "previous": shown.previous,
        "decisions": shown.address,
        "queue": shown.queue,
        "who": request.user.get_username(),
    }
    return {"panel": panel, "data": data, "description": chart.description(series)}


def _on(shown: CasePage) -> list[str]:
    """Lines to begin with: detectors stay off where the case is about people."""
    codes = set(shown.case.codes) if shown.case else set()
    people = codes and not codes & METHOD_REASONS
    return [series_overlay.TRUTH] if people else []


# --- the series page ----------------------------------------------------------------------------
def notice(request: HttpRequest, series: Series) -> list[PagePanel]:
    """On the page of a series: that it is excluded (`series.panels`)."""
    rows = ReviewDecision.objects.filter(series=series).exclude(kind=ReviewDecision.Kind.NOTE)
    newest = {each.task_id: each for each in rows.select_related("by", "task__campaign")}
    found = [
        (each, str(each.task.campaign) if each.task else "")
        for each in newest.values()
        if each.kind == ReviewDecision.Kind.EXCLUDE
    ]
    if not found or blind.is_open(request.user, series):
        return []
    return [PagePanel("notice", "analysis/review/notice.html", {"found": found})]
