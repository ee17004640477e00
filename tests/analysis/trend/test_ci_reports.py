"""What build servers are told: a JUnit file, a comment, and the steps of the guide."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from analysis.trend import ci_reports
from analysis.trend.starts import find_start
from analysis.trend.table import DatasetTrends, trends
from annotate.blind import EVERYTHING
from people.models import Study, User
from series.models import Dataset
from tests.analysis.trend.conftest import Nights

SLOWER, BETTER = [1.0] * 9 + [1.2] * 3, [1.0] * 9 + [0.8] * 3


def dataset_trends_of(dataset: Dataset) -> DatasetTrends:
    return trends(dataset, EVERYTHING, find_start(dataset, "half"))


def parsed_report(dataset: Dataset) -> ET.Element:
    return ET.fromstring(ci_reports.junit(dataset_trends_of(dataset)))  # noqa: S314  # written here


@pytest.mark.django_db
def test_a_new_regression_fails_its_test_and_no_other(dataset: Dataset, nights: Nights) -> None:
    nights(SLOWER, "org.Slower.run|x")
    nights(BETTER, "org.Better.run")
    nights([1.0] * 12, "org.Level.run")
    empty_benchmark = nights([1.0], "org.None.run")
    empty_benchmark.series.all().delete()

    suites = parsed_report(dataset)

    cases = {case.get("name"): [child.tag for child in case] for case in suites.iter("testcase")}
    assert cases == {
        "org.Slower.run|x": ["failure"],
        "org.Better.run": [],
        "org.Level.run": [],
        "org.None.run": ["skipped"],
    }
    assert (suites.get("tests"), suites.get("failures"), suites.get("skipped")) == ("4", "1", "1")
    (failure,) = suites.iter("failure")
    assert str(failure.get("message")).endswith(" since night 10 (b10)")


@pytest.mark.django_db
def test_the_comment_says_it_first_and_escapes_names(dataset: Dataset, nights: Nights) -> None:
    nights(SLOWER, "org.Slower.run|x<b>@all")
    nights(BETTER, "org.Better.run")

    first_line, _, *remaining_lines = ci_reports.markdown(dataset_trends_of(dataset)).splitlines()

    assert "1 new regression in 2 benchmarks over 12 recordings" in first_line
    assert remaining_lines[2].startswith("| Slower.run&#124;x&#60;b&#62;&#64;all | ")
    assert remaining_lines[2].count(" | ") == 4
    assert "<details>" in remaining_lines[4]


@pytest.mark.django_db
@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_say_is_said(count: int, dataset: Dataset, nights: Nights) -> None:
    for number in range(count):
        nights([1.0, 1.0], f"org.B{number}.run")

    assert "no new regression" in ci_reports.markdown(dataset_trends_of(dataset))
    assert [parsed_report(dataset).get(name) for name in ("failures", "errors")] == [
        "0",
        str(1 - count),
    ]


@pytest.mark.django_db
def test_a_name_that_xml_has_no_character_for_is_marked(dataset: Dataset, nights: Nights) -> None:
    nights([1.0, 1.0], "org.\x1bB.run")

    (case,) = parsed_report(dataset).iter("testcase")

    assert case.get("name") == "org.\ufffdB.run"


@pytest.mark.django_db
def test_the_command_writes_both_before_it_fails(
    dataset: Dataset, nights: Nights, tmp_path: Path
) -> None:
    nights(SLOWER)
    files: dict[str, Any] = {name: tmp_path / name for name in ("junit", "markdown")}

    with pytest.raises(SystemExit):
        call_command(
            *("trend", "startup-times/nightly", "--start", "half", "--fail-on-regression"), **files
        )

    assert "<failure" in files["junit"].read_text()
    assert "1 new regression" in files["markdown"].read_text()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("levels", "start", "status"),
    [([1.0, 1.0], "half", 0), ([1.0, 1.0], "fixed:5000", 4), ([], "half", 4)],
)
def test_a_newest_recording_without_a_result_has_its_own_status(
    levels: list[float],
    start: str,
    status: int,
    dataset: Dataset,
    nights: Nights,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if levels:
        nights(levels)

    exit_status = trend_status("--start", start, "--junit", str(tmp_path / "junit"))

    assert exit_status == status
    assert ("<error" in (tmp_path / "junit").read_text()) == (status == 4)
    message = "No result in night 2 (b2) for 1 of 1 benchmarks: " if levels else "has a recording"
    assert (message in capsys.readouterr().err) == (status == 4)


def trend_status(*options: str) -> int:
    try:
        call_command("trend", "startup-times/nightly", *options)
    except SystemExit as error:
        return int(error.code or 0)
    return 0


@pytest.mark.django_db
def test_a_night_without_a_result_ends_with_it_and_still_writes_its_reports(
    study: Study, olga: User, tmp_path: Path
) -> None:
    """The method answers `never` for every series."""
    night_path = tmp_path / "night.csv"
    night_path.write_text(
        "benchmark,iteration,value\n" + "".join(f"a,{iteration},1.5\n" for iteration in range(9))
    )
    ask = ("nightly", "startup-times/nightly", str(night_path), "--recording", "n1")

    with pytest.raises(SystemExit) as error_info:
        call_command(*ask, "--method", "fixed?iteration=9", "--junit", str(tmp_path / "junit"))

    assert error_info.value.code == 4
    assert "<error" in (tmp_path / "junit").read_text()
