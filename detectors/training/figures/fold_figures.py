"""Figures of trained models on windows that they have not seen: by fold, and over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean, stdev
from typing import Any, Final

from detectors.training.labels.labelled_windows import Labels

FIGURES: Final = ("precision", "recall", "f1", "balanced_accuracy")


@dataclass(frozen=True, slots=True)
class FoldFigures:
    """Figures of a fold's model on the windows of benchmarks that it has not seen.

    "Positive" is stable. None where a figure has nothing to be taken of.
    """

    fold: int
    windows: int
    precision: float | None
    recall: float | None
    f1: float | None
    balanced_accuracy: float | None


def figures_of(fold: int, is_stable: Labels, is_accepted: Labels) -> FoldFigures:
    hit_count = int((is_stable & is_accepted).sum())
    precision = _share(hit_count, int(is_accepted.sum()))
    recall = _share(hit_count, int(is_stable.sum()))
    specificity = _share(int((~is_stable & ~is_accepted).sum()), int((~is_stable).sum()))
    f1 = _share(2 * hit_count, int(is_accepted.sum()) + int(is_stable.sum()))
    balanced_accuracy = (
        None if recall is None or specificity is None else (recall + specificity) / 2
    )
    return FoldFigures(fold, int(is_stable.size), precision, recall, f1, balanced_accuracy)


def _share(count: int, total: int) -> float | None:
    return count / total if total else None


@dataclass(frozen=True, slots=True)
class SeedSpread:
    """One figure over seeds: of each its mean over the folds; None where a seed has none."""

    name: str
    by_seed: tuple[float | None, ...]

    @property
    def known_values(self) -> list[float]:
        return [value for value in self.by_seed if value is not None]

    @property
    def mean(self) -> float | None:
        return fmean(self.known_values) if self.known_values else None

    @property
    def sd(self) -> float | None:
        """Standard deviation over seeds, divisor k - 1; None of fewer than two."""
        return stdev(self.known_values) if len(self.known_values) > 1 else None


def spreads_over_seeds(folds_of_seeds: Iterable[Sequence[Mapping[str, Any]]]) -> list[SeedSpread]:
    """Spread of each figure over seeds; `folds_of_seeds` has the folds of each seed,
    `FoldFigures` as dictionaries.
    """
    seeds = [list(folds) for folds in folds_of_seeds]
    return [
        SeedSpread(name, tuple(mean_of_known([fold[name] for fold in folds]) for folds in seeds))
        for name in FIGURES
    ]


def spread_table(folds_of_seeds: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    """Markdown: a line a seed, means over folds; then mean and standard deviation over seeds."""
    spreads = spreads_over_seeds(folds_of_seeds)
    lines = [*_head("seed", FIGURES)]
    lines += [
        _line(str(seed), [_three_decimals(spread.by_seed[seed]) for spread in spreads])
        for seed in range(len(folds_of_seeds))
    ]
    lines.append(_line("**mean ± sd**", [_plus_minus_text(spread) for spread in spreads]))
    return "\n".join(lines) + "\n"


def as_table(figures: Sequence[Mapping[str, Any]]) -> str:
    """Markdown, one line a fold, and their mean."""
    names = [field.name for field in fields(FoldFigures)][2:]
    lines = [*_head("fold", ("windows", *names))]
    lines += [
        _row(str(fold["fold"]), fold["windows"], [fold[n] for n in names]) for fold in figures
    ]
    means = [mean_of_known([fold[name] for fold in figures]) for name in names]
    lines.append(_row("**mean**", sum(fold["windows"] for fold in figures), means))
    return "\n".join(lines) + "\n"


def mean_of_known(values: Iterable[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None


def _head(first: str, names: Sequence[str]) -> tuple[str, str]:
    return _line(first, [name.replace("_", " ") for name in names]), "|---" * (len(names) + 1) + "|"


def _row(name: str, windows: int, cells: Iterable[float | None]) -> str:
    return _line(name, [f"{windows:,}", *map(_three_decimals, cells)])


def _line(name: str, cells: Iterable[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def _three_decimals(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _plus_minus_text(spread: SeedSpread) -> str:
    return _three_decimals(spread.mean) + (
        "" if spread.sd is None else f" ± {_three_decimals(spread.sd)}"
    )
