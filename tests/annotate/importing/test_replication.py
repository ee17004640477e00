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
from tests.published_data import replication_folder
from tests.replayed_rows import replayed

FOLDER = "package"
STAGES = {
    "published": "benchmark_database_binary",
    "round1": "ground_truth_benchmark",
    "round2": "ground_truth_benchmark_2",
    "tie_break": "relabelled_disagreements",
}
SOME = 11  # every so many rows: 36 of 396


@pytest.fixture
def published_records() -> list[dict[str, Any]]:
    records = json.loads((replication_folder() / "expected.json").read_text())
    return list(records.values()) if isinstance(records, dict) else records


@pytest.fixture
def rows() -> list[dict[str, str]]:
    with (replication_folder() / "index.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
@replayed
def stored_study(study: Study, olga: User, rows: list[dict[str, str]]) -> Study:
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


@pytest.fixture
def rounds_folder(
    rows: list[dict[str, str]], published_records: list[dict[str, Any]], tmp_path: Path
) -> Path:
    """A small package with the rounds, which the folder of published data keeps apart."""
    package = replication_folder() / FOLDER
    answers: dict[str, list[dict[str, Any]]] = {stage: [] for stage in STAGES.values()}
    for row, record in list(zip(rows, published_records, strict=True))[::SOME]:
        key = f"{row['system']}#{row['benchmark']}#{row['params']}.json_0"
        for stage, file in STAGES.items():
            answer = record["binary"][stage]
            if answer is not None:
                value = answer["value"] if isinstance(answer, dict) else answer
                answers[file].append({"keyname": key, "value": value, "datatype": "int"})
    for title, entries in answers.items():
        (tmp_path / f"{title}.json").write_text(json.dumps({"main": entries}))
    keys = {entry["keyname"] for entry in answers["benchmark_database_binary"]}
    for path in package.rglob("benchmark_database_steady_indices_*.json"):
        entries = json.loads(path.read_text())["main"]
        kept_entries = [entry for entry in entries if entry["keyname"].removesuffix("_0") in keys]
        (tmp_path / path.name).write_text(json.dumps({"main": kept_entries}))
    return tmp_path


def exported_rows(name: str, recipe: str) -> dict[tuple[str, str, str], dict[str, str]]:
    output = io.StringIO()
    call_command("ground_truth", name, recipe=recipe, stdout=output)
    reader = csv.DictReader(io.StringIO(output.getvalue()))
    return {(row["system"], row["benchmark"], row["params"]): row for row in reader}


@pytest.mark.parametrize(
    ("recipe", "key"), [("jagt", "jagt"), ("jagt-published", "jagt_published")]
)
def test_ground_truth_is_the_published_one(
    stored_study: Study,
    rows: list[dict[str, str]],
    published_records: list[dict[str, Any]],
    recipe: str,
    key: str,
) -> None:
    package = replication_folder() / FOLDER
    name = f"{stored_study.slug}/published"
    call_command("import_marks", name, str(package), format="replication", stdout=io.StringIO())

    row_by_benchmark = exported_rows(name, recipe)

    expected_starts = {
        (row["system"], row["benchmark"], row["params"]): record[key]
        for row, record in zip(rows, published_records, strict=True)
    }
    start_by_benchmark = {key: int(row["steady_start"]) for key, row in row_by_benchmark.items()}
    assert start_by_benchmark == expected_starts
    marked_records = [record for record in published_records if record["marks"]]
    assert len(marked_records) == 264
    clustered_benchmarks = {
        benchmark for benchmark, row in row_by_benchmark.items() if row["agreement"] == "clustered"
    }
    assert len(clustered_benchmarks) == sum(record["clustered"] for record in marked_records)


def test_importing_again_changes_nothing(stored_study: Study) -> None:
    package = str(replication_folder() / FOLDER)
    first, second = io.StringIO(), io.StringIO()
    name = f"{stored_study.slug}/published"

    call_command("import_marks", name, package, format="replication", stdout=first)
    call_command("import_marks", name, package, format="replication", stdout=second)

    summary_text = (
        "open, recipe jagt (eps=50&min_samples=3); ground truth: 264 steady, 132 never, 0 "
    )
    assert first.getvalue() == (
        f"{name}: 1452 marks stored, 0 known, 396 series, 6 annotators\n"
        f"{name}: made, {summary_text}undecided\n"
    )
    assert second.getvalue() == (
        f"{name}: 0 marks stored, 1452 known, 396 series, 6 annotators\n"
        f"{name}: was there, {summary_text}undecided\n"
    )
    output = io.StringIO()
    call_command("recompute", name, check=True, stdout=output)
    assert output.getvalue() == f"{name}: 396 series, 0 brought up to date\n"


def test_the_pairing_of_the_first_stage_is_named(stored_study: Study) -> None:
    name = f"{stored_study.slug}/published"
    package: Path = replication_folder() / FOLDER
    call_command("import_marks", name, str(package), format="replication", stdout=io.StringIO())
    campaign = Campaign.objects.get(slug="published")

    never_tasks = campaign.tasks.filter(marks__kind="never")

    assert never_tasks.count() == 132
    assert "paired with fork 0" in never_tasks[0].marks.get().note
    assert set(never_tasks.values_list("marks__annotator__first_name", flat=True)) == {"published"}


def test_the_rounds_are_answers_of_a_campaign_of_their_own(
    stored_study: Study,
    rows: list[dict[str, str]],
    published_records: list[dict[str, Any]],
    rounds_folder: Path,
) -> None:
    name, output = f"{stored_study.slug}/published", io.StringIO()
    call_command("import_marks", name, str(rounds_folder), format="replication", stdout=output)

    truth = exported_rows(f"{name}-first-stage", "jagt")
    marks = exported_rows(name, "jagt")

    chosen_pairs = list(zip(rows, published_records, strict=True))[::SOME]
    assert len(truth) == len(marks) == len(chosen_pairs) == 36
    for row, record in chosen_pairs:
        benchmark = (row["system"], row["benchmark"], row["params"])
        votes = _votes(record)
        cells = [truth[benchmark][column] for column in ("round1", "round2", "tie-break")]
        assert cells == ["" if vote is None else str(vote) for vote in votes]
        assert truth[benchmark]["steady_start"] == str(_majority(votes))
        assert marks[benchmark]["steady_start"] == str(record["jagt"])
    assert output.getvalue().splitlines()[2].endswith("series, 3 annotators")


def test_published_labels_do_not_follow_from_the_rounds(
    published_records: list[dict[str, Any]],
) -> None:
    """Why they are two campaigns; the guide has these numbers."""
    pairs = [
        (_majority(_votes(record)) >= 0, record["binary"]["published"] >= 0)
        for record in published_records
    ]

    assert len(pairs) == 396
    assert (pairs.count((False, True)), pairs.count((True, False))) == (61, 28)


def _votes(record: dict[str, Any]) -> list[int | None]:
    """Round 1, round 2 and tie break; -1 is never."""
    votes = [record["binary"][stage] for stage in ("round1", "round2", "tie_break")]
    return [vote["value"] if isinstance(vote, dict) else vote for vote in votes]


def _majority(votes: list[int | None]) -> int:
    """Never if more than half say so; else the upper middle of those who do not."""
    given_votes = [vote for vote in votes if vote is not None]
    steady_votes = sorted(vote for vote in given_votes if vote >= 0)
    return -1 if 2 * len(steady_votes) < len(given_votes) else steady_votes[len(steady_votes) // 2]


def test_the_campaign_of_the_rounds_says_what_it_is(
    stored_study: Study, rounds_folder: Path
) -> None:
    for _ in range(2):
        call_command(
            "import_marks",
            f"{stored_study.slug}/published",
            str(rounds_folder),
            format="replication",
            stdout=io.StringIO(),
        )

    first, second = Campaign.objects.order_by("pk")

    assert (first.slug, second.slug) == ("published-first-stage", "published")
    assert "fork that the package does not name" in first.instructions
    tie_breaker = first.annotators.get(pseudonym="tie-break")
    asked_tasks = first.tasks.filter(assignments__user=tie_breaker.user)
    assert asked_tasks.count() == first.tasks.filter(marks__annotator=tie_breaker.user).count() < 36
    assert set(first.tasks.values_list("ground_truth__complete", flat=True)) == {True}
