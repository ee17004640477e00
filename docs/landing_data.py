"""Recorded series of the first page, with what five simulated annotators say about each.

The series that the demo's campaign of simulated annotators asks about, and the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import pairwise
from typing import Final

import numpy as np

import formats
from annotate import recipes
from annotate.simulation import annotator_model
from demo.catalogue import CATALOGUE
from detectors.arrays.robust_range import robust_range
from detectors.contract import NEVER, Context, Values
from detectors.registry import registry
from formats import ReadOptions

FORK: Final = 0  # the first of every recording, which the demo asks about


@dataclass(frozen=True, slots=True, eq=False)
class LandingSeries:
    """One series. `marks`: answers of the annotators, -1 never; `truth`: theirs together.

    Without a ground truth `truth` is None.
    """

    name: str
    title: str
    values: Values
    context: Context
    marks: tuple[int, ...]
    truth: int | None

    @cache  # noqa: B019  # of the few series that every_series keeps
    def answer(self, slug: str) -> int:
        """First steady iteration by a method with its usual parameters, -1 never."""
        return registry()[slug]().detect(self.values, self.context).steady_start


@cache
def every_series() -> tuple[LandingSeries, ...]:
    """One fork of each recording: half a second."""
    return tuple(_read(workload.name) for workload in CATALOGUE)


def one_series(name: str) -> LandingSeries:
    return next(series for series in every_series() if series.name == name)


def _read(name: str) -> LandingSeries:
    workload = next(workload for workload in CATALOGUE if workload.name == name)
    with workload.path.open("rb") as stream:
        options = ReadOptions(system=workload.runtime_title)
        measurements = formats.read_series_of_file(stream, workload.path.name, options=options)
        measurement = next(
            fork_measurement for fork_measurement in measurements if fork_measurement.fork == FORK
        )
    values = np.asarray(measurement.values, dtype=np.float64)
    digest = sha256(values.astype("<f8").tobytes()).hexdigest()
    marks = annotator_model.simulated_answers(values, annotator_model.generator(digest))
    title = f"{measurement.benchmark} on {workload.runtime_title}"
    context = Context(unit=measurement.unit, mode=measurement.mode)
    return LandingSeries(name, title, values, context, tuple(marks), landing_ground_truth(marks))


def landing_ground_truth(marks: Sequence[int]) -> int | None:
    """Apply the recipe that a campaign begins with; -1 never, None undecided."""
    votes = [
        recipes.RecipeMark(
            f"a{number}", "never" if mark < 0 else "steady", mark if mark >= 0 else None
        )
        for number, mark in enumerate(marks, start=1)
    ]
    truth = recipes.aggregate(recipes.DEFAULT, votes, {}, complete=True)
    return NEVER if truth.steady is False else truth.steady_start


def scale_to_height(values: Values, bottom: float, height: float) -> Callable[[float], float]:
    """Make the function that places a value: the range that is shown first, up from `bottom`."""
    low, high = robust_range(values)

    def y(value: float) -> float:
        return round(bottom - height * (min(max(value, low), high) - low) / (high - low), 1)

    return y


def extremes(
    values: Values, columns: int, x: Callable[[int], float], y: Callable[[float], float]
) -> str:
    """The path through the least and the greatest value of each column."""
    edges = values.size * np.arange(columns + 1) // columns
    points = [
        f"{x(start + offset):g} {y(float(values[start + offset])):g}"
        for start, stop in pairwise(edges.tolist())
        for offset in sorted({int(values[start:stop].argmin()), int(values[start:stop].argmax())})
    ]
    return "M" + "L".join(points)
