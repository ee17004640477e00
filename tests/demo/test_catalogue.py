"""The catalogue names every recording, and every workload it names can be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo.catalogue import CATALOGUE, RECORDINGS, Workload, hyphenate, workload_named
from demo.runtimes import SOURCES


def source(workload: Workload) -> Path:
    module = hyphenate(workload.workload).replace("-", "_")
    file = {
        "java": f"{workload.workload}.java",
        "node": f"{workload.workload}.mjs",
        "pypy": f"{module}.py",
    }
    return SOURCES / workload.runtime / file[workload.runtime]


def test_names_are_unique_and_spelt_for_the_command_line() -> None:
    names = [workload.name for workload in CATALOGUE]

    assert len(set(names)) == len(names)
    assert workload_named("java-word-count").benchmark == "java.WordCount"
    assert workload_named("pypy-n-body").file == "pypy-n-body.json.gz"


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"no workload 'java-nothing'; there are: java-word-count,"):
        workload_named("java-nothing")


@pytest.mark.parametrize("workload", CATALOGUE, ids=lambda workload: workload.name)
def test_a_workload_has_a_program_a_recording_and_one_sentence(workload: Workload) -> None:
    assert source(workload).is_file()
    assert workload.path.is_file()
    assert workload.about.endswith(".")
    assert workload.about[:1].isupper()


def test_no_recording_lies_about_that_the_catalogue_does_not_name() -> None:
    assert {path.name for path in RECORDINGS.iterdir()} == {w.file for w in CATALOGUE}
