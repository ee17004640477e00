"""The heat map of a comparison: how often every pair of sources agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from analysis.comparison import drilldown
from analysis.comparison.table import TRUTH, ComparisonResult, agreements
from analysis.statistics import AgreementMatrix


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Share of agreement in percent, its colour class, and the list of series that differ."""

    text: str
    heat: int
    href: str
    title: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    code: str
    title: str
    cells: Sequence[HeatCell | None]  # None on the diagonal


@dataclass(frozen=True, slots=True)
class HeatMap:
    heads: Sequence[tuple[str, str]]
    rows: Sequence[HeatRow]


def heat_map(compared: ComparisonResult, study: str) -> HeatMap:
    """Agreement of every pair: the yardstick first, then by similarity."""
    matrix = agreements(compared.inputs)
    names = [matrix.names[at] for at in matrix.order]
    names.sort(key=lambda name: name != TRUTH)  # stable: the others keep their order
    base = reverse("comparison-series", args=[study])
    heads = [(_code(compared, name), drilldown.title_of(compared, name)) for name in names]
    rows = [
        HeatRow(*head, [_heat_cell(compared, matrix, name, other, base) for other in names])
        for head, name in zip(heads, names, strict=True)
    ]
    return HeatMap(heads, rows)


def _heat_cell(
    compared: ComparisonResult, matrix: AgreementMatrix, name: str, other: str, base: str
) -> HeatCell | None:
    if name == other:
        return None
    found = matrix.cell(name, other)
    titles = f"{drilldown.title_of(compared, name)} and {drilldown.title_of(compared, other)}"
    if found.share is None:
        return HeatCell("–", 0, "", f"{titles}: no series with both answers")
    first, second = (other, name) if name == TRUTH else (name, other)
    href = base + compared.asked.query(cell="differ", of=first, other=second)
    title = f"{titles} agree on {found.agree} of {found.of} series"
    return HeatCell(f"{100 * found.share:.0f}", round(10 * found.share), href, title)


def _code(compared: ComparisonResult, name: str) -> str:
    if name == TRUTH:
        return "GT" if compared.yardstick.kind in {"campaign", "recipe", "known"} else "Y"
    person = name.removeprefix("person:")
    return person[:4].upper() if person != name else compared.looks[name].code
