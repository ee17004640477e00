"""Addresses and small words of the comparison's templates; no figure is computed here."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.urls import reverse

from analysis.comparison.basis_sentence import basis
from analysis.comparison.columns import decimal, head_at, one_decimal, p_value, signed_seconds
from analysis.comparison.command_line import command_line
from analysis.comparison.exports import WHATS
from analysis.comparison.figures import series_list
from analysis.comparison.query import SERIES, ComparisonQuery, DrilldownCell
from analysis.comparison.significance import PairPage as Tested
from analysis.comparison.table import ComparisonResult
from analysis.methods.method_style import MethodStyle
from analysis.statistics.answers import NEVER, Number
from people.query_form import FilledControl, QueryForm
from people.templatetags.writing import grouped
from series.models import Dataset

register = template.Library()
register.filter(command_line)
register.filter(basis)
register.filter(signed_seconds)
register.filter(head_at)
register.filter("two", decimal)
register.filter(one_decimal)
register.filter(p_value)


@register.filter
def unlocalized(value: float) -> str:
    """A coordinate: shortest digits, a point."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@register.filter
def add_number(value: float, addend: float) -> str:
    """A coordinate some pixels further."""
    return unlocalized(value + addend)


@register.filter
def answer(value: Number | None) -> str:
    """An iteration, `never`, or `–` for no answer."""
    if value is None:
        return "–"
    return "never" if value == NEVER else grouped(value)


@register.filter
def statistic(value: float | None) -> str:
    """Four significant digits, whole numbers as such."""
    return "–" if value is None else f"{value:.4g}".replace("-", "−")


@register.simple_tag
def address_with(query: ComparisonQuery, **values: str | int | None) -> str:
    """The comparison's address with something else."""
    return query.changed(**values).query() or "?"


@register.simple_tag
def hidden_fields(query: QueryForm, fields: str) -> list[tuple[str, str]]:
    """Fields that a form with these fields sends along, so that no other setting is lost."""
    return query.hidden_pairs(*fields.split())


@register.simple_tag
def bar_controls(comparison: ComparisonResult) -> list[FilledControl]:
    shared_tolerance = comparison.one_tolerance
    return comparison.asked.controls(
        tolerance="" if shared_tolerance is None else str(shared_tolerance)
    )


@register.simple_tag
def series_controls(query: ComparisonQuery, datasets: Iterable[Dataset]) -> list[FilledControl]:
    dataset_choices = [(dataset.slug, str(dataset)) for dataset in datasets]
    return query.controls(SERIES, {"dataset": dataset_choices})


@register.simple_tag
def controls(query: QueryForm, place: str) -> list[FilledControl]:
    return query.controls(place)


@register.simple_tag
def figure_pairs(pairs: list[tuple[str, str]], figure: str) -> list[tuple[str, str]]:
    """Fields that a form of a further figure sends along: the comparison, and which figure."""
    return [*pairs, ("figure", figure)]


@register.simple_tag
def pair_fields(shown_test: Tested) -> list[tuple[str, str, str]]:
    """Names, labels and values of the two rows that are tested."""
    return [("first", "First", shown_test.first_name), ("second", "Second", shown_test.second_name)]


@register.simple_tag
def drilldown(comparison: ComparisonResult, figure: str, row_name: str = "") -> str:
    """Address of the list of the series behind a number."""
    return series_list(comparison, cell=figure, of=row_name)


@register.simple_tag
def table_file(
    comparison: ComparisonResult, table_name: str, form: str, cell: DrilldownCell | None = None
) -> str:
    """The address of a table as a file."""
    keys: dict[str, str] = {} if table_name == "leaderboard" else {"what": table_name}
    base = reverse("comparison-export", args=[comparison.yardstick.study.slug])
    return base + comparison.asked.query(cell or DrilldownCell(), **keys, format=form)


@register.simple_tag
def named_tables(names: str) -> list[tuple[str, str]]:
    """Tables of the comparison with their titles; `names` stand apart by spaces."""
    return [(name, WHATS[name]) for name in names.split()]


@register.simple_tag
def address_without(comparison: ComparisonResult, *methods: str) -> str:
    """Address of the comparison without some methods."""
    remaining_names = tuple(name for name in comparison.looks if name not in methods)
    base = reverse("comparison", args=[comparison.yardstick.study.slug])
    return base + comparison.asked.changed(methods=remaining_names, excluding=()).query()


@register.simple_tag
def narrowing_links(comparison: ComparisonResult) -> list[tuple[MethodStyle, int, str]]:
    """Methods that make the common series few; n and address without each and those before it."""
    narrowing_methods = comparison.result.narrowing
    names = [name for name, _ in narrowing_methods]
    return [
        (comparison.looks[name], n, address_without(comparison, *names[: method_index + 1]))
        for method_index, (name, n) in enumerate(narrowing_methods)
    ]


@register.simple_tag
def look_named(comparison: ComparisonResult, name: str) -> MethodStyle:
    return comparison.looks[name]


@register.simple_tag
def page_of(query: str, number: int) -> str:
    return f"{query or '?'}{'&' if query else ''}page={number}"


@register.filter
def middle(bracket: tuple[float, float, str]) -> str:
    """Middle of a bracket, where its names stand, inside of the drawing."""
    low, high, names = bracket
    half_width = 4 * len(names)
    return unlocalized(min(max((low + high) / 2, half_width), 320 - half_width))
