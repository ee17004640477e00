"""Scores of several change points in one series: covering, and F1 with a margin.

A change point is the position, from 0, of the first value of a new segment. Position 0 begins the
first segment: everybody has it, named or not. Source: van den Burg & Williams 2020, An evaluation
of change point detection algorithms, section 3; alan-turing-institute/TCPDBench:
analysis/scripts/metrics.py, which decides where the paper leaves open who matches whom.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

MARGIN: Final = 5
"""Iterations by which a change point may miss, as in the publication."""

Positions = Collection[int]


class MarginScore(NamedTuple):
    """F1 of predicted change points, with the precision and the recall behind it."""

    f1: float
    precision: float
    recall: float


def f1_with_margin(
    annotations: Sequence[Positions], predicted_positions: Positions, margin: int = MARGIN
) -> MarginScore:
    """Score predicted change points against those of several annotators.

    Precision counts matches with anybody's change points; recall is the mean over the annotators.
    Raises ValueError without an annotator.
    """
    if not annotations:
        raise ValueError("change points are scored against one annotator or more; got none")
    annotated_positions = [{0, *positions} for positions in annotations]
    guesses = {0, *predicted_positions}
    precision = matched_count(set().union(*annotated_positions), guesses, margin) / len(guesses)
    recalls = [matched_count(truth, guesses, margin) / len(truth) for truth in annotated_positions]
    recall = sum(recalls) / len(recalls)
    return MarginScore(2 * precision * recall / (precision + recall), precision, recall)


def matched_count(truth: Positions, predicted_positions: Positions, margin: int = MARGIN) -> int:
    """Count the positions of `truth` that find a prediction of their own within `margin`.

    In rising order each takes the nearest prediction that is left, the lower of two. A later
    position may then find none where another choice would have left it one.
    """
    remaining_positions = set(predicted_positions)
    match_count = 0
    for position in sorted(set(truth)):
        close_positions = [
            guess for guess in remaining_positions if abs(guess - position) <= margin
        ]
        if close_positions:
            remaining_positions.remove(
                min(close_positions, key=lambda guess: (abs(guess - position), guess))
            )
            match_count += 1
    return match_count


def segment_cover(
    annotations: Sequence[Positions], predicted_positions: Positions, n: int
) -> float:
    """Mean over the annotators of how well predicted segments cover theirs, 0 to 1.

    Each segment of an annotator counts by its length, with the Jaccard index of the predicted
    segment most like it (Arbelaez et al. 2011). Raises ValueError without an annotator, and for
    positions outside 0 … n - 1.
    """
    if not annotations:
        raise ValueError("change points are scored against one annotator or more; got none")
    guesses = _segment_starts(predicted_positions, n)
    covers = [_cover(_segment_starts(positions, n), guesses, n) for positions in annotations]
    return sum(covers) / len(covers)


def _segment_starts(positions: Positions, n: int) -> NDArray[np.int64]:
    starts = np.unique(np.array([0, *positions], dtype=np.int64))
    if starts[0] < 0 or starts[-1] >= n:
        raise ValueError(f"change points lie in 0 to {n - 1}; got {starts[0]} to {starts[-1]}")
    return starts


def _cover(truth: NDArray[np.int64], guesses: NDArray[np.int64], n: int) -> float:
    """Between two neighbours of all starts lies the overlap of one segment of each kind."""
    starts = np.union1d(truth, guesses)
    overlap = np.diff(starts, append=n)
    lengths, guess_lengths = np.diff(truth, append=n), np.diff(guesses, append=n)
    true_index = np.searchsorted(truth, starts, side="right") - 1
    guess_index = np.searchsorted(guesses, starts, side="right") - 1
    union = lengths[true_index] + guess_lengths[guess_index] - overlap
    best_overlaps = np.zeros(truth.size)
    np.maximum.at(best_overlaps, true_index, overlap / union)
    return float((lengths * best_overlaps).sum() / n)
