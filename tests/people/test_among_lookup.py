"""The lookup `among`, on the database of the tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from series.models import Series, SeriesValues


@pytest.mark.django_db
def test_rows_are_found_by_thousands_of_keys_of_their_own_or_of_another_table(
    make_series: Callable[..., Series],
) -> None:
    first, second, third = (make_series([1.0, 2.0], fork=fork) for fork in range(3))
    keys = [first.pk, third.pk, *range(10**9, 10**9 + 40_000)]

    assert set(Series.objects.filter(pk__among=keys)) == {first, third}
    assert set(
        SeriesValues.objects.filter(series__among=keys).values_list("series", flat=True)
    ) == {first.pk, third.pk}
    assert set(Series.objects.exclude(pk__among=keys)) == {second}
    assert set(Series.objects.filter(digest__among=[second.digest, 'a"b'])) == {
        *(first, second, third)  # of the same values
    }
    assert not Series.objects.filter(pk__among=[]).exists()
    assert set(Series.objects.filter(benchmark__among=[first.benchmark_id])) == {
        *(first, second, third)
    }
