"""Training: series with a known answer, feedback after each one, and a pass mark.

A person takes one attempt after the other until one is passed. Each attempt has other series,
the same for everybody, one of each shape, in the order of `SHAPES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotate.answering.refusals import TrainingAnswerExists, TrainingRequired
from annotate.answering.simulated import make_series
from annotate.campaign_rows import create_campaign
from annotate.models import Annotator, Assignment, Campaign, Expected, Mark, Task
from annotate.recipes import annotator_order
from people.models import Study, User

SHAPES = ("step", "decay", "two-steps", "spikes", "noise-change", "drift", "flat", "cyclic")
LENGTH = 1500  # iterations
RIGHT, HALF, NOTHING = 1.0, 0.5, 0.0
PASS_MARK = 0.75  # share of the points
INSTRUCTIONS = """\
Eight series with known answers. Answer each as in the campaign; then you see the known answer
and its reason.
"""


# --- who may answer ---------------------------------------------------------------------------
def needs_training(campaign: Campaign, user: User) -> bool:
    """Return whether the campaign asks for a training that this person has yet to pass."""
    if campaign.training_id is None:
        return False
    passed_annotators = Annotator.objects.filter(campaign=campaign.training_id, user=user)
    return not passed_annotators.filter(passed_at__isnull=False).exists()


def admit(assignment: Assignment, campaign: Campaign) -> None:
    """Raise the refusal of an answer that training forbids; `campaign` is held locked."""
    if campaign.is_training and assignment.latest_id is not None:
        raise TrainingAnswerExists(assignment.task)
    if needs_training(campaign, assignment.user):
        raise TrainingRequired(campaign)


# --- the set and its attempts -----------------------------------------------------------------
@transaction.atomic
def create(study: Study, *, name: str = "Training", seed: int = 0, by: User | None) -> Campaign:
    """A training, open at once. Its series are made as attempts begin."""
    return create_campaign(
        study,
        name,
        fallback_slug="training",
        purpose=Campaign.Purpose.TRAINING,
        state=Campaign.State.OPEN,
        opened_at=timezone.now(),
        instructions=INSTRUCTIONS,
        pass_mark=PASS_MARK,
        seed=seed,
        created_by=by,
    )


@transaction.atomic
def begin_attempt(campaign: Campaign, user: User) -> int:
    """The number of the attempt that this person is in: a new one after the last was finished.

    Who has passed takes no further attempt; who has not always has one to go on with.
    """
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    existing_annotator = campaign.annotators.filter(user=user).first()
    used_pseudonyms = set(campaign.annotators.values_list("pseudonym", flat=True))
    free_pseudonym = next(
        name for n in range(1, len(used_pseudonyms) + 2) if (name := f"a{n}") not in used_pseudonyms
    )
    annotator = existing_annotator or Annotator.objects.create(
        campaign=campaign, user=user, pseudonym=free_pseudonym
    )
    own_assignments = Assignment.objects.filter(user=user, task__campaign=campaign)
    attempt = own_assignments.aggregate(n=Max("task__expected__attempt"))["n"] or 0
    if annotator.passed_at is None and not own_assignments.filter(latest=None).exists():
        attempt += 1
        tasks = _tasks(campaign, attempt)
        first_order = own_assignments.count()
        Assignment.objects.bulk_create(
            Assignment(task=task, user=user, order=order)
            for order, task in enumerate(tasks, start=first_order)
        )
    return attempt


def _tasks(campaign: Campaign, attempt: int) -> list[Task]:
    """The tasks of an attempt, made for the first person who gets there."""
    existing_tasks = list(campaign.tasks.filter(expected__attempt=attempt).order_by("position"))
    if existing_tasks:
        return existing_tasks
    new_series = make_series(
        campaign.study,
        [(kind, campaign.seed * 1000 + attempt) for kind in SHAPES],
        n=LENGTH,
        name=f"Set {campaign.seed}.{attempt}",
    )
    first_position = campaign.next_position()
    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, series=simulated_series.series, position=position)
        for position, simulated_series in enumerate(new_series, start=first_position)
    )
    Expected.objects.bulk_create(
        simulated_series.expected(task, attempt=attempt)
        for simulated_series, task in zip(new_series, tasks, strict=True)
    )
    return tasks


# --- points -----------------------------------------------------------------------------------
def points(mark: Mark, expected: Expected) -> float:
    """1 in the accepted band (or never, rightly); 0.5 steady, rightly, but outside; else 0."""
    if expected.never or mark.kind != Mark.Kind.STEADY:
        return RIGHT if expected.never and mark.kind == Mark.Kind.NEVER else NOTHING
    return RIGHT if expected.low <= mark.index <= expected.high else HALF  # type: ignore[operator]


def note_pass(campaign: Campaign, user: User) -> None:
    """Remember when the person first finished an attempt with enough points."""
    if any(attempt.passed for attempt in attempts(campaign, user)):
        own_annotator = campaign.annotators.filter(user=user, passed_at=None)
        own_annotator.update(passed_at=timezone.now())


@dataclass(frozen=True, slots=True)
class TrainingAnswer:
    """One series of an attempt with the person's answer; `mark` and points None before it."""

    task: Task
    expected: Expected
    mark: Mark | None

    @property
    def points(self) -> float | None:
        return None if self.mark is None else points(self.mark, self.expected)


@dataclass(frozen=True, slots=True)
class TrainingAttempt:
    """One person's attempt: points of those possible, and whether that is enough."""

    number: int
    answers: Sequence[TrainingAnswer]
    pass_mark: float

    @property
    def done(self) -> int:
        return sum(answer.mark is not None for answer in self.answers)

    @property
    def answer_count(self) -> int:
        return len(self.answers)

    @property
    def finished(self) -> bool:
        return self.done == self.answer_count > 0

    @property
    def score(self) -> float:
        return sum(answer.points or 0.0 for answer in self.answers)

    @property
    def passed(self) -> bool:
        return self.finished and self.score >= self.pass_mark * self.answer_count


def attempts(campaign: Campaign, user: User) -> list[TrainingAttempt]:
    """List this person's attempts, the first one first."""
    rows = (
        Assignment.objects.filter(user=user, task__campaign=campaign)
        .select_related("latest", "task__expected", "task__series__benchmark")
        .order_by("order")
    )
    answers_by_attempt: dict[int, list[TrainingAnswer]] = {}
    for row in rows:
        training_answer = TrainingAnswer(row.task, row.task.expected, row.latest)
        answers_by_attempt.setdefault(training_answer.expected.attempt, []).append(training_answer)
    return [
        TrainingAttempt(number, answers, campaign.pass_mark)
        for number, answers in answers_by_attempt.items()
    ]


@dataclass(frozen=True, slots=True)
class TrainingStatus:
    """Status of one person in a training, for the owner."""

    pseudonym: str
    name: str
    attempts: int
    last: TrainingAttempt | None
    passed_at: datetime | None


def training_statuses(campaign: Campaign) -> list[TrainingStatus]:
    """Everybody who began, in the order of pseudonyms' numbers: no ranking."""
    people = sorted(
        campaign.annotators.select_related("user"),
        key=lambda annotator: annotator_order(annotator.pseudonym),
    )
    return [_training_status(campaign, annotator) for annotator in people]


def _training_status(campaign: Campaign, annotator: Annotator) -> TrainingStatus:
    own_attempts = attempts(campaign, annotator.user)
    last_attempt = own_attempts[-1] if own_attempts else None
    return TrainingStatus(
        annotator.pseudonym,
        annotator.user.name,
        len(own_attempts),
        last_attempt,
        annotator.passed_at,
    )


# --- feedback ---------------------------------------------------------------------------------
def feedback(mark: Mark) -> dict[str, Any]:
    """Data that the page shows after the answer, never before it: band, points, why."""
    expected = mark.task.expected
    earned_points = points(mark, expected)
    return {
        "points": earned_points,
        "low": expected.low,
        "high": expected.high,
        "verdict": _verdict(expected, earned_points),
        "why": expected.sentence,
    }


def _verdict(expected: Expected, earned_points: float) -> str:
    if expected.never:
        return "Never steady: as known." if earned_points else "Known: never steady."
    band = f"{expected.low} to {expected.high}"
    return {
        RIGHT: f"Inside the accepted band, {band}.",
        HALF: f"Steady, but outside the accepted band, {band}.",
        NOTHING: f"Known: steady, from {band}.",
    }[earned_points]
