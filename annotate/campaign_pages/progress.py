"""Progress of a campaign: counts and paces, never answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotate import attention_checks, blind, recipes
from annotate.blind import Reader
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Problem, Task
from people.models import Invitation, Study, User


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """A campaign in the list."""

    campaign: Campaign
    series: int
    people: int
    rounds: int  # each dealt to several people: how many these are is not known
    done: int
    wanted: int
    updated: datetime | None

    @property
    def percent(self) -> int:
        return 100 * self.done // self.wanted if self.wanted else 0

    @property
    def remaining_count(self) -> int:
        """Answers that are still to come."""
        return self.wanted - self.done

    @property
    def is_complete(self) -> bool:
        """True if everybody has answered everything that they were asked."""
        return self.wanted > 0 and not self.remaining_count


def campaign_lines(study: Study) -> list[CampaignLine]:
    """The campaigns of a study, newest first: two queries, however many there are."""
    return _lines_of_campaigns(study.campaigns.all())


def campaign_line(campaign: Campaign) -> CampaignLine:
    """The line of one campaign."""
    (line,) = _lines_of_campaigns(Campaign.objects.filter(pk=campaign.pk))
    return line


def _lines_of_campaigns(campaigns: QuerySet[Campaign]) -> list[CampaignLine]:
    annotators = Annotator.objects.all()
    counted_campaigns = campaigns.annotate(
        series=_row_count(Task.objects.all()),
        people=_row_count(annotators.filter(kind=Annotator.Kind.PERSON)),
        rounds=_row_count(annotators.filter(kind=Annotator.Kind.ROUND)),
    )
    classified_annotators = Annotator.objects.filter(
        campaign=OuterRef("task__campaign"),
        user=OuterRef("user"),
        kind__in=Annotator.CLASSIFICATIONS,
    )
    counts = {
        row["task__campaign"]: row
        for row in Assignment.objects.filter(task__campaign__in=campaigns.order_by().values("pk"))
        .exclude(Exists(classified_annotators))
        .values("task__campaign")
        .annotate(
            wanted=Count("pk"),
            done=Count("pk", filter=Q(latest__isnull=False)),
            updated=Max("latest__when"),
        )
        .order_by()
    }
    no_counts: dict[str, Any] = {"wanted": 0, "done": 0, "updated": None}
    return [
        CampaignLine(
            campaign,
            campaign.series,
            campaign.people,
            campaign.rounds,
            row["done"],
            row["wanted"],
            row["updated"],
        )
        for campaign in counted_campaigns
        for row in [counts.get(campaign.pk, no_counts)]
    ]


def _row_count(rows: QuerySet[Any]) -> Coalesce:
    """Number of the rows of each campaign; joined, rows of two kinds would multiply."""
    rows_of_campaign = rows.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    return Coalesce(Subquery(rows_of_campaign.annotate(n=Count("pk")).values("n")), 0)


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """One annotator's progress: how much and how quickly, not what."""

    pseudonym: str
    name: str  # of a person, or what it is that is none
    done: int
    asked: int
    pace: float | None  # median seconds an answer
    unclear: int
    unsure: int
    last_answer: datetime | None
    checks: attention_checks.CheckScore | None = None  # for the owner alone

    @property
    def percent(self) -> int:
        return 100 * self.done // self.asked if self.asked else 0

    @property
    def remaining_count(self) -> int:
        return self.asked - self.done

    @property
    def first_name(self) -> str:
        return self.name.partition(" ")[0]


def bars(campaign: Campaign, *, only_user: User | None = None) -> list[AnnotatorProgress]:
    """Progress by annotator, by pseudonym; with `only_user` one person's, without checks."""
    people = campaign.annotators.select_related("user")
    if only_user is not None:
        people = people.filter(user=only_user)
    marks_by_user: dict[int, list[Mark | None]] = defaultdict(list)
    for row in Assignment.objects.filter(task__campaign=campaign).select_related("latest"):
        marks_by_user[row.user_id].append(row.latest)
    sorted_annotators = sorted(
        people, key=lambda annotator: recipes.annotator_order(annotator.pseudonym)
    )
    checks = (
        attention_checks.check_scores(campaign) if campaign.checks and only_user is None else {}
    )
    return [
        replace(
            _bar(annotator.pseudonym, _name(annotator), marks_by_user[annotator.user_id]),
            checks=checks.get(annotator.user_id),
        )
        for annotator in sorted_annotators
    ]


def _name(annotator: Annotator) -> str:
    person = annotator.kind == Annotator.Kind.PERSON
    return annotator.user.name if person else annotator.get_kind_display()


def _bar(pseudonym: str, name: str, latest_marks: list[Mark | None]) -> AnnotatorProgress:
    marks = [mark for mark in latest_marks if mark]
    paces = [mark.seconds for mark in marks if mark.seconds is not None]
    return AnnotatorProgress(
        pseudonym,
        name,
        done=len(marks),
        asked=len(latest_marks),
        pace=median(paces) if paces else None,
        unclear=sum(mark.kind == Mark.Kind.UNCLEAR for mark in marks),
        unsure=sum(mark.unsure for mark in marks),
        last_answer=max((mark.when for mark in marks), default=None),
    )


def awaited_people(campaign: Campaign) -> list[tuple[User, int]]:
    """People with series left, and how many; empty of a campaign that is not open."""
    if campaign.state != Campaign.State.OPEN:
        return []
    users = Assignment.objects.filter(task__campaign=campaign, latest=None).values_list("user")
    counts = dict(users.annotate(n=Count("pk")).order_by())
    people = campaign.annotators.filter(kind=Annotator.Kind.PERSON, user__in=counts)
    return [
        (annotator.user, counts[annotator.user_id])
        for annotator in people.select_related("user").order_by("pk")
    ]


@dataclass(frozen=True, slots=True)
class OpenEnds:
    """Work that is still open in a campaign that somebody is about to close."""

    people: list[AnnotatorProgress]  # who have series left
    links: int  # that nobody has used yet
    problems: int
    second_passes: int  # people who have not been asked their second pass yet

    @property
    def remaining_count(self) -> int:
        return sum(person.remaining_count for person in self.people)


def remaining_work(campaign: Campaign) -> OpenEnds:
    """Find for the owner who has how much left, and what else is not done."""
    current_time = timezone.now()
    links = Invitation.objects.open(current_time).filter(for_campaign__campaign=campaign)
    return OpenEnds(
        people=[bar for bar in bars(campaign) if bar.remaining_count],
        links=links.count(),
        problems=Problem.objects.filter(task__campaign=campaign, closed_at=None).count(),
        second_passes=_count_awaiting_pass(campaign),
    )


def _count_awaiting_pass(campaign: Campaign) -> int:
    if not campaign.second_share or not campaign.makes_truth:
        return 0
    served = Assignment.objects.filter(task__campaign__repeats=campaign).values("user")
    return campaign.annotators.filter(kind=Annotator.Kind.PERSON).exclude(user__in=served).count()


def coverage(campaign: Campaign, *, owner: bool) -> list[tuple[int, int]]:
    """(answers of people, series with so many), from 0 to the number of those who answer.

    Checks count for everybody but an owner: a sum without them would say that there are some.
    """
    tasks = campaign.tasks.counted() if owner else campaign.tasks.all()
    persons = campaign.annotators.human()
    is_answered = Q(assignments__latest__isnull=False, assignments__user__in=persons.values("user"))
    answers = tasks.annotate(answers=Count("assignments", filter=is_answered))
    counts = Counter(answers.values_list("answers", flat=True))
    highest_count = max(persons.count(), *counts, 0)
    return [(number, counts[number]) for number in range(highest_count + 1)]


def outcomes(campaign: Campaign, reader: Reader) -> dict[str, int]:
    """Count the complete series that `reader` may see, by the kind of agreement that the recipe
    makes.
    """
    settled_truths = GroundTruth.objects.settled().filter(task__campaign=campaign)
    visible_truths = blind.without_open(reader, settled_truths, "task__series")
    return dict(visible_truths.values_list("agreement").annotate(n=Count("pk")).order_by("-n"))
