"""One case beside the list: question, possible decisions, answers of people, decisions made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse

from analysis.references.models import ReviewDecision
from analysis.references.review_status import ReviewStatus, decisions_of, review_statuses
from analysis.review.case_answers import (
    PersonAnswer,
    keep_label,
    looking_rows,
    other_answers,
    person_answers,
    question_of,
)
from analysis.review.cases import ReviewCase
from analysis.review.disagreement_list import DisagreementList
from analysis.series_page import overlay_page, series_overlay
from analysis.series_page.marks_panel import mark_revisions
from analysis.series_page.series_overlay import SeriesOverlay
from annotate import blind
from annotate.answering import reannotation
from annotate.models import Campaign, Task
from annotate.truth.results import SeriesResult, result_of
from people.models import Role
from people.templatetags.writing import grouped
from series.drawings import chart
from series.models import Series
from series.panels import PagePanel

METHOD_REASONS: Final = {"truth", "never", "pair", "change"}
"""Reasons that show detectors from the start; the others begin with the people's marks alone."""


@dataclass(frozen=True, slots=True)
class CasePage:
    """One case of a list.

    case           its reasons, where people disagree; a link may open a series that is not listed
    case_number    from 1; 0 for a series that is not listed
    question       as a sentence, and what counts for now
    people         answers of people, those outside of the cluster ticked
    other_answers  answers that could be taken in place of the one that counts
    """

    case_list: DisagreementList
    series: Series
    case: ReviewCase | None
    status: ReviewStatus
    case_number: int
    question: tuple[str, str]
    keep_label: str
    people: Sequence[PersonAnswer]
    other_answers: Sequence[tuple[str, str, list[str]]]
    revisions: Sequence[str]
    history: Sequence[ReviewDecision]
    may_decide: bool
    may_write: bool

    @property
    def campaign(self) -> Campaign | None:
        return self.case_list.campaign

    @property
    def next_address(self) -> str:
        return self.case_list.neighbour_address(self.series.public_id, 1)

    @property
    def previous_address(self) -> str:
        return self.case_list.neighbour_address(self.series.public_id, -1)

    @property
    def remaining_count(self) -> int:
        """Cases from this one to the end of the list, whether or not those before are decided."""
        return len(self.case_list.lines) - self.case_number + 1

    @property
    def case_address(self) -> str:
        """The address of the case in its list."""
        return self.case_list.address_of(self.series.public_id)

    @property
    def address(self) -> str:
        """Address that decisions are sent to."""
        study, query = self.case_list.study.slug, self.case_list.query
        return reverse("disagreement-decisions", args=[study, self.series.public_id]) + query

    @property
    def name(self) -> str:
        return f"{self.series.benchmark.short_name} fork {self.series.fork}"

    @property
    def has_notes(self) -> bool:
        """True if any person wrote a note with their answer."""
        return any(person.note for person in self.people)

    @property
    def decisions(self) -> Sequence[ReviewDecision]:
        return [decision for decision in self.history if decision.kind != ReviewDecision.Kind.NOTE]

    @property
    def notes(self) -> Sequence[ReviewDecision]:
        return [decision for decision in self.history if decision.kind == ReviewDecision.Kind.NOTE]

    @property
    def may_ask(self) -> bool:
        """True if annotators can be asked: only an open campaign takes answers."""
        return self.campaign is not None and self.campaign.state == Campaign.State.OPEN

    @property
    def ask_obstacle(self) -> str:
        if self.campaign is None:
            return "No campaign has this series, so nobody can be asked again."
        return f"{self.campaign} is {self.campaign.state}: it takes no more answers."

    @property
    def reason_codes(self) -> str:
        """Codes for the form, so that a decision says what it was about."""
        return " ".join(self.case.reason_codes) if self.case else ""


def case_page(
    request: HttpRequest, series: Series, case_list: DisagreementList, overlay: SeriesOverlay
) -> CasePage:
    """One case; the caller has asked whether the reader may see the series."""
    study, campaign = case_list.study, case_list.campaign
    role = study.role_of(request.user)
    result = _result(series, campaign)
    list_position = case_list.position(series.public_id)
    people = person_answers(result, overlay, _is_first_question(result)) if result else ()
    has_yardstick = case_list.yardstick is not None
    return CasePage(
        case_list=case_list,
        series=series,
        case=case_list.review.case(series.public_id) if case_list.review else None,
        status=review_statuses(study, campaign).get(series.pk, ReviewStatus()),
        case_number=0 if list_position is None else list_position + 1,
        question=question_of(case_list.kind, result, overlay),
        keep_label=keep_label(overlay),
        people=people,
        other_answers=other_answers(people, overlay.truth),
        revisions=mark_revisions(result) if result else (),
        history=list(decisions_of(study, campaign).filter(series=series).select_related("by")),
        may_decide=has_yardstick and role == Role.OWNER,
        may_write=has_yardstick and role in {Role.OWNER, Role.ANNOTATOR},
    )


def _result(series: Series, campaign: Campaign | None) -> SeriesResult | None:
    if campaign is None:
        return None
    tasks = Task.objects.filter(campaign=campaign, series=series).select_related("campaign")
    task = tasks.first()
    return result_of(task) if task else None


def _is_first_question(result: SeriesResult | None) -> bool:
    return result is not None and reannotation.is_undecided_by_screening(result.task)


def overlay_for(
    series: Series, case_list: DisagreementList, tolerance: int | None
) -> SeriesOverlay:
    """Everything that is known of a series, by the yardstick of the list."""
    code = case_list.yardstick.code if case_list.yardstick else ""
    return series_overlay.read_overlay(series, code=code, tolerance=tolerance)


def overlay_context(
    request: HttpRequest, case_page: CasePage, overlay: SeriesOverlay, file_query: str
) -> dict[str, Any]:
    """The chart's data and the parts of the overlay page, as their templates take them."""
    series = case_page.series
    panel = {
        **overlay_page.overlay_panel(overlay, _shown_method_rows(case_page)),
        "may_run": case_page.may_decide,
        "file_query": file_query,
        "on": request.GET.getlist("on") or _initial_lines(case_page),
        "own": case_page.case_address,
    }
    script_data = {
        "series": {**chart.chart_data(series), "label": str(series)},
        "id": series.public_id,
        "name": case_page.name,
        "label": str(series),
        "title": f"{case_page.name} · Disagreements · {case_page.case_list.study.name} · Plateau",
        "description": chart.description(series),
        "next": case_page.next_address,
        "previous": case_page.previous_address,
        "decisions": case_page.address,
        "queue": case_page.case_list.url,
        "who": request.user.get_username(),
    }
    return {"panel": panel, "data": script_data, "methods_say": _agreement_sentence(overlay)}


def _shown_method_rows(page: CasePage) -> tuple[str, ...]:
    """Rows that the list is about: their lines are shown, and no others."""
    cell = page.case_list.drilldown.cell if page.case_list.drilldown else None
    return tuple(filter(None, (cell.row, cell.other))) if cell else ()


def _initial_lines(page: CasePage) -> list[str]:
    """Lines to begin with: detectors stay off where the case is about people."""
    review = page.case_list.review
    if review is None or METHOD_REASONS & {*review.chosen_codes}:
        return []
    return [series_overlay.TRUTH]


def _agreement_sentence(overlay: SeriesOverlay) -> str:
    """Sentence that counts the methods that agree with the yardstick."""
    answering_rows = [row for row in looking_rows(overlay) if row.start is not None]
    if not answering_rows:
        return "No method has answered."
    methods = f"{grouped(len(answering_rows))} method{'' if len(answering_rows) == 1 else 's'}"
    if overlay.truth is None:
        return f"{methods} answered."
    agreeing_count = sum(row.verdict in {"agrees", "both never"} for row in answering_rows)
    return f"{methods} answered; {grouped(agreeing_count)} within ±{grouped(overlay.tolerance)}."


# --- the series page ----------------------------------------------------------------------------
def exclusion_notices(request: HttpRequest, series: Series) -> list[PagePanel]:
    """Notice on the page of an excluded series (`series.panels`)."""
    rows = ReviewDecision.objects.filter(series=series).exclude(kind=ReviewDecision.Kind.NOTE)
    decisions = {
        decision.task_id: decision for decision in rows.select_related("by", "task__campaign")
    }
    exclusions = [
        (decision, str(decision.task.campaign) if decision.task else "")
        for decision in decisions.values()
        if decision.kind == ReviewDecision.Kind.EXCLUDE
    ]
    if not exclusions or blind.is_open(request.user, series):
        return []
    return [PagePanel("notice", "analysis/review/notice.html", {"exclusions": exclusions})]
