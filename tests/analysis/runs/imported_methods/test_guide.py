"""The ten minutes of the guide, as it tells them: a CSV from a program that knows no Plateau."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.runs.models import Detection
from detectors.simulated.synthetic import simulate
from formats.answers import COLUMNS, CONVENTIONS
from people.models import Study
from series.models import Dataset, Series

TEXT = (Path(__file__).resolve().parents[4] / "docs/guide/add-a-detector.md").read_text("utf-8")
ROAD = TEXT.partition("## Ten minutes: a CSV")[2].partition("### The columns")[0]
COMMAND = re.compile(r"^\.venv/bin/python (?P<program>\S+)(?P<arguments>.*)$", re.MULTILINE)


@pytest.fixture
def simulated_dataset(
    study: Study, dataset: Dataset, make_series: Callable[..., Series]
) -> Dataset:
    """As the demo names them, and small."""
    for fork in range(3):
        simulation = simulate("step", n=300, seed=fork)
        series = make_series(simulation.values, fork=fork)
        Series.objects.filter(pk=series.pk).update(known_start=simulation.steady_start)
    Study.objects.filter(pk=study.pk).update(slug="demo")
    Dataset.objects.filter(pk=dataset.pk).update(slug="simulated")
    return dataset


def test_the_commands_of_the_guide_end_in_the_comparison(
    tmp_path: Path, simulated_dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = re.search(r"```python\n(.*?)```", ROAD, re.DOTALL)
    assert program
    Path("answer.py").write_text(program[1], "utf-8")
    printed_text = ""

    for step in COMMAND.finditer(ROAD):
        arguments = shlex.split(step["arguments"])
        if step["program"] == "answer.py":
            subprocess.run([sys.executable, "answer.py"], check=True, timeout=60)
            continue
        output = io.StringIO()
        other_arguments = [
            argument for argument in arguments if argument != "kb-kssd"
        ]  # nothing runs it here
        used_arguments = [
            argument
            for position, argument in enumerate(other_arguments)
            if other_arguments[position + 1 :] or argument != "--method"
        ]
        call_command(*used_arguments, stdout=output)
        printed_text += output.getvalue()

    assert "own:ten-near@1: 3 answers" in printed_text
    assert Detection.objects.count() == 3
    assert re.search(r"^own:ten-near@1 +3 ", printed_text, re.MULTILINE)


def test_the_package_of_the_guide_has_an_entry_point() -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)

    points = tomllib.loads(toml)["project"]["entry-points"]

    assert points == {"plateau.detectors": {"lowest": "lowest:Lowest"}}


def test_every_column_and_convention_is_in_the_guide() -> None:
    missing_names = [name for name in (*COLUMNS, *CONVENTIONS) if f"`{name}`" not in TEXT]

    assert missing_names == ["steady-start"]  # the convention of the column that every export has
