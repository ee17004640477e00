"""A seed is a series on every processor: what NumPy computes with other instructions is the same.

NumPy has exp, log and more in several versions and takes the fastest that the processor knows;
they differ in the last bit. `NPY_DISABLE_CPU_FEATURES` makes it take another.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from detectors.simulated.synthetic import DECIMALS, NOISE, SECONDS, round_shares, simulate
from tests.digests import digests, instructions
from tests.every_case import EVERY_CASE

ROOT = Path(__file__).resolve().parents[2]
AVX512 = "X86_V4 AVX512_ICL AVX512_SPR"
# Recorded once. Whoever changes what a seed draws records them anew, and `make docs` the pictures.
RECORDED = {
    "step": "5e3e3edcbc0b4979",
    "two-steps": "efb4a5b41f415d13",
    "decay": "64ce1f51f350bfa8",
    "flat": "9a602451d6f8475c",
    "spikes": "b944c5ce438c54b1",
    "noise-change": "1eca78dbd7c6a7dc",
    "slowdown": "d374e9d5cf5a4db0",
    "drift": "10150cf7c8f70668",
    "late-step": "5544ceb3fb5e8db9",
    "cyclic": "5e51b52413958a30",
    "random-walk": "c7e82d3e31ad2538",
    "nights": "5088eaf11e8f4b5d",
    "corpus": "a50d95eec5497cae",
}


def child_output(*command: str, disabled_features: str) -> str:
    """What Python prints on a processor without these features."""
    environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": disabled_features}
    process = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_a_seed_is_the_series_that_was_recorded() -> None:
    assert digests() == RECORDED


MISSING_FEATURES = [("X86_V3", f"X86_V3 {AVX512}"), *[("X86_V4", AVX512)] * EVERY_CASE]
"""Instructions that a processor lacks: their first set, and all of them."""


@pytest.mark.parametrize(("first", "disabled_features"), MISSING_FEATURES)
def test_a_seed_is_the_same_series_on_a_processor_without(
    first: str, disabled_features: str
) -> None:
    if first not in instructions():
        pytest.skip(f"this processor ({platform.machine()}) has no {first} to be left out")

    document = json.loads(child_output("-m", "tests.digests", disabled_features=disabled_features))

    assert first not in document.pop("instructions")
    assert document == digests()


def test_a_last_bit_is_rounded_away_and_what_is_kept_is_decimal() -> None:
    shares = simulate("decay", noise=0.02).values / SECONDS
    for neighbours in (np.nextafter(shares, 0), np.nextafter(shares, np.inf)):
        assert np.array_equal(round_shares(neighbours), round_shares(shares))

    rounded_shares = round_shares(np.array([1 / 3, NOISE, 1.0, 20.123456789]))
    assert rounded_shares.tolist() == [0.3333333, 0.01, 1.0, 20.1234568]
    assert DECIMALS == 7
