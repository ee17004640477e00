"""Every method against every usual baseline: errors in seconds, results, times; and segments.

The tables of Traini, Di Menna & Cortellessa 2024 for any methods: 2 is `segment_rows`, 3 and 6 are
the errors of `pair_rows`, 4 and 7 its tallies, 5 the table of methods.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean, pstdev
from typing import Final

from analysis.cost.table import USUAL, ComparisonCosts
from analysis.methods.method_style import MethodStyle
from analysis.statistics.effect_sizes import PairedErrors, paired_errors
from analysis.statistics.result_quality import QualityTally
from detectors.learned import crossfit
from detectors.registry import UnknownDetector, from_key

SEGMENT_FIGURES: Final = ("precision", "recall", "f1", "balanced_accuracy")
RULES: Final = "laaber-"


@dataclass(frozen=True, slots=True)
class PairCost:
    """One method against one baseline; tally and errors are None where there is nothing."""

    look: MethodStyle
    baseline: MethodStyle
    errors: PairedErrors | None
    tally: QualityTally | None
    exact: bool


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """Scores of a learned method's models on windows that they have not seen.

    figures: mean and deviation over the folds, by name; None of nothing.
    """

    look: MethodStyle
    weights: str
    folds: int
    windows: int
    figures: dict[str, tuple[float, float] | None]


def baselines(costs: ComparisonCosts) -> list[str]:
    """Baselines of methods: the chosen one, what teams use, published dynamic rules."""
    slugs = {name: costs.compared.looks[name].slug for name in costs.methods}
    usual = [name for name, slug in slugs.items() if slug in USUAL or slug.startswith(RULES)]
    return list(dict.fromkeys([*filter(None, [costs.baseline]), *usual]))


def pair_rows(costs: ComparisonCosts) -> Iterator[PairCost]:
    """Baseline by baseline, every other method."""
    looks = costs.compared.looks
    for baseline in baselines(costs):
        theirs = costs.estimation_errors(baseline)
        for name in costs.methods:
            if name == baseline:
                continue
            tally = costs.tally_against(name, baseline)
            yield PairCost(
                looks[name],
                looks[baseline],
                paired_errors(costs.estimation_errors(name), theirs),
                tally if tally.n else None,
                exact=costs.all_exact(name) and costs.all_exact(baseline),
            )


def segment_rows(costs: ComparisonCosts) -> Iterator[SegmentRow]:
    """Rows of the compared learned methods, from the cards of their weights."""
    for name in costs.methods:
        look = costs.compared.looks[name]
        if look.slug in crossfit.READERS and not look.source:
            row = _segments(look)
            if row is not None:
                yield row


def _segments(look: MethodStyle) -> SegmentRow | None:
    try:
        weights = str(from_key(look.key).params.texts()["weights"])
    except (UnknownDetector, ValueError):
        return None  # stored by another version, whose card is not here
    folds = crossfit.card_of(look.slug, weights).get("cross_validation", [])
    if not folds:
        return None
    figures = {name: _spread([fold[name] for fold in folds]) for name in SEGMENT_FIGURES}
    windows = sum(fold["windows"] for fold in folds)
    return SegmentRow(look, weights, len(folds), windows, figures)


def _spread(cells: list[float | None]) -> tuple[float, float] | None:
    numbers = [cell for cell in cells if cell is not None]
    return (mean(numbers), pstdev(numbers)) if numbers else None
