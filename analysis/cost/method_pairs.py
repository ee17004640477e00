"""Every method against every usual baseline: errors in seconds, results, times; and segments.

The tables of Traini, Di Menna & Cortellessa 2024 for any methods: 2 is `segment_rows`, 3 and 6 are
the errors of `pair_rows`, 4 and 7 its tallies, 5 the table of methods.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean, pstdev
from typing import Final

from analysis.cost.table import USUAL, ComparisonCosts, tally_cells
from analysis.methods.method_style import MethodStyle
from analysis.statistics.effect_sizes import PairedErrors, paired_errors
from detectors.learned import crossfit
from detectors.registry import UnknownDetector, from_key
from formats.tables import Cell

SEGMENT_FIGURES: Final = ("precision", "recall", "f1", "balanced_accuracy")
RULES: Final = "laaber-"


def baselines(costs: ComparisonCosts) -> list[str]:
    """Baselines of methods: the chosen one, what teams use, published dynamic rules."""
    slugs = {name: costs.compared.looks[name].slug for name in costs.methods}
    default_names = [
        name for name, slug in slugs.items() if slug in USUAL or slug.startswith(RULES)
    ]
    return list(dict.fromkeys([*filter(None, [costs.baseline]), *default_names]))


def pair_rows(costs: ComparisonCosts) -> Iterator[dict[str, Cell]]:
    """Cells by column: baseline by baseline, every other method."""
    for baseline in baselines(costs):
        baseline_errors = costs.estimation_errors(baseline)
        for name in costs.methods:
            if name == baseline:
                continue
            quality_tally = costs.tally_against(name, baseline)
            is_exact = costs.all_exact(name) and costs.all_exact(baseline)
            yield {
                "method": name,
                "baseline": baseline,
                **error_cells(paired_errors(costs.estimation_errors(name), baseline_errors)),
                "judged": quality_tally.n,
                **tally_cells(quality_tally if quality_tally.n else None, is_exact=is_exact),
            }


def error_cells(errors: PairedErrors | None) -> dict[str, Cell]:
    """Cells of the test of paired errors, empty without a pair."""
    if errors is None:
        return {"pairs": 0, **dict.fromkeys(("w", "p", "a12", "a12_all", "magnitude", "r"))}
    return {
        "pairs": errors.pairs,
        "w": errors.statistic,
        "p": errors.p,
        "a12": errors.a12,
        "a12_all": errors.a12_all,
        "magnitude": errors.magnitude,
        "r": errors.r,
    }


def segment_rows(costs: ComparisonCosts) -> Iterator[dict[str, Cell]]:
    """Cells by column of the compared learned methods, from the cards of their weights.

    Scores of models on windows that they have not seen: mean and deviation over the folds.
    """
    for name in costs.methods:
        look = costs.compared.looks[name]
        if look.slug in crossfit.READERS and not look.source:
            yield from _segment(look)


def _segment(look: MethodStyle) -> Iterator[dict[str, Cell]]:
    try:
        weights = str(from_key(look.key).params.texts()["weights"])
    except (UnknownDetector, ValueError):
        return  # weights of another version, whose card is not here
    if folds := crossfit.card_of(look.slug, weights).get("cross_validation", []):
        n_windows = sum(fold["windows"] for fold in folds)
        row = {"method": look.name, "weights": weights, "folds": len(folds), "windows": n_windows}
        for name in SEGMENT_FIGURES:
            scores = [fold[name] for fold in folds if fold[name] is not None]
            row[name] = mean(scores) if scores else None
            row[f"{name}_sd"] = pstdev(scores) if scores else None
        yield row
