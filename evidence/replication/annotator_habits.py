"""Fit the model of simulated annotators on published figures of disagreement, and print it.

    python -m evidence.replication.annotator_habits

Nothing is read: the figures stand below with their sources, all counts over the annotation files
of `MartinBeseda/steady-state`, folder `analysis-v2` (five annotators, 407 series of 3,000 values
called steady, 586 in two rounds of yes or no). Two numbers are searched, everything else follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annotate.simulation.annotator_model import AnnotatorHabits, simulated_marks

SERIES, VALUES, ITERATIONS = 407, 586, 3000
MEDIANS: Final = (220, 466, 893, 172, 277)  # of the marks of each annotator, a1 to a5
CLUSTERED: Final = 217  # series with three marks within 50 iterations
MEMBERS: Final = (191, 171, 34, 187, 179)  # of these, those with the annotator in the cluster
QUARTILES: Final = (586.0, 895.0, 1492.0)  # largest less smallest of five marks: quartiles
INDEX_MEDIAN, INDEX_MEAN = 322.0, 461.346  # of the aggregated index
ZEROS: Final = 19 + 4  # marks at iteration 0 in two rounds: nobody meant them
NEVER_SHARE: Final = (143 + 145) / (2 * VALUES)  # of the answers in two rounds
KAPPA: Final = 0.06  # of the two rounds
UNSTEADY: Final = 179 / VALUES  # of the series, as published
DRAWN: Final = 4_000  # series of one trial
SCALES: Final = tuple(round(0.3 + 0.05 * step, 2) for step in range(13))
SPREADS_TRIED: Final = tuple(round(0.5 + 0.1 * step, 1) for step in range(11))


@dataclass(frozen=True, slots=True)
class FittedHabits:
    """The numbers of `annotate.simulation.annotator_model`, and the figures that they give."""

    people: tuple[AnnotatorHabits, ...]
    spread: float
    clustered: float
    quartiles: tuple[float, ...]
    medians: tuple[float, ...]


def habits(scale: float) -> tuple[AnnotatorHabits, ...]:
    """Careful marks in proportion to the share of clusters that have the annotator."""
    return tuple(
        AnnotatorHabits(
            round(scale * member / CLUSTERED, 3), round(float(np.log(median / INDEX_MEDIAN)), 3)
        )
        for member, median in zip(MEMBERS, MEDIANS, strict=True)
    )


def trial(people: tuple[AnnotatorHabits, ...], spread: float) -> FittedHabits:
    rng = np.random.default_rng(0)
    sigma = np.sqrt(2 * np.log(INDEX_MEAN / INDEX_MEDIAN))
    drawn_indices = INDEX_MEDIAN * np.exp(sigma * rng.standard_normal(DRAWN))
    drawn_marks = simulated_marks(
        np.clip(np.rint(drawn_indices), 0, ITERATIONS - 1), ITERATIONS, rng, people, spread
    )
    distances = np.ptp(drawn_marks, axis=1)
    # Two others within 50 iterations: DBSCAN's core, eps 50, three
    is_near = np.abs(drawn_marks[:, :, None] - drawn_marks[:, None, :]) <= 50
    return FittedHabits(
        people,
        spread,
        float((is_near.sum(axis=2) >= 3).any(axis=1).mean()),
        tuple(float(quartile) for quartile in np.quantile(distances, [0.25, 0.5, 0.75])),
        tuple(float(mark_median) for mark_median in np.median(drawn_marks, axis=0)),
    )


def distance(habits: FittedHabits) -> float:
    """Mean square of the logarithms of ratios: clusters, quartiles and medians weigh the same."""
    parts = (
        ((habits.clustered,), (CLUSTERED / SERIES,)),
        (habits.quartiles, QUARTILES),
        (habits.medians, MEDIANS),
    )
    return sum(
        float(np.mean(np.log(np.divide(own_figures, their_figures)) ** 2))
        for own_figures, their_figures in parts
    )


def fit_habits() -> FittedHabits:
    """The best of all pairs of scale and spread."""
    trials = (trial(habits(scale), spread) for scale in SCALES for spread in SPREADS_TRIED)
    return min(trials, key=distance)


def never_shares() -> tuple[float, float]:
    """Share of "never" for series that level off and for the others.

    Two kinds of series, of which the second is as frequent as series that were published as
    unsteady, whose answers have the mean and the kappa of the two rounds.
    """
    share_spread = np.sqrt(KAPPA * NEVER_SHARE * (1 - NEVER_SHARE) / (UNSTEADY * (1 - UNSTEADY)))
    low = NEVER_SHARE - UNSTEADY * share_spread
    return round(float(low), 3), round(float(low + share_spread), 3)


def misclicks() -> float:
    return round(ZEROS / (2 * VALUES), 4)


def main() -> None:
    habits = fit_habits()
    rows = [
        ("series with a cluster", CLUSTERED / SERIES, habits.clustered),
        *zip(("25 % of spreads", "50 %", "75 %"), QUARTILES, habits.quartiles, strict=True),
        *zip(("median of a1", "a2", "a3", "a4", "a5"), MEDIANS, habits.medians, strict=True),
    ]
    print("published figure          published    model")
    for name, their_figure, own_figure in rows:
        print(f"{name:<24} {their_figure:>10.3g} {own_figure:>8.3g}")
    print(f"\nSPREAD = {habits.spread}")
    print(f"PEOPLE = {habits.people}")
    print(f"NEVER_IF_LEVEL, NEVER_IF_LATE = {never_shares()}")
    print(f"MISCLICKS = {misclicks()}")


if __name__ == "__main__":
    main()
