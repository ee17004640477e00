"""The wheel in an environment of its own: with NumPy alone, and with all that methods can use."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, distribution, requires
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

from detectors.registry import registry
from evidence.bench.processes import ROOT

INSIDE = ("plateau_perf", "detectors", "formats")
EXTRA_OF_ALL = "all"
SCIPY_METHODS = {"heidelberger-welch", "plateau-result", "spc", "split-rhat"}
ASK = """
import json, sys
import numpy as np
import plateau_perf as pp
from plateau_perf.detectors.contract import DetectorError
values = np.r_[np.full(40, 3.0), np.full(80, 1.0)] + np.random.default_rng(0).random(120)
answers = {}
for method in pp.methods():
    try:
        answers[method["slug"]] = pp.detect(values, method["slug"]).start
    except DetectorError as error:
        answers[method["slug"]] = str(error)
print(json.dumps(answers))
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""

Run = Callable[..., str]


@pytest.fixture(scope="module")
def wheel_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel. Built from a copy, so that nothing is left here."""
    copy = tmp_path_factory.mktemp("source")
    for name in _tracked_names():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('.'))"
    return copy / _run_command([sys.executable, "-W", "ignore", "-c", build], cwd=copy).split()[-1]


@pytest.fixture(scope="module")
def run(wheel_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program of a new environment, in an empty folder, without the checkout."""
    venv_folder, empty_folder = (
        tmp_path_factory.mktemp("environment"),
        tmp_path_factory.mktemp("empty"),
    )
    venv.create(venv_folder)
    for extra_name in ("", EXTRA_OF_ALL):
        (venv_folder / f"needed{extra_name}").mkdir()
        for entry in _needed_files(extra_name):
            (venv_folder / f"needed{extra_name}" / entry.name).symlink_to(entry)
    pip = [sys.executable, "-m", "pip", "--python", str(venv_folder / "bin" / "python"), "install"]
    _run_command([*pip, "--quiet", "--no-index", "--no-deps", str(wheel_path)], cwd=empty_folder)

    def program(name: str, *arguments: str, extra: str = "", jit: bool = False) -> str:
        settings = {
            "HOME": str(empty_folder),
            "NUMBA_DISABLE_JIT": str(int(not jit)),
            "PYTHONPATH": str(venv_folder / f"needed{extra}"),
        }
        return _run_command(
            [str(venv_folder / "bin" / name), *arguments], cwd=empty_folder, settings=settings
        )

    return program


@pytest.fixture(scope="module")
def method_output(run: Run) -> list[str]:
    """Answers of every method, and the modules that were loaded for them."""
    return run("python", "-c", ASK, extra=EXTRA_OF_ALL).splitlines()


def _tracked_names() -> list[str]:
    names = ["pyproject.toml", "setup.py", "LICENSE", "docs/guide/library.md", *INSIDE]
    list_command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *names]
    return _run_command(list_command, cwd=ROOT).split()


def _run_command(command: list[str], *, cwd: Path, settings: dict[str, str] | None = None) -> str:
    variable_names = ("PATH", "HOME", "LANG", "PIP_CONFIG_FILE")
    variables = {name: os.environ[name] for name in variable_names if name in os.environ}
    process = subprocess.run(
        command,
        cwd=cwd,
        env=variables | (settings or {}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def _needed_files(extra: str) -> Iterator[Path]:
    """Installed folders and modules of what the wheel requires with an extra, and what that
    requires.
    """
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = declared["optional-dependencies"]
    requirements = [*declared["dependencies"], *(optional[extra] if extra else ())]
    seen_names: set[str] = set()
    while requirements:
        requirement = Requirement(requirements.pop())
        if requirement.name in seen_names or not (
            requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        ):
            continue
        if requirement.name == declared["name"]:
            requirements += [needed for name in requirement.extras for needed in optional[name]]
            continue
        seen_names.add(requirement.name)
        try:
            package = distribution(requirement.name)
        except PackageNotFoundError:
            continue  # what the extra of a dependency would have
        requirements += requires(requirement.name) or []
        top_names = {file.parts[0] for file in package.files or [] if file.parts[0] != ".."}
        yield from (
            Path(str(package.locate_file(top))) for top in top_names if top != "__pycache__"
        )


def test_one_name_holds_everything_of_the_libraries(wheel_path: Path) -> None:
    names = set(zipfile.ZipFile(wheel_path).namelist())
    source_names = [name for name in _tracked_names() if name.startswith(INSIDE)]
    expected_names = [
        name if name.startswith("plateau_perf/") else f"plateau_perf/{name}"
        for name in source_names
    ]

    assert [name for name in expected_names if name not in names] == []
    top_names = {name.partition("/")[0].partition("-")[0] for name in names}
    assert top_names == {"plateau_perf"}
    for name in ("fcn", "plateau", "rocket"):
        assert f"plateau_perf/detectors/weights/{name}-shipped.json" in names


def test_every_method_answers_without_the_checkout(method_output: list[str]) -> None:
    printed_answers, modules = method_output
    answers = json.loads(printed_answers)

    assert set(answers) == set(registry())
    unavailable_slugs = {
        slug for slug, sentence in answers.items() if "not available" in str(sentence)
    }
    assert unavailable_slugs <= {
        slug for slug, method in registry().items() if method.needs or method.missing()
    }
    assert "ruptures-pelt" not in unavailable_slugs
    assert answers["rocket"] == registry()["rocket"]().answer(_values()).steady_start > 0
    assert not {"django", "detectors", "formats", "sklearn"} & set(modules.split())


def test_numpy_alone_gives_the_same_answers(run: Run, method_output: list[str]) -> None:
    printed_answers, modules = run("python", "-c", ASK, jit=True).splitlines()
    answers = json.loads(printed_answers)
    expected = json.loads(method_output[0])

    missing_slugs = {slug for slug, answer in answers.items() if "not installed" in str(answer)}
    ruptures = {slug for slug in answers if slug.startswith("ruptures-")}
    assert missing_slugs == SCIPY_METHODS | ruptures | {"classifier"}
    other_slugs = set(answers) - missing_slugs
    assert {slug: answers[slug] for slug in other_slugs} == {
        slug: expected[slug] for slug in other_slugs
    }
    assert not {"scipy", "numba", "threadpoolctl", "ruptures"} & set(modules.split())


def test_the_command_says_its_version(run: Run, wheel_path: Path) -> None:
    assert run("plateau", "--version") == f"Plateau {wheel_path.name.split('-')[1]}\n"


def _values() -> np.ndarray:
    level = np.r_[np.full(40, 3.0), np.full(80, 1.0)]
    return level + np.random.default_rng(0).random(120)


def test_only_what_ships_nowhere_is_missing_and_its_remedy_works_without_a_checkout(
    run: Run,
) -> None:
    listed = json.loads(run("plateau", "list", "--format", "json", extra=EXTRA_OF_ALL))
    missing = {method["slug"]: method["missing"] for method in listed if method["missing"]}

    assert missing == {
        "classifier": "weights not installed; `python manage.py train classifier STUDY/CAMPAIGN` "
        "in a checkout of Plateau makes them; set PLATEAU_MODELS to the folder that they were "
        "written to"
    }


def test_the_command_answers_for_a_file(run: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "step.npy", _values())

    output = run(
        "plateau",
        "detect",
        str(tmp_path / "step.npy"),
        "--method",
        "mser",
        "--format=csv",
        extra=EXTRA_OF_ALL,
        jit=True,
    )

    (row,) = csv.DictReader(StringIO(output))
    assert int(row["steady_start"]) == registry()["mser"]().answer(_values()).steady_start
