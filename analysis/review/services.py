"""Deciding about a case: every decision is added by name and time, and can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction

from analysis.references.models import ReviewDecision
from analysis.references.review_status import decisions_of
from annotate.answering import reannotation
from annotate.answering.refusals import Refusal
from annotate.models import Campaign, GroundTruth, Task
from people.models import User
from series.models import Series

Kind = ReviewDecision.Kind


class NothingToUndo(Refusal):
    """Refusal: no decision is left that could be undone."""

    reason = "nothing-to-undo"

    def __init__(self) -> None:
        super().__init__("There is no decision to undo: it was undone before.")


@transaction.atomic
def decide(
    series: Series,
    campaign: Campaign | None,
    *,
    kind: str,
    user: User,
    client_id: UUID,
    text: str = "",
    people: Sequence[str] = (),
    reasons: Sequence[str] = (),
) -> ReviewDecision:
    """Add a decision about `series` in `campaign`, or in all comparisons of its study.

    The same `client_id` again is the same click arriving twice: it gives back the first decision.
    Raises Refusal with a sentence for what cannot be done, ValidationError for what can be mended.
    """
    task = _locked_task(series, campaign)
    if stored_decision := ReviewDecision.objects.filter(
        client_id=client_id, series=series, by=user
    ).first():
        return stored_decision
    decision = ReviewDecision(
        series=series,
        task=task,
        kind=kind,
        text=text.strip(),
        reasons=list(reasons),
        marks_digest=_digest(task),
        client_id=client_id,
        by=user,
    )
    decision.full_clean(exclude=["series", "task", "by"])  # these rows were read above
    if kind == Kind.LOOK_AGAIN:
        decision.to_whom = _ask_again(task, people, decision)
    if kind == Kind.UNDO:
        decision.to_whom = _take_decision_back(series, task)
    decision.save(force_insert=True)
    return decision


def _locked_task(series: Series, campaign: Campaign | None) -> Task | None:
    """The task, with its campaign locked: two decisions at once come one after the other."""
    if campaign is None:
        Series.objects.select_for_update(no_key=True).filter(pk=series.pk).exists()
        return None
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    return Task.objects.select_related("campaign").get(campaign=campaign, series=series)


def _digest(task: Task | None) -> str:
    if task is None:
        return ""
    truth = GroundTruth.objects.filter(task=task).values_list("marks_digest", flat=True)
    return truth.first() or ""


def _ask_again(task: Task | None, people: Sequence[str], decision: ReviewDecision) -> list[str]:
    if task is None:
        raise ValidationError(
            {"kind": "No campaign has this series, so nobody can be asked again."}
        )
    return reannotation.ask_again(task, asked_names=people, question=decision.text, by=decision.by)


def _take_decision_back(series: Series, task: Task | None) -> list[str]:
    """The newest decision counts no more; who has yet to look again keeps their answer."""
    campaign = task.campaign if task else None
    rows = decisions_of(series.benchmark.dataset.study, campaign).filter(series=series)
    last_decision = rows.exclude(kind=Kind.NOTE).order_by("pk").last()
    if last_decision is None or last_decision.kind == Kind.UNDO:
        raise NothingToUndo
    if last_decision.kind == Kind.LOOK_AGAIN and last_decision.task is not None:
        reannotation.withdraw_question(last_decision.task, asked_names=last_decision.to_whom)
    return list(last_decision.to_whom)
