"""Pages of a large study, here of a hundredth: they open, and blindness costs little a series."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client

from annotate import blind
from evidence.bench.large import PAGES, headers_for
from evidence.bench.large_scene import large_study
from people.models import User
from series.models import Series

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
EVERY = 100  # steps of SQLite between two counts


@pytest.fixture
def readers() -> tuple[User, User]:
    return large_study(0.01)


def test_every_page_of_the_bench_opens(client: Client, readers: tuple[User, User]) -> None:
    for reader in readers:
        client.force_login(reader)
        statuses = {
            name: client.get(url, headers=headers_for(name)).status_code
            for name, url in PAGES.items()
        }

        assert set(statuses.values()) == {200}, statuses


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="counts steps of SQLite's machine")
def test_who_has_many_assignments_looks_through_series_as_quickly(
    readers: tuple[User, User],
) -> None:
    owner, annotator = readers

    assert steps_for(annotator) < 4 * steps_for(owner)


def steps_for(reader: User) -> int:
    """Steps of SQLite to count the series that somebody may see."""
    return count_steps(lambda: blind.visible_series(reader, Series.objects.all()).count())


def count_steps(work: Callable[[], object]) -> int:
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += EVERY
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(count, EVERY)
    work()
    connection.connection.set_progress_handler(None, EVERY)
    return steps
