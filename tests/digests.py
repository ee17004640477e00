"""Digests of what a seed promises: `python -m tests.digests`, on this processor or as another."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import numpy as np

from demo import nights
from detectors.contract import Values
from detectors.simulated.synthetic import KINDS, simulate
from evidence.corpus.folder import manifest
from evidence.corpus.noise import recorded_noise
from evidence.corpus.series import CorpusSeries, planned_series, planted_series

LENGTHS = (100, 1500, 3000)
SEEDS = range(10)


def digests() -> dict[str, str]:
    """Of the kinds of simulated series, each with what is known of it, and of the nights."""
    return {
        **{kind: _digest(_drawn_series(kind), *_known_answer_texts(kind)) for kind in KINDS},
        "nights": _digest(night.values for night in nights.night_measurements()),
        "corpus": _digest(*_corpus()),
    }


def instructions() -> list[str]:
    """Beyond those of every processor of the kind, what NumPy makes use of."""
    configuration: dict[str, Any] = np.show_config(mode="dicts")  # type: ignore[assignment]
    return list(configuration["SIMD Extensions"].get("found", []))


def _drawn_series(kind: str) -> Iterable[Values]:
    return (simulate(kind, n=n, seed=seed).values for n in LENGTHS for seed in SEEDS)


def _known_answer_texts(kind: str) -> Iterable[str]:
    return (
        f"{simulation.steady_start} {simulation.why}"
        for simulation in (simulate(kind, seed=seed) for seed in SEEDS)
    )


def _corpus() -> tuple[Iterable[Values], str]:
    """A part of the corpus, every shape in it: its values, and what is known of it."""
    noises = recorded_noise()
    some_series: list[CorpusSeries] = [
        planted_series(plan, noises) for plan in list(planned_series(noises))[::37]
    ]
    return (s.values for s in some_series), manifest(some_series)


def _digest(values: Iterable[Values], *texts: str) -> str:
    digest = sha256()
    for series in values:
        digest.update(series.astype("<f8").tobytes())
    digest.update("\n".join(texts).encode())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.stdout.write(json.dumps({**digests(), "instructions": instructions()}))
