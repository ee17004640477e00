"""The marks of one series as a small figure with words: who marked where, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from analysis.comparison.agreement_map import short_code
from analysis.web.figures import Tick, tick_step, tick_text
from annotate.models import Campaign, Mark, Task
from annotate.truth.results import SeriesResult, Vote, result_of
from people.templatetags.writing import grouped
from series.models import Series

WIDTH: Final = 320
EDGE: Final = 12
LETTER: Final = 8  # about the width of one letter of a label


class PlottedMark(NamedTuple):
    """One mark on the axis, or several close together that share a label."""

    x: float
    name: str


@dataclass(frozen=True, slots=True)
class MarksPanel:
    """Marks on an axis, the cluster's bracket, the recipe's sentence, and what else was said."""

    campaign: Campaign
    answered_count: int
    asked_count: int
    plotted_marks: Sequence[PlottedMark]
    labels: Sequence[PlottedMark]
    bracket: tuple[float, float, str] | None
    truth: float | None
    ticks: Sequence[Tick]
    sentence: str
    notes: Sequence[str]
    lines: Sequence[dict[str, Any]]
    width: int = WIDTH


def marks_panel(series: Series, campaign: Campaign | None) -> MarksPanel | None:
    """The marks of `campaign`, else of the one of most settled series; None without marks.

    The caller has asked whether the reader may see them.
    """
    tasks = _marked_tasks(series)
    if campaign is not None:
        tasks = tasks.filter(campaign=campaign)
    task = _best_task(tasks, series)
    return None if task is None else _panel(result_of(task))


def marked_campaign(series: Series) -> Campaign | None:
    """The campaign of most settled series, of those that have marks of the series."""
    task = _best_task(_marked_tasks(series), series)
    return None if task is None else task.campaign


def _best_task(tasks: Iterable[Task], series: Series) -> Task | None:
    """The task of the campaign that every page begins with, of those that have one here."""
    task_by_campaign = {task.campaign_id: task for task in tasks}
    if len(task_by_campaign) < 2:
        return next(iter(task_by_campaign.values()), None)
    campaign_pks = series.benchmark.dataset.study.campaigns.best_first()
    return next((task_by_campaign[pk] for pk in campaign_pks if pk in task_by_campaign), None)


def _marked_tasks(series: Series) -> QuerySet[Task]:
    """Tasks of the series with marks."""
    tasks = Task.objects.filter(
        series=series,
        assignments__latest__isnull=False,
        campaign__purpose=Campaign.Purpose.ANNOTATE,
        expected=None,
    )
    return tasks.select_related("campaign").distinct()


def _panel(result: SeriesResult) -> MarksPanel:
    steady_votes = [vote for vote in result.votes if _is_steady(vote)]
    start_by_pseudonym = {vote.pseudonym: vote.cell or 0 for vote in steady_votes}
    truth = result.truth.steady_start if result.truth.steady else None
    scale = _MarkScale.from_starts(
        [*start_by_pseudonym.values(), *([] if truth is None else [truth])], result.series.n
    )
    clustered_votes = [vote for vote in steady_votes if vote.clustered]
    return MarksPanel(
        campaign=result.task.campaign,
        answered_count=result.answered,
        asked_count=sum(vote.asked and vote.human for vote in result.votes),
        plotted_marks=[_plotted_mark(vote, scale) for vote in steady_votes],
        labels=_joined_labels(
            _plotted_mark(vote, scale) for vote in steady_votes if not vote.clustered
        ),
        bracket=_bracket(clustered_votes, scale),
        truth=None if truth is None else scale.x(truth),
        ticks=scale.ticks() if steady_votes else (),
        sentence=result.sentence,
        notes=[*_answers_without_line(result), *_flag_sentences(result), *mark_revisions(result)],
        lines=[
            {
                "id": f"mark-{vote.pseudonym}",
                "index": start_by_pseudonym[vote.pseudonym],
                "kind": "other",
                "label": vote.pseudonym.upper(),
                "title": f"mark of {vote.pseudonym.upper()}",
            }
            for vote in steady_votes
        ],
    )


def _plotted_mark(vote: Vote, scale: _MarkScale) -> PlottedMark:
    return PlottedMark(scale.x(vote.cell or 0), short_code(vote.pseudonym))


def _joined_labels(outside_marks: Iterable[PlottedMark]) -> list[PlottedMark]:
    """Labels, where touching ones are joined from left to right over the middle of their marks."""
    groups: list[list[PlottedMark]] = []
    for mark in sorted(outside_marks):
        label_end = groups and groups[-1][-1].x + LETTER * (len(mark.name) + 1)
        if label_end and mark.x < label_end:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return [
        PlottedMark((group[0].x + group[-1].x) / 2, " ".join(mark.name for mark in group))
        for group in groups
    ]


def _is_steady(vote: Vote) -> bool:
    return vote.mark is not None and vote.mark.kind == Mark.Kind.STEADY


@dataclass(frozen=True, slots=True)
class _MarkScale:
    low: float
    high: float
    step: float

    @classmethod
    def from_starts(cls, values: Sequence[int], n: int) -> _MarkScale:
        """An axis a little wider than the marks, inside of the series."""
        smallest, greatest = min(values, default=0), max(values, default=n - 1)
        margin = max((greatest - smallest) * 0.12, 5)
        low, high = max(0.0, smallest - margin), min(float(max(n - 1, 1)), greatest + margin)
        if high - low < 1:
            high = low + 1
        return cls(low, high, tick_step(high - low, 5))

    def x(self, value: float) -> float:
        return round(EDGE + (WIDTH - 2 * EDGE) * (value - self.low) / (self.high - self.low), 1)

    def ticks(self) -> list[Tick]:
        step = max(self.step, 1)
        first_tick = -(-self.low // step) * step
        tick_count = int((self.high - first_tick) // step) + 1
        return [
            Tick(self.x(first_tick + k * step), tick_text(first_tick + k * step))
            for k in range(tick_count)
        ]


def _bracket(clustered_votes: Sequence[Vote], scale: _MarkScale) -> tuple[float, float, str] | None:
    """Span from the first to the last mark of the cluster, with its members' names."""
    if not clustered_votes:
        return None
    x_positions = [scale.x(vote.cell or 0) for vote in clustered_votes]
    return (
        min(x_positions),
        max(x_positions),
        " ".join(short_code(vote.pseudonym) for vote in clustered_votes),
    )


def _answers_without_line(result: SeriesResult) -> list[str]:
    words_by_kind = {Mark.Kind.NEVER: "never steady", Mark.Kind.UNCLEAR: "unclear"}
    return [
        f"{_annotator_name(vote)}: {words_by_kind[Mark.Kind(vote.mark.kind)]}{_note(vote.mark)}."
        for vote in result.votes
        if vote.mark is not None and vote.mark.kind in words_by_kind
    ]


def _flag_sentences(result: SeriesResult) -> list[str]:
    return [
        f"{vote.pseudonym.upper()} marked {grouped(vote.mark.index)}"
        f"{' and flagged it unsure' if vote.mark.unsure else ''}{_note(vote.mark)}."
        for vote in result.votes
        if vote.mark is not None
        and vote.mark.kind == Mark.Kind.STEADY
        and (vote.mark.unsure or vote.mark.note.strip())
    ]


def _annotator_name(vote: Vote) -> str:
    if vote.human:
        return vote.pseudonym.upper()
    return "The screening" if vote.screened else "Published classification"


def _note(mark: Mark) -> str:
    return f": “{mark.note.strip()}”" if mark.note.strip() else ""


def mark_revisions(result: SeriesResult) -> list[str]:
    """Sentences of who changed which answer when; the first answer is no change."""
    task = result.task
    pseudonym_by_user = dict(task.campaign.annotators.values_list("user_id", "pseudonym"))
    marks = task.marks.order_by("annotator_id", "revision")
    sentences, previous_mark = [], None
    for mark in marks:
        if previous_mark is not None and previous_mark.annotator_id == mark.annotator_id:
            name = pseudonym_by_user.get(mark.annotator_id, "?").upper()
            change = f"{_answer(previous_mark)} → {_answer(mark)}"
            sentences.append(f"{name} changed {change} on {mark.when:%Y-%m-%d}.")
        previous_mark = mark
    return sentences


def _answer(mark: Mark) -> str:
    return grouped(mark.index) if mark.kind == Mark.Kind.STEADY else str(mark.kind)
