"""Whoever has yet to answer a series finds no answer to it, behind any address of Plateau."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.urls import reverse

from analysis.runs.certainty import default_key
from analysis.runs.models import Detection
from annotate.answering.series_aliases import alias_of
from annotate.answering.services import save_mark
from annotate.models import Annotator, Assignment, Campaign, Expected, Mark, Task
from detectors.contract import Certainty
from formats.events.lanes import RuntimeEvent
from formats.events.packed import packed_events
from people.models import User
from series.models import Samples, Series, StoredEventLane
from tests.access_table import ANA, OLGA, TABLE, World
from tests.test_access import (
    address,
    as_it_should,
    route_answers,
    world,  # noqa: F401  # a fixture
)

MARK, DETECTION, KNOWN, BAND, LOW, HIGH = NUMBERS = (
    *(31337, 31447, 31543),
    *(31647, 31748, 31849),
)  # shown nowhere else
WORDS = "A-LANE|BENS-NOTE|EXPECTED-WHY|KNOWN-REASON|A-FLAG"
# Pages write a thin space between thousands.
WRITTEN = "|".join(rf"{each // 1000}[\s,]?{each % 1000}" for each in NUMBERS)
# Not inside of a random identifier, which is hexadecimal.
SECRETS = re.compile(rf"(?<![\da-f])({WRITTEN})(?![\da-f])|{WORDS}")
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
def answered_task(task: Task, ben: User, olga: User) -> Task:
    """A series with a mark of ben's, a ground truth and a detection; ana and olga are asked too."""
    Annotator.objects.create(campaign=task.campaign, user=olga, pseudonym="a3")
    Assignment.objects.create(task=task, user=olga, order=0)
    answer(task, ben, "BENS-NOTE")
    add_event_lane(task.series)
    add_invocations(task.series)
    Detection.objects.create(
        series=task.series,
        detector_key=default_key(),
        slug="plateau",
        steady_start=DETECTION,
        flags="A-FLAG",
        **asdict(Certainty(0.875, LOW, HIGH, 0.625)),
    )
    return task


def add_event_lane(series: Series) -> None:
    """A compilation whose name and end stand nowhere else."""
    StoredEventLane.objects.create(
        series=series,
        kind="compilation",
        title="A-LANE",
        clock="iterations",
        events=packed_events([RuntimeEvent(start=KNOWN, end=KNOWN, name="A-LANE")]),
        count=1,
        size=1,
        file_name="A-LANE",
        file_digest="0",
    )


def add_invocations(series: Series) -> None:
    """An invocation in each iteration, whose length stands nowhere else."""
    counts, lengths = np.ones(series.n, "<i8"), np.full(series.n, float(KNOWN), "<f8")
    Samples.objects.create(
        series=series,
        offsets=np.arange(series.n + 1, dtype="<i8").tobytes(),
        values=lengths.tobytes(),
        counts=counts.tobytes(),
    )


def answer(task: Task, by: User, note: str = "") -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=MARK, note=note)


def signed_in_client(person: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=person))
    return client


def secrets_behind(client: Client, name: str, world: World) -> list[str]:  # noqa: F811
    response = client.get(address(name, TABLE[name], world))
    assert SESSION_KEY in client.session, f"{name} signs out, and the pages after it told nothing"
    return secrets_in(body(response))


def secrets_in(text: str) -> list[str]:
    return sorted({match[0] for match in SECRETS.finditer(text)})


def body(response: Any) -> str:
    return b"".join(parts(response)).decode("utf-8", "replace")


def parts(response: Any) -> Iterator[bytes]:
    """The body of an answer, streamed or whole; the test client's type is neither."""
    yield from response if response.streaming else [response.content]


def test_an_open_series_tells_nothing_anywhere(
    answered_task: Task, ana: User, request: pytest.FixtureRequest
) -> None:
    """Walk every page once: who may read it, what it must not tell, and what it must not name."""
    world = request.getfixturevalue("world")  # noqa: F811
    leaks: list[object] = []
    words: dict[str, set[str]] = {}
    for name, route, response in route_answers(ANA, world, "GET"):
        text = body(response)
        words[name] = hexadecimal_words(text, response)
        if not as_it_should(response, ANA, route, allowed=ANA in route.get):
            leaks.append((name, response.status_code))
        if name in READ and (secrets := secrets_in(text)):
            leaks.append((name, secrets))

    assert leaks == []
    assert_work_is_named_nowhere_else(words, answered_task, ana)


def test_an_owner_with_an_open_series_is_told_nothing_anywhere(
    answered_task: Task, request: pytest.FixtureRequest
) -> None:
    world = request.getfixturevalue("world")  # noqa: F811

    client = signed_in_client(OLGA)
    secrets_by_page = {name: secrets_behind(client, name, world) for name in READ}

    assert {name: secrets for name, secrets in secrets_by_page.items() if secrets} == {}


@pytest.mark.parametrize("person", [ANA, OLGA])
def test_parts_that_pages_ask_for_tell_nothing_of_an_open_series(
    person: str, answered_task: Task
) -> None:
    series, study = answered_task.series, answered_task.campaign.study.slug
    parts = (
        reverse("series-fork-chart", args=[study, series.public_id]),
        reverse("composition", args=[study, series.benchmark.dataset.slug]),
    )
    for url in parts:
        response = signed_in_client(person).get(url, headers={"hx-request": "true"})

        assert response.status_code == 200
        assert secrets_in(body(response)) == []


TABS = ("?tab=progress", "?tab=truth", "?tab=agreement", "?ask=close", "?tab=truth&only=close")


@pytest.mark.parametrize("person", [ANA, OLGA])
def test_no_tab_of_a_campaign_tells_anything_of_an_open_series(
    person: str, answered_task: Task
) -> None:
    client = signed_in_client(person)
    page = answered_task.campaign.get_absolute_url()

    text_by_tab = {tab: body(client.get(page + tab)) for tab in TABS}

    assert {
        tab: secrets for tab, text in text_by_tab.items() if (secrets := secrets_in(text))
    } == {}
    assert "until you have answered" in " ".join(text_by_tab["?tab=truth"].split())
    assert "mark-tick" not in text_by_tab["?tab=truth"]


@pytest.mark.parametrize("person", [ANA, OLGA])
def test_changes_of_level_of_an_open_series_are_in_no_tab_and_no_file(
    person: str, answered_task: Task, request: pytest.FixtureRequest
) -> None:
    campaign = answered_task.campaign
    Campaign.objects.filter(pk=campaign.pk).update(purpose=Campaign.Purpose.CHANGES)
    Mark.objects.filter(task=answered_task).update(kind="changes", index=None, changes=[MARK])
    world = request.getfixturevalue("world")  # noqa: F811
    client = signed_in_client(person)
    files = ("change-scores-file", "ground-truth-csv", "marks-csv")

    text_by_place = {tab: body(client.get(campaign.get_absolute_url() + tab)) for tab in TABS}
    text_by_place |= {name: str(secrets_behind(client, name, world)) for name in files}

    assert {
        place: secrets for place, text in text_by_place.items() if (secrets := secrets_in(text))
    } == {}


@pytest.mark.parametrize("purpose", [Campaign.Purpose.ANNOTATE, Campaign.Purpose.TRAINING])
def test_what_is_known_of_a_check_or_a_training_is_told_before_no_answer(
    purpose: str, task: Task, request: pytest.FixtureRequest
) -> None:
    Campaign.objects.filter(pk=task.campaign_id).update(purpose=purpose, checks=1)
    Expected.objects.create(task=task, low=BAND, high=BAND, sentence="EXPECTED-WHY")
    world = request.getfixturevalue("world")  # noqa: F811

    of_it = [name for name in READ if {"campaign", "series"} & set(TABLE[name].arguments)]
    client = signed_in_client(ANA)
    secrets_by_page = {name: secrets_behind(client, name, world) for name in of_it}

    assert {name: secrets for name, secrets in secrets_by_page.items() if secrets} == {}


@pytest.mark.parametrize("name", ["campaign", "ground-truth-csv", "marks-csv"])
def test_an_answered_one_tells_what_others_said(
    name: str, answered_task: Task, ana: User, request: pytest.FixtureRequest
) -> None:
    world = request.getfixturevalue("world")  # noqa: F811
    answer(answered_task, ana)

    assert str(MARK) in secrets_behind(signed_in_client(ANA), name, world)


HEXADECIMAL = re.compile(r"[0-9a-f]{12,}")
# The page of a person's own work: what it is told there must lead to no name elsewhere.
OF_WORK = ("annotate-task", "annotate-data", "annotate-payload", "annotate-payload-window")


NAMED_ALIKE = {"payload", "payload-window"}  # by what is drawn, for everybody


def hexadecimal_words(text: str, response: Any) -> set[str]:
    """Such as digests and what is made of them, in a page and its headers."""
    return set(HEXADECIMAL.findall(text + str(response.headers)))


def words_behind(client: Client, name: str, world: World) -> set[str]:  # noqa: F811
    response = client.get(address(name, TABLE[name], world))
    return hexadecimal_words(body(response), response)


def assert_work_is_named_nowhere_else(
    words: Mapping[str, set[str]], answered_task: Task, ana: User
) -> None:
    """Where names are hidden, what is drawn has no word that another page has."""
    of_work = {word for name in OF_WORK for word in words[name]}
    other_pages = ({*READ} | OF_VALUES) - NAMED_ALIKE - {*OF_WORK}
    words_by_page = {name: words[name] & of_work for name in other_pages}

    assert alias_of(answered_task, ana) in of_work
    assert answered_task.series.digest not in of_work
    assert {
        name: shared_words for name, shared_words in words_by_page.items() if shared_words
    } == {}


def test_work_that_is_answered_is_named_nowhere_else(
    answered_task: Task, ana: User, request: pytest.FixtureRequest
) -> None:
    answer(answered_task, ana)
    world = request.getfixturevalue("world")  # noqa: F811
    client = signed_in_client(ANA)

    words = {name: words_behind(client, name, world) for name in {*READ} | OF_VALUES}

    assert_work_is_named_nowhere_else(words, answered_task, ana)


def test_an_alias_is_of_one_person_and_one_series_and_opens_nothing_else(
    answered_task: Task, ana: User, ben: User, client: Client
) -> None:
    client.force_login(ana)
    study, campaign = answered_task.campaign.study.slug, answered_task.campaign.slug
    arguments = {"study": study, "campaign": campaign, "position": answered_task.position}

    def status(alias: str) -> int:
        return client.get(
            reverse("annotate-payload", kwargs={**arguments, "alias": alias})
        ).status_code

    assert status(alias_of(answered_task, ana)) == 200
    assert status(alias_of(answered_task, ben)) == 404
    assert status(answered_task.series.digest) == 404
    assert client.get(reverse("payload", args=[alias_of(answered_task, ana)])).status_code == 404


def test_a_guess_of_the_digest_is_not_told_to_be_right(
    answered_task: Task, ana: User, client: Client
) -> None:
    client.force_login(ana)
    study, campaign = answered_task.campaign.study.slug, answered_task.campaign.slug
    address = reverse("annotate-marks", args=[study, campaign, answered_task.position])

    responses = [
        client.post(
            address, {"kind": "never", "client_id": uuid4(), "digest": digest, "view": "{}"}
        )
        for digest in (answered_task.series.digest, "a" * 64, alias_of(answered_task, ana))
    ]

    assert [response.status_code for response in responses] == [409, 409, 201]
    assert responses[0].content == responses[1].content
