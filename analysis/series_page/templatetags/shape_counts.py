"""Counts of shapes below a data set's table."""

from __future__ import annotations

from django import template

from annotate import blind
from detectors.shape_words import WORDS
from people.models import User
from series import shapes
from series.models import Dataset
from series.queries import benchmark_rows

register = template.Library()


@register.simple_tag
def shape_counts(dataset: Dataset, reader: User) -> list[tuple[str, str, int]]:
    """Slug, words and count of each shape that the rows of a data set have, as its filter would.

    Rows are those of the table without a filter: a series a benchmark. Of hidden ones nothing.
    """
    found = shapes.counted(blind.visible_series(reader, benchmark_rows(dataset)))
    return [(shape, words, found[shape]) for shape, words in WORDS.items() if shape in found]
