"""The map of agreements: its cells, the lists behind them, when it is folded, its ends in words."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from django.test import Client

from analysis.comparison import agreement_map, drilldown
from analysis.comparison.agreement_map import agreement_section, short_code
from analysis.comparison.query import ComparisonQuery, DrilldownCell
from analysis.comparison.table import TRUTH, ComparisonResult, agreements, compare_stored
from analysis.web.heat_map import HeatCell, HeatSource, heat_map
from annotate.blind import EVERYTHING
from annotate.models import Campaign

COMPARE = "/s/startup-times/comparison/"


@pytest.fixture
def comparison(compared_study: Campaign) -> ComparisonResult:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison
    return comparison


def cells(comparison: ComparisonResult) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Text, words and list of every cell, by the names of its row and column."""
    figure = agreement_map.agreement_map(comparison)
    (trace,) = figure.document["data"]
    names = trace["meta"]["sources"]
    places = [(row, column) for row in names for column in names]
    lists = [
        figure.meta["href"].replace("{}", pair) if pair else "" for pair in trace["customdata"]
    ]
    return dict(
        zip(places, zip(trace["text"], trace["hovertext"], lists, strict=True), strict=True)
    )


def test_a_cell_counts_what_its_list_leaves_out(comparison: ComparisonResult) -> None:
    matrix, map_cells = agreements(comparison.inputs), cells(comparison)

    assert next(iter(map_cells))[0] == TRUTH
    for (first, second), (text, words, href) in map_cells.items():
        if first == second:
            assert (text, words, href) == ("", "", "")
            continue
        pair = matrix.cell(first, second)
        assert text == f"{100 * pair.agree_count / pair.answered_count:.0f}"
        assert words.endswith(f"agree on {pair.agree_count} of {pair.answered_count} series")
        cell = DrilldownCell.from_query(QueryDict(urlsplit(href).query))
        assert (
            len(drilldown.drilldown_for(comparison, cell).rows)
            == pair.answered_count - pair.agree_count
        )


def test_the_table_leads_where_the_cells_lead(comparison: ComparisonResult) -> None:
    table = agreement_map.agreement_map(comparison).table

    assert table
    assert [cell.href for row in table.rows for cell in row[1:]] == [
        href for _, _, href in cells(comparison).values()
    ]


def test_a_large_map_is_asked_for(
    compared_study: Campaign, comparison: ComparisonResult, as_vic: Client, monkeypatch: Any
) -> None:
    assert agreement_section(comparison).figure
    source_count = len(agreements(comparison.inputs).names)
    assert agreement_section(comparison, source_count).figure
    assert agreement_section(comparison, source_count - 1).figure is None

    monkeypatch.setattr(agreement_section, "__defaults__", (source_count - 1,))
    page = as_vic.get(COMPARE).text
    assert 'id="agreement-map"' not in page
    (address,) = re.findall(r'id="heat" hx-get="([^"]*)"', page)
    response = as_vic.get(address, headers={"HX-Request": "true"})
    assert 'id="agreement-map"' in response.text


def test_one_pair_has_no_ends(
    comparison: ComparisonResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement_map, "LEAST_SERIES", 1)

    assert agreement_section(comparison).sentence == ""  # kb-kssd and sdm; the others are baselines


def test_the_ends_are_said_in_words(
    comparison: ComparisonResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(comparison.inputs), "ranked", comparison.inputs.methods)
    assert agreement_section(comparison).sentence == ""  # four series are too few
    monkeypatch.setattr(agreement_map, "LEAST_SERIES", 1)

    sentence = agreement_section(comparison).sentence.replace("\u00a0", " ")

    pairs = {
        (first, second): agreements(comparison.inputs).cell(first, second)
        for first in comparison.inputs.methods
        for second in comparison.inputs.methods
        if first < second
    }
    shares = [100 * (pair.share or 0) for pair in pairs.values()]
    assert f"agree most often, on {max(shares):.1f} % of 4 series; " in sentence
    assert sentence.endswith(f"least often, on {min(shares):.1f} % of 4 series.")


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_map_of_few(check_figure: Any, n: int) -> None:
    sources = {
        f"m{method_index}": HeatSource(f"M{method_index}", f"Method {method_index}")
        for method_index in range(n)
    }
    rows = [[HeatCell(None if i == j else 0.75, "w", "p") for j in range(n)] for i in range(n)]

    figure = heat_map("few", "Few", sources, rows, lists="/?")

    check_figure(figure)
    (trace,) = figure.document["data"]
    assert trace["text"] == ["", "75", "75", ""][: n * n]
    assert trace["marker"]["color"][1:2] == ["var(--heat-8)"][: n - 1 if n else 0]


@pytest.mark.parametrize(
    ("pseudonym", "code"),
    [("a1", "A1"), ("a12", "A12"), ("anna", "ANNA"), ("annette", "ANNE"), ("simulated-3", "S3")],
)
def test_a_long_pseudonym_keeps_its_number(pseudonym: str, code: str) -> None:
    assert short_code(pseudonym) == code
