"""Choices of the page's filters: data sets, and benchmarks of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from analysis.references import yardsticks
from analysis.what_to_do.query import WhatToDoQuery
from people.models import Study
from series.models import Benchmark, Dataset

MOST_LISTED: Final = 200  # most benchmarks in a select


def default_dataset(study: Study) -> Dataset | None:
    """The first data set with ground truth, else the first; None in a study without any."""
    dataset_pks = (
        yardstick.series().order_by().values("benchmark__dataset")
        for yardstick in yardsticks.yardsticks_of(study)
    )
    truth_datasets = (study.datasets.filter(pk__in=pks).first() for pks in dataset_pks)
    return next((dataset for dataset in truth_datasets if dataset), study.datasets.first())


def choices_context(
    dataset: Dataset, benchmark: Benchmark | None, query: WhatToDoQuery
) -> dict[str, Any]:
    """Context of `_filters.html`, without the settings of a query."""
    count = dataset.benchmarks.count()
    all_query = query.changed(benchmark="", dataset=dataset.slug, recording="")
    return {
        "dataset": dataset,
        "datasets": list(dataset.study.datasets.all()),
        "benchmark": benchmark,
        "benchmarks": _labelled_benchmarks(list(dataset.benchmarks.all()))
        if count <= MOST_LISTED
        else [],
        "count": count,
        "all_query": all_query.query(),
    }


def _labelled_benchmarks(benchmarks: Sequence[Benchmark]) -> list[tuple[Benchmark, str]]:
    """Pair benchmarks with short names: with parameters only where two share a name."""
    count_by_name = Counter(benchmark.name for benchmark in benchmarks)
    return [
        (benchmark, benchmark.name if count_by_name[benchmark.name] == 1 else str(benchmark))
        for benchmark in benchmarks
    ]
