"""What answers would change of results: the same on the lists, in their files, and by hand."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from analysis.comparison import drilldown, result_changes
from analysis.comparison.query import ComparisonQuery, DrilldownCell
from analysis.comparison.table import compare_stored
from analysis.web.templatetags.results import percent_signed
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from series.models import Series

LATE = "?cell=n&of=kb-kssd"


def table(client: Client, query: str) -> list[dict[str, str]]:
    file = b"".join(client.get(f"/s/startup-times/comparison/export/{query}")).decode()
    return list(csv.DictReader(io.StringIO(file)))


def test_rows_behind_a_number_say_what_each_answer_changes(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None
    rows = drilldown.drilldown_for(comparison, DrilldownCell("n", "kb-kssd")).rows

    changes = result_changes.changes_by_series(rows)

    by_hand = {}
    for row in rows:
        values = Series.objects.get(pk=row.line.pk).array()
        assert row.answer is not None
        assert row.truth is not None
        truth_mean, answer_mean = values[int(row.truth) :].mean(), values[int(row.answer) :].mean()
        by_hand[row.line.pk] = answer_mean / truth_mean - 1
    assert {pk: change.share for pk, change in changes.items()} == pytest.approx(by_hand)
    page = as_vic.get(
        f"/s/startup-times/disagreements/{LATE}&by=methods&order=change"
    ).content.decode()
    assert all(percent_signed(change.share) in page for change in changes.values())
    file = table(as_vic, f"{LATE}&what=series&format=csv")
    assert sorted(float(row["change"]) for row in file if row["change"]) == pytest.approx(
        sorted(change.share for change in changes.values()), abs=1e-12
    )
    assert {row["consequence"] for row in file} <= {"matters", "immaterial", ""}


def test_the_queue_names_the_method_that_changes_most(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None
    queue = drilldown.disagreement_queue(comparison)

    changes = result_changes.changes_by_index(
        comparison.inputs, [disagreement.series for disagreement in queue]
    )

    for line_index, change in changes.items():
        values, truth = (
            Series.objects.get(pk=comparison.lines[line_index].pk).array(),
            comparison.truth.value(line_index),
        )
        assert truth is not None
        answers = {
            name: method_answers.value(line_index)
            for name, method_answers in comparison.inputs.methods.items()
        }
        result = values[int(truth) :].mean()
        relative_errors = {
            name: abs(values[int(answer) :].mean() / result - 1)
            for name, answer in answers.items()
            if answer is not None and answer >= 0
        }
        assert abs(change.change.share) == pytest.approx(max(relative_errors.values()))
    assert changes
    page = as_vic.get("/s/startup-times/disagreements/?by=methods&order=change").content.decode()
    assert all(percent_signed(change.change.share) in page for change in changes.values())
    rows = table(as_vic, "?what=queue&format=csv")
    assert [row["change_by"] for row in rows if row["change_by"]] == [
        changes[disagreement.series].method
        for disagreement in queue
        if disagreement.series in changes
    ]


@pytest.mark.parametrize("cell", ["cell=n&of=sdm&", ""])
def test_lists_can_begin_with_the_largest_change(
    compared_study: Campaign, four_series: list[Series], as_vic: Client, cell: str
) -> None:
    """And are walked in that order."""
    answer = as_vic.get(f"/s/startup-times/disagreements/?by=methods&{cell}order=change")

    figures = [row.row_figure.figure for row in answer.context["rows"]]
    sizes = [size_of(figure) for figure in figures]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) > 1
    first, second = answer.context["rows"][:2]
    first_case_page = as_vic.get(first.url, headers={"HX-Request": "true"}).content.decode()
    assert f'href="{second.url}" data-do="skip"'.replace("&", "&amp;") in first_case_page


def size_of(figure: str) -> float:
    """The size of a change as a row writes it; -1 for none."""
    return -1.0 if figure == "–" else float(figure.strip("+−%\u202f\u00a0 "))
