"""Screening: whether a series becomes steady at all, before anybody marks from which iteration on.

The campaign that marks the steady ones has the same series: the very forks that were judged. A
label that was given on one fork says nothing of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from django.core.exceptions import ValidationError
from django.db import transaction

from annotate import blind, campaigns, recipes
from annotate.blind import EVERYTHING, Reader
from annotate.models import Assignment, Campaign, Mark, Task
from people.models import User

Verdict = Literal["steady", "never", "tied", "no vote"]
VERDICTS: tuple[Verdict, ...] = ("steady", "never", "tied", "no vote")


@dataclass(frozen=True, slots=True)
class ScreenedSeries:
    """One series with everybody's votes, in the order of pseudonyms, and the majority."""

    task: Task
    votes: Sequence[tuple[str, Mark | None]]
    asked: int

    def count(self, kind: str) -> int:
        return sum(mark is not None and mark.kind == kind for _, mark in self.votes)

    @property
    def answered(self) -> int:
        return sum(mark is not None for _, mark in self.votes)

    @property
    def complete(self) -> bool:
        return self.answered == self.asked

    @property
    def verdict(self) -> Verdict:
        return verdict(self.count(Mark.Kind.STEADY), self.count(Mark.Kind.NEVER))


def verdict(steady: int, never: int) -> Verdict:
    """More than half of the votes; unclear is an answer, but no vote."""
    if steady == never:
        return "tied" if steady else "no vote"
    return "steady" if steady > never else "never"


def screened_series(campaign: Campaign, reader: Reader) -> list[ScreenedSeries]:
    """The series of a screening in order of position, without those the reader is blind to."""
    tasks = campaign.tasks.counted().select_related("series__benchmark").order_by("position")
    tasks = tasks.exclude(series__in=blind.open_series(reader))
    names = dict(campaign.annotators.values_list("user_id", "pseudonym"))
    order = sorted(names.values(), key=recipes.annotator_order)
    asked: dict[int, dict[str, Mark | None]] = {}
    for row in Assignment.objects.filter(task__campaign=campaign).select_related("latest"):
        asked.setdefault(row.task_id, {})[names[row.user_id]] = row.latest
    return [
        ScreenedSeries(task, [(name, mine.get(name)) for name in order], len(mine))
        for task in tasks
        for mine in [asked.get(task.pk, {})]
    ]


def counts(series: Iterable[ScreenedSeries]) -> dict[Verdict, int]:
    """How many series have each verdict, in the order of `VERDICTS`."""
    found = Counter(each.verdict for each in series)
    return {each: found[each] for each in VERDICTS}


@transaction.atomic
def mark_steady(screening: Campaign, *, by: User | None, tied: bool = False) -> Campaign:
    """Close the screening, and make the draft that marks what it judged steady.

    The draft has the same series, people and blindness; `tied` takes in those whose votes are
    even. Raises ValidationError if there is nothing to mark, or a draft was made before.
    """
    if not screening.is_screening:
        raise ValidationError(f"{screening} asks for iterations itself: it is no screening.")
    if made := screening.followed_by.first():
        raise ValidationError(f"{made} marks what was judged steady here already.")
    taken = {"steady", "tied"} if tied else {"steady"}
    series = [
        each.task.series_id
        for each in screened_series(screening, EVERYTHING)
        if each.verdict in taken
    ]
    if not series:
        raise ValidationError("No series is judged steady yet: there would be nothing to mark.")
    people = [each.user for each in screening.annotators.select_related("user")]
    wanted = campaigns.CampaignSpec(
        name=f"{screening.name}, marked"[:120],
        series=series,
        annotators=people,
        instructions=screening.instructions,
        hide_names=screening.hide_names,
        hide_values=screening.hide_values,
        overlap=screening.overlap,
        follows=screening,
        second_share=screening.second_share,
        ask_difficulty=screening.ask_difficulty,
        seed=screening.seed,
        selection={"rule": "judged-steady", "campaign": screening.slug, "tied": tied},
    )
    made = campaigns.create(screening.study, wanted, by=by)
    campaigns.close(screening, by=by)
    return made
