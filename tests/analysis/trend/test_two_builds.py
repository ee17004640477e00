"""All benchmarks of two builds: page, file and command."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from analysis.trend.starts import LAST_HALF
from analysis.trend.two_builds import exports
from analysis.trend.two_builds.bisected import bisected
from analysis.trend.two_builds.query import TwoBuildsQuery
from analysis.trend.two_builds.table import TwoBuilds, UnknownBuild, two_builds
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from people.models import User
from people.templatetags.writing import HARD
from series.importing.services import create_dataset
from series.models import Benchmark, Dataset, Recording, Series
from tests.analysis.trend.conftest import Nights, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def measured_dataset(nights: Nights, dataset: Dataset) -> Dataset:
    """Four benchmarks over three nights: 10 % slower, 5 % more a second, alike, and a new one."""
    nights([1.0, 1.0, 1.1], "org.example.Slower.run")
    nights([100.0, 100.0, 105.0], "org.example.More.run", unit="ops/s", mode="thrpt")
    nights([1.0, 1.0, 1.0], "org.example.Alike.run")
    new_benchmark = nights([1.0, 1.0, 1.0], "org.example.New.run")
    Series.objects.filter(benchmark=new_benchmark).exclude(recording__build="b3").delete()
    return dataset


def builds_of(dataset: Dataset, **query: Any) -> TwoBuilds:
    return two_builds(dataset, EVERYTHING, TwoBuildsQuery(**query))


def test_certain_changes_come_first_the_largest_before_others(measured_dataset: Dataset) -> None:
    builds = builds_of(measured_dataset)
    verdicts = [(row.benchmark.short_name, row.verdict) for row in builds.rows]

    assert (builds.before.name, builds.after.name, builds.tested) == ("b2", "b3", 3)
    assert verdicts == [
        ("Slower.run", "worse"),
        ("More.run", "better"),
        ("Alike.run", "equal"),
        ("New.run", "only after"),
    ]
    slower_row = builds.rows[0]
    assert slower_row.change == pytest.approx(0.1, abs=0.002)
    p_values = [row.difference.p for row in builds.rows if row.difference and row.difference.p]
    assert slower_row.adjusted_p == pytest.approx(3 * min(p_values))
    # (1.1 · 1 / 1.05) to the power of a third
    assert builds.mean_loss == pytest.approx(0.0156, abs=0.001)
    assert "1 of 4 benchmarks became worse and 1 better; in the geometric mean they are 1.6" in (
        builds.sentence
    )
    assert [
        row.verdict for row in builds_of(measured_dataset, before="b1", after="night 2").rows
    ] == [*["equal"] * 3]


def test_one_fork_is_no_evidence(measured_dataset: Dataset) -> None:
    Series.objects.filter(fork=1).delete()

    assert {row.verdict for row in builds_of(measured_dataset).rows} == {"one fork", "only after"}


def test_a_build_of_another_data_set_is_compared_by_names(
    measured_dataset: Dataset, client: Client, olga: User
) -> None:
    study = measured_dataset.study
    other = create_dataset(study, name="Empty")
    client.force_login(olga)
    address = reverse("trend-builds", args=[study.slug, other.slug])
    assert b"has no recording yet" in client.get(address).content

    slower = Benchmark.objects.create(
        dataset=other, system="example", name="org.example.Slower.run", unit="s/op", mode="avgt"
    )
    recording = Recording.objects.create(dataset=other, label="elsewhere")
    for fork in range(2):
        store(slower, recording, fork, level=1.1, seed=fork)

    rows = builds_of(other, against=measured_dataset.slug, before="b1").rows
    assert [(row.benchmark.short_name, row.verdict) for row in rows if row.difference] == [
        ("Slower.run", "worse")
    ]
    Detection.objects.filter(series__benchmark__dataset=measured_dataset).delete()
    by_one_start = builds_of(other, against=measured_dataset.slug, before="b1")
    assert by_one_start.start.code.startswith("method:fixed")
    assert [row.verdict for row in by_one_start.rows] == ["only after"]


def test_page_file_and_command_say_the_same(
    measured_dataset: Dataset, client: Client, olga: User, capsys: pytest.CaptureFixture[str]
) -> None:
    client.force_login(olga)
    slugs = [measured_dataset.study.slug, measured_dataset.slug]
    text = b"".join(client.get(reverse("trend-builds-file", args=slugs))).decode()
    call_command("builds", "/".join(slugs))
    assert capsys.readouterr().out == text.replace("\r\n", "\n")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["verdict"] for row in rows] == ["worse", "better", "equal", "only after"]
    assert float(rows[0]["change_low"]) < float(rows[0]["change"]) < float(rows[0]["change_high"])

    page = client.get(reverse("trend-builds", args=slugs)).text
    assert page.count("data-row>") == 4
    assert "adjusted by Holm over 3" in " ".join(page.split())
    with pytest.raises(CommandError, match=r"no build 'b9' in .*; there are: b3, b2, b1"):
        call_command("builds", "/".join(slugs), "--after", "b9")
    call_command("builds", "/".join(slugs), "--after", "night 3", "--format", "json")
    assert '"build": "b2"' in capsys.readouterr().out
    with pytest.raises(CommandError, match="has no build before b1"):
        call_command("builds", "/".join(slugs), "--after", "b1")


def test_no_file_has_a_part_of_the_results(
    measured_dataset: Dataset, client: Client, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(olga)
    monkeypatch.setattr(exports, "MOST_MEANS", 8)
    address = reverse(
        "trend-builds-file", args=[measured_dataset.study.slug, measured_dataset.slug]
    )

    first, second = client.get(address), client.get(address)

    assert (first.status_code, first.headers["Retry-After"]) == (503, "1")
    assert first.text == "the results of 6 series are still to be computed: ask again\n"
    assert b"".join(second).count(b"\n") == 5


@pytest.mark.parametrize("route", ["trends-file", "trend-file"])
def test_a_file_of_the_trend_waits_for_all_results(
    route: str,
    measured_dataset: Dataset,
    client: Client,
    olga: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client.force_login(olga)
    monkeypatch.setattr("analysis.trend.exports.MOST_MEANS", 2)
    names = [measured_dataset.study.slug, measured_dataset.slug]
    if route == "trend-file":
        names.append(measured_dataset.benchmarks.earliest("pk").public_id)

    answers = [client.get(reverse(route, args=names)) for _ in range(12)]

    codes = [answer.status_code for answer in answers]
    assert codes == sorted(codes, reverse=True)  # the next one computes further ones
    assert set(codes) == {503, 200}


def test_series_that_a_reader_has_yet_to_answer_are_left_out(
    measured_dataset: Dataset, campaign: Campaign, ana: User
) -> None:
    by_method, by_rule = (
        two_builds(measured_dataset, ana, TwoBuildsQuery(start=start))
        for start in ("fixed", "half")
    )

    assert (by_method.hidden_count, by_rule.hidden_count) == (14, 0)
    assert (by_method.rows, len(by_rule.rows)) == ((), 4)
    assert "No benchmark has a result" in by_method.sentence


def test_bisect_says_what_to_measure_next_until_the_change_is_placed(
    nights: Nights, dataset: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark = nights([1.0, 1.0, 1.1, 1.1])
    commits = [f"{number:07x}" for number in range(9)]
    for build, commit in zip(("b1", "b2", "b3", "b4"), (0, 2, 5, 8), strict=True):
        dataset.recordings.filter(build=build).update(build=commits[commit])
    path = tmp_path / "builds.txt"
    path.write_text("".join(f"{commit:0<40}\n" for commit in commits))
    words = [f"{dataset.study.slug}/{dataset.slug}", "--benchmark", "sort merge"]
    ends = [*("--before", f"{commits[0]:0<40}"), *("--after", f"{commits[8]:0<40}")]

    def status_and_lines(*more: str) -> tuple[object, str]:
        with pytest.raises(SystemExit) as error:
            call_command("bisect", *words, *ends, "--builds", str(path), *more)
        return error.value.code, capsys.readouterr().out

    status, text = status_and_lines()
    assert (status, text.splitlines()[-1]) == (
        3,
        f"Next: measure {commits[4]:0<40}; 2 builds at most.",
    )
    recording = Recording.objects.create(dataset=dataset, label="tonight", build=commits[4])
    store(benchmark, recording, 0, level=1.0, seed=9)
    assert f"measure more forks of {commits[3]:0<40}" not in status_and_lines()[1]
    store(benchmark, recording, 1, level=1.0, seed=10)

    call_command("bisect", *words, *ends, "--builds", str(path))
    assert capsys.readouterr().out.endswith(
        f"{commits[5]:0<40} brought the change of +9.9{HARD}%; {commits[4]:0<40} is before.\n"
    )
    with pytest.raises(CommandError, match="does not come before"):
        call_command("bisect", *words, "--before", commits[5], "--after", commits[2])
    with pytest.raises(CommandError, match=r"has no result of .*; measure it first"):
        call_command("bisect", *words, *ends[:3], f"{commits[7]:0<40}", "--builds", str(path))


def test_a_date_that_begins_the_name_of_another_build_is_no_shortened_commit(
    nights: Nights, dataset: Dataset
) -> None:
    benchmark = nights([1.0, 1.1])
    ends = "20260301", "20260301-2"
    for build, name in zip(("b1", "b2"), ends, strict=True):
        dataset.recordings.filter(build=build).update(build=name)

    state = bisected(benchmark, EVERYTHING, LAST_HALF, ends)

    assert state.change == pytest.approx(1.1, abs=0.002)


def test_a_list_of_git_without_the_build_before_is_enough(nights: Nights, dataset: Dataset) -> None:
    """`git rev-list --reverse before..after` prints the commits behind `before`."""
    benchmark = nights([1.0, 1.1])
    good, *listed = (f"{number:07x}{0:033}" for number in range(5))
    dataset.recordings.filter(build="b1").update(build=good)
    dataset.recordings.filter(build="b2").update(build=listed[-1])

    for ends in ((good, listed[-1]), (good, listed[-1][:7])):
        state = bisected(benchmark, EVERYTHING, LAST_HALF, ends, listed)
        assert (state.last_before, state.first_after) == (good, listed[-1])
        assert state.next_build == listed[1]
    with pytest.raises(UnknownBuild, match="expected the oldest build first"):
        bisected(benchmark, EVERYTHING, LAST_HALF, (good, listed[-1]), listed[::-1])
    with pytest.raises(UnknownBuild, match="no build 'other'"):
        bisected(benchmark, EVERYTHING, LAST_HALF, (good, "other"), listed)


def test_a_build_that_was_measured_first_and_last_comes_first(
    nights: Nights, dataset: Dataset
) -> None:
    benchmark = nights([1.0, 1.1, 1.1, 1.0])
    dataset.recordings.filter(build="b4").update(build="b1")

    state = bisected(benchmark, EVERYTHING, LAST_HALF, ("b1", "b3"))

    assert (state.last_before, state.first_after, state.next_build) == ("b1", "b2", "")
