"""The number of open cases beside Review, counted by the database.

The same cases that the page of review shows without a choice: those of the default campaign
(`by_settled_series`), for the usual reasons, without series that the reader has yet to answer.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.urls import reverse

from analysis.references.models import ReviewDecision
from annotate import blind
from annotate.campaign_pages.campaign_reading import CampaignReading
from annotate.campaign_pages.campaign_tabs import TabKind, TabLabel
from annotate.models import Assignment, Campaign, Mark, Problem, Task
from people.compiled_sql import CompiledOnce
from people.models import Membership, User
from people.nav_badges import NavBadge

Kind = ReviewDecision.Kind
KEEP = 60  # seconds: in a study of 600 series the count takes a tenth of a second and more


def open_cases(reader: User) -> Combinable:
    """SQL expression: open cases of a membership's study; NULL where there is no case.

    Many pages ask, so each condition is one that an index answers for a single task, the ones
    that most tasks fail first.
    """
    return CompiledOnce(_case_count, Membership, reader.pk, "study", output_field=IntegerField())


def disagreements_label(reading: CampaignReading) -> TabLabel | None:
    """The tab of a campaign that leads to the list of disagreements, held to the campaign."""
    campaign = reading.campaign
    if not campaign.makes_truth or campaign.state == Campaign.State.DRAFT:
        return None
    address = reverse("disagreements", args=[campaign.study.slug])
    open_task_pks = _open_tasks(campaign).values_list("pk", flat=True)
    visible_task_pks = {truth.task for truth in reading.truths}
    open_count = len(visible_task_pks.intersection(open_task_pks))
    return TabLabel("Disagreements", "0", f"{address}?y=campaign:{campaign.slug}", open_count)


DISAGREEMENTS: Final = TabKind(disagreements_label)


def open_cases_badge(cases: int | None) -> NavBadge | None:
    if not cases:
        return None
    return NavBadge("count", "open case" if cases == 1 else "open cases", cases)


def _case_count(person: int) -> Combinable:
    hidden_series = blind.open_series(User(pk=person)).filter(pk=OuterRef("series"))
    cases = (
        _case_tasks().exclude(Exists(hidden_series)).values("campaign").annotate(cases=Count("pk"))
    )
    return Subquery(cases.values("cases"))


def _case_tasks() -> QuerySet[Task]:
    truth_campaigns = Campaign.objects.for_truth().filter(study=OuterRef(OuterRef("study")))
    default_campaign = truth_campaigns.by_settled_series(least_series=1).values("pk")[:1]
    return _open_tasks(Subquery(default_campaign))


def _open_tasks(campaign: Campaign | Subquery) -> QuerySet[Task]:
    """Tasks of the campaign that nobody has decided; no check series."""
    campaign_tasks = Task.objects.filter(_look_condition(), campaign=campaign, expected=None)
    return campaign_tasks.exclude(Exists(_closing_decisions())).order_by()


def _look_condition() -> Q:
    """The usual reasons, as `reasons.USUAL` has them."""
    assignments = Assignment.objects.filter(task=OuterRef("pk"), latest__isnull=False)
    is_flagged = Q(latest__unsure=True) | Q(latest__kind=Mark.Kind.UNCLEAR)
    # One query of the answers is enough for most tasks: without a flag there is a never.
    suspicious_assignments = assignments.filter(is_flagged | Q(latest__kind=Mark.Kind.NEVER))
    steady_assignments = assignments.filter(latest__kind=Mark.Kind.STEADY)
    return (
        Q(ground_truth__complete=True, ground_truth__agreement="scattered")
        | (
            Q(Exists(suspicious_assignments))
            & (Q(Exists(assignments.filter(is_flagged))) | Q(Exists(steady_assignments)))
        )
        | Q(Exists(Problem.objects.filter(task=OuterRef("pk"), closed_at=None)))
    )


def _closing_decisions() -> QuerySet[ReviewDecision]:
    """The newest decision of a task, where it closes the case, or has it wait (`review_status`)."""
    is_of_task = Q(task=OuterRef("pk")) | Q(task=None)
    later_decisions = ReviewDecision.objects.filter(
        Q(task=OuterRef("task")) | Q(task=None) | Q(task=OuterRef(OuterRef("pk"))),
        series=OuterRef("series"),
        pk__gt=OuterRef("pk"),
    ).exclude(kind=Kind.NOTE)
    repeat_assignments = Assignment.objects.filter(task=OuterRef("task"), latest=None).exclude(
        question=""
    )
    closes = (
        Q(kind=Kind.EXCLUDE)
        | Q(kind=Kind.ACCEPT, marks_digest=OuterRef("ground_truth__marks_digest"))
        | (Q(kind=Kind.LOOK_AGAIN) & Q(Exists(repeat_assignments)))
    )
    closing_decisions = ReviewDecision.objects.filter(is_of_task, closes, series=OuterRef("series"))
    return closing_decisions.exclude(Exists(later_decisions))
