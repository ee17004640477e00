"""Ground truth of a campaign with the marks it was made of: one reading for page and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotate import blind, recipes
from annotate.models import Annotator, Assignment, Campaign, Mark, Task
from people.models import User
from series.models import Series

AT_A_TIME = 500  # tasks whose marks are held at once


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's latest answer, under their pseudonym."""

    pseudonym: str
    mark: Mark | None  # None: yet to answer, or never asked
    clustered: bool = False
    asked: bool = True

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

    @property
    def settled(self) -> recipes.GroundTruth:
        """As exports and comparisons see it: a provisional answer is undecided."""
        return self.truth.settled()

    @property
    def answered(self) -> int:
        return sum(vote.mark is not None for vote in self.votes)


def results(
    campaign: Campaign,
    reader: User | None,
    *,
    recipe: str | None = None,
    positions: Sequence[int] | None = None,
) -> Iterator[Result]:
    """The campaign's series in order of position, those left out that `reader` has yet to answer.

    `reader` None is a command on the machine itself, which leaves nothing out.
    `recipe` takes the place of the campaign's own, with its defaults.
    """
    tasks = _seen(campaign, reader).order_by("position")
    if positions is not None:
        tasks = tasks.filter(position__in=positions)
    maker = _Maker.of(campaign, recipe)
    related = "series__benchmark__dataset", "series__recording"
    chunk: list[Task] = []
    for task in tasks.select_related(*related).iterator(AT_A_TIME):
        chunk.append(task)
        if len(chunk) == AT_A_TIME:
            yield from maker.read(chunk)
            chunk = []
    yield from maker.read(chunk)


def result_of(task: Task) -> Result:
    """One series; the caller has asked whether the reader may see it."""
    return next(_Maker.of(task.campaign, None).read([task]))


def left_out(campaign: Campaign, reader: User) -> int:
    """How many series of the campaign are kept from the reader, who has yet to answer them."""
    return campaign.tasks.count() - _seen(campaign, reader).count()


def _seen(campaign: Campaign, reader: User | None):  # type: ignore[no-untyped-def]  # query set
    if reader is None:
        return campaign.tasks.all()
    return campaign.tasks.exclude(series__in=blind.open_series(reader))


@dataclass(frozen=True, slots=True)
class _Maker:
    """What all results of one campaign share."""

    campaign: Campaign
    recipe: recipes.Recipe
    params: Mapping[str, int]
    pseudonyms: Mapping[int, str]
    order: tuple[str, ...]
    closed: bool

    @classmethod
    def of(cls, campaign: Campaign, recipe: str | None) -> _Maker:
        chosen = recipes.get(recipe or campaign.recipe)
        own = campaign.params if chosen.slug == campaign.recipe else {}
        pseudonyms = dict(
            Annotator.objects.filter(campaign=campaign).values_list("user_id", "pseudonym")
        )
        order = tuple(sorted(pseudonyms.values(), key=recipes.annotator_order))
        closed = campaign.state == Campaign.State.CLOSED
        return cls(campaign, chosen, chosen.clean(own), pseudonyms, order, closed)

    def read(self, tasks: Sequence[Task]) -> Iterator[Result]:
        """Results of `tasks` with one query for all their marks."""
        asked: dict[int, list[Assignment]] = {task.pk: [] for task in tasks}
        rows = Assignment.objects.filter(task__in=asked).select_related("latest")
        for row in rows:
            asked[row.task_id].append(row)
        for task in tasks:
            yield self._result(task, asked[task.pk])

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
            Vote(name, latest.get(name), name in cluster, name in latest) for name in self.order
        )
        return Result(
            task,
            task.series,
            votes,
            reasoned.truth,
            reasoned.sentence,
            self.recipe.slug,
            self.recipe.params_text(self.params),
        )
