"""Ground truth of a campaign with the marks it was made of: one reading for page and files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from annotate import blind, consequences as told, recipes
from annotate.blind import Reader
from annotate.consequences import MarkConsequence, MarkedResult
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Task
from annotate.models.task import TaskQuerySet
from annotate.recipes.resampling import ResampledInterval, intervals
from annotate.truth.truth_summary import TruthClass, TruthSummary, truth_class
from series.models import Series

AT_A_TIME = 500  # tasks whose marks are held at once


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's latest answer, under their pseudonym.

    kind  of annotator: a classification is no answer of a person
    """

    pseudonym: str
    mark: Mark | None  # None: yet to answer, or never asked
    clustered: bool = False
    asked: bool = True
    kind: str = Annotator.Kind.PERSON

    @property
    def human(self) -> bool:
        """Not the classification of a publication or a screening."""
        return self.kind not in Annotator.CLASSIFICATIONS

    @property
    def screened(self) -> bool:
        return self.kind == Annotator.Kind.SCREENING

    @property
    def cell(self) -> int | None:
        """First steady iteration, -1 never; None for no answer and for unclear."""
        if self.mark is None or self.mark.kind == Mark.Kind.UNCLEAR:
            return None
        return recipes.NEVER if self.mark.kind == Mark.Kind.NEVER else self.mark.index


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """One series of a campaign: marks, ground truth, and the recipe that made it."""

    task: Task
    series: Series
    votes: tuple[Vote, ...]
    truth: recipes.RecipeAnswer
    recipe: recipes.Recipe
    params: Mapping[str, int]
    interval: ResampledInterval | None = None  # of resampled marks; None where nothing is settled
    consequence: MarkConsequence | None = None  # if asked for, and there is a start

    @property
    def settled(self) -> recipes.RecipeAnswer:
        """Answer as exports and comparisons see it: a provisional answer is undecided."""
        return self.truth.settled()

    @property
    def truth_class(self) -> TruthClass:
        """The end that the series comes to."""
        truth = self.truth
        return truth_class(
            steady=truth.steady, agreement=truth.agreement, complete=not truth.provisional
        )

    @property
    def interval_lacks(self) -> str:
        """Why no interval is shown, where none is."""
        return "no resample of the marks says steady" if self.interval else "not settled yet"

    @property
    def answered(self) -> int:
        return sum(vote.mark is not None for vote in self.votes if vote.human)

    @property
    def marks(self) -> list[recipes.RecipeMark]:
        """Marks that the recipe was given."""
        return [
            recipes.RecipeMark(
                vote.pseudonym,
                vote.mark.kind,  # type: ignore[arg-type]
                vote.mark.index,
                screened=vote.screened,
            )
            for vote in self.votes
            if vote.mark
        ]

    @property
    def sentence(self) -> str:
        """The recipe's own words, except where it had only what was judged before the marks."""
        answered_votes = [vote for vote in self.votes if vote.mark]
        if (
            answered_votes
            and not any(vote.human for vote in answered_votes)
            and not self.truth.steady
        ):
            vote = answered_votes[0]
            if vote.screened and vote.mark:
                verdict = "Never steady" if vote.cell == recipes.NEVER else "Undecided"
                return f"{vote.mark.note} {verdict}; nobody was asked to mark it."
            return "Published as never steady; no person was asked."
        is_complete = not self.truth.provisional
        return recipes.explain(self.recipe.slug, self.marks, self.params, complete=is_complete)


def results(
    campaign: Campaign,
    reader: Reader,
    *,
    recipe: str | None = None,
    positions: Sequence[int] | None = None,
    with_consequences: bool = False,
) -> Iterator[SeriesResult]:
    """The campaign's series in order of position, those left out that `reader` has yet to answer.

    Ground truth is what is stored. Another `recipe` than the campaign's own makes its answers, with
    its defaults, of the marks: nobody stores what it would say. `with_consequences` are told where
    they are asked for: each takes the values of its series.
    """
    tasks = _visible_tasks(campaign, reader).order_by("position")
    if positions is not None:
        tasks = tasks.filter(position__in=positions)
    shared_results = CampaignResults.from_campaign(campaign, recipe)
    read_tasks = shared_results.read_with_consequences if with_consequences else shared_results.read
    related_tables = "series__benchmark__dataset__study", "series__recording"
    chunk: list[Task] = []
    for task in tasks.select_related(*related_tables).iterator(AT_A_TIME):
        chunk.append(task)
        if len(chunk) == AT_A_TIME:
            yield from read_tasks(chunk)
            chunk = []
    yield from read_tasks(chunk)


def results_at(campaign: Campaign, reader: Reader, positions: Sequence[int]) -> list[SeriesResult]:
    """The results at `positions`, in their order."""
    series_results = results(campaign, reader, positions=positions, with_consequences=True)
    result_by_position = {result.task.position: result for result in series_results}
    return [result_by_position[position] for position in positions]


class StoredTruth(NamedTuple):
    """A task with its stored ground truth, as lists sort and count it: no model of thousands."""

    position: int
    task: int
    series: int
    complete: bool
    steady: bool | None
    steady_start: int | None
    agreement: str
    spread: int | None
    answered: int

    @property
    def truth_class(self) -> TruthClass:
        return truth_class(steady=self.steady, agreement=self.agreement, complete=self.complete)

    @property
    def start(self) -> int:
        """Sort key: undecided, then never, then by iteration."""
        if not self.complete or self.steady is None:
            return recipes.NEVER - 1
        return recipes.NEVER if self.steady_start is None else self.steady_start


def summary(campaign: Campaign, reader: Reader) -> TruthSummary:
    """Count the series that `reader` may see by the end that they come to."""
    return summary_of(stored_truths(campaign, reader))


def summary_of(truths: Iterable[StoredTruth]) -> TruthSummary:
    """Count the series by the end that they come to."""
    return TruthSummary.from_rows((truth.truth_class, truth.steady_start) for truth in truths)


def stored_truths(campaign: Campaign, reader: Reader) -> list[StoredTruth]:
    """The ground truths that `reader` may see, by position; of a task without a mark, an empty one.

    Blindness of thousands of series takes longer than all that is made of them: read them once.
    """
    tasks = _visible_tasks(campaign, reader)
    is_closed = campaign.state == Campaign.State.CLOSED
    names = ("complete", "steady", "steady_start", "agreement", "spread", "answered")
    rows = tasks.order_by("position").values_list(
        *("position", "pk", "series"), *(f"ground_truth__{name}" for name in names)
    )
    no_truth = (is_closed, None, None, "too-few", None, 0)
    return [StoredTruth(*row[:3], *(no_truth if row[3] is None else row[3:])) for row in rows]


def positions_of(
    truths: Sequence[StoredTruth],
    campaign: Campaign,
    sort: str,
    only_class: TruthClass | None = None,
) -> list[int]:
    """Positions of series by what is stored of their ground truth.

    `only_class` keeps the series that come to one end. `sort` is a key of SORTS, or "change", with
    `-` before it for the other way round; equal ones stay in the order of their positions, which
    any other `sort` gives too.
    """
    shown_truths = [
        truth for truth in truths if only_class is None or truth.truth_class == only_class
    ]
    if sort.removeprefix("-") == "change":
        return _positions_by_change(campaign, shown_truths, is_descending=sort.startswith("-"))
    key = SORTS.get(sort.removeprefix("-"), SORTS["position"])
    sorted_truths = sorted(shown_truths, key=key, reverse=sort.startswith("-"))
    return [truth.position for truth in sorted_truths]


def _positions_by_change(
    campaign: Campaign, truths: Sequence[StoredTruth], *, is_descending: bool
) -> list[int]:
    """Sort by the size of what a mark changes; series without a change are last in either order."""
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user_id", "pseudonym"))
    marks: dict[int, list[tuple[str, int]]] = {}
    steady_assignments = Assignment.objects.filter(
        task__campaign=campaign, latest__kind=Mark.Kind.STEADY
    )
    for task, user, index in steady_assignments.values_list("task_id", "user_id", "latest__index"):
        if index is not None:  # a steady mark has one
            marks.setdefault(task, []).append((names[user], index))
    result_by_series = {
        truth.series: MarkedResult(truth.start, sorted(marks.get(truth.task, [])))
        for truth in truths
        if truth.start >= 0
    }
    changes = told.mark_consequences(result_by_series)

    def size(truth: StoredTruth) -> float:
        change = changes.get(truth.series)
        return math.inf if change is None else abs(change.share) * (-1 if is_descending else 1)

    return [truth.position for truth in sorted(truths, key=size)]


SORTS: dict[str, Callable[[StoredTruth], Any]] = {
    "position": lambda truth: truth.position,
    "spread": lambda truth: -1 if truth.spread is None else truth.spread,
    "start": lambda truth: truth.start,
    "agreement": lambda truth: truth.agreement if truth.complete else "incomplete",
    "answers": lambda truth: truth.answered,
}


def result_of(task: Task) -> SeriesResult:
    """One series; the caller has asked whether the reader may see it."""
    return next(CampaignResults.from_campaign(task.campaign, None).read([task]))


def count_hidden_from_reader(
    campaign: Campaign, reader: Reader, seen_count: int | None = None
) -> blind.HiddenSeriesCount:
    """Count the series of the campaign that are kept from the reader, and say why."""
    if not (campaign.makes_truth or campaign.asks_changes):
        return blind.HiddenSeriesCount(0, 0)
    series = Series.objects.filter(pk__in=campaign.tasks.counted().values("series"))
    return blind.count_hidden_series(reader, series, seen_count)


def _visible_tasks(campaign: Campaign, reader: Reader) -> TaskQuerySet:
    """Series with a known answer have no ground truth, and a second pass makes none."""
    if not campaign.makes_truth:
        return campaign.tasks.none()
    return blind.without_open(reader, campaign.tasks.counted())


def _marked_result(result: SeriesResult) -> MarkedResult:
    """The steady marks beside a steady ground truth."""
    cells = [(vote.pseudonym, vote.cell) for vote in result.votes]
    marks = [(name, cell) for name, cell in cells if cell is not None and cell >= 0]
    return MarkedResult(int(result.settled.value), sorted(marks))  # type: ignore[arg-type]  # steady


@dataclass(frozen=True, slots=True)
class CampaignResults:
    """Settings that all results of one campaign share.

    stored  whether the answers are the stored ones; False: another recipe makes them of the marks
    """

    recipe: recipes.Recipe
    params: Mapping[str, int]
    stored: bool
    pseudonyms: Mapping[int, str]
    order: tuple[str, ...]
    kinds: Mapping[str, str]  # of annotator, by pseudonym
    closed: bool

    @classmethod
    def from_campaign(cls, campaign: Campaign, recipe: str | None) -> CampaignResults:
        chosen_recipe = recipes.get(recipe or campaign.recipe)
        is_own_recipe = chosen_recipe.slug == campaign.recipe
        annotators = list(Annotator.objects.filter(campaign=campaign))
        pseudonyms = {annotator.user_id: annotator.pseudonym for annotator in annotators}
        return cls(
            recipe=chosen_recipe,
            params=chosen_recipe.clean(campaign.params if is_own_recipe else {}),
            stored=is_own_recipe,
            pseudonyms=pseudonyms,
            order=tuple(sorted(pseudonyms.values(), key=recipes.annotator_order)),
            kinds={annotator.pseudonym: annotator.kind for annotator in annotators},
            closed=campaign.state == Campaign.State.CLOSED,
        )

    def read(self, tasks: Sequence[Task]) -> Iterator[SeriesResult]:
        """Results of `tasks`: one query for their ground truths, one for their marks."""
        assignments_by_task: dict[int, list[Assignment]] = {task.pk: [] for task in tasks}
        for row in Assignment.objects.filter(task__in=assignments_by_task).select_related("latest"):
            assignments_by_task[row.task_id].append(row)
        truths = GroundTruth.objects.in_bulk(list(assignments_by_task))
        series_results = [
            self._result(task, assignments_by_task[task.pk], truths.get(task.pk)) for task in tasks
        ]
        marks = [[] if result.truth.provisional else result.marks for result in series_results]
        known_intervals = intervals(self.recipe.slug, marks, self.order, self.params)
        for result, interval in zip(series_results, known_intervals, strict=True):
            yield replace(result, interval=interval)

    def read_with_consequences(self, tasks: Sequence[Task]) -> Iterator[SeriesResult]:
        series_results = list(self.read(tasks))
        result_by_series = {
            result.series.pk: _marked_result(result)
            for result in series_results
            if result.settled.steady
        }
        consequence_by_series = told.mark_consequences(result_by_series)
        for result in series_results:
            yield replace(result, consequence=consequence_by_series.get(result.series.pk))

    def _result(
        self, task: Task, assignments: Sequence[Assignment], row: GroundTruth | None
    ) -> SeriesResult:
        latest_marks = {
            self.pseudonyms[assignment.user_id]: assignment.latest for assignment in assignments
        }
        truth = (
            unanswered_truth(is_closed=self.closed) if row is None else row.answer(self.pseudonyms)
        )
        votes = tuple(
            Vote(name, latest_marks.get(name), asked=name in latest_marks, kind=self.kinds[name])
            for name in self.order
        )
        result = SeriesResult(task, task.series, votes, truth, self.recipe, self.params)
        if not self.stored:
            is_complete = not truth.provisional
            truth = recipes.aggregate(
                self.recipe.slug, result.marks, self.params, complete=is_complete
            )
        cluster = set(truth.cluster)
        votes = tuple(replace(vote, clustered=vote.pseudonym in cluster) for vote in votes)
        return replace(result, truth=truth, votes=votes)


def unanswered_truth(*, is_closed: bool) -> recipes.RecipeAnswer:
    """Answer for a series that nobody has answered: no row is stored for it."""
    return recipes.RecipeAnswer(None, None, "too-few", provisional=not is_closed)
