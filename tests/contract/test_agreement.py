"""Compiled or not, in this process or another: every method gives the same answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import pytest

from detectors.command.checks import answer_or_error
from detectors.contract import Detector, Values
from detectors.registry import registry
from evidence.bench.adversarial import SHAPES, SMALL, adversarial_series, broken_checks

LONGEST = 60  # values; kernels as they are written take thousands of times as long
PROGRAM = "from tests.contract.test_agreement import answers; print(answers())"


def detectors() -> Iterator[Detector]:
    """With parameters under which there is something to do on few values."""
    for slug, detector in registry().items():
        if not slug.startswith("ruptures-"):  # no kernel of ours
            yield detector(**SMALL.get(slug, {}))


def drawn_series() -> dict[str, Values]:
    """Two series of every shape, mild and far out of range."""
    return dict(adversarial_series(3, number, LONGEST) for number in range(2 * len(SHAPES)))


@cache
def answers() -> str:
    answer_by_case = {
        f"{detector.slug}, {name}": str(answer_or_error(detector, values))
        for detector in detectors()
        for name, values in drawn_series().items()
    }
    return json.dumps(answer_by_case)


@pytest.mark.parametrize("disabled", ["0", "1"])
def test_another_process_agrees_compiled_or_not(disabled: str) -> None:
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
    )

    their_document, our_document = json.loads(process.stdout), json.loads(answers())

    assert len(our_document) > 500
    assert {
        name: (our_document[name], their_document[name])
        for name in our_document
        if our_document[name] != their_document[name]
    } == {}


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_nothing_falls_on_adversarial_series(number: int) -> None:
    """A few of the series of `python -m evidence.bench.adversarial`, which goes on for minutes."""
    name, values = adversarial_series(0, number, 31)

    assert [line for detector in detectors() for line in broken_checks(detector, values)] == [], (
        name
    )


def test_small_parameters_are_those_of_the_methods() -> None:
    assert all(registry()[slug](**parameters) for slug, parameters in SMALL.items())
