"""Addresses and small words of the comparison's templates; no figure is computed here."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.urls import reverse

from analysis.comparison.basis import basis
from analysis.comparison.columns import LeaderboardColumn, decimal, signed_seconds
from analysis.comparison.command_line import command_line
from analysis.comparison.exports import WHATS
from analysis.comparison.figures import series_list
from analysis.comparison.query import SERIES, ComparisonQuery, DrilldownCell
from analysis.comparison.significance import PairPage as Tested
from analysis.comparison.table import ComparisonResult
from analysis.methods.method_style import MethodStyle
from analysis.statistics.answers import NEVER, Number
from people.query_form import FilledControl, QueryForm
from people.templatetags.writing import whole
from series.models import Dataset

register = template.Library()
register.filter(command_line)
register.filter(basis)
register.filter(signed_seconds)
register.filter("two", decimal)


@register.filter
def unlocalized(value: float) -> str:
    """A coordinate: shortest digits, a point."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@register.filter
def add_number(value: float, more: float) -> str:
    """A coordinate some pixels further."""
    return unlocalized(value + more)


@register.filter
def head_at(column: LeaderboardColumn, tolerance: int | None) -> str:
    return column.head_at(tolerance)


@register.filter
def answer(value: Number | None) -> str:
    """An iteration, `never`, or `–` for no answer."""
    if value is None:
        return "–"
    return "never" if value == NEVER else whole(value)


@register.filter
def half(value: float | None) -> str:
    return decimal(value, 1)


@register.filter
def p_value(value: float | None) -> str:
    """Three digits, `< 0.001` below."""
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


@register.filter
def statistic(value: float | None) -> str:
    """Four significant digits, whole numbers as such."""
    return "–" if value is None else f"{value:.4g}".replace("-", "−")


@register.simple_tag
def asked_with(asked: ComparisonQuery, **values: str | int | None) -> str:
    """The comparison's address with something else."""
    return asked.changed(**values).query() or "?"


@register.simple_tag
def kept(asked: QueryForm, fields: str) -> list[tuple[str, str]]:
    """What a form with these fields sends along, so that nothing else is lost."""
    return asked.kept(*fields.split())


@register.simple_tag
def bar_controls(compared: ComparisonResult) -> list[FilledControl]:
    one = compared.one_tolerance
    return compared.asked.controls(tolerance="" if one is None else str(one))


@register.simple_tag
def series_controls(asked: ComparisonQuery, datasets: Iterable[Dataset]) -> list[FilledControl]:
    names = [(each.slug, str(each)) for each in datasets]
    return asked.controls(SERIES, {"dataset": names})


@register.simple_tag
def controls(asked: QueryForm, place: str) -> list[FilledControl]:
    return asked.controls(place)


@register.simple_tag
def figure_pairs(pairs: list[tuple[str, str]], figure: str) -> list[tuple[str, str]]:
    """What a form of a further figure sends along: the comparison, and which figure."""
    return [*pairs, ("figure", figure)]


@register.simple_tag
def pair_fields(shown: Tested) -> list[tuple[str, str, str]]:
    """Names, labels and values of the two rows that are tested."""
    return [("first", "First", shown.first), ("second", "Second", shown.second)]


@register.simple_tag
def behind(compared: ComparisonResult, figure: str, of: str = "") -> str:
    """Where the series behind a number are listed."""
    return series_list(compared, cell=figure, of=of)


@register.simple_tag
def table_file(
    compared: ComparisonResult, what: str, form: str, cell: DrilldownCell | None = None
) -> str:
    """The address of a table as a file."""
    keys: dict[str, str] = {} if what == "leaderboard" else {"what": what}
    base = reverse("comparison-export", args=[compared.yardstick.study.slug])
    return base + compared.asked.query(cell or DrilldownCell(), **keys, format=form)


@register.simple_tag
def named_tables(names: str) -> list[tuple[str, str]]:
    """Tables of the comparison with their titles; `names` stand apart by spaces."""
    return [(name, WHATS[name]) for name in names.split()]


@register.simple_tag
def without(compared: ComparisonResult, *methods: str) -> str:
    """The same comparison without some methods."""
    kept = tuple(name for name in compared.looks if name not in methods)
    base = reverse("comparison", args=[compared.yardstick.study.slug])
    return base + compared.asked.changed(methods=kept, excluding=()).query()


@register.simple_tag
def narrowing_links(compared: ComparisonResult) -> list[tuple[MethodStyle, int, str]]:
    """Methods that make the common series few; n and address without each and those before it."""
    found = compared.result.narrowing
    names = [name for name, _ in found]
    return [
        (compared.looks[name], n, without(compared, *names[: at + 1]))
        for at, (name, n) in enumerate(found)
    ]


@register.simple_tag
def look_named(compared: ComparisonResult, name: str) -> MethodStyle:
    return compared.looks[name]


@register.simple_tag
def page_of(query: str, number: int) -> str:
    return f"{query or '?'}{'&' if query else ''}page={number}"


@register.filter
def middle(bracket: tuple[float, float, str]) -> str:
    """Where the names above a bracket stand: in its middle, inside of the drawing."""
    low, high, names = bracket
    half = 4 * len(names)
    return unlocalized(min(max((low + high) / 2, half), 320 - half))
