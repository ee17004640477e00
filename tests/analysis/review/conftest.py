"""Reviews are tested on the series of the small comparison, and on one where people differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from annotate.models import Campaign, Task
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import (
    answered_tasks,
    compared_study,
    four_series,
    mark,
    store,
)

__all__ = ["answered_tasks", "compared_study", "four_series", "store"]


@pytest.fixture
def split_tasks(
    answered_tasks: list[Task], campaign: Campaign, make_person: Callable[..., User]
) -> list[Task]:
    """Of the second series ana says never; ben stays with 62."""
    ana = campaign.annotators.get(pseudonym="a1").user
    mark(answered_tasks[1], ana, None)
    return answered_tasks


@pytest.fixture
def olgas(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def address(series: Series, query: str = "") -> str:
    return f"/s/startup-times/disagreements/{series.public_id}/{query}"


def decide(
    client: Client, series: Series, kind: str, query: str = "", **fields: Any
) -> HttpResponse:
    """As the page's script sends it."""
    data = {"kind": kind, "client_id": str(uuid4()), **fields}
    url = address(series) + "decisions/" + query
    person = User.objects.get(pk=client.session["_auth_user_id"]).username
    answer: Any = client.post(url, data, headers={"X-Plateau-Person": person})
    return answer
