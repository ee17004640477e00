"""Ground truth of a campaign with the marks it was made of: one reading for page and files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate import blind, consequences as told, recipes
from annotate.consequences import Consequence, Marked
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Task
from annotate.recipes.resampling import Interval, intervals
from people.models import User
from series.models import Series

AT_A_TIME = 500  # tasks whose marks are held at once


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's latest answer, under their pseudonym.

    human  False for the classification of a publication, which is no answer of a person
    """

    pseudonym: str
    mark: Mark | None  # None: yet to answer, or never asked
    clustered: bool = False
    asked: bool = True
    human: bool = True

    @property
    def cell(self) -> int | None:
        """First steady iteration, -1 never; None for no answer and for unclear."""
        if self.mark is None or self.mark.kind == Mark.Kind.UNCLEAR:
            return None
        return recipes.NEVER if self.mark.kind == Mark.Kind.NEVER else self.mark.index


@dataclass(frozen=True, slots=True)
class Result:
    """One series of a campaign: marks, ground truth, and the sentence that explains it."""

    task: Task
    series: Series
    votes: tuple[Vote, ...]
    truth: recipes.GroundTruth
    sentence: str
    recipe: str
    recipe_params: str
    interval: Interval | None = None  # of resampled marks; None where nothing is settled
    consequence: Consequence | None = None  # if asked for, and there is a start

    @property
    def settled(self) -> recipes.GroundTruth:
        """As exports and comparisons see it: a provisional answer is undecided."""
        return self.truth.settled()

    @property
    def answered(self) -> int:
        return sum(vote.mark is not None for vote in self.votes if vote.human)


def results(
    campaign: Campaign,
    reader: User | None,
    *,
    recipe: str | None = None,
    positions: Sequence[int] | None = None,
    consequences: bool = False,
) -> Iterator[Result]:
    """The campaign's series in order of position, those left out that `reader` has yet to answer.

    `reader` None is a command on the machine itself, which leaves nothing out.
    `recipe` takes the place of the campaign's own, with its defaults. `consequences` are told where
    they are asked for: each takes the values of its series.
    """
    tasks = _seen(campaign, reader).order_by("position")
    if positions is not None:
        tasks = tasks.filter(position__in=positions)
    maker = _Maker.of(campaign, recipe)
    read = maker.read_with_consequences if consequences else maker.read
    related = "series__benchmark__dataset", "series__recording"
    chunk: list[Task] = []
    for task in tasks.select_related(*related).iterator(AT_A_TIME):
        chunk.append(task)
        if len(chunk) == AT_A_TIME:
            yield from read(chunk)
            chunk = []
    yield from read(chunk)


def of_positions(campaign: Campaign, reader: User | None, positions: Sequence[int]) -> list[Result]:
    """The results at `positions`, in their order."""
    made = results(campaign, reader, positions=positions, consequences=True)
    found = {each.task.position: each for each in made}
    return [found[position] for position in positions]


def ordered(campaign: Campaign, reader: User | None, sort: str) -> list[int]:
    """Positions of the series that `reader` may see, by what is stored of their ground truth.

    `sort` is a key of SORTS, or "change", with `-` before it for the other way round; equal ones
    stay in the order of their positions, which any other `sort` gives too.
    """
    tasks = _seen(campaign, reader).select_related("ground_truth").order_by("position")
    if sort.removeprefix("-") == "change":
        return _by_change(campaign, list(tasks), most_first=sort.startswith("-"))
    key = SORTS.get(sort.removeprefix("-"), SORTS["position"])
    closed = campaign.state == Campaign.State.CLOSED
    none = GroundTruth(agreement="too-few", complete=closed)  # of a series without a mark
    by_key = sorted(
        tasks,
        key=lambda task: key(task, getattr(task, "ground_truth", none)),
        reverse=sort.startswith("-"),
    )
    return [task.position for task in by_key]


def _by_change(campaign: Campaign, tasks: Sequence[Task], *, most_first: bool) -> list[int]:
    """By the size of what a mark changes; series without a change stand last in either order."""
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user_id", "pseudonym"))
    marks: dict[int, list[tuple[str, int]]] = {}
    steady = Assignment.objects.filter(task__campaign=campaign, latest__kind=Mark.Kind.STEADY)
    for task, user, index in steady.values_list("task_id", "user_id", "latest__index"):
        if index is not None:  # a steady mark has one
            marks.setdefault(task, []).append((names[user], index))
    marked = {
        task.series_id: Marked(_start(task.ground_truth), sorted(marks.get(task.pk, [])))
        for task in tasks
        if hasattr(task, "ground_truth") and _start(task.ground_truth) >= 0
    }
    found = told.of(marked)

    def size(task: Task) -> float:
        here = found.get(task.series_id)
        return math.inf if here is None else abs(here.share) * (-1 if most_first else 1)

    return [task.position for task in sorted(tasks, key=size)]


def _start(truth: GroundTruth) -> int:
    """For sorting: the iteration, behind never, behind undecided."""
    if not truth.complete or truth.steady is None:
        return recipes.NEVER - 1
    return recipes.NEVER if truth.steady_start is None else truth.steady_start


SORTS: dict[str, Callable[[Task, GroundTruth], Any]] = {
    "position": lambda task, _: task.position,
    "spread": lambda _, truth: -1 if truth.spread is None else truth.spread,
    "start": lambda _, truth: _start(truth),
    "agreement": lambda _, truth: truth.agreement if truth.complete else "incomplete",
    "answers": lambda _, truth: truth.answered,
}


def result_of(task: Task) -> Result:
    """One series; the caller has asked whether the reader may see it."""
    return next(_Maker.of(task.campaign, None).read([task]))


def left_out(campaign: Campaign, reader: User) -> blind.LeftOut:
    """How many series of the campaign are kept from the reader, and why."""
    if not campaign.makes_truth:
        return blind.LeftOut(0, 0)
    series = Series.objects.filter(pk__in=campaign.counted_tasks().values("series"))
    return blind.left_out(reader, series)


def _seen(campaign: Campaign, reader: User | None):  # type: ignore[no-untyped-def]  # query set
    """Series with a known answer have no ground truth, and a second pass makes none."""
    if not campaign.makes_truth:
        return campaign.tasks.none()
    if reader is None:
        return campaign.counted_tasks()
    return campaign.counted_tasks().exclude(series__in=blind.open_series(reader))


def _settled_marks(result: Result) -> list[recipes.Mark]:
    """What the ground truth was made of; nothing while it is provisional."""
    if result.truth.provisional:
        return []
    return [
        recipes.Mark(vote.pseudonym, vote.mark.kind, vote.mark.index)  # type: ignore[arg-type]
        for vote in result.votes
        if vote.mark
    ]


def _marked(result: Result) -> Marked:
    """The steady marks beside a steady ground truth."""
    cells = [(vote.pseudonym, vote.cell) for vote in result.votes]
    marks = [(name, cell) for name, cell in cells if cell is not None and cell >= 0]
    return Marked(int(result.settled.value), sorted(marks))  # type: ignore[arg-type]  # steady


@dataclass(frozen=True, slots=True)
class _Maker:
    """What all results of one campaign share."""

    campaign: Campaign
    recipe: recipes.Recipe
    params: Mapping[str, int]
    pseudonyms: Mapping[int, str]
    order: tuple[str, ...]
    labels: frozenset[str]  # pseudonyms that are no people
    closed: bool

    @classmethod
    def of(cls, campaign: Campaign, recipe: str | None) -> _Maker:
        chosen = recipes.get(recipe or campaign.recipe)
        own = campaign.params if chosen.slug == campaign.recipe else {}
        everybody = list(Annotator.objects.filter(campaign=campaign))
        pseudonyms = {each.user_id: each.pseudonym for each in everybody}
        labels = frozenset(each.pseudonym for each in everybody if not each.human)
        order = tuple(sorted(pseudonyms.values(), key=recipes.annotator_order))
        closed = campaign.state == Campaign.State.CLOSED
        return cls(campaign, chosen, chosen.clean(own), pseudonyms, order, labels, closed)

    def read(self, tasks: Sequence[Task]) -> Iterator[Result]:
        """Results of `tasks` with one query for all their marks."""
        asked: dict[int, list[Assignment]] = {task.pk: [] for task in tasks}
        rows = Assignment.objects.filter(task__in=asked).select_related("latest")
        for row in rows:
            asked[row.task_id].append(row)
        made = [self._result(task, asked[task.pk]) for task in tasks]
        known = intervals(
            self.recipe.slug, [_settled_marks(each) for each in made], self.order, self.params
        )
        for each, interval in zip(made, known, strict=True):
            yield replace(each, interval=interval)

    def read_with_consequences(self, tasks: Sequence[Task]) -> Iterator[Result]:
        made = list(self.read(tasks))
        marked = {each.series.pk: _marked(each) for each in made if each.settled.steady}
        changed = told.of(marked)
        for each in made:
            yield replace(each, consequence=changed.get(each.series.pk))

    def _result(self, task: Task, asked: Sequence[Assignment]) -> Result:
        latest = {self.pseudonyms[row.user_id]: row.latest for row in asked}
        marks = [
            recipes.Mark(name, mark.kind, mark.index)  # type: ignore[arg-type]  # choices, as text
            for name, mark in latest.items()
            if mark
        ]
        complete = self.closed or len(marks) == len(latest)
        reasoned = recipes.reason(self.recipe.slug, marks, self.params, complete=complete)
        cluster = set(reasoned.truth.cluster)
        votes = tuple(
            Vote(name, latest.get(name), name in cluster, name in latest, name not in self.labels)
            for name in self.order
        )
        return Result(
            task,
            task.series,
            votes,
            reasoned.truth,
            self._sentence(votes, reasoned),
            self.recipe.slug,
            self.recipe.params_text(self.params),
        )

    def _sentence(self, votes: Sequence[Vote], reasoned: recipes.Reasoned) -> str:
        """The recipe's own words, except where it had nothing but a published "never"."""
        given = [vote for vote in votes if vote.mark]
        if given and not any(vote.human for vote in given) and reasoned.truth.steady is False:
            return "Published as never steady; no person was asked."
        return reasoned.sentence
