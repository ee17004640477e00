"""Count changed copies of the published, marked series that Plateau knows as trained on.

    python -m evidence.replication.known_copies [FOLDER]

FOLDER is the subset of published data that has the forks of the first stage.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from detectors.contract import Values
from detectors.panel.copies import SketchIndex, sketch
from detectors.panel.panel_models import SHIPPED, PanelModels, models_named
from detectors.simulated.synthetic import KINDS, simulate
from evidence.replication.published_files import NotPublishedData, study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

SEEDS: Final = 8
Change = Callable[[Values], Values]


def digits(count: int) -> Change:
    return lambda x: np.array([float(f"{value:.{count}g}") for value in x])


def noise(share: float) -> Change:
    return lambda x: x * (1 + share * np.random.default_rng(1).normal(size=x.size))


CHANGES: Final[Mapping[str, Change]] = {
    "without the first value": lambda x: x[1:],
    "without the first 50": lambda x: x[50:],
    "without the last 100": lambda x: x[:-100],
    "without the first 500 and the last 500": lambda x: x[500:-500],
    "without the first 1,000 and the last 1,000": lambda x: x[1000:-1000],
    "300 values from the 1,000th on": lambda x: x[1000:1300],
    "100 values from the 1,000th on": lambda x: x[1000:1100],
    "1,000 times": lambda x: 1000 * x,
    "shifted by a constant": lambda x: x + np.median(x),
    "as a rate, 1/x": lambda x: 1 / x,
    "in single precision": lambda x: x.astype(np.float32).astype(np.float64),
    **{f"rounded to {count} significant digits": digits(count) for count in (6, 5, 4, 3)},
    "with noise of 0.1 %": noise(0.001),
    "every other value": lambda x: x[::2],
}


def recognised_copies(models: PanelModels, series: list[Values], change: Change) -> int:
    """Count changed copies that are given to the model that the series itself is given to."""
    pairs = ((models.judge(change(values)), models.judge(values)) for values in series)
    return sum(copy.blind and copy.model is judge.model for copy, judge in pairs)


def alike(series: list[Values]) -> int:
    """Pairs of different series that are taken for copies of one another."""
    sketches = [sketch(values) for values in series]
    index = SketchIndex.from_sketches(sketches)
    return sum(
        int((index.copies_of(series_sketch) > k).sum()) for k, series_sketch in enumerate(sketches)
    )


def print_known_copies(study: PublishedStudy, _: Namespace) -> int:
    models = models_named(SHIPPED)
    marked_series, strangers, all_series = distinct_series(study)
    print(head("copies", "known"))
    for words, change in CHANGES.items():
        print(
            row(
                words, f"{recognised_copies(models, marked_series, change)} of {len(marked_series)}"
            ),
            flush=True,
        )
    simulations = [simulate(kind, seed=seed).values for kind in KINDS for seed in range(SEEDS)]
    unseen_count = sum(models.judge(values).blind for values in (*strangers, *simulations))
    print(
        f"\nSeries that were not trained on, known: {unseen_count} of "
        f"{len(strangers) + len(simulations)}"
    )
    pairs = len(all_series) * (len(all_series) - 1) // 2
    print(f"Pairs of different published series taken for copies: {alike(all_series)} of {pairs:,}")
    return 0


def distinct_series(study: PublishedStudy) -> tuple[list[Values], list[Values], list[Values]]:
    """The marked series; those that were not trained on; every one there is, once."""
    path = study.folder / "stage1.npz"
    if not path.is_file():
        raise NotPublishedData(f"{path}: not there; expected the forks of the first stage")
    with np.load(path) as stage_arrays:
        shown_forks = list(stage_arrays["shown"])
    forks = [fork for benchmark in study.measured for fork in benchmark.forks]
    all_series = {values.tobytes(): values for values in (*forks, *shown_forks)}
    marked_forks = [benchmark.forks[0] for benchmark in study.measured if benchmark.marks]
    trained_bytes = {values.tobytes() for values in (*marked_forks, *shown_forks)}
    return (
        marked_forks,
        [values for key, values in all_series.items() if key not in trained_bytes],
        list(all_series.values()),
    )


main = study_command(print_known_copies)

if __name__ == "__main__":
    sys.exit(main())
