"""How the models of a training do on windows that they have not seen: by fold, and over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean, stdev
from typing import Any, Final

from detectors.training.labelled_windows import Labels

FIGURES: Final = ("precision", "recall", "f1", "balanced_accuracy")


@dataclass(frozen=True, slots=True)
class FoldFigures:
    """How the model of a fold does on the windows of the benchmarks that it has not seen.

    "Positive" is stable. None where a figure has nothing to be taken of.
    """

    fold: int
    windows: int
    precision: float | None
    recall: float | None
    f1: float | None
    balanced_accuracy: float | None


def figures_of(fold: int, stable: Labels, accepted: Labels) -> FoldFigures:
    both = int((stable & accepted).sum())
    precision = _share(both, int(accepted.sum()))
    recall = _share(both, int(stable.sum()))
    specificity = _share(int((~stable & ~accepted).sum()), int((~stable).sum()))
    f1 = _share(2 * both, int(accepted.sum()) + int(stable.sum()))
    balanced = None if recall is None or specificity is None else (recall + specificity) / 2
    return FoldFigures(fold, int(stable.size), precision, recall, f1, balanced)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class SeedSpread:
    """One figure over seeds: of each its mean over the folds; None where a seed has none."""

    name: str
    by_seed: tuple[float | None, ...]

    @property
    def known(self) -> list[float]:
        return [value for value in self.by_seed if value is not None]

    @property
    def mean(self) -> float | None:
        return fmean(self.known) if self.known else None

    @property
    def sd(self) -> float | None:
        """Standard deviation over seeds, divisor k - 1; None of fewer than two."""
        return stdev(self.known) if len(self.known) > 1 else None


def over_seeds(found: Iterable[Sequence[Mapping[str, Any]]]) -> list[SeedSpread]:
    """Of each figure; `found` has the folds of each seed, `FoldFigures` as dictionaries."""
    seeds = [list(folds) for folds in found]
    return [
        SeedSpread(name, tuple(mean_of([each[name] for each in folds]) for folds in seeds))
        for name in FIGURES
    ]


def spread_table(found: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    """Markdown: a line a seed, means over folds; then mean and standard deviation over seeds."""
    spreads = over_seeds(found)
    lines = [*_head("seed", FIGURES)]
    lines += [
        _line(str(seed), [_three(each.by_seed[seed]) for each in spreads])
        for seed in range(len(found))
    ]
    lines.append(_line("**mean ± sd**", [_plus_minus(each) for each in spreads]))
    return "\n".join(lines) + "\n"


def as_table(figures: Sequence[Mapping[str, Any]]) -> str:
    """Markdown, one line a fold, and their mean."""
    names = [each.name for each in fields(FoldFigures)][2:]
    lines = [*_head("fold", ("windows", *names))]
    lines += [
        _row(str(each["fold"]), each["windows"], [each[n] for n in names]) for each in figures
    ]
    means = [mean_of([each[name] for each in figures]) for name in names]
    lines.append(_row("**mean**", sum(each["windows"] for each in figures), means))
    return "\n".join(lines) + "\n"


def mean_of(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _head(first: str, names: Sequence[str]) -> tuple[str, str]:
    return _line(first, [name.replace("_", " ") for name in names]), "|---" * (len(names) + 1) + "|"


def _row(name: str, windows: int, cells: Iterable[float | None]) -> str:
    return _line(name, [f"{windows:,}", *map(_three, cells)])


def _line(name: str, cells: Iterable[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def _three(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _plus_minus(spread: SeedSpread) -> str:
    return _three(spread.mean) + ("" if spread.sd is None else f" ± {_three(spread.sd)}")
