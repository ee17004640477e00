"""Least sure first: the order in which marks of people are worth most.

Series are asked in turns. Those with the widest intervals come in the first turn, and within a
turn everybody has an order of their own, so that no order tells which of two series is less sure.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

TURN: Final = 20
"""Series of a turn."""

Subject = TypeVar("Subject", bound=int)


def widest_subjects(widths: Mapping[Subject, float]) -> list[Subject]:
    """The subjects by the width of their intervals, as a share of the length; ties by number."""
    return sorted(widths, key=lambda subject: (-widths[subject], subject))


def turns(
    subjects: Sequence[Subject], widths: Mapping[Subject, float], *, seed: object
) -> dict[Subject, int]:
    """The turn of each subject, from 0.

    Of subjects without a width nobody knows how sure they are: they are spread among the others
    by lot, since a place of their own would tell them apart.
    """
    ranked_subjects = widest_subjects(
        {subject: widths[subject] for subject in subjects if subject in widths}
    )
    position_by_subject = {
        subject: (rank + 0.5) / len(ranked_subjects) for rank, subject in enumerate(ranked_subjects)
    }
    random_source = random.Random(f"{seed} turns")  # noqa: S311  # an order that can be repeated, no secret
    position_by_subject |= {
        subject: random_source.random() for subject in sorted(set(subjects) - set(ranked_subjects))
    }
    sorted_subjects = sorted(
        position_by_subject, key=lambda subject: (position_by_subject[subject], subject)
    )
    return {subject: rank // TURN for rank, subject in enumerate(sorted_subjects)}
