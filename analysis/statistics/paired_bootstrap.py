"""Differences of two figures with paired bootstrap intervals.

Series are drawn anew with replacement, and both figures are computed on the same draws, so that
what makes a series hard for both does not widen the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
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
    """Values behind a figure: one a series, NaN where the series does not count.

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
        """True where the interval leaves zero out."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


def differences(
    pairs: Mapping[str, tuple[FigureSample, FigureSample]],
    bootstrap: BootstrapSettings = DIFFERENCES,
) -> dict[str, FigureDifference]:
    """Differences by figure; all samples are about the same series, in the same order.

    Raises ValueError if they are not.
    """
    samples = {
        (figure, side_index): pair[side_index]
        for figure, pair in pairs.items()
        for side_index in (0, 1)
    }
    resamples = resampled_figures(samples, bootstrap)
    return {
        figure: difference(figure, resamples[figure, 0], resamples[figure, 1], bootstrap)
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
    part_figures = [_figures(samples, counts) for counts in resamples(n, bootstrap)] if n else []
    observed_figures = _figures(samples, np.ones((n, 1)))
    return {
        key: ResampledFigure(
            _finite_or_none(observed_figures[key]),
            np.concatenate(
                [np.empty(0), *(figures_of_part[key] for figures_of_part in part_figures)]
            ),
        )
        for key in samples
    }


# --- draws ------------------------------------------------------------------------------------
def resamples(n: int, bootstrap: BootstrapSettings) -> Iterable[Floats]:
    """Draw how often each of n series is in a resample: float64 (n, some), `repeats` columns in
    all.

    What fits in one part is kept: all pairs of a comparison are measured on the same draws.
    """
    fits_in_one_part = n * bootstrap.repeats <= AT_A_TIME
    return _cached_resamples(n, bootstrap) if fits_in_one_part else _draw_resamples(n, bootstrap)


@lru_cache(maxsize=2)
def _cached_resamples(n: int, bootstrap: BootstrapSettings) -> tuple[Floats, ...]:
    return tuple(_draw_resamples(n, bootstrap))


def _draw_resamples(n: int, bootstrap: BootstrapSettings) -> Iterator[Floats]:
    generator = np.random.default_rng(bootstrap.seed)
    part_size = max(1, AT_A_TIME // n)
    for start in range(0, bootstrap.repeats, part_size):
        n_draws = min(part_size, bootstrap.repeats - start)
        cell_indices = generator.integers(n, size=(n_draws, n)) + n * np.arange(n_draws)[:, None]
        counts = np.bincount(cell_indices.ravel(), minlength=n_draws * n).reshape(n_draws, n)
        yield np.ascontiguousarray(counts.T, dtype=np.float64)


# --- figures of draws -------------------------------------------------------------------------
def _figures(samples: Mapping[Key, FigureSample], counts: Floats) -> dict[Key, Floats]:
    """The figures in each column of `counts`, float64 (n, some); NaN where not defined.

    All figures but medians are made of sums over series: one product of matrices gives them all.
    """
    summed_samples = {key: sample for key, sample in samples.items() if sample.kind != "median"}
    summand_rows = {
        key: SUMMANDS[sample.kind](sample.values) for key, sample in summed_samples.items()
    }
    figure_rows = [row for sample_rows in summand_rows.values() for row in sample_rows]
    sums = iter(np.array(figure_rows) @ counts) if figure_rows else iter(())
    figures_by_key: dict[Key, Floats] = {}
    with np.errstate(divide="ignore", invalid="ignore"):
        for key, sample in samples.items():
            if sample.kind == "median":
                figures_by_key[key] = _median(sample.values, counts)
            else:
                figures_by_key[key] = OF_SUMS[sample.kind](*islice(sums, len(summand_rows[key])))
    return figures_by_key


def _median(values: Floats, counts: Floats) -> Floats:
    counted_series = np.flatnonzero(np.isfinite(values))
    if not counted_series.size:
        return np.full(counts.shape[1], np.nan)
    series_order = counted_series[np.argsort(values[counted_series], kind="stable")]
    sorted_values, cumulative_counts = values[series_order], np.cumsum(counts[series_order], axis=0)
    n = cumulative_counts[-1]
    lower_index = np.count_nonzero(cumulative_counts < np.ceil(n / 2), axis=0)
    upper_index = np.count_nonzero(cumulative_counts < np.floor(n / 2) + 1, axis=0)
    last_index = series_order.size - 1
    midpoints = (
        sorted_values[np.minimum(lower_index, last_index)]
        + sorted_values[np.minimum(upper_index, last_index)]
    ) / 2
    medians: Floats = np.where(n > 0, midpoints, np.nan)
    return medians


def _values_and_counts(values: Floats) -> tuple[Floats, Floats]:
    """The values with 0 for those that do not count, and 1 for each that counts."""
    is_counted = np.isfinite(values)
    return np.where(is_counted, values, 0.0), is_counted.astype(np.float64)


def _sd_sums(values: Floats) -> tuple[Floats, ...]:
    # Around a middle value, so that no digits are lost to a large mean.
    filled_values, counts = _values_and_counts(values)
    deviations = (filled_values - filled_values.sum() / max(counts.sum(), 1.0)) * counts
    return deviations**2, deviations, counts


def _cell_masks(values: Floats) -> tuple[Floats, ...]:
    """Masks of tp, fp, fn and tn, as numbers."""
    return tuple((values == cell_index).astype(np.float64) for cell_index in range(4))


def _sd(squares: Floats, total: Floats, n: Floats) -> Floats:
    deviation: Floats = np.sqrt(np.maximum(squares / n - (total / n) ** 2, 0.0))
    return deviation


def _balanced_accuracy(tp: Floats, fp: Floats, fn: Floats, tn: Floats) -> Floats:
    balanced_accuracy: Floats = (tp / (tp + fn) + tn / (tn + fp)) / 2
    return balanced_accuracy


def _kappa(tp: Floats, fp: Floats, fn: Floats, tn: Floats) -> Floats:
    n = tp + fp + fn + tn
    chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
    kappa: Floats = ((tp + tn) * n - chance) / (n * n - chance)
    return kappa


SUMMANDS: Final[Mapping[Kind, Callable[[Floats], tuple[Floats, ...]]]] = {
    "mean": _values_and_counts,
    "sum": lambda values: _values_and_counts(values)[:1],
    "sd": _sd_sums,
    "balanced": _cell_masks,
    "kappa": _cell_masks,
}
"""What is summed over the series of a draw, one row a series."""
OF_SUMS: Final[Mapping[Kind, Callable[..., Floats]]] = {
    "mean": lambda total, n: total / n,
    "sum": lambda total: total,
    "sd": _sd,
    "balanced": _balanced_accuracy,
    "kappa": _kappa,
}
"""The figure, of those sums."""


def _finite_or_none(figures: Floats) -> float | None:
    return float(figures[0]) if np.isfinite(figures[0]) else None


def difference(
    figure: str,
    first: ResampledFigure,
    second: ResampledFigure,
    bootstrap: BootstrapSettings = DIFFERENCES,
) -> FigureDifference:
    """Difference of two figures, first - second; draws in which one is not defined are left out."""
    draw_differences = first.draws - second.draws
    finite_differences = draw_differences[np.isfinite(draw_differences)]
    first_figure, second_figure = first.figure, second.figure
    if first_figure is None or second_figure is None or not finite_differences.size:
        return FigureDifference(figure, first_figure, second_figure, None, None, None)
    return FigureDifference(
        figure,
        first_figure,
        second_figure,
        first_figure - second_figure,
        *bootstrap.bounds(finite_differences),
    )
