"""The second pass: a share of each person's series once more, days later, to compare them with
themselves.

A second pass is a campaign of its own (`purpose` repeat, `repeats` the first one). Each person
gets a seeded draw of what they answered, in a new random order, once their last answer in the
first campaign is old enough. Second answers make no ground truth and change none.

**Pairs for an agreement page:** `answer_pairs(campaign, reader)` gives every series that a person
has answered twice, as `AnswerPair(pseudonym, task, first, second)` with both `Mark` rows;
`consistency` summarises one person's.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotate import blind
from annotate.blind import Reader
from annotate.campaign_rows import create_campaign
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from annotate.recipes import annotator_order
from people.models import User

LEAST = 20  # series, or all if fewer: below, a share of yes and no says nothing


def second_pass_size(answered_count: int, share: float) -> int:
    """Count how many of a person's answered series are asked again."""
    return min(answered_count, max(LEAST, math.ceil(share * answered_count))) if share > 0 else 0


@dataclass(frozen=True, slots=True)
class SecondPassDue:
    """Time when one person's second pass opens, and how many series it will have."""

    opens: datetime
    series: int

    @property
    def is_open(self) -> bool:
        return self.opens <= timezone.now()


def due(campaign: Campaign, user: User) -> SecondPassDue | None:
    """Find when the second pass opens for this person: so many days after their last answer.

    None without a second pass, before they have answered all that they were asked (or the
    campaign is closed), and once it was dealt.
    """
    if not campaign.second_share or second_pass_of(campaign, user):
        return None
    own_assignments = Assignment.objects.filter(
        user=user, task__campaign=campaign, task__expected=None
    )
    answered_assignments = own_assignments.filter(latest__isnull=False)
    last_answer_at = answered_assignments.aggregate(when=Max("latest__when"))["when"]
    is_over = (
        campaign.state == Campaign.State.CLOSED or not own_assignments.filter(latest=None).exists()
    )
    if last_answer_at is None or not is_over:
        return None
    opens_at = last_answer_at + timedelta(days=campaign.second_days)
    return SecondPassDue(
        opens_at, second_pass_size(answered_assignments.count(), campaign.second_share)
    )


def second_pass_of(campaign: Campaign, user: User) -> Campaign | None:
    """The second pass that this person was given series of; None before."""
    return campaign.second_passes.filter(
        purpose=Campaign.Purpose.REPEAT, tasks__assignments__user=user
    ).first()


def deal_due_passes(user: User) -> None:
    """Give this person every second pass that is due; asked again, it changes nothing."""
    own_campaigns = Campaign.objects.present().filter(second_share__gt=0, annotators__user=user)
    for campaign in own_campaigns.exclude(state=Campaign.State.DRAFT).for_truth():
        is_due = due(campaign, user)
        if is_due and is_due.is_open:
            deal(campaign, user)


@transaction.atomic
def deal(campaign: Campaign, user: User) -> Campaign:
    """Draw this person's series by the campaign's seed, and put them in a new order."""
    locked_campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if earlier_pass := second_pass_of(locked_campaign, user):  # somebody was quicker
        return earlier_pass
    annotator = locked_campaign.annotators.get(user=user)
    repeat_campaign = locked_campaign.second_passes.filter(
        purpose=Campaign.Purpose.REPEAT
    ).first() or _new_second_pass(locked_campaign)
    Annotator.objects.get_or_create(
        campaign=repeat_campaign,
        user=user,
        defaults={"pseudonym": annotator.pseudonym, "guide_seen": annotator.guide_seen},
    )
    answered_assignments = Assignment.objects.filter(
        user=user, task__campaign=locked_campaign, task__expected=None, latest__isnull=False
    )
    series_pks = sorted(answered_assignments.values_list("task__series", flat=True))
    draw = random.Random(f"{locked_campaign.seed} second {annotator.pseudonym}")  # noqa: S311  # no secret
    drawn_pks = draw.sample(
        series_pks, second_pass_size(len(series_pks), locked_campaign.second_share)
    )
    tasks = _tasks(repeat_campaign, drawn_pks)
    Assignment.objects.bulk_create(
        Assignment(task=tasks[pk], user=user, order=order) for order, pk in enumerate(drawn_pks)
    )
    return repeat_campaign


def _new_second_pass(campaign: Campaign) -> Campaign:
    return create_campaign(
        campaign.study,
        f"{campaign.name}, second pass"[:120],
        fallback_slug="second-pass",
        purpose=Campaign.Purpose.REPEAT,
        repeats=campaign,
        state=Campaign.State.OPEN,
        opened_at=timezone.now(),
        recipe=campaign.recipe,
        params=campaign.params,
        instructions=campaign.instructions,
        guide_version=campaign.guide_version,
        hide_names=campaign.hide_names,
        hide_values=campaign.hide_values,
        show_events=campaign.show_events,
        ask_difficulty=campaign.ask_difficulty,
        seed=campaign.seed,
        created_by=campaign.created_by,
    )


def _tasks(repeat_campaign: Campaign, series: Sequence[int]) -> dict[int, Task]:
    """The tasks of `series` (primary keys); positions in the order of dealing, which is random."""
    task_by_series = {
        task.series_id: task for task in repeat_campaign.tasks.filter(series__in=series)
    }
    first_position = repeat_campaign.next_position()
    missing_series = [pk for pk in series if pk not in task_by_series]
    new_tasks = Task.objects.bulk_create(
        Task(campaign=repeat_campaign, series_id=pk, position=position)
        for position, pk in enumerate(missing_series, start=first_position)
    )
    return task_by_series | {task.series_id: task for task in new_tasks}


# --- while it lasts ---------------------------------------------------------------------------
def hidden_tasks(user: User):  # type: ignore[no-untyped-def]  # query set
    """First answers that this person must not see, or change, until their second pass is done."""
    second_passes = blind.unfinished_passes(user.pk)
    repeated_tasks = Task.objects.filter(campaign__in=second_passes, assignments__user=user)
    return Task.objects.filter(
        campaign__in=second_passes.values("repeats"), series__in=repeated_tasks.values("series")
    )


# --- what it tells ----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class AnswerPair:
    """One series that one person answered twice; `task` is that of the first campaign."""

    pseudonym: str
    task: Task
    first: Mark  # as it stood when the second pass was answered
    second: Mark

    @property
    def voted(self) -> bool:
        """Both answers say yes or no; unclear says neither."""
        return Mark.Kind.UNCLEAR not in {self.first.kind, self.second.kind}

    @property
    def same(self) -> bool:
        """Both say steady, or both say never."""
        return self.voted and self.first.kind == self.second.kind

    @property
    def difference(self) -> int | None:
        """Second minus first, in iterations; None unless both are steady."""
        if self.first.index is None or self.second.index is None:
            return None
        return self.second.index - self.first.index


def answer_pairs(campaign: Campaign, reader: Reader) -> list[AnswerPair]:
    """Pair what people answered twice, by pseudonym and position, for a reader who may see it.

    Series to which the reader is blind are left out; so are those of people whose second pass is
    not complete, for these people.
    """
    second_assignments = Assignment.objects.filter(
        task__campaign__repeats=campaign,
        task__campaign__purpose=Campaign.Purpose.REPEAT,
        latest__isnull=False,
    ).select_related("latest", "task")
    second_assignments = blind.without_open(reader, second_assignments, "task__series")
    names = dict(campaign.annotators.values_list("user_id", "pseudonym"))
    second_marks = {(row.task.series_id, row.user_id): row.latest for row in second_assignments}
    pairs = [
        AnswerPair(names[first.annotator_id], first.task, first, mark)
        for first in _first_answers(campaign, second_marks)
        if (mark := second_marks[first.task.series_id, first.annotator_id])
    ]
    return sorted(pairs, key=lambda pair: (annotator_order(pair.pseudonym), pair.task.position))


def _first_answers(
    campaign: Campaign, second_marks: Mapping[tuple[int, int], Mark | None]
) -> list[Mark]:
    """The newest first answer to each of `second_marks` (series, user), given before it."""
    marks = Mark.objects.filter(
        task__campaign=campaign, task__series__in={series for series, _ in second_marks}
    )
    newest_marks: dict[tuple[int, int], Mark] = {}
    for mark in marks.select_related("task__series").order_by("revision"):
        key = (mark.task.series_id, mark.annotator_id)
        second_mark = second_marks.get(key)
        if second_mark and mark.when < second_mark.when:
            newest_marks[key] = mark
    return list(newest_marks.values())


@dataclass(frozen=True, slots=True)
class Consistency:
    """One person against themselves.

    n           series answered twice
    voted       of them with yes or no both times
    same        of those the same both times
    both        steady both times
    difference  median |second - first| of these, in iterations; None without any
    """

    pseudonym: str
    n: int
    voted: int
    same: int
    both: int
    difference: float | None


def consistency(pairs: Sequence[AnswerPair]) -> list[Consistency]:
    """A line for each person, in the order of `answer_pairs`."""
    people = list(dict.fromkeys(pair.pseudonym for pair in pairs))
    return [
        _consistency(name, [pair for pair in pairs if pair.pseudonym == name]) for name in people
    ]


def _consistency(name: str, own_pairs: Sequence[AnswerPair]) -> Consistency:
    distances = [abs(pair.difference) for pair in own_pairs if pair.difference is not None]
    return Consistency(
        pseudonym=name,
        n=len(own_pairs),
        voted=sum(pair.voted for pair in own_pairs),
        same=sum(pair.same for pair in own_pairs),
        both=len(distances),
        difference=median(distances) if distances else None,
    )
