"""Selecting series for other rooms, and the rows of a list."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from series import queries
from series.models import Benchmark, Dataset, Recording, Series


@pytest.fixture
def four_series(make_series: Callable[..., Series]) -> list[Series]:
    """Two forks of `sort` and two of `hash`, which is a rate of another system."""
    series = [make_series([2.0, 1.0], name, fork) for name in ("sort", "hash") for fork in (0, 1)]
    Benchmark.objects.filter(name="hash").update(system="net", unit="ops/s", params="size=8")
    return series


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["sort 0", "sort 1", "hash 0", "hash 1"]),
        ({"forks": "first"}, ["sort 0", "hash 0"]),
        ({"text": "HASH size=8"}, ["hash 0", "hash 1"]),
        ({"text": "hash size=9"}, []),
        ({"system": "net", "forks": "first"}, ["hash 0"]),
        ({"unit": "s/op"}, ["sort 0", "sort 1"]),
    ],
)
def test_series_are_selected_in_a_stable_order(
    dataset: Dataset, four_series: list[Series], asked: dict[str, str], found: list[str]
) -> None:
    chosen_series = queries.select_series(dataset.study, dataset=dataset, **asked)  # type: ignore[arg-type]

    names = [f"{s.benchmark.name} {s.fork}" for s in chosen_series]
    assert names == found  # by system: example before net


def test_series_of_another_recording_are_told_apart(
    dataset: Dataset, four_series: list[Series]
) -> None:
    recording = Recording.objects.create(dataset=dataset, label="empty")

    assert not queries.select_series(dataset.study, recording=recording)
    assert len(queries.select_series(dataset.study, recording=four_series[0].recording)) == 4


def test_forks_are_counted_within_their_recording(
    dataset: Dataset, four_series: list[Series]
) -> None:
    rows = list(queries.benchmark_rows([dataset]))

    assert sorted(row.fork for row in rows) == [0, 0]
    assert queries.fork_counts(rows) == {row.pk: 2 for row in rows}


def test_facts_of_a_data_set(dataset: Dataset, four_series: list[Series]) -> None:
    facts = queries.dataset_contents([dataset]).facts

    assert (facts.benchmarks, facts.series, facts.shortest, facts.longest) == (2, 4, 2, 2)
    assert queries.dataset_contents([]).facts.series == 0
