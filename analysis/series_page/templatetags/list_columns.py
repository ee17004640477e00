"""Tags below a data set's table: what is hidden, and how many rows have which shape."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from analysis.series_page.list_columns import VisibleAnswers
from annotate import blind
from annotate.answering.queries import campaign_to_continue
from detectors.shapes.shape_words import WORDS
from people.models import User
from series import shapes
from series.models import Dataset
from series.queries import benchmark_rows

register = template.Library()
register.simple_tag(campaign_to_continue, name="next_open_campaign")


@register.simple_tag
def hidden_rows(cells: Mapping[int, VisibleAnswers]) -> int:
    """Number of rows of a table that the reader has yet to answer."""
    return sum(cell.is_hidden for cell in cells.values())


@register.filter
def any_answer(cells: Mapping[int, VisibleAnswers]) -> bool:
    """True if a method has answered any of the rows that the reader may see."""
    return any(cell.spread is not None for cell in cells.values())


@register.simple_tag
def shape_counts(dataset: Dataset, reader: User) -> list[tuple[str, str, int]]:
    """Slug, words and count of each shape that the rows of a data set have, as its filter would.

    Rows are those of the table without a filter: a series a benchmark. Of hidden ones nothing.
    """
    counts = shapes.counts_by_shape(blind.visible_series(reader, benchmark_rows([dataset])))
    return [(shape, label, counts[shape]) for shape, label in WORDS.items() if shape in counts]
