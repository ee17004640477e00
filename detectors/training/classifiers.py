"""Any time-series classifier on the windows of the learned stopping methods.

A classifier is a class with `fit(X, y)` and `predict(X)`, as those of scikit-learn (X: windows,
width) and of aeon (X: windows, 1, width). It is fitted and judged fold by fold as `rocket` and the
networks are, with windows of any length and on any number of benchmarks: the future work of
Traini, Di Menna & Cortellessa 2024, section 7. Nothing of it is stored.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from detectors.crossfit import FOLDS
from detectors.training.folds import Unseen, assign_folds
from detectors.training.labelled_windows import (
    LabelledSeries,
    LabelledWindows,
    Labels,
    segments_of,
)
from detectors.training.panel import TooFewAnswers
from detectors.training.stopping import FoldFigures, figures_of
from detectors.windows import WINDOW, Singles

SEEDED: Final = ("random_state", "seed")
FIGURES: Final = ("precision", "recall", "f1", "balanced_accuracy")


class WindowClassifier(Protocol):
    """What is asked of somebody's class."""

    def fit(self, x: Any, y: Any) -> Any: ...
    def predict(self, x: Any) -> Any: ...


class NoClassifier(LookupError):
    """No class of that name, or one that is no classifier; the sentence says what was found."""


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """window: values of each; size: benchmarks to learn from, None for all; seeds: how often."""

    window: int = WINDOW
    size: int | None = None
    seeds: int = 3
    unseen: Unseen = "benchmarks"


def classifier_at(target: str) -> type[Any]:
    """The class of ``package.module:Class``. Raises NoClassifier."""
    place, _, name = target.partition(":")
    if not (place and name):
        raise NoClassifier(f"found {target!r}, expected package.module:Class")
    try:
        found = getattr(importlib.import_module(place), name)
    except (ImportError, AttributeError) as error:
        raise NoClassifier(f"{target}: {error}") from error
    missing = [each for each in ("fit", "predict") if not callable(getattr(found, each, None))]
    if missing or not inspect.isclass(found):
        raise NoClassifier(f"{target}: found no class with fit and predict")
    return found


def validated(
    kind: type[Any],
    series: Sequence[LabelledSeries],
    settings: ClassifierSettings,
    progress: Callable[[str], object] = str,
) -> Iterator[list[FoldFigures]]:
    """Of each seed, how the models do on windows that they have not seen. Raises TooFewAnswers."""
    windows = segments_of(series, settings.window)
    folds = assign_folds([each.benchmark for each in series], settings.unseen)
    names = np.array([each.benchmark for each in series])
    fold_of = np.array([folds[each.benchmark] for each in series])
    for seed in range(settings.seeds):
        random = np.random.default_rng(seed)
        found = []
        for fold in range(FOLDS):
            progress(f"seed {seed}, fold {fold + 1} of {FOLDS}")
            learned = _sampled(names, fold_of != fold, settings.size, random)
            found.append(_judged(_made(kind, seed), windows, learned, fold_of == fold, fold))
        yield found


def _sampled(
    names: NDArray[np.str_], seen: Labels, size: int | None, random: np.random.Generator
) -> Labels:
    """The series of at most `size` of the benchmarks that may be seen."""
    benchmarks = np.unique(names[seen])
    if size is None or benchmarks.size <= size:
        return seen
    return seen & np.isin(names, random.choice(benchmarks, size, replace=False))


def _judged(
    model: WindowClassifier, windows: LabelledWindows, learned: Labels, held: Labels, fold: int
) -> FoldFigures:
    shown, asked = windows.of(learned), windows.of(held)
    if shown.stable.all() or not shown.stable.any():
        raise TooFewAnswers(
            f"found only one label among the {shown.stable.size} windows outside of fold {fold}, "
            "expected stable and unstable ones: more benchmarks, or labels that differ"
        )
    shaped = _shaped(model)
    model.fit(shaped(shown.windows), shown.stable.astype(int))
    if not asked.stable.size:
        return figures_of(fold, asked.stable, asked.stable)
    said = np.asarray(model.predict(shaped(asked.windows)))
    return figures_of(fold, asked.stable, said.astype(float) > 0)


def _shaped(model: WindowClassifier) -> Callable[[Singles], Singles]:
    """aeon's classifiers take series of channels, of which there is one."""
    channels = type(model).__module__.partition(".")[0] == "aeon"
    return (lambda x: x[:, None, :]) if channels else (lambda x: x)


def _made(kind: type[Any], seed: int) -> WindowClassifier:
    """An instance; with the seed, where it takes one."""
    taken = inspect.signature(kind).parameters
    seeded: dict[str, int] = {name: seed for name in SEEDED if name in taken}
    made: WindowClassifier = kind(**seeded)
    return made


def spread_table(found: Sequence[Sequence[FoldFigures]]) -> str:
    """Markdown: a line a seed, means over folds; then mean and standard deviation over seeds."""
    heads = " | ".join(name.replace("_", " ") for name in FIGURES)
    lines = [f"| seed | {heads} |", "|---" * (len(FIGURES) + 1) + "|"]
    means = [[_mean(folds, name) for name in FIGURES] for folds in found]
    lines += [_line(str(seed), map(_three, row)) for seed, row in enumerate(means)]
    lines.append(_line("**mean ± sd**", map(_spread, zip(*means, strict=True))))
    return "\n".join(lines) + "\n"


def _mean(folds: Sequence[FoldFigures], name: str) -> float | None:
    known = [value for each in folds if (value := getattr(each, name)) is not None]
    return fmean(known) if known else None


def _line(name: str, cells: Any) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def _three(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _spread(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return ""
    return f"{fmean(known):.3f}" + (f" ± {stdev(known):.3f}" if len(known) > 1 else "")
