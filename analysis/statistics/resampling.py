"""Differences of two figures with paired bootstrap intervals.

Series are drawn anew with replacement, and both figures are computed on the same draws, so that
what makes a series hard for both does not widen the interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import Bootstrap

Kind = Literal["mean", "sum", "sd", "median", "balanced", "kappa"]

DIFFERENCES: Final = Bootstrap(repeats=2_000)
"""Fewer draws than for the interval of one median: medians of a resample are sorted out here."""

AT_A_TIME: Final = 2_000_000  # counts of a chunk of resamples, 16 MB


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a figure is made of: one value a series, NaN where the series does not count.

    mean, sum, median  of the values
    sd                 dividing by the count
    balanced, kappa    of values that are places in (tp, fp, fn, tn), 0 to 3
    """

    values: Floats
    kind: Kind


@dataclass(frozen=True, slots=True)
class Difference:
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
    pairs: Mapping[str, tuple[Sample, Sample]], bootstrap: Bootstrap = DIFFERENCES
) -> dict[str, Difference]:
    """Differences by figure; all samples are about the same series, in the same order.

    Raises ValueError if they are not.
    """
    sizes = {sample.values.size for pair in pairs.values() for sample in pair}
    if len(sizes) > 1:
        raise ValueError(f"samples: found lengths {sorted(sizes)}, expected one: aligned series")
    n = next(iter(sizes), 0)
    once = np.ones((1, n))
    drawn: dict[str, list[Floats]] = {figure: [] for figure in pairs}
    if n:
        for counts in _resamples(n, bootstrap):
            for figure, (first, second) in pairs.items():
                drawn[figure].append(_figures(first, counts) - _figures(second, counts))
    return {
        figure: _difference(
            figure,
            _one(_figures(first, once)),
            _one(_figures(second, once)),
            np.concatenate(drawn[figure]) if n else np.empty(0),
            bootstrap.level,
        )
        for figure, (first, second) in pairs.items()
    }


def _resamples(n: int, bootstrap: Bootstrap) -> Iterator[Floats]:
    """How often each of n series is drawn: float64 (some, n), `repeats` rows in all."""
    generator = np.random.default_rng(bootstrap.seed)
    rows = max(1, AT_A_TIME // n)
    for start in range(0, bootstrap.repeats, rows):
        some = min(rows, bootstrap.repeats - start)
        places = generator.integers(n, size=(some, n)) + n * np.arange(some)[:, None]
        yield np.bincount(places.ravel(), minlength=some * n).reshape(some, n).astype(np.float64)


def _figures(sample: Sample, counts: Floats) -> Floats:
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


def _difference(
    figure: str, first: float | None, second: float | None, drawn: Floats, level: float
) -> Difference:
    """Draws in which a figure is not defined, such as a mean of nothing, say nothing."""
    known = drawn[np.isfinite(drawn)]
    if first is None or second is None or not known.size:
        return Difference(figure, first, second, None, None, None)
    tail = (1 - level) / 2
    low, high = np.quantile(known, [tail, 1 - tail]).tolist()
    return Difference(figure, first, second, first - second, low, high)
