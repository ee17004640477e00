"""The status of each series after review: open, waiting, accepted or excluded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from django.db.models import Q, QuerySet

from analysis.references.models import ReviewDecision
from annotate.models import Assignment, Campaign, GroundTruth
from people.models import Study
from series.models.series import SeriesQuerySet

State = Literal["open", "waiting", "accepted", "excluded"]
OPEN: Final[State] = "open"
Kind = ReviewDecision.Kind


@dataclass(frozen=True, slots=True)
class ReviewStatus:
    """Status of one series; `decision` is the one that counts, None before the first and after
    an undo.
    """

    state: State = OPEN
    decision: ReviewDecision | None = None


def review_statuses(study: Study, campaign: Campaign | None) -> dict[int, ReviewStatus]:
    """Status by primary key of each series with a decision in `campaign`, or about a whole study.

    An accepted ground truth stands while its marks do: other marks open the case again. One that
    was sent back is open again when everybody who was asked has answered.
    """
    latest_decisions = _latest_decisions(study, campaign)
    digests = _digests(campaign, latest_decisions)
    waiting_pks = _waiting_pks(campaign, latest_decisions)
    return {
        pk: ReviewStatus(_state(decision, digests.get(pk, ""), pk in waiting_pks), decision)
        for pk, decision in latest_decisions.items()
    }


def excluded_reasons(study: Study, campaign: Campaign | None) -> dict[int, str]:
    """The reason of each series that is no yardstick, by primary key."""
    latest_decisions = _latest_decisions(study, campaign)
    return {
        pk: decision.text
        for pk, decision in latest_decisions.items()
        if decision.kind == Kind.EXCLUDE
    }


def pks_excluded_anywhere(series: SeriesQuerySet) -> set[int]:
    """Primary keys of those of `series` that a decision excludes, in whichever campaign.

    What is no yardstick is no result either: a trend, which has no campaign, leaves it out.
    """
    rows = ReviewDecision.objects.filter(series__in=series.order_by().values("pk"))
    decision_rows = (
        rows.exclude(kind=Kind.NOTE).order_by("pk").values_list("series", "task", "kind")
    )
    newest_kind_by_target = {(pk, task): kind for pk, task, kind in decision_rows}
    return {pk for (pk, _), kind in newest_kind_by_target.items() if kind == Kind.EXCLUDE}


def review_exclusions(campaign: Campaign) -> Mapping[int, str]:
    """Reasons of excluded series, for `annotate.exclusions`."""
    return excluded_reasons(campaign.study, campaign)


def decisions_of(study: Study, campaign: Campaign | None) -> QuerySet[ReviewDecision]:
    """Decisions that hold where `campaign` is the yardstick; without one, those about a study."""
    own_decisions = ReviewDecision.objects.filter(series__benchmark__dataset__study=study)
    has_no_task = Q(task=None)
    return own_decisions.filter(
        has_no_task if campaign is None else has_no_task | Q(task__campaign=campaign)
    )


def _latest_decisions(study: Study, campaign: Campaign | None) -> dict[int, ReviewDecision]:
    """The newest decision of each series; none where it was taken back."""
    rows = decisions_of(study, campaign).exclude(kind=Kind.NOTE).select_related("by").order_by("pk")
    decisions = {decision.series_id: decision for decision in rows}
    return {pk: decision for pk, decision in decisions.items() if decision.kind != Kind.UNDO}


def _digests(campaign: Campaign | None, series: Mapping[int, object]) -> dict[int, str]:
    if campaign is None or not series:
        return {}
    truths = GroundTruth.objects.filter(task__campaign=campaign, task__series__in=list(series))
    return dict(truths.values_list("task__series", "marks_digest"))


def _waiting_pks(campaign: Campaign | None, series: Mapping[int, object]) -> set[int]:
    """Series on which somebody who was asked to look again has yet to answer."""
    if campaign is None or not series:
        return set()
    repeat_assignments = Assignment.objects.filter(task__campaign=campaign, latest=None).exclude(
        question=""
    )
    return set(repeat_assignments.values_list("task__series", flat=True))


def _state(decision: ReviewDecision, digest: str, is_waiting: bool) -> State:  # noqa: FBT001
    if decision.kind == Kind.EXCLUDE:
        return "excluded"
    if decision.kind == Kind.LOOK_AGAIN:
        return "waiting" if is_waiting else OPEN
    return "accepted" if decision.marks_digest == digest else OPEN
