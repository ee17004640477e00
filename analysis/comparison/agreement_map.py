"""The agreement of every pair of sources: a heat map, and the pairs at its ends in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final
from urllib.parse import urlencode

from analysis.comparison.drilldown import title_of
from analysis.comparison.figures import csv_file, pdf_file, series_list
from analysis.comparison.table import TRUTH, ComparisonResult, agreements, person_of
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from analysis.statistics.pairwise_agreement import Agreement, AgreementMatrix
from analysis.web.figures import WebFigure
from analysis.web.heat_map import HeatCell, HeatSource, heat_layout, heat_map, heat_trace
from analysis.web.thumbnails import ThumbnailPath, thumbnail
from people.templatetags.writing import grouped, share

FOLDED: Final = 15
"""With more sources than these the page shows the map when it is asked for."""
CODE: Final = 4  # most characters beside a cell


@dataclass(frozen=True, slots=True)
class AgreementSection:
    """The map and its ends in words; folded it has no figure, and `query` asks for that."""

    sentence: str
    figure: WebFigure | None
    query: str = ""

    def still(self) -> AgreementSection:
        """Return a copy for a file: no part of it leads anywhere."""
        return replace(self, figure=self.figure and self.figure.without_links)


def agreement_section(
    comparison: ComparisonResult, most_sources: float = FOLDED
) -> AgreementSection:
    """Section of the page; the map is folded where there are more sources than `most_sources`."""
    matrix = agreements(comparison.inputs)
    sentence = _ends_in_words(comparison, matrix)
    if len(matrix.names) > most_sources:
        return AgreementSection(sentence, None, comparison.asked.alone.query(figure="agreement"))
    return AgreementSection(sentence, agreement_map(comparison))


def agreement_map(comparison: ComparisonResult) -> WebFigure:
    """The yardstick first, then by similarity; a cell opens the series on which two differ."""
    matrix = agreements(comparison.inputs)
    names = _map_order(matrix)
    return heat_map(
        "agreement-map",
        "Agreement between methods",
        {name: HeatSource(_code(comparison, name), title_of(comparison, name)) for name in names},
        [[_cell(comparison, matrix, name, column_name) for column_name in names] for name in names],
        lists=series_list(comparison, cell="differ") + "&",
        file=csv_file(comparison, "agreement"),
        pdf=pdf_file(comparison, "agreement-map"),
    )


def agreement_thumbnail(comparison: ComparisonResult) -> list[ThumbnailPath]:
    """The map in small, without its words."""
    matrix = agreements(comparison.inputs)
    names = _map_order(matrix)
    cells = [
        [
            HeatCell(None if name == column_name else matrix.cell(name, column_name).share)
            for column_name in names
        ]
        for name in names
    ]
    return thumbnail([heat_trace(names, cells).to_plotly_json()], heat_layout(names))


def _map_order(matrix: AgreementMatrix) -> list[str]:
    """Sources of the map: the yardstick first, then by similarity."""
    names = [matrix.names[source_index] for source_index in matrix.order]
    return sorted(names, key=lambda name: name != TRUTH)  # stable: the others keep their order


def _cell(
    comparison: ComparisonResult, matrix: AgreementMatrix, name: str, column_name: str
) -> HeatCell:
    if name == column_name:
        return HeatCell(None)
    agreement = matrix.cell(name, column_name)
    titles = f"{title_of(comparison, name)} and {title_of(comparison, column_name)}"
    if agreement.share is None:
        return HeatCell(None, f"{titles}: no series with both answers")
    first_name, second_name = (column_name, name) if name == TRUTH else (name, column_name)
    counts = f"{grouped(agreement.agree_count)} of {grouped(agreement.answered_count)}"
    sentence = f"{titles} agree on {counts} series"
    return HeatCell(agreement.share, sentence, urlencode({"of": first_name, "other": second_name}))


def _code(comparison: ComparisonResult, name: str) -> str:
    if name == TRUTH:
        return "GT" if comparison.yardstick.kind in {"campaign", "recipe", "known"} else "Y"
    person = person_of(name)
    return short_code(person) if person else comparison.looks[name].code


def short_code(pseudonym: str) -> str:
    """Code of at most four signs that keeps the number: A3, and S3 of simulated-3."""
    number = pseudonym[len(pseudonym.rstrip("0123456789")) :]
    if len(pseudonym) <= CODE or not number:
        return pseudonym[:CODE].upper()
    return (pseudonym[0] + number)[:CODE].upper()


# --- the ends in words ------------------------------------------------------------------------
def _ends_in_words(comparison: ComparisonResult, matrix: AgreementMatrix) -> str:
    """Sentence of the two methods that agree most often and least often; ties go to the first
    pair.
    """
    looks = comparison.looks
    agreement_by_pair = {
        f"{looks[a].code} and {looks[b].code}": agreement
        for a, b in combinations(comparison.inputs.ranked, 2)
        if (agreement := matrix.cell(a, b)).answered_count >= LEAST_SERIES
    }
    if len(agreement_by_pair) < 2:
        return ""
    most_alike = max(agreement_by_pair, key=lambda codes: agreement_by_pair[codes].share or 0)
    least_alike = min(agreement_by_pair, key=lambda codes: agreement_by_pair[codes].share or 0)
    most, least = agreement_by_pair[most_alike], agreement_by_pair[least_alike]
    if most.share == least.share:
        return f"All pairs of methods agree {_share(most)}."
    most_words = f"{most_alike} agree most often, {_share(most)}"
    return f"{most_words}; {least_alike} least often, {_share(least)}."


def _share(agreement: Agreement) -> str:
    return f"on {share(agreement.share)} of {grouped(agreement.answered_count)} series"
