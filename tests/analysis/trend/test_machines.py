"""Machines of a build: import says which, the page splits the variance and plans."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse

from analysis.references.iteration_seconds import warm_up_iterations
from analysis.trend.machines import table
from analysis.trend.machines.query import MachinesQuery
from analysis.trend.machines.table import build_machines
from analysis.web.latest_used import LatestUsed
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from formats.iterations import TRIALS, IterationLength
from people.models import User
from series.models import Benchmark, Dataset, Recording, Series
from tests.analysis.trend.conftest import Nights, store

pytestmark = pytest.mark.django_db
LEVELS = (0.9, 1.0, 1.1, 1.05)


@pytest.fixture
def cloud(nights: Nights, dataset: Dataset) -> Dataset:
    """A build on four machines with two forks each, one with three, and one on no machine."""
    slow = nights([1.0], "org.example.Slow.run")  # night 1 of build b1 names no machine
    for index, level in enumerate(LEVELS):
        recording = Recording.objects.create(
            dataset=dataset, label=f"vm {index}", build="b1", machine="c5", instance=f"i-{index}"
        )
        for fork in range(3 if index == 0 else 2):
            store(slow, recording, fork, level=level * (1 + 0.01 * fork), seed=index * 10 + fork)
    return dataset


def test_variance_is_split_by_machine_fork_and_iteration(cloud: Dataset) -> None:
    build = build_machines(cloud, EVERYTHING, MachinesQuery(build="b1", target=0.1))

    (row,) = build.rows
    assert (row.machines, row.forks, build.unnamed_count) == (4, 9, 1)
    assert row.deviation("machine") == pytest.approx(np.std(LEVELS, ddof=1), rel=0.1)
    assert row.deviation("fork") == pytest.approx(0.008, abs=0.004)
    assert row.deviation("iteration") == pytest.approx(0.004, rel=0.2)
    assert sum(share or 0 for share in row.shares.values()) == pytest.approx(1)
    # ± 10 % by machines that differ by 8.5 %: t of 3 degrees is 3.18, over √4 gives 13.6 %
    assert row.half == pytest.approx(3.182 * np.std(LEVELS, ddof=1) / 2, rel=0.1)
    assert row.needed == 6
    assert [level.groups for level in build.levels] == [1, 4, 9, 9 * 40]
    assert sum(level.share or 0 for level in build.levels) == pytest.approx(1)
    assert "takes 6 machines" in build.sentence


def test_page_files_and_command_say_the_same(
    cloud: Dataset, client: Client, olga: User, capsys: pytest.CaptureFixture[str]
) -> None:
    client.force_login(olga)
    slugs = [cloud.study.slug, cloud.slug]
    address = reverse("trend-machines", args=slugs)

    file = b"".join(client.get(f"{reverse('trend-machines-file', args=slugs)}?build=b1")).decode()
    call_command("machines", "/".join(slugs), "--build", "b1")

    assert capsys.readouterr().out == file.replace("\r\n", "\n")
    (row,) = csv.DictReader(io.StringIO(file))
    assert (row["machines"], row["forks"]) == ("4", "9")
    assert client.get(f"{address}?build=b1").text.count("data-row>") == 1
    by_label = " ".join(client.get(f"{address}?build=vm 0").text.split())
    assert '<option value="vm 0" selected>' in by_label  # a label is no build, and stays chosen
    assert cloud.names_machines
    Recording.objects.exclude(instance="i-0").update(instance="", machine="")
    lone_page = " ".join(client.get(f"{address}?build=b1").text.split())
    assert "measured on i-0 alone" in lone_page
    with pytest.raises(CommandError, match="name an instance"):
        call_command("machines", "/".join(slugs), "--build", "b1")


def test_an_import_says_machine_instance_and_duet(cloud: Dataset, tmp_path: Path) -> None:
    file = tmp_path / "values.csv"
    file.write_text("value\n" + "1.0\n" * 12)
    name = f"{cloud.study.slug}/{cloud.slug}"

    options = ("--machine", "c5", "--instance", "i-9", "--pair", "night")
    call_command("import_series", name, file, "--recording", "new", *options)

    recording = Recording.objects.get(label="new")
    assert (recording.machine, recording.instance, recording.duet) == ("c5", "i-9", "night")


@pytest.mark.parametrize("names", [{"machine": "i-1", "instance": ""}, {"machine": ""}])
def test_an_instance_that_another_recording_describes_is_of_that_kind(
    cloud: Dataset, names: dict[str, str]
) -> None:
    """Earlier versions kept the host as machine; some files say a host and no machine."""
    Recording.objects.filter(label="vm 1").update(**names)
    slow = cloud.benchmarks.get()
    again = Recording.objects.create(
        dataset=cloud, label="again", build="b1", machine="c5", instance="i-1"
    )
    store(slow, again, 0, level=1.0, seed=99)

    build = build_machines(cloud, EVERYTHING, MachinesQuery(build="b1", kind="c5"))

    assert build.machines == ["i-0", "i-1", "i-2", "i-3"]
    assert (build.rows[0].machines, build.rows[0].forks) == (4, 10)


def test_another_instance_under_one_label_is_refused_or_said(
    cloud: Dataset, tmp_path: Path
) -> None:
    name, out = f"{cloud.study.slug}/{cloud.slug}", io.StringIO()
    file = tmp_path / "values.csv"
    file.write_text("value\n" + "1.0\n" * 12)
    with pytest.raises(CommandError) as refused:
        call_command("import_series", name, file, recording="vm 0", instance="i-9", stderr=out)
    assert "expected i-0, as recording “vm 0” has it" in f"{refused.value} {out.getvalue()}"

    context = {"host_name": "i-9", "date": "2026-11-29T00:00:00+00:00"}
    run = {"name": "BM_x", "iterations": 9, "real_time": 1.0, "cpu_time": 1.0, "time_unit": "ns"}
    runs = [{**run, "run_type": "iteration", "repetition_index": index} for index in range(12)]
    google = tmp_path / "google.json"
    google.write_text(json.dumps({"context": context, "benchmarks": runs}))
    call_command("import_series", name, google, recording="vm 0", stdout=out, stderr=out)
    assert "measured on i-9, and recording “vm 0” keeps i-0" in out.getvalue()
    assert Recording.objects.get(label="vm 0").instance == "i-0"


def test_all_trials_count_and_warm_up_has_its_own_length(cloud: Dataset) -> None:
    Benchmark.objects.update(mode=TRIALS)
    (row,) = build_machines(cloud, EVERYTHING, MachinesQuery(build="b1", start="half")).rows
    length = IterationLength(1.0, warmup=2, warmup_seconds=5.0, unrecorded=3, unrecorded_seconds=4)

    assert row.iteration is not None
    assert row.deviation("iteration") == pytest.approx(0.356, abs=0.01)  # with the warm-up
    assert [warm_up_iterations(start, length) for start in (1, 2, 4)] == [17, 22, 24]
    assert warm_up_iterations(4, None) == 4


def test_many_series_are_left_to_the_command(cloud: Dataset) -> None:
    build = build_machines(cloud, EVERYTHING, MachinesQuery(build="b1"), limit=8)

    assert (build.rows, build.waiting_count) == ([], 1)
    assert "the command has them" in build.sentence


def test_moments_may_leave_memory_at_any_time(
    cloud: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "_kept", LatestUsed(0))
    query = MachinesQuery(build="b1")

    first, second = (build_machines(cloud, EVERYTHING, query).rows for _ in range(2))

    assert first == second
    assert first[0].forks == 9


@pytest.mark.parametrize("level", [1e-200, 1e200])
def test_means_without_a_square_do_not_count(
    nights: Nights, dataset: Dataset, level: float
) -> None:
    nights([level, 1.0])
    Recording.objects.update(build="b", machine="c5", instance=F("label"))

    build = build_machines(dataset, EVERYTHING, MachinesQuery(build="b"))

    assert (len(build.machines), build.rows) == (2, [])


def test_moments_are_of_a_series_whatever_its_key(
    cloud: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "_kept", LatestUsed(table.KEPT))

    build_machines(cloud, EVERYTHING, MachinesQuery(build="b1"))

    ids = Series.objects.exclude(recording__instance="").values_list("public_id", flat=True)
    assert {public_id for public_id, _ in table._kept} == {*ids}


def test_one_named_machine_is_none_to_compare(nights: Nights, dataset: Dataset) -> None:
    nights([1.0, 1.0])
    Recording.objects.filter(build="b1").update(machine="c5")

    assert not dataset.names_machines


def test_forks_that_no_machine_repeats_are_not_split(cloud: Dataset) -> None:
    Benchmark.objects.get().series.filter(fork__gt=0).delete()

    (row,) = build_machines(cloud, EVERYTHING, MachinesQuery(build="b1")).rows

    assert (row.fork, row.deviation("fork")) == (None, None)


def test_series_that_a_reader_has_yet_to_answer_are_left_out(
    cloud: Dataset, campaign: Campaign, ana: User
) -> None:
    by_method, by_rule = (
        build_machines(cloud, ana, MachinesQuery(build="b1", start=start))
        for start in ("fixed", "half")
    )

    assert (by_method.rows, by_method.hidden_count, list(by_method.levels)) == ([], 9, [])
    assert (len(by_rule.rows), by_rule.hidden_count) == (1, 0)
    assert "No benchmark has a result" in by_method.sentence
