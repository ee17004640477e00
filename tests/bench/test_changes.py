"""Stages of CP-SSD on published series: without them the bench says so, and does not end well."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bench.changes import on_published_series
from tests.published_data import replication_folder


def test_without_published_series_nothing_is_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missed = on_published_series(tmp_path)

    assert missed
    assert capsys.readouterr().out.startswith(
        f"Not computed: stages, and answers beside the published ones.\n{tmp_path}: found no "
    )


def test_results_without_series_name_what_they_lack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    shutil.copytree(
        replication_folder() / "package" / "data" / "changepoints", data / "changepoints"
    )
    shutil.copytree(
        replication_folder() / "package" / "data" / "classification", data / "classification"
    )

    missed = on_published_series(tmp_path)

    assert missed
    assert "answers beside the published ones: no series (" in capsys.readouterr().out


def test_the_layout_of_the_packages_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = replication_folder() / "package" / "data"
    name = min(path.name for path in (package / "changepoints").iterdir())
    for folder in ("changepoints", "timeseries/all"):
        write(
            tmp_path / "data" / folder / name, json.loads((package / folder / name).read_text())[:2]
        )
    known = json.loads((package / "classification" / name).read_text())
    two = {key: value[:2] for key, value in known.items() if key != "run"}
    write(tmp_path / "data/classification" / name, {"run": known["run"], **two})

    on_published_series(tmp_path)

    printed = capsys.readouterr().out
    assert "| cp-ssd | change points of a fork | 2 | 2 |  |" in printed
    assert "| cp-ssd | class of a benchmark with all its forks | 1 | 1 |  |" in printed
    assert "CP-SSD, 1 series of 3000 values, milliseconds of one core" in printed


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content))
