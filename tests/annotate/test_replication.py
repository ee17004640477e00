"""The published marks, imported: both recipes give exactly the published values."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotate.models import Campaign
from people.models import Study, User
from series.models import Benchmark, Dataset, Recording, Series
from tests.replication import replication_folder

FOLDER = "package"


@pytest.fixture
def published() -> list[dict[str, Any]]:
    records = json.loads((replication_folder() / "expected.json").read_text())
    return list(records.values()) if isinstance(records, dict) else records


@pytest.fixture
def rows() -> list[dict[str, str]]:
    with (replication_folder() / "index.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def stored(study: Study, olga: User, rows: list[dict[str, str]]) -> Study:
    """The 396 forks by name; the marks need no more than their names and lengths."""
    dataset = Dataset.objects.create(study=study, name="Published", slug="published")
    recording = Recording.objects.create(dataset=dataset, label="published")
    benchmarks = Benchmark.objects.bulk_create(
        Benchmark(
            dataset=dataset, system=row["system"], name=row["benchmark"], params=row["params"]
        )
        for row in rows
    )
    Series.objects.bulk_create(
        Series(
            benchmark=benchmark,
            recording=recording,
            fork=0,
            n=3000,
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
    return study


def exported(name: str, recipe: str) -> dict[tuple[str, str, str], dict[str, str]]:
    out = io.StringIO()
    call_command("ground_truth", name, recipe=recipe, stdout=out)
    read = csv.DictReader(io.StringIO(out.getvalue()))
    return {(row["system"], row["benchmark"], row["params"]): row for row in read}


@pytest.mark.parametrize(
    ("recipe", "key"), [("jagt", "jagt"), ("jagt-published", "jagt_published")]
)
def test_ground_truth_is_the_published_one(
    stored: Study,
    rows: list[dict[str, str]],
    published: list[dict[str, Any]],
    recipe: str,
    key: str,
) -> None:
    package = replication_folder() / FOLDER
    name = f"{stored.slug}/published"
    call_command("import_marks", name, str(package), format="replication", stdout=io.StringIO())

    found = exported(name, recipe)

    expected = {
        (row["system"], row["benchmark"], row["params"]): record[key]
        for row, record in zip(rows, published, strict=True)
    }
    assert {place: int(row["steady_start"]) for place, row in found.items()} == expected
    marked = [record for record in published if record["marks"]]
    assert len(marked) == 264
    clustered = {place for place, row in found.items() if row["agreement"] == "clustered"}
    assert len(clustered) == sum(record["clustered"] for record in marked)


def test_importing_again_changes_nothing(stored: Study) -> None:
    package = str(replication_folder() / FOLDER)
    first, second = io.StringIO(), io.StringIO()
    name = f"{stored.slug}/published"

    call_command("import_marks", name, package, format="replication", stdout=first)
    call_command("import_marks", name, package, format="replication", stdout=second)

    assert first.getvalue() == f"{name}: 1452 marks stored, 0 known, 396 series, 6 annotators\n"
    assert second.getvalue() == f"{name}: 0 marks stored, 1452 known, 396 series, 6 annotators\n"
    out = io.StringIO()
    call_command("recompute", name, check=True, stdout=out)
    assert out.getvalue() == f"{name}: 396 series, 0 brought up to date\n"


def test_the_pairing_of_the_first_stage_is_named(stored: Study) -> None:
    name = f"{stored.slug}/published"
    package: Path = replication_folder() / FOLDER
    call_command("import_marks", name, str(package), format="replication", stdout=io.StringIO())
    campaign = Campaign.objects.get(slug="published")

    never = campaign.tasks.filter(marks__kind="never")

    assert never.count() == 132
    assert "paired with fork 0" in never[0].marks.get().note
    assert set(never.values_list("marks__annotator__first_name", flat=True)) == {"published"}
