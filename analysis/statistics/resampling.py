"""Differences of two figures with paired bootstrap intervals.

Series are drawn anew with replacement, and both figures are computed on the same draws, so that
what makes a series hard for both does not widen the interval.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings

Kind = Literal["mean", "sum", "sd", "median", "balanced", "kappa"]

DIFFERENCES: Final = BootstrapSettings(repeats=2_000)
"""Fewer draws than for the interval of one median: medians of a resample are sorted out here."""

AT_A_TIME: Final = 2_000_000  # counts of a chunk of resamples, 16 MB


@dataclass(frozen=True, slots=True, eq=False)
class FigureSample:
    """What a figure is made of: one value a series, NaN where the series does not count.

    mean, sum, median  of the values
    sd                 dividing by the count
    balanced, kappa    of values that are places in (tp, fp, fn, tn), 0 to 3
    """

    values: Floats
    kind: Kind


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """first - second of one figure; `low` to `high` is its percentile interval.

    None where a figure is not defined.
    """

    figure: str
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


def differences(
    pairs: Mapping[str, tuple[FigureSample, FigureSample]],
    bootstrap: BootstrapSettings = DIFFERENCES,
) -> dict[str, FigureDifference]:
    """Differences by figure; all samples are about the same series, in the same order.

    Raises ValueError if they are not.
    """
    samples = {(figure, side): pair[side] for figure, pair in pairs.items() for side in (0, 1)}
    found = resampled_figures(samples, bootstrap)
    return {
        figure: difference(figure, found[figure, 0], found[figure, 1], bootstrap.level)
        for figure in pairs
    }


@dataclass(frozen=True, slots=True, eq=False)
class ResampledFigure:
    """A figure, and the same figure of each resample: float64 (repeats,), NaN where undefined."""

    figure: float | None
    draws: Floats


Key = TypeVar("Key", bound=Hashable)


def resampled_figures(
    samples: Mapping[Key, FigureSample], bootstrap: BootstrapSettings = DIFFERENCES
) -> dict[Key, ResampledFigure]:
    """Figures of the same resamples: the same seed and number of series draw the same ones.

    Raises ValueError for samples of different lengths.
    """
    sizes = {sample.values.size for sample in samples.values()}
    if len(sizes) > 1:
        raise ValueError(f"samples: found lengths {sorted(sizes)}, expected one: aligned series")
    n = next(iter(sizes), 0)
    parts: dict[Key, list[Floats]] = {key: [np.empty(0)] for key in samples}
    for counts in _resamples(n, bootstrap) if n else ():
        for key, sample in samples.items():
            parts[key].append(_figures(sample, counts))
    once = np.ones((1, n))
    return {
        key: ResampledFigure(_one(_figures(sample, once)), np.concatenate(parts[key]))
        for key, sample in samples.items()
    }


def _resamples(n: int, bootstrap: BootstrapSettings) -> Iterator[Floats]:
    """How often each of n series is drawn: float64 (some, n), `repeats` rows in all."""
    generator = np.random.default_rng(bootstrap.seed)
    rows = max(1, AT_A_TIME // n)
    for start in range(0, bootstrap.repeats, rows):
        some = min(rows, bootstrap.repeats - start)
        places = generator.integers(n, size=(some, n)) + n * np.arange(some)[:, None]
        yield np.bincount(places.ravel(), minlength=some * n).reshape(some, n).astype(np.float64)


def _figures(sample: FigureSample, counts: Floats) -> Floats:
    """The figure in each row of `counts`, float64 (rows, n); NaN where it is not defined."""
    kept = np.isfinite(sample.values)
    with np.errstate(divide="ignore", invalid="ignore"):
        return KINDS[sample.kind](sample.values[kept], counts[:, kept])


def _mean(values: Floats, counts: Floats) -> Floats:
    found: Floats = counts @ values / counts.sum(axis=1)
    return found


def _sum(values: Floats, counts: Floats) -> Floats:
    found: Floats = counts @ values
    return found


def _sd(values: Floats, counts: Floats) -> Floats:
    # Around a middle value, so that no digits are lost to a large mean.
    around = values - (values.mean() if values.size else 0.0)
    squares, mean = _mean(around**2, counts), _mean(around, counts)
    found: Floats = np.sqrt(np.maximum(squares - mean**2, 0.0))
    return found


def _median(values: Floats, counts: Floats) -> Floats:
    if not values.size:
        return np.full(counts.shape[0], np.nan)
    order = np.argsort(values, kind="stable")
    ranked, upto = values[order], np.cumsum(counts[:, order], axis=1)
    n = upto[:, -1:]
    below = (upto < np.ceil(n / 2)).sum(axis=1)
    above = (upto < np.floor(n / 2) + 1).sum(axis=1)
    last = values.size - 1
    middle = (ranked[np.minimum(below, last)] + ranked[np.minimum(above, last)]) / 2
    found: Floats = np.where(n[:, 0] > 0, middle, np.nan)
    return found


def _cells(values: Floats, counts: Floats) -> tuple[Floats, ...]:
    """Counts of tp, fp, fn, tn."""
    return tuple(counts[:, values == place].sum(axis=1) for place in range(4))


def _balanced(values: Floats, counts: Floats) -> Floats:
    tp, fp, fn, tn = _cells(values, counts)
    found: Floats = (tp / (tp + fn) + tn / (tn + fp)) / 2
    return found


def _kappa(values: Floats, counts: Floats) -> Floats:
    tp, fp, fn, tn = _cells(values, counts)
    n = tp + fp + fn + tn
    chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
    found: Floats = ((tp + tn) * n - chance) / (n * n - chance)
    return found


KINDS: Final = {
    "mean": _mean,
    "sum": _sum,
    "sd": _sd,
    "median": _median,
    "balanced": _balanced,
    "kappa": _kappa,
}


def _one(figures: Floats) -> float | None:
    return float(figures[0]) if np.isfinite(figures[0]) else None


def difference(
    figure: str, first: ResampledFigure, second: ResampledFigure, level: float = DIFFERENCES.level
) -> FigureDifference:
    """first - second; draws in which one is not defined, such as a mean of nothing, say nothing."""
    apart = first.draws - second.draws
    known = apart[np.isfinite(apart)]
    one, other = first.figure, second.figure
    if one is None or other is None or not known.size:
        return FigureDifference(figure, one, other, None, None, None)
    tail = (1 - level) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist()
    return FigureDifference(figure, one, other, one - other, low, high)
