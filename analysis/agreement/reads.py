"""The answers of a campaign as aligned arrays, without the series that the reader is blind to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Exists, OuterRef, Q

from analysis.agreement.query import AgreementQuery
from analysis.statistics.answers import Answers, Bools, Floats
from analysis.statistics.verdicts import tolerance_for
from annotate import blind, recipes
from annotate.answering import second_pass
from annotate.blind import EVERYTHING, Reader
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark
from annotate.models.task import TaskQuerySet
from annotate.recipes.vectorised import RecipeAnswers
from annotate.truth import results


@dataclass(frozen=True, slots=True, eq=False)
class AgreementVotes:
    """Everybody's latest answers to the series that the reader may see, by position.

    positions       of the tasks, from 1
    people          by pseudonym, in annotator order; unclear is no answer
    voices          the same with what a recipe hears beside people: a published classification
    unclear_counts  how often each said so
    work_times      float64 (series,) for each person: when they first answered, NaN for never
    complete_mask   bool (series,): everybody asked has answered, or the campaign is closed
    truth           the stored ground truth of complete series; undecided elsewhere
    tolerance       int64 (series,), iterations
    answer_pairs    what people answered in a first and a second pass
    """

    campaign: Campaign
    query: AgreementQuery
    positions: tuple[int, ...]
    people: Mapping[str, Answers]
    voices: Mapping[str, Answers]
    unclear_counts: Mapping[str, int]
    work_times: Mapping[str, Floats]
    complete_mask: Bools
    truth: RecipeAnswers
    tolerance: np.ndarray
    answer_pairs: Sequence[second_pass.AnswerPair]
    hidden_count: blind.HiddenSeriesCount
    task_count: int
    classified_count: int  # series with nothing but an earlier classification: not among the total

    @property
    def recipe(self) -> recipes.Recipe:
        return recipes.get(self.campaign.recipe)

    @property
    def params(self) -> Mapping[str, int]:
        return self.recipe.clean(self.campaign.params)


def read_votes(campaign: Campaign, reader: Reader, query: AgreementQuery) -> AgreementVotes:
    """Eight queries, however many series."""
    counted_tasks = _asked_of_people(campaign)
    visible_tasks = blind.without_open(reader, counted_tasks)
    rows = list(visible_tasks.order_by("position").values_list("pk", "position", "series__n"))
    row_by_task = {pk: row_index for row_index, (pk, _, _) in enumerate(rows)}
    all_annotators = list(campaign.annotators.all())
    names = {annotator.user_id: annotator.pseudonym for annotator in all_annotators}
    ordered_names = sorted(names.values(), key=recipes.annotator_order)
    human_names = {annotator.pseudonym for annotator in all_annotators if annotator.human}
    voices, unclear_counts, complete_mask = _answers(campaign, names, ordered_names, row_by_task)
    total = counted_tasks.count()
    return AgreementVotes(
        campaign=campaign,
        query=query,
        positions=tuple(position for _, position, _ in rows),
        people={name: answers for name, answers in voices.items() if name in human_names},
        voices=voices,
        unclear_counts=unclear_counts,
        work_times=_work_times(campaign, names, ordered_names, row_by_task),
        complete_mask=complete_mask,
        truth=_truths(campaign, row_by_task),
        tolerance=tolerance_for([n for _, _, n in rows], query.tolerance),
        answer_pairs=second_pass.answer_pairs(campaign, reader),
        hidden_count=results.count_hidden_from_reader(
            campaign, reader if total > len(rows) else EVERYTHING
        ),
        task_count=total,
        classified_count=campaign.tasks.counted().count() - total,
    )


def _asked_of_people(campaign: Campaign) -> TaskQuerySet:
    """Its counted tasks without those that have nothing but a classification from before."""
    labels = campaign.annotators.filter(kind__in=Annotator.CLASSIFICATIONS).values("user")
    assignments = Assignment.objects.filter(task=OuterRef("pk"))
    labelled_assignments, people_assignments = (
        assignments.filter(user__in=labels),
        assignments.exclude(user__in=labels),
    )
    return campaign.tasks.counted().exclude(
        Exists(labelled_assignments), ~Exists(people_assignments)
    )


def _answers(
    campaign: Campaign,
    names: Mapping[int, str],
    ordered_names: Sequence[str],
    row_by_task: Mapping[int, int],
) -> tuple[dict[str, Answers], dict[str, int], Bools]:
    n = len(row_by_task)
    starts = {name: np.full(n, np.nan) for name in ordered_names}
    steady_masks = {name: np.zeros(n, np.bool_) for name in ordered_names}
    given_masks = {name: np.zeros(n, np.bool_) for name in ordered_names}
    unclear_counts = dict.fromkeys(ordered_names, 0)
    complete_mask = np.ones(n, np.bool_)
    is_closed = campaign.state == Campaign.State.CLOSED
    rows = Assignment.objects.filter(task__campaign=campaign)
    latest_marks: Iterable[tuple[int, int, str | None, int | None]] = rows.values_list(
        "user_id", "task_id", "latest__kind", "latest__index"
    )
    for user, task, kind, start in latest_marks:
        if task not in row_by_task or user not in names:
            continue
        name, row_index = names[user], row_by_task[task]
        if kind is None:
            complete_mask[row_index] = is_closed
        elif kind == Mark.Kind.UNCLEAR:
            unclear_counts[name] += 1
        else:
            given_masks[name][row_index] = True
            steady_masks[name][row_index] = kind == Mark.Kind.STEADY
            # A screening asks for no iteration.
            starts[name][row_index] = np.nan if start is None else start
    answers = {
        name: Answers(starts[name], steady_masks[name], given_masks[name]) for name in ordered_names
    }
    return answers, unclear_counts, complete_mask


def _truths(campaign: Campaign, row_by_task: Mapping[int, int]) -> RecipeAnswers:
    n = len(row_by_task)
    truths = RecipeAnswers(np.full(n, np.nan), np.zeros(n, np.bool_), np.zeros(n, np.int64))
    for row in GroundTruth.objects.settled().filter(task__campaign=campaign):
        row_index = row_by_task.get(row.task_id)
        if row_index is None:
            continue
        truths.start[row_index] = np.nan if row.value is None else row.value
        truths.clustered[row_index] = row.agreement == "clustered"
        truths.members[row_index] = len(row.cluster)
    return truths


def _work_times(
    campaign: Campaign,
    names: Mapping[int, str],
    ordered_names: Sequence[str],
    row_by_task: Mapping[int, int],
) -> dict[str, Floats]:
    """Times of first answers. Marks that came in one file without times share one: no order."""
    work_times = {name: np.full(len(row_by_task), np.nan) for name in ordered_names}
    first_marks = Mark.objects.filter(Q(revision=1), task__campaign=campaign)
    for user, task, moment, seconds in first_marks.values_list(
        "annotator_id", "task_id", "when", "seconds"
    ):
        if task in row_by_task and user in names and seconds is not None:
            work_times[names[user]][row_by_task[task]] = moment.timestamp()
    return work_times
