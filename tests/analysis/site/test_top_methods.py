"""The five methods on a study's page: those of the comparison, ranked from ten series on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from analysis.site.study_parts import top_methods
from annotate.models import Campaign, Task
from people.models import Study, User
from series.models import Series
from tests.analysis.comparison.conftest import first_marks, key_of, mark
from tests.replayed_rows import replayed

TRUE = 40
LATE = {"sdm": 30, "kb-kssd": 0, "f-test": 10, "t-test": 20, "mser": 25, "kelly": 5}
"""How many iterations behind the ground truth each method answers."""


@pytest.fixture
@replayed
def twelve_tasks(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> list[Task]:
    """Ana and Ben, and six methods, have answered twelve series."""
    values = np.where(np.arange(200) < TRUE, 2.0, 1.0)
    tasks = [make_task(make_series(values + fork / 100, fork=fork)) for fork in range(12)]
    first_marks((task, person, TRUE) for task in tasks for person in (ana, ben))
    Detection.objects.bulk_create(
        Detection(
            series=task.series,
            detector_key=key_of(slug),
            slug=slug,
            outcome="answer",
            steady_start=TRUE + iterations_late,
            published_index=TRUE + iterations_late,
            milliseconds=1,
        )
        for task in tasks
        for slug, iterations_late in LATE.items()
    )
    return tasks


def test_the_five_nearest_stand_in_their_order(
    study: Study, olga: User, twelve_tasks: list[Task]
) -> None:
    top = top_methods(study, olga)

    assert top is not None
    ranked_slugs = [(entry.rank, entry.look.slug if entry.look else "") for entry, _ in top.rows]
    assert ranked_slugs == [(1, "kb-kssd"), (2, "kelly"), (3, "f-test"), (4, "t-test"), (5, "mser")]
    assert [entry.figures["median_abs"] for entry, _ in top.rows] == [0, 5, 10, 20, 25]
    dots = [row.dot for _, row in top.rows]
    assert dots == sorted(dots)


@pytest.mark.parametrize(
    ("answered", "shown_words", "absent_words"),
    [(9, "Nobody is ranked", "KB-KSSD"), (10, "KB-KSSD", "Nobody is ranked")],
)
def test_nobody_is_ranked_on_fewer_than_ten_series(
    client: Client,
    study: Study,
    olga: User,
    twelve_tasks: list[Task],
    answered: int,
    shown_words: str,
    absent_words: str,
) -> None:
    Detection.objects.filter(series__in=[task.series for task in twelve_tasks[answered:]]).delete()
    client.force_login(olga)

    address = reverse("study-ranking", args=[study.slug])
    page = client.get(address, headers={"HX-Request": "true"}).content.decode()

    assert shown_words in page
    assert absent_words not in page


def test_series_yet_to_answer_are_not_counted_and_one_line_says_how_many(
    client: Client, study: Study, ana: User, twelve_tasks: list[Task], campaign: Campaign
) -> None:
    second_campaign = Campaign.objects.create(study=study, name="Again", slug="again", state="open")
    for position, task in enumerate(twelve_tasks[:2], start=1):
        hidden_task = Task.objects.create(
            campaign=second_campaign, series=task.series, position=position
        )
        hidden_task.assignments.create(user=ana, order=position)

    top = top_methods(study, ana)

    assert top is not None
    assert top.compared.yardstick.campaign == campaign
    assert {entry.figures["n"] for entry in top.entries} == {10}
    client.force_login(ana)
    address = reverse("study-ranking", args=[study.slug])
    page = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "2 series are not counted" in " ".join(page.split())


def test_without_an_answer_of_anybody_there_is_nothing(
    client: Client, study: Study, olga: User
) -> None:
    client.force_login(olga)

    reply = client.get(reverse("study-ranking", args=[study.slug]), headers={"HX-Request": "true"})

    assert "Nothing to compare" in reply.content.decode()


def test_the_page_itself_compares_nothing(
    client: Client,
    study: Study,
    olga: User,
    twelve_tasks: list[Task],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("analysis.site.study_parts.compare_stored", None)
    client.force_login(olga)

    page = client.get(study.get_absolute_url()).content.decode()

    address = reverse("study-ranking", args=[study.slug])
    assert f'hx-get="{address}"' in page
    assert client.get(address).headers["Location"] == reverse("comparison", args=[study.slug])


def test_an_answer_of_today_counts_at_once(
    study: Study, olga: User, ana: User, twelve_tasks: list[Task]
) -> None:
    top_before = top_methods(study, olga)
    mark(twelve_tasks[0], ana, None)

    top_after = top_methods(study, olga)

    assert top_before is not None
    assert top_after is not None
    assert top_before.entries[0].figures["n"] == 12
    assert top_after.entries[0].figures["n"] == 11
