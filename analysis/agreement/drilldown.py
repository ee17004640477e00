"""The series behind a figure of the agreement page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from analysis.agreement.figures import AgreementFigures
from analysis.statistics.annotator_agreement import (
    SpreadBand,
    changed_mask,
    in_band,
    marks_called_steady,
)
from analysis.statistics.answers import Bools
from analysis.statistics.pairwise_agreement import agreements


class UnknownFigure(LookupError):
    """The page has no such figure; the sentence says what was asked for."""


def series_of_figure(agreement: AgreementFigures, code: str) -> tuple[str, tuple[int, ...]]:
    """Title and positions of the series behind `code`, such as ``pair:a1:a2``, in order.

    Raises UnknownFigure.
    """
    kind, *arguments = code.split(":")
    try:
        title, mask = KINDS[kind](agreement, *arguments)
    except (KeyError, ValueError, TypeError) as unknown:
        raise UnknownFigure(f"no figure {code!r} on the agreement page") from unknown
    positions = agreement.votes.positions
    return title, tuple(positions[row_index] for row_index in np.flatnonzero(mask).tolist())


def spread_code(band: SpreadBand) -> str:
    """Code of a band of spread, as `series_of_figure` takes it."""
    return f"spread:{band.low}" if band.high is None else f"spread:{band.low}:{band.high}"


def _paired_series(agreement: AgreementFigures) -> tuple[str, Bools]:
    return "Answered by two or more people", agreement.counts.sum(axis=1) > 1


def _split_series(agreement: AgreementFigures) -> tuple[str, Bools]:
    return "Some say steady, some never", agreement.split_mask


def _alpha_series(agreement: AgreementFigures) -> tuple[str, Bools]:
    marks = marks_called_steady(list(agreement.votes.people.values()))
    return "Two or more marks, and nobody says never", (~np.isnan(marks)).sum(axis=0) > 1


def _spread_series(agreement: AgreementFigures, low: str, high: str = "") -> tuple[str, Bools]:
    words = f"from {low} to {int(high) - 1}" if high else f"of {low} or more"
    mask = in_band(agreement.spread, int(low), int(high) if high else None)
    return f"Spread {words} iterations", mask


def _cluster_series(agreement: AgreementFigures, members: str) -> tuple[str, Bools]:
    size = int(members)
    is_voted = agreement.votes.truth.steady | agreement.votes.truth.clustered
    title = f"Ground truth from a cluster of {size}" if size else "Ground truth without a cluster"
    return title, is_voted & (agreement.votes.truth.members == size)


def _differing_series(
    agreement: AgreementFigures, first_code: str, second_code: str
) -> tuple[str, Bools]:
    a, b = agreement.votes.people[first_code], agreement.votes.people[second_code]
    is_apart = a.given & b.given & ~agreements(a, b, agreement.votes.tolerance)
    names = f"{first_code.upper()} and {second_code.upper()}"
    return f"{names} differ in yes/no, or by more than the tolerance", is_apart


def _changed_series(agreement: AgreementFigures, person: str) -> tuple[str, Bools]:
    mask = changed_mask(agreement.votes.truth.start, agreement.starts_without[person])
    return f"Ground truth would be another without {person.upper()}", mask


def _repeated_series(agreement: AgreementFigures, person: str) -> tuple[str, Bools]:
    if person not in agreement.votes.people:
        raise KeyError(person)
    own_positions = {
        answer_pair.task.position
        for answer_pair in agreement.votes.answer_pairs
        if answer_pair.pseudonym == person
    }
    mask = np.array(
        [position in own_positions for position in agreement.votes.positions], dtype=np.bool_
    )
    return f"Answered twice by {person.upper()}", mask


def _timed_series(agreement: AgreementFigures, person: str) -> tuple[str, Bools]:
    is_marked = agreement.votes.people[person].steady
    has_time = ~np.isnan(agreement.votes.work_times[person])
    return f"Marked by {person.upper()}, in a known order", is_marked & has_time


KINDS: Final[dict[str, Callable[..., tuple[str, Bools]]]] = {
    "votes": _paired_series,
    "split": _split_series,
    "alpha": _alpha_series,
    "spread": _spread_series,
    "cluster": _cluster_series,
    "pair": _differing_series,
    "without": _changed_series,
    "twice": _repeated_series,
    "worked": _timed_series,
}
