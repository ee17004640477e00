"""The results page: sorted by what is stored, and equal to what the marks make."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.models import Campaign, Task
from annotate.recipes.resampling import ResampledInterval
from annotate.truth import results
from people.models import User
from series.models import Series
from tests.replayed_rows import replayed

# For each series what ana and ben answer: an iteration, n for never, u for unclear, nothing.
ANSWERS = [("5", "9"), ("n", "n"), ("7", ""), ("", ""), ("u", "u"), ("3", "n"), ("0", "2")]
BY_MARKS: dict[str, Callable[[results.SeriesResult], object]] = {
    "position": lambda found: found.task.position,
    "spread": lambda found: -1 if found.truth.spread is None else found.truth.spread,
    "start": lambda found: -2 if found.settled.value is None else found.settled.value,
    "agreement": lambda found: found.settled.agreement,
    "answers": lambda found: found.answered,
}


def answer(task: Task, by: User, answer_text: str) -> None:
    kind = {"n": "never", "u": "unclear"}.get(answer_text, "steady")
    save_mark(
        task,
        by=by,
        client_id=uuid.uuid4(),
        digest=task.series.digest,
        kind=kind,
        index=int(answer_text) if kind == "steady" else None,
        note="two levels" if kind == "unclear" else "",
    )


@pytest.fixture
@replayed
def answered_campaign(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> Campaign:
    for fork, answer_kinds in enumerate(ANSWERS):
        task = make_task(make_series([float(fork)] * 10, fork=fork))
        for person, answer_code in zip((ana, ben), answer_kinds, strict=True):
            if answer_code:
                answer(task, person, answer_code)
    return Campaign.objects.get()


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize("sort", [*BY_MARKS, *(f"-{column}" for column in BY_MARKS)])
def test_stored_ground_truth_sorts_as_the_marks_would(
    answered_campaign: Campaign, olga: User, sort: str, *, is_closed: bool
) -> None:
    if is_closed:
        campaigns.close(answered_campaign, by=olga)
        answered_campaign.refresh_from_db()
    stored_results = list(results.results(answered_campaign, olga))

    key = BY_MARKS[sort.removeprefix("-")]
    expected = sorted(stored_results, key=key, reverse=sort.startswith("-"))  # type: ignore[arg-type]

    positions = results.positions_of(
        results.stored_truths(answered_campaign, olga), answered_campaign, sort
    )
    assert positions == [result.task.position for result in expected]


@pytest.fixture
def falling_campaign(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> Campaign:
    """Four series that fall at different rates; the last has no iteration as ground truth."""
    for fork, (bottom, marks) in enumerate(
        [(0.9, ("2", "8")), (0.1, ("2", "8")), (0.5, ("2", "8")), (0.5, ("n", "n"))]
    ):
        task = make_task(make_series(np.linspace(1.0, bottom, 12), fork=fork))
        for person, answer_code in zip((ana, ben), marks, strict=True):
            answer(task, person, answer_code)
    return Campaign.objects.get()


def test_what_the_marks_change_is_told_and_sorts(
    client: Client, falling_campaign: Campaign, olga: User
) -> None:
    listed_results = list(results.results(falling_campaign, olga, with_consequences=True))
    expected_consequences = {}
    for listed_result in listed_results[:3]:
        values, truth = listed_result.series.array(), listed_result.settled.value
        result = values[truth:].mean()
        changes = {iteration: values[iteration:].mean() / result - 1 for iteration in (2, 8)}
        expected_consequences[listed_result.task.position] = changes[
            max(changes, key=lambda iteration: abs(changes[iteration]))
        ]

    consequence_by_position = {
        result.task.position: result.consequence for result in listed_results
    }

    first, last = (
        sorted(expected_consequences, key=lambda position: abs(expected_consequences[position])),
        listed_results[3].task.position,
    )
    shares = {
        position: consequence.share
        for position, consequence in consequence_by_position.items()
        if consequence
    }
    assert shares == pytest.approx(expected_consequences)
    assert results.positions_of(
        results.stored_truths(falling_campaign, olga), falling_campaign, "change"
    ) == [*first, last]
    assert results.positions_of(
        results.stored_truths(falling_campaign, olga), falling_campaign, "-change"
    ) == [*reversed(first), last]
    client.force_login(olga)
    page = client.get(
        falling_campaign.get_absolute_url(), {"tab": "truth", "sort": "-change"}
    ).content.decode()
    widest_consequence = consequence_by_position[first[-1]]
    assert widest_consequence
    assert widest_consequence.words in page
    file = b"".join(
        client.get(
            reverse("ground-truth-csv", args=[falling_campaign.study.slug, falling_campaign.slug])
        )
    )
    rows = list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"))))
    assert [row["change_by"] for row in rows][3] == ""
    assert [float(row["change"]) for row in rows[:3]] == pytest.approx(
        [expected_consequences[result.task.position] for result in listed_results[:3]]
    )


def test_the_page_makes_results_of_what_it_shows_only(
    client: Client, answered_campaign: Campaign, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.views.campaign_page.A_PAGE", 2)
    client.force_login(olga)
    address = f"{answered_campaign.get_absolute_url()}?tab=truth"

    response = client.get(f"{address}&sort=-spread&page=1")

    shown_positions = [result.task.position for result, *_ in response.context["rows"]]
    assert (
        shown_positions
        == results.positions_of(
            results.stored_truths(answered_campaign, olga), answered_campaign, "-spread"
        )[:2]
    )
    assert response.context["summary"].total == 7


def test_tabs_of_a_campaign_read_its_ground_truth_once(
    client: Client, answered_campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)
    address = f"{answered_campaign.get_absolute_url()}?tab=truth"

    with CaptureQueriesContext(connection) as queries:
        client.get(address)

    statements = [query["sql"] for query in queries]
    agreements = [sql for sql in statements if '"annotate_groundtruth"."spread"' in sql]
    progress = [sql for sql in statements if 'AS "wanted"' in sql]
    assert len(agreements) == 2, "of all series once, of those that are shown once"
    assert len(progress) == 1


def test_an_interval_stands_beside_what_is_settled(
    client: Client, answered_campaign: Campaign, olga: User
) -> None:
    interval_by_position = {
        result.task.position: result.interval for result in results.results(answered_campaign, olga)
    }

    # Two marks are drawn as (5, 5), (5, 9) twice, (9, 9): 5 in a quarter, else the upper, 9.
    assert interval_by_position[1] == ResampledInterval(5, 9, 1.0)
    assert interval_by_position[2] == ResampledInterval(None, None, 0.0)
    assert interval_by_position[3] is None  # ben has yet to answer
    # 3 and never: steady only if 3 is drawn twice.
    assert interval_by_position[6] == ResampledInterval(3, 3, 0.25)
    client.force_login(olga)
    response = client.get(answered_campaign.get_absolute_url(), {"tab": "truth"})
    assert "5 – 9" in response.content.decode()
