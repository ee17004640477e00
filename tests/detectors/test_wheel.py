"""The wheel of the two libraries: it has what the checkout has, and works where nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bench.processes import ROOT

PACKAGES = ("detectors", "formats")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds. Built from a copy, so that nothing is left here."""
    folder = tmp_path_factory.mktemp("wheel")
    copy, target = folder / "source", folder / "target"
    for name in _versioned():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('.'))"
    command = [sys.executable, "-W", "ignore", "-c", build]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(copy / done.stdout.split()[-1]) as wheel:
        wheel.extractall(target)
    return target


def _versioned() -> list[str]:
    names = ["pyproject.toml", "LICENSE", *PACKAGES]
    listed = subprocess.run(
        ["git", "ls-files", *names], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return listed.stdout.split()


def detectors(installed: Path, *arguments: str) -> str:
    kept = {k: v for k, v in os.environ.items() if k not in {"PLATEAU_DATA", "PLATEAU_MODELS"}}
    done = subprocess.run(
        [sys.executable, "-m", "detectors", *arguments],
        cwd=installed,
        env=kept | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_of_the_libraries_is_in_the_wheel(installed: Path) -> None:
    libraries = [name for name in _versioned() if name.startswith(PACKAGES)]

    assert [name for name in libraries if not (installed / name).is_file()] == []
    for name in ("fcn", "plateau", "rocket"):
        assert f"detectors/weights/{name}-shipped.json" in libraries


def test_only_what_ships_nowhere_is_missing_and_its_remedy_works_without_a_checkout(
    installed: Path,
) -> None:
    listed = json.loads(detectors(installed, "list", "--format", "json"))
    missing = {each["slug"]: each["missing"] for each in listed if each["missing"]}

    assert missing == {
        "oscnn": "weights not installed; `python manage.py train oscnn STUDY/CAMPAIGN` in a "
        "checkout of Plateau makes them; set PLATEAU_MODELS to the folder that they were "
        "written to"
    }
