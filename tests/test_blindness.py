"""Whoever has yet to answer a series finds no answer to it, behind any address of Plateau."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client

from analysis.models import Detection
from annotate.models import Annotator, Assignment, Campaign, Expected, Task
from annotate.services import save_mark
from people.models import User
from series.models import Series
from tests.access_table import ANA, OLGA, TABLE, World
from tests.test_access import address, world  # noqa: F401  # world is a fixture

MARK, DETECTION, KNOWN, BAND = (
    31337,
    31441,
    31543,
    31647,
)  # shown nowhere else
WORDS = "BENS-NOTE|EXPECTED-WHY|KNOWN-REASON|A-FLAG"
SECRETS = re.compile(rf"(?<!\d)({MARK}|{DETECTION}|{KNOWN}|{BAND})(?!\d)|{WORDS}")
# Tables of values list every iteration, so a number in them tells nothing.
OF_VALUES = {"payload", "payload-window", "series-values", "series-table", "dataset-values"}
READ = [name for name, route in TABLE.items() if route.get and name not in OF_VALUES]


@pytest.fixture
def series(make_series: Callable[..., Series]) -> Series:
    """Long enough for iterations with numbers that stand nowhere else."""
    series = make_series(np.where(np.arange(32_000) < 31_000, 2.0, 1.0))
    Series.objects.filter(pk=series.pk).update(known_start=KNOWN, known_reason="KNOWN-REASON")
    return series


@pytest.fixture
def answered(task: Task, ben: User, olga: User) -> Task:
    """A series with a mark of ben's, a ground truth and a detection; ana and olga are asked too."""
    Annotator.objects.create(campaign=task.campaign, user=olga, pseudonym="a3")
    Assignment.objects.create(task=task, user=olga, order=0)
    answer(task, ben, "BENS-NOTE")
    Detection.objects.create(
        series=task.series,
        detector_key="fixed@1?iteration=5",
        slug="fixed",
        steady_start=DETECTION,
        flags="A-FLAG",
    )
    return task


def answer(task: Task, by: User, note: str = "") -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=MARK, note=note)


def found_behind(person: str, name: str, world: World) -> list[str]:  # noqa: F811
    client = Client()
    client.force_login(User.objects.get(username=person))
    response = client.get(address(name, TABLE[name], world))
    text = b"".join(parts(response)).decode("utf-8", "replace")
    return sorted({match[0] for match in SECRETS.finditer(text)})


def parts(response: Any) -> Iterator[bytes]:
    """The body of an answer, streamed or whole; the test client's type is neither."""
    yield from response if response.streaming else [response.content]


@pytest.mark.parametrize("person", [ANA, OLGA])
def test_an_open_series_tells_nothing_anywhere(
    person: str, answered: Task, request: pytest.FixtureRequest
) -> None:
    world = request.getfixturevalue("world")  # noqa: F811

    told = {name: found_behind(person, name, world) for name in READ}

    assert {name: secrets for name, secrets in told.items() if secrets} == {}


@pytest.mark.parametrize("purpose", [Campaign.Purpose.ANNOTATE, Campaign.Purpose.TRAINING])
def test_what_is_known_of_a_check_or_a_training_is_told_before_no_answer(
    purpose: str, task: Task, request: pytest.FixtureRequest
) -> None:
    Campaign.objects.filter(pk=task.campaign_id).update(purpose=purpose, checks=1)
    Expected.objects.create(task=task, low=BAND, high=BAND, sentence="EXPECTED-WHY")
    world = request.getfixturevalue("world")  # noqa: F811

    of_it = [name for name in READ if {"campaign", "series"} & set(TABLE[name].arguments)]
    told = {name: found_behind(ANA, name, world) for name in of_it}

    assert {name: secrets for name, secrets in told.items() if secrets} == {}


@pytest.mark.parametrize("name", ["campaign-results", "ground-truth-csv", "marks-csv"])
def test_an_answered_one_tells_what_others_said(
    name: str, answered: Task, ana: User, request: pytest.FixtureRequest
) -> None:
    world = request.getfixturevalue("world")  # noqa: F811
    answer(answered, ana)

    assert str(MARK) in found_behind(ANA, name, world)
