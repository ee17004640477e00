"""How many cases are open for a reader: the number beside Review, counted by the database.

The same cases that the page of review shows without a choice: those of the newest campaign with
ground truth, for the usual reasons, without series that the reader has yet to answer.
"""

from __future__ import annotations

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.expressions import Combinable

from analysis.models import ReviewDecision
from annotate import blind
from annotate.models import Assignment, Campaign, GroundTruth, Mark, Problem, Task
from annotate.models.task import TaskQuerySet
from people.models import User
from people.signs import Sign

Kind = ReviewDecision.Kind


def open_cases(reader: User) -> Combinable:
    """Of the study of a membership; NULL where there is no case."""
    complete = GroundTruth.objects.filter(task__campaign=OuterRef("pk"), complete=True)
    making = Campaign.objects.for_truth()
    campaigns = making.filter(Exists(complete), study=OuterRef(OuterRef("study")))
    newest = campaigns.exclude(state=Campaign.State.DRAFT).order_by("-created").values("pk")[:1]
    counted = Task.objects.filter(campaign=Subquery(newest), expected=None)  # no check series
    tasks = counted.filter(_worth_a_look())
    seen = _undecided(tasks.exclude(series__in=blind.open_series(reader)))
    cases = seen.order_by().values("campaign").annotate(cases=Count("pk"))
    return Subquery(cases.values("cases"))


def said(cases: int | None) -> Sign | None:
    if not cases:
        return None
    return Sign("count", "open case" if cases == 1 else "open cases", cases)


def _worth_a_look() -> Q:
    """The usual reasons, as `reasons.USUAL` has them."""
    latest = Assignment.objects.filter(task=OuterRef("pk"), latest__isnull=False)
    truth = GroundTruth.objects.filter(task=OuterRef("pk"), complete=True)
    flagged = latest.filter(Q(latest__unsure=True) | Q(latest__kind=Mark.Kind.UNCLEAR))
    return (
        Q(Exists(truth.filter(agreement="scattered")))
        | Q(Exists(flagged))
        | Q(Exists(Problem.objects.filter(task=OuterRef("pk"), closed_at=None)))
        | (
            Q(Exists(latest.filter(latest__kind=Mark.Kind.STEADY)))
            & Q(Exists(latest.filter(latest__kind=Mark.Kind.NEVER)))
        )
    )


def _undecided(tasks: TaskQuerySet) -> TaskQuerySet:
    about = Q(task=OuterRef("pk")) | Q(task=None, series=OuterRef("series"))
    newest = ReviewDecision.objects.filter(about).exclude(kind=Kind.NOTE).order_by("-pk")
    waiting = Assignment.objects.filter(task=OuterRef("pk"), latest=None).exclude(question="")
    found = tasks.alias(
        decided=Subquery(newest.values("kind")[:1]),
        seen_marks=Subquery(newest.values("marks_digest")[:1]),
    )
    standing = Q(decided=Kind.ACCEPT, seen_marks=F("ground_truth__marks_digest"))
    gone = Q(decided=Kind.EXCLUDE) | (Q(decided=Kind.LOOK_AGAIN) & Q(Exists(waiting)))
    # "Not excluded" must hold for a series without any decision, too.
    return found.filter(Q(decided=None) | ~(standing | gone))
