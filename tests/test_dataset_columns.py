"""Data sets are named the same in every file: the slug in `dataset`, the name in `dataset_name`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator

import pytest
from django.core.management import call_command

from analysis.comparison import drilldown
from analysis.composition.exports import SHAPE_COLUMNS
from analysis.cost.exports import COST_TABLES
from analysis.report import content
from analysis.review import table as review_table
from analysis.runs import exports as run_exports
from analysis.runs.imported_methods import series_to_answer
from analysis.trend import exports as trend_exports
from annotate.blind import EVERYTHING
from annotate.importing import screening_table
from annotate.models import Task
from annotate.truth import exports as annotate_exports
from formats import marks, tables
from series.models import Dataset, Series

FILES: dict[str, Iterator[str] | tuple[str, ...] | list[str]] = {
    "trend": tuple(trend_exports.COLUMNS),
    "changes": tuple(trend_exports.KNOWN_COLUMNS),
    "detections": tables.column_names(run_exports.COLUMNS),
    "marks": tables.column_names(marks.COLUMNS),
    "screening": tables.column_names(screening_table.BEFORE),
    "drill-down": drilldown.COLUMNS,
    "disagreements": drilldown.QUEUE_COLUMNS,
    "review": tuple(review_table.COLUMNS),
    "report": content.BEFORE,
    "costs of benchmarks": tuple(COST_TABLES.columns(None, "benchmarks")),
    "costs of forks": tuple(COST_TABLES.columns(None, "forks")),
    "series to answer": series_to_answer.COLUMNS,
    "ground truth": tables.column_names(annotate_exports.ground_truth_table()),
    "shapes": tables.column_names(SHAPE_COLUMNS),
}  # fmt: skip


@pytest.mark.parametrize("what", FILES)
def test_slug_and_name_stand_first_in_every_file(what: str) -> None:
    assert [*FILES[what]][:2] == ["dataset", "dataset_name"]


def test_a_file_has_the_slug_and_the_name(
    dataset: Dataset, task: Task, make_series: Callable[..., Series]
) -> None:
    Dataset.objects.filter(pk=dataset.pk).update(name="Nightly builds")
    text = "".join(annotate_exports.ground_truth_csv(task.campaign, EVERYTHING))
    row = next(csv.DictReader(io.StringIO(text)))

    assert (row["dataset"], row["dataset_name"]) == ("nightly", "Nightly builds")
    output = io.StringIO()
    call_command("trend", "startup-times/nightly", format="json", stdout=output)
    document = json.loads(output.getvalue())
    assert (document["dataset"], document["dataset_name"]) == ("nightly", "Nightly builds")
