"""The published answers as stored rows: 396 series, imported marks, detections of six methods."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from django.core.management import call_command

from analysis.runs.models import Detection
from detectors.registry import registry
from people.models import Study
from series.models import Benchmark, Dataset, Recording, Series
from tests.published_data import replication_folder

LENGTH = 3000
METHODS = ("cp_ssd", "kb_kssd", "sdm", "t_test", "f_test", "r_test")


def records() -> list[dict[str, Any]]:
    """One published answer each, in the order of the index."""
    expected_records: list[dict[str, Any]] = json.loads(
        (replication_folder() / "expected.json").read_text()
    )
    return expected_records


def totals() -> dict[str, Any]:
    expected_totals: dict[str, Any] = json.loads(
        (replication_folder() / "expected_totals.json").read_text()
    )
    return expected_totals


def store_series(study: Study) -> list[Series]:
    """The 396 forks by name; marks and answers need no more than names and lengths."""
    with (replication_folder() / "index.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    dataset = Dataset.objects.create(study=study, name="Published", slug="published")
    recording = Recording.objects.create(dataset=dataset, label="published")
    benchmarks = Benchmark.objects.bulk_create(
        Benchmark(
            dataset=dataset, system=row["system"], name=row["benchmark"], params=row["params"]
        )
        for row in rows
    )
    return Series.objects.bulk_create(
        Series(
            benchmark=benchmark,
            recording=recording,
            fork=0,
            n=LENGTH,
            digest=f"{number:064x}",
            minimum=0,
            median=0,
            maximum=0,
            median_last_half=0,
            robust_low=0,
            robust_high=1,
            scale=1,
        )
        for number, benchmark in enumerate(benchmarks)
    )


def import_marks(study: Study, campaign: str, recipe: str) -> None:
    package = str(replication_folder() / "package")
    call_command(
        "import_marks",
        f"{study.slug}/{campaign}",
        package,
        format="replication",
        recipe=recipe,
        stdout=io.StringIO(),
    )


def key_of(method: str) -> str:
    """The stored key of a published method; one that is not installed keeps its slug."""
    slug = method.replace("_", "-")
    detector = registry().get(slug)
    return detector().key if detector else f"{slug}@1"


def store_detections(series: list[Series]) -> None:
    """The published index of each method, and a steady start that differs from it by one."""
    Detection.objects.bulk_create(
        _detection(series_row, method, record[method])
        for series_row, record in zip(series, records(), strict=True)
        for method in METHODS
    )


def _detection(series: Series, method: str, published_index: int) -> Detection:
    key = key_of(method)
    start = -1 if published_index == -1 else min(published_index + 1, LENGTH - 1)
    return Detection(
        series=series,
        detector_key=key,
        slug=key.partition("@")[0],
        steady_start=start,
        published_index=published_index,
        milliseconds=1,
    )
