"""What readers let through fits the columns of the database, which PostgreSQL holds to."""

from __future__ import annotations

import pytest
from django.db.models import CharField, Model

from annotate.models import Annotator
from formats import marks, names
from series.models import Benchmark, Series


def length_limit(model: type[Model], name: str) -> int | None:
    column = model._meta.get_field(name)
    assert isinstance(column, CharField)
    return column.max_length


@pytest.mark.parametrize("name", names.MOST)
def test_a_name_is_at_most_as_long_as_its_column(name: str) -> None:
    column = "name" if name == "benchmark" else name

    assert length_limit(Benchmark, column) == names.MOST[name]


def test_an_annotator_of_a_file_is_at_most_as_long_as_a_pseudonym() -> None:
    assert length_limit(Annotator, "pseudonym") == marks.MOST["annotator"]


def test_a_fork_fits_the_integer_of_its_column() -> None:
    assert Series._meta.get_field("fork").get_internal_type() == "PositiveIntegerField"
    assert names.MOST_NUMBER == 2**31 - 1
