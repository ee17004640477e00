"""Stored series that are copies of one another have one group, whoever stored them and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import Study
from series.importing.services import import_file
from series.models import Dataset, Series, SeriesSketch
from series.reading.file_readers import FileToRead
from series.values import copies
from series.values.copies import has_copy, sketch_values

NOISE = [1 + np.random.default_rng(seed).exponential(0.01, 1000) for seed in range(4)]


@pytest.fixture
def other_dataset(db: None) -> Dataset:
    study = Study.objects.create(name="Another", slug="another")
    return Dataset.objects.create(study=study, name="Copies", slug="copies")


def save(dataset: Dataset, *values: Any, name: str = "a") -> list[Series]:
    """Imported as forks of one benchmark, each from a file of its own."""
    for fork, series_values in enumerate(values):
        rows = (
            f"{name},{fork},{i},{value!r}"
            for i, value in enumerate(np.asarray(series_values).tolist())
        )
        text = "\n".join(["benchmark,fork,iteration,value", *rows])
        import_file(dataset, FileToRead(f"{name}.csv", data=text.encode()))
    stored_series = Series.objects.filter(benchmark__dataset=dataset, benchmark__name=name)
    return list(stored_series.order_by("fork"))


def copy_groups(*series: Series) -> list[int | None]:
    rows = dict(Series.objects.values_list("pk", "copy_group"))
    return [rows[s.pk] for s in series]


def test_others_have_no_group(dataset: Dataset) -> None:
    assert copy_groups(*save(dataset, *NOISE[:3])) == [None, None, None]
    assert SeriesSketch.objects.count() == 3


def test_a_trimmed_and_scaled_copy_of_another_study_has_the_group(
    dataset: Dataset, other_dataset: Dataset
) -> None:
    first_series, second_series = save(dataset, *NOISE[:2])

    [copy] = save(other_dataset, 1000 * NOISE[1][100:-1])

    assert copy_groups(first_series, second_series, copy) == [
        None,
        second_series.pk,
        second_series.pk,
    ]


@pytest.mark.parametrize(
    "order",
    [
        lambda x: x[::-1],
        np.random.default_rng(9).permutation,
        lambda x: np.repeat(x, 2),
        lambda x: 3 * x[10:].reshape(-1, 2)[:, ::-1].ravel(),
    ],
    ids=["reversed", "shuffled", "each twice", "neighbours swapped, trimmed, scaled"],
)
def test_a_copy_in_another_order_has_the_group(
    order: Callable[[Any], Any], dataset: Dataset, other_dataset: Dataset
) -> None:
    first_series, second_series = save(dataset, *NOISE[:2])

    [copy] = save(other_dataset, order(NOISE[1]))

    assert copy_groups(first_series, second_series, copy) == [
        None,
        second_series.pk,
        second_series.pk,
    ]


def test_series_of_few_values_that_are_alike_are_no_copies(dataset: Dataset) -> None:
    assert copy_groups(*save(dataset, np.ones(40), np.full(40, 2.0), np.arange(40.0))) == [None] * 3


def test_no_stored_sketch_is_read_for_series_of_one_value(dataset: Dataset) -> None:
    save(dataset, *NOISE[:2])

    with CaptureQueriesContext(connection) as queries:
        save(dataset, [1.0], [2.0], name="b")

    read = [sql for query in queries if '"hashes"' in (sql := query["sql"]) and "SELECT" in sql[:6]]
    assert read, "of the new ones themselves"
    assert all(" IN (" in sql for sql in read)


def test_values_that_lay_elsewhere_are_sketched_when_they_are_compared(dataset: Dataset) -> None:
    [series] = save(dataset, NOISE[0])
    SeriesSketch.objects.update(value_hashes=None)

    assert has_copy(Series.objects.all(), NOISE[0][::-1].copy())
    assert SeriesSketch.objects.get(pk=series.pk).value_hashes


def test_series_from_before_there_were_sketches_of_values_are_sketched_before_an_import_links(
    dataset: Dataset, other_dataset: Dataset
) -> None:
    [series] = save(dataset, NOISE[0])
    SeriesSketch.objects.update(value_hashes=None)

    [copy] = save(other_dataset, NOISE[0][::-1])

    assert copy_groups(series, copy) == [series.pk, series.pk]


def test_a_worker_makes_some_missing_sketches_of_values_at_a_time(dataset: Dataset) -> None:
    save(dataset, *NOISE[:3])
    sketches_before = list(SeriesSketch.objects.values_list("pk", "value_hashes"))
    SeriesSketch.objects.update(value_hashes=None)

    assert (sketch_values(2), sketch_values(2), sketch_values(2)) == (2, 1, 0)
    assert list(SeriesSketch.objects.values_list("pk", "value_hashes")) == sketches_before


def test_copies_of_one_file_have_one_group(dataset: Dataset) -> None:
    rows = [("a", NOISE[0]), ("b", NOISE[1]), ("c", NOISE[0][5:])]
    text = "\n".join(
        ["benchmark,fork,iteration,value"]
        + [f"{name},0,{i},{v!r}" for name, x in rows for i, v in enumerate(x.tolist())]
    )
    import_file(dataset, FileToRead("three.csv", data=text.encode()))
    a, b, c = Series.objects.order_by("benchmark__name")

    assert copy_groups(a, b, c) == [min(a.pk, c.pk), None, min(a.pk, c.pk)]


def test_equal_values_have_one_group_however_few_they_are(
    dataset: Dataset, other_dataset: Dataset
) -> None:
    first_series, second_series = save(dataset, [1.0, 2.0, 1.5], [1.0, 2.0, 1.6])

    [copy] = save(other_dataset, [1.0, 2.0, 1.5])

    assert copy_groups(first_series, second_series, copy) == [
        first_series.pk,
        None,
        first_series.pk,
    ]


def test_what_is_a_copy_of_two_groups_joins_them(dataset: Dataset, other_dataset: Dataset) -> None:
    first_series, second_series, third_series = save(dataset, *NOISE[:3])
    first, second = save(other_dataset, NOISE[0][1:], NOISE[1][1:])
    assert copy_groups(first_series, second_series, third_series, first, second) == [
        first_series.pk,
        second_series.pk,
        None,
        first_series.pk,
        second_series.pk,
    ]

    [joined_series] = save(other_dataset, np.r_[NOISE[0], NOISE[1]], name="both")

    assert copy_groups(first_series, second_series, third_series, first, second, joined_series) == [
        *(first_series.pk, first_series.pk, None),
        *(first_series.pk, first_series.pk, first_series.pk),
    ]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_copy_is_found_among_none_one_and_two(dataset: Dataset, count: int) -> None:
    save(dataset, *NOISE[:count])

    are_copies = [has_copy(Series.objects.all(), values[1:]) for values in NOISE]

    assert are_copies == [place < count for place in range(4)]


def test_sketches_that_come_one_by_one_give_the_same(
    dataset: Dataset, other_dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "HASHES", 1)
    first_series, second_series = save(dataset, *NOISE[:2])

    first_copy, second_copy = save(other_dataset, NOISE[1][1:], NOISE[0][1:])

    assert copy_groups(first_series, second_series, first_copy, second_copy) == [
        first_series.pk,
        second_series.pk,
        second_series.pk,
        first_series.pk,
    ]
    assert [has_copy(Series.objects.all(), values[1:]) for values in NOISE[:3]] == [
        True,
        True,
        False,
    ]


def test_of_many_equal_ones_only_the_first_is_looked_at(
    dataset: Dataset, other_dataset: Dataset
) -> None:
    short_values = [1.0, 2.0, 1.5]
    earlier_series = [save(dataset, short_values, name=name)[0] for name in "abc"]

    [copy] = save(other_dataset, short_values)

    assert copy_groups(*earlier_series, copy) == [earlier_series[0].pk] * 4
    assert [*copies._equal_pairs([copy.pk], Series)] == [(earlier_series[0].pk, copy.pk)]
