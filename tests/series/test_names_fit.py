"""What readers let through fits the columns of the database, which PostgreSQL holds to."""

from __future__ import annotations

import pytest

from annotate.models import Annotator
from formats import marks, names
from series.models import Benchmark, Series


@pytest.mark.parametrize("name", names.MOST)
def test_a_name_is_at_most_as_long_as_its_column(name: str) -> None:
    column = Benchmark._meta.get_field("name" if name == "benchmark" else name)

    assert column.max_length == names.MOST[name]


def test_an_annotator_of_a_file_is_at_most_as_long_as_a_pseudonym() -> None:
    assert Annotator._meta.get_field("pseudonym").max_length == marks.MOST["annotator"]


def test_a_fork_fits_the_integer_of_its_column() -> None:
    assert Series._meta.get_field("fork").get_internal_type() == "PositiveIntegerField"
    assert names.MOST_NUMBER == 2**31 - 1
