"""Rows of every table of a comparison that can be worked out by hand, and what they rest on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.comparison.exports import COMPARISON_FIGURES, COMPARISON_TABLES, comparison_table
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from analysis.web.pdf_figure import figure_pdf
from annotate.blind import EVERYTHING, Reader
from annotate.models import Assignment, Campaign
from people.models import User

FIFTY = "fixed@1?iteration=50"
THIRDS = (0.333333333333, 0.666666666667, 1.0)


@pytest.fixture
def comparison(compared_study: Campaign) -> ComparisonResult:
    return result_for(compared_study)


def result_for(campaign: Campaign, reader: Reader = EVERYTHING, **query: Any) -> ComparisonResult:
    result = compare_stored(campaign.study, reader, ComparisonQuery(common=True, **query))
    assert result is not None
    return result


def rows_of(comparison: ComparisonResult, what: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in comparison_table(comparison, what).rows]


def test_errors_have_their_quantiles_and_their_distribution(comparison: ComparisonResult) -> None:
    """Errors of KB are -2, 0 and 28; SDM says never of the second series of three."""
    errors, shares = rows_of(comparison, "errors"), rows_of(comparison, "ecdf")

    assert errors[0] == ("kb-kssd", 3, -1.8, -1.0, 0.0, 14.0, 25.2)
    assert errors[1][:5] == ("sdm", 2, -11.35, -8.75, -5.5)
    assert [row[0] for row in errors] == ["kb-kssd", "sdm", FIFTY]
    sizes = (0, 2, 28)
    assert shares[:3] == [
        ("kb-kssd", size, share) for size, share in zip(sizes, THIRDS, strict=True)
    ]
    assert shares[3:5] == [("sdm", 1, THIRDS[0]), ("sdm", 12, THIRDS[1])]


def test_signed_errors_are_counted_by_direction_and_in_bars(comparison: ComparisonResult) -> None:
    directions = {row[0]: row[1:] for row in rows_of(comparison, "directions")}
    bars = [row for row in rows_of(comparison, "histograms") if row[3]]

    assert directions["kb-kssd"] == (2, 1, 1, 0)
    assert directions["sdm"] == (2, 1, 0, 1)
    assert directions["fixed"] == (0, 0, 0, 0)
    assert bars[:2] == [("kb-kssd", -2, -1, 1), ("kb-kssd", 0, 1, 1)]
    assert [row[3] for row in bars if row[0] == "person:a2"] == [2]


def test_every_pair_has_its_agreement_and_its_joint_counts(comparison: ComparisonResult) -> None:
    agreements = {row[:2]: row[2:] for row in rows_of(comparison, "agreement")}

    assert agreements["truth", "kb-kssd"] == (3, 4, 0.75)
    assert agreements["sdm", "person:a1"] == (2, 4, 0.5)
    assert len(agreements) == 15
    assert rows_of(comparison, "joint") == [
        ("kb-kssd", "sdm", 4, 2, 2, 0, 0),
        ("kb-kssd", FIFTY, 4, 3, 1, 0, 0),
        ("sdm", FIFTY, 4, 2, 0, 1, 1),
    ]


def test_every_pair_has_its_tests_effects_and_differences(comparison: ComparisonResult) -> None:
    """The errors on the common series are 0 and 2 of KB, 12 and 1 of SDM."""
    tests = comparison_table(comparison, "tests").records()
    effects = comparison_table(comparison, "effects").records()
    differences = comparison_table(comparison, "differences").records()

    pairs = [("kb-kssd", "sdm"), ("kb-kssd", FIFTY), ("sdm", FIFTY)]
    for records in (tests, effects, differences):
        assert list(dict.fromkeys((row["first"], row["second"]) for row in records)) == pairs
    assert (tests[0]["question"], tests[0]["test"], tests[0]["n"]) == ("closer", "sign", 2)
    assert (tests[0]["p"], tests[0]["p_adjusted_all"], tests[0]["differ"]) == (1.0, 1.0, False)
    assert (effects[0]["rank_biserial"], effects[0]["a12"]) == (THIRDS[0], 0.75)
    median = differences[0]
    assert (median["figure"], median["of_first"], median["of_second"]) == ("median_abs", 1.0, 6.5)
    assert (median["difference"], median["low"], median["high"]) == (-5.5, -12.0, 1.0)


def test_tests_over_all_methods_name_their_degrees(comparison: ComparisonResult) -> None:
    [right_rows] = rows_of(comparison, "many")  # two methods: nothing to rank

    assert right_rows[:5] == ("cochran-q", 2, 4, 2.0, 1)


def test_groups_and_left_out_series_are_counted(comparison: ComparisonResult) -> None:
    groups = comparison_table(comparison, "breakdown").records()
    count_by_reason = {row[0]: row[2] for row in rows_of(comparison, "left-out")}

    assert [(row["group"], row["series"]) for row in groups if row["method"] == "sdm"] == [
        *(("0", 1), ("1", 0), ("2", 0), ("3", 1))
    ]
    assert count_by_reason == {
        "no-truth": 0,
        "truth-never": 1,
        "no-answer": 0,
        "says-never": 1,
        "hidden": 0,
        "excluded": 0,
    }
    assert rows_of(comparison, "kept-out") == [("kb-kssd", 0, 0, 0), ("sdm", 0, 1, 1)]


def test_hidden_series_are_counted_with_a_sentence(compared_study: Campaign, ana: User) -> None:
    task = compared_study.tasks.order_by("position")[0]
    Assignment.objects.filter(task=task, user=ana).update(latest=None)

    left_out_rows = rows_of(result_for(compared_study, ana), "left-out")

    assert ("hidden", "You have yet to answer it.", 1) in left_out_rows


@pytest.mark.parametrize(("tolerance", "expected_tolerance"), [(None, 10), (3, 3), (0, 0)])
def test_a_document_says_which_tolerance_its_figures_have(
    compared_study: Campaign, tolerance: int | None, expected_tolerance: int
) -> None:
    comparison = result_for(compared_study, tolerance=tolerance)

    document: Any = COMPARISON_TABLES.document(comparison, "joint")

    assert document["tolerance"] == expected_tolerance
    assert document["error"] == "predicted - truth, in iterations"
    assert (document["series"], document["common_distances"]) == (4, 2)
    assert document["against"] is None


def test_every_figure_leads_to_its_pdf(
    compared_study: Campaign, olga: User, client: Client, tmp_path: Path
) -> None:
    client.force_login(olga)
    comparison = compare_stored(compared_study.study, olga, ComparisonQuery())
    assert comparison is not None
    figures = {
        name: figure for name, draw in COMPARISON_FIGURES.items() if (figure := draw(comparison))
    }
    assert {figure.name for figure in figures.values()} == figures.keys()

    for name in ("error-distribution", "error-histogram", "pairs-sooner", "right"):
        answer = client.get(figures[name].pdf)
        assert answer.headers["Content-Type"] == "application/pdf"
        assert answer.content == figure_pdf(figures[name])
    pdf_path = tmp_path / "right.pdf"
    words = (compared_study.study.slug, "--what", "right", "--format", "pdf")
    call_command("comparison", *words, "--output", str(pdf_path))
    assert pdf_path.read_bytes() == answer.content
    with pytest.raises(CommandError, match="name a file"):
        call_command("comparison", *words)
    with pytest.raises(CommandError, match="no figure 'joint'; there are: error-distribution"):
        call_command(
            "comparison", words[0], "--what", "joint", *words[3:], "--output", str(pdf_path)
        )
    empty_response = client.get(figures["right"].pdf.replace("what=right", "what=average-ranks"))
    assert (empty_response.status_code, b"nothing to draw" in empty_response.content) == (404, True)
