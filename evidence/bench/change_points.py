"""Covering and F1 of the methods that give every change of level, on series of known changes.

    python -m evidence.bench.change_points [--series 20] [--output docs/design/changes.md]

Series of 0 to 8 changes in four kinds of noise, the same for every run. Each method is scored with
its defaults and as an oracle: the best score that a set of a small grid has on each series, as
"Default" and "Oracle" of van den Burg & Williams 2020, table 2; and with the one set of the grid
that covers best on all series. With `--output` the table of that
page is written again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.signal import lfilter

from analysis.statistics.segmentation_scores import MARGIN, f1_with_margin, segment_cover
from detectors.contract import Values
from detectors.registry import registry
from evidence.bench.timing import parser_of
from formats.markdown import markdown_table, replace_between

SEED: Final = 20200401
SERIES: Final = 20  # of each kind of noise
LENGTHS: Final = (600, 1000, 1600)  # CP-SSD answers from 501 values on
CHANGES: Final = (0, 1, 2, 3, 5, 8)
LEAST_SEGMENT: Final = 30  # values
STEP: Final = (2.0, 8.0)  # standard deviations of the noise between neighbouring levels
LEVEL: Final = 100.0  # of which the noise is one hundredth
COLUMNS: Final = (
    "method",
    "parameter sets",
    "covering, default",
    "covering, oracle",
    f"F1 ± {MARGIN}, default",
    f"F1 ± {MARGIN}, oracle",
    "best single set",
    "its covering",
    "its F1",
)
BEGIN, END = "<!-- change points -->", "<!-- /change points -->"


def white_noise(rng: Generator, n: int) -> Values:
    return rng.normal(size=n)


def correlated_noise(rng: Generator, n: int) -> Values:
    """Autoregression of 0.6, of standard deviation 1."""
    noise = lfilter([0.8], [1, -0.6], rng.normal(size=n + 50))[50:]
    return np.asarray(noise, dtype=np.float64)


def heavy(rng: Generator, n: int) -> Values:
    """Student's t with three degrees of freedom, of standard deviation 1."""
    return np.asarray(rng.standard_t(3, n) / np.sqrt(3), dtype=np.float64)


def spikes(rng: Generator, n: int) -> Values:
    """One value in fifty lies 10 to 30 standard deviations higher."""
    is_spike = rng.random(n) < 0.02
    return rng.normal(size=n) + is_spike * rng.uniform(10, 30, n)


NOISES: Final[Mapping[str, Callable[[Generator, int], Values]]] = {
    "white": white_noise,
    "correlated": correlated_noise,
    "heavy tails": heavy,
    "spikes": spikes,
}
_SEARCH: Final[Mapping[str, Sequence[Any]]] = {
    "cost": ("normal", "l2"),
    "penalty": (3.0, 20.0, 100.0),
    "min_size": (30,),
    "jump": (5,),
}
GRIDS: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "cp-ssd": {"pen_default": (4.0, 15.0, 50.0), "tie": ("published", "listed")},
    "jumpavg": {"block": (1, 5, 10), "sbps": (8.0, 12.0)},
    "ruptures-binseg": _SEARCH,
    "ruptures-bottomup": _SEARCH,
    "ruptures-kernel": {
        "kernel": ("rbf", "linear"),
        "penalty": (1.0, 5.0, 20.0),
        "min_size": (30,),
    },
    "ruptures-pelt": _SEARCH,
    "ruptures-window": {**_SEARCH, "width": (60,)},
}
"""Values by parameter of each method: all combinations, beside the defaults."""


class StepSeries(NamedTuple):
    """Series of known changes."""

    noise: str
    values: Values
    changes: tuple[int, ...]


class MethodScores(NamedTuple):
    """Scores of one method, float64 (series, sets of parameters); the defaults come first."""

    covering: Values
    f1: Values


def step_series(noise: str, number: int) -> StepSeries:
    """Series `number` of a kind of noise: a seed of its own, so that more series change none."""
    rng = np.random.default_rng([SEED, list(NOISES).index(noise), number])
    n = int(rng.choice(LENGTHS))
    count = int(rng.choice([count for count in CHANGES if (count + 1) * LEAST_SEGMENT < n]))
    free_length = n - (count + 1) * LEAST_SEGMENT
    gaps = np.sort(rng.integers(0, free_length + 1, count))
    changes = gaps + LEAST_SEGMENT * np.arange(1, count + 1)
    steps = rng.uniform(*STEP, count) * rng.choice([-1, 1], count)
    levels = np.concatenate([[0.0], np.cumsum(steps)])
    level = np.repeat(levels, np.diff(changes, prepend=0, append=n))
    return StepSeries(noise, LEVEL + level + NOISES[noise](rng, n), tuple(changes.tolist()))


def parameter_sets(slug: str) -> list[dict[str, Any]]:
    """The defaults, then every combination of the grid."""
    grid = GRIDS[slug]
    return [{}, *(dict(zip(grid, values, strict=True)) for values in product(*grid.values()))]


def method_scores(slug: str, series: Sequence[StepSeries]) -> MethodScores:
    method = registry()[slug]
    detectors = [method(**parameters) for parameters in parameter_sets(slug)]
    answers = [
        [detector.answer(series_with_changes.values).changes or () for detector in detectors]
        for series_with_changes in series
    ]
    return _method_scores(series, answers)


def _method_scores(
    series: Sequence[StepSeries], answers: Sequence[Sequence[tuple[int, ...]]]
) -> MethodScores:
    pairs = list(zip(series, answers, strict=True))
    coverings = [
        [
            segment_cover([series_with_changes.changes], changes, series_with_changes.values.size)
            for changes in set_changes
        ]
        for series_with_changes, set_changes in pairs
    ]
    f1s = [
        [f1_with_margin([series_with_changes.changes], changes).f1 for changes in set_changes]
        for series_with_changes, set_changes in pairs
    ]
    return MethodScores(np.array(coverings), np.array(f1s))


def score_table(series: Sequence[StepSeries]) -> str:
    """One row a method, best default covering first."""
    scores = {slug: (registry()[slug].title, method_scores(slug, series)) for slug in GRIDS}
    scores[""] = ("No change at all", _method_scores(series, [[()]] * len(series)))
    rows = [
        (
            title,
            score.covering.shape[1],
            *(
                f"{figure:.3f}"
                for table in (score.covering, score.f1)
                for figure in (table[:, 0].mean(), table.max(axis=1).mean())
            ),
            *_best_set(slug, score),
        )
        for slug, (title, score) in scores.items()
    ]
    return markdown_table(COLUMNS, sorted(rows, key=lambda cells: str(cells[2]), reverse=True))


def _best_set(slug: str, score: MethodScores) -> tuple[str, ...]:
    """The set of parameters that covers best on all series, its covering and its F1."""
    if not slug:
        return "–", "–", "–"
    best_set = int(score.covering.mean(axis=0).argmax())
    words = ", ".join(f"{name} {value}" for name, value in parameter_sets(slug)[best_set].items())
    figures = (f"{table[:, best_set].mean():.3f}" for table in (score.covering, score.f1))
    return (words or "defaults", *figures)


def main() -> None:
    """Print the table, or write it into a page."""
    parser = parser_of("evidence.bench.change_points", __doc__)
    parser.add_argument("--series", type=int, default=SERIES, help="of each kind of noise")
    parser.add_argument("--output", type=Path, help="the page whose table is written")
    options = parser.parse_args()
    series = [step_series(noise, number) for noise in NOISES for number in range(options.series)]
    text = score_table(series)
    print(text)
    if options.output is not None:
        page = options.output.read_text("utf-8")
        options.output.write_text(replace_between(page, BEGIN, END, text), "utf-8")


if __name__ == "__main__":
    main()
