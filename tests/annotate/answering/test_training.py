"""Training: feedback after the answer, a pass mark, and marks that count nowhere else."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotate.answering import training
from annotate.answering.refusals import TrainingAnswerExists, TrainingRequired
from annotate.answering.series_aliases import alias_of
from annotate.answering.services import save_mark
from annotate.answering.simulated import accepted_band
from annotate.blind import EVERYTHING
from annotate.importing.mark_files import import_marks
from annotate.models import Assignment, Campaign, Expected, GroundTruth, Mark, Task
from annotate.truth import exports
from detectors.simulated.synthetic import NOISE, SECONDS, simulate
from formats import FormatError
from formats.marks import MarkRow
from people.models import Study, User
from series.models import Series


@pytest.fixture
def training_campaign(study: Study, olga: User, campaign: Campaign) -> Campaign:
    """A training that `campaign` asks for."""
    training_campaign = training.create(study, seed=3, by=olga)
    Campaign.objects.filter(pk=campaign.pk).update(training=training_campaign)
    return training_campaign


def tasks_of(campaign: Campaign, user: User) -> list[Task]:
    own_assignments = Assignment.objects.filter(user=user, task__campaign=campaign, latest=None)
    return [
        assignment.task
        for assignment in own_assignments.order_by("order").select_related("task__series")
    ]


def answer(task: Task, by: User, index: int | None) -> Mark:
    kind = "never" if index is None else "steady"
    digest = task.series.digest
    return save_mark(task, by=by, client_id=uuid4(), digest=digest, kind=kind, index=index)


def correct_index(task: Task) -> int | None:
    return task.expected.low


@pytest.mark.parametrize(
    ("says_never", "kind", "index", "expected_points"),
    [
        (False, "steady", 90, 1.0),
        (False, "steady", 110, 1.0),
        (False, "steady", 89, 0.5),
        (False, "steady", 111, 0.5),
        (False, "never", None, 0.0),
        (False, "unclear", None, 0.0),
        (True, "never", None, 1.0),
        (True, "steady", 90, 0.0),
        (True, "unclear", None, 0.0),
    ],
)
def test_in_the_band_counts_one_steady_but_outside_a_half(
    *, says_never: bool, kind: str, index: int | None, expected_points: float
) -> None:
    expectation = Expected(
        never=says_never, low=None if says_never else 90, high=None if says_never else 110
    )

    assert training.points(Mark(kind=kind, index=index), expectation) == expected_points


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", training.SHAPES)
def test_the_accepted_band_holds_the_truth_and_what_the_eye_can_tell(kind: str, seed: int) -> None:
    simulation = simulate(kind, n=1500, seed=seed)

    low, high = accepted_band(simulation, seed)

    if simulation.steady_start < 0:
        assert (low, high) == (None, None)
        return
    assert low is not None
    assert high is not None
    assert low <= simulation.steady_start <= high < 1500
    distance = np.median(simulation.values[max(low, 1) : max(low, 1) + 40]) / SECONDS - 1
    assert abs(distance) < 4 * NOISE or kind == "noise-change"
    assert high - low < 500


def test_each_attempt_has_one_of_each_shape_and_other_series_than_the_last(
    training_campaign: Campaign, ana: User, ben: User
) -> None:
    assert (
        training.begin_attempt(training_campaign, ana)
        == training.begin_attempt(training_campaign, ana)
        == 1
    )
    first = tasks_of(training_campaign, ana)
    for task in first:
        answer(task, ana, 1499)

    assert training.begin_attempt(training_campaign, ana) == 2
    assert training.begin_attempt(training_campaign, ben) == 1

    second = tasks_of(training_campaign, ana)
    assert len(first) == len(second) == len(training.SHAPES)
    assert tasks_of(training_campaign, ben) == first
    digests = {task.series.digest for task in [*first, *second]}
    assert len(digests) == 2 * len(training.SHAPES)
    assert [task.expected.never for task in first] == [
        kind in {"drift", "cyclic"} for kind in training.SHAPES
    ]
    assert not any(kind in str(task.series) for task in first for kind in training.SHAPES)


def test_three_quarters_of_the_points_pass_and_open_the_campaign(
    training_campaign: Campaign, task: Task, ana: User
) -> None:
    task.refresh_from_db()
    with pytest.raises(TrainingRequired, match="First look begins after Training"):
        answer(task, ana, 40)
    training.begin_attempt(training_campaign, ana)
    for number, training_task in enumerate(tasks_of(training_campaign, ana)):
        answer(training_task, ana, correct_index(training_task) if number not in {0, 7} else 1499)

    (attempt,) = training.attempts(training_campaign, ana)

    assert (attempt.score, attempt.answer_count, attempt.passed) == (6.5, 8, True)
    assert answer(task, ana, 40).index == 40
    assert training.begin_attempt(training_campaign, ana) == 1
    assert tasks_of(training_campaign, ana) == []


def test_below_the_pass_mark_the_campaign_stays_shut(
    training_campaign: Campaign, task: Task, ana: User, client: Client
) -> None:
    training.begin_attempt(training_campaign, ana)
    for training_task in tasks_of(training_campaign, ana):
        answer(training_task, ana, 1499)  # 6 times outside of the band, and 2 never steady ones

    client.force_login(ana)
    response = client.get(reverse("annotate", args=[task.campaign.study.slug, task.campaign.slug]))
    page = client.get(response.headers["Location"]).content.decode()

    assert training.needs_training(Campaign.objects.get(pk=task.campaign_id), ana)
    assert "3 of 8. Look at the" in page
    assert "Take another set" in page
    assert "Annotate First look" not in page


def test_an_answer_counts_once(training_campaign: Campaign, ana: User) -> None:
    training.begin_attempt(training_campaign, ana)
    first = tasks_of(training_campaign, ana)[0]
    answer(first, ana, 1)

    with pytest.raises(TrainingAnswerExists):
        answer(first, ana, correct_index(first))


def test_feedback_comes_with_the_stored_answer_and_never_before(
    client: Client, training_campaign: Campaign, ana: User
) -> None:
    training.begin_attempt(training_campaign, ana)
    first = tasks_of(training_campaign, ana)[0]
    client.force_login(ana)
    url_kwargs = {"study": training_campaign.study.slug, "campaign": training_campaign.slug}
    arguments = {**url_kwargs, "position": first.position}
    pages_before = [
        client.get(reverse("annotate-task", kwargs=arguments)).content.decode(),
        client.get(reverse("annotate-data", kwargs=arguments)).content.decode(),
        client.get(reverse("campaign-training", kwargs=url_kwargs)).content.decode(),
        client.get(reverse("series", args=[url_kwargs["study"], first.series.public_id])).content,
    ]
    data: dict[str, Any] = {
        "kind": "steady",
        "index": first.expected.high,
        "digest": alias_of(first, ana),
        "client_id": uuid4(),
        "view": json.dumps({}),
    }

    feedback = client.post(reverse("annotate-marks", kwargs=arguments), data).json()["feedback"]

    assert first.expected.sentence not in str(pages_before)
    assert str(first.expected.high) not in str(pages_before)
    assert feedback == {
        "points": 1.0,
        "low": first.expected.low,
        "high": first.expected.high,
        "verdict": f"Inside the accepted band, {first.expected.low} to {first.expected.high}.",
        "why": first.expected.sentence,
    }


def test_training_is_in_no_ground_truth_and_no_file(
    client: Client, training_campaign: Campaign, ana: User, olga: User
) -> None:
    training.begin_attempt(training_campaign, ana)
    for task in tasks_of(training_campaign, ana):
        answer(task, ana, 1)
    client.force_login(olga)

    codes = {
        client.get(
            reverse(name, args=[training_campaign.study.slug, training_campaign.slug])
        ).status_code
        for name in ("marks-csv", "ground-truth-csv")
    }

    assert codes == {404}
    assert not GroundTruth.objects.exists()
    assert "".join(exports.marks_csv(training_campaign, EVERYTHING)).count("\n") == 1  # its header


def test_marks_of_a_file_do_not_go_into_a_training(
    client: Client, training_campaign: Campaign, series: Series, olga: User
) -> None:
    row = MarkRow(
        benchmark=series.benchmark.name, fork=0, annotator="a1", answer="never", steady_start=-1
    )

    with pytest.raises(FormatError, match="campaign training: found a training"):
        import_marks(training_campaign.study, "training", [row], file="m.csv")


def test_the_owner_sees_who_has_passed_and_a_viewer_is_not_trained(
    client: Client, training_campaign: Campaign, ana: User, olga: User, vic: User
) -> None:
    url = reverse("campaign-training", args=[training_campaign.study.slug, training_campaign.slug])
    training.begin_attempt(training_campaign, ana)
    for task in tasks_of(training_campaign, ana):
        answer(task, ana, correct_index(task))

    client.force_login(olga)
    assert "8 of 8" in client.get(url).content.decode()
    client.force_login(vic)
    assert client.get(url).status_code == 403
