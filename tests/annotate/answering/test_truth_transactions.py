"""Whatever recomputes ground truth loads scikit-learn before it takes the write lock."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection

from annotate import recipes
from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.models import Campaign, Task
from people.models import User
from series.models import Series

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each time that scikit-learn is loaded: whether a transaction was open."""
    inside_transaction: list[bool] = []
    monkeypatch.setattr(
        recipes, "preload", lambda: inside_transaction.append(connection.in_atomic_block)
    )
    return inside_transaction


@pytest.fixture
def task(campaign: Campaign, ana: User, series: Series, make_task: Callable[..., Task]) -> Task:
    return make_task(series)


def test_a_mark_takes_the_lock_when_all_is_loaded(task: Task, ana: User, loads: list[bool]) -> None:
    digest = task.series.digest
    save_mark(task, by=ana, client_id=uuid4(), digest=digest, kind="steady", index=7)

    assert loads == [False]


def test_closing_and_another_recipe_take_the_lock_when_all_is_loaded(
    task: Task, ana: User, loads: list[bool]
) -> None:
    campaigns.change_recipe(task.campaign, recipe=task.campaign.recipe, params={})
    campaigns.close(task.campaign, by=ana)

    assert loads == [False, False]
