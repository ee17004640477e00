"""Number of marks that the order saves, as the replay of published marks has found."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

STORED: Final = Path(__file__).with_name("marks_saved.json")
"""Written by `python -m evidence.replication.sureness FOLDER --write`."""


@dataclass(frozen=True, slots=True)
class MarksReplay:
    """Marks after which the mean error of all series is `share` of what the method left.

    One mark a series, after which its error is 0. Each series was answered by the model that has
    not seen its system.

    method          key of the method whose intervals were ordered, widest first
    turn            series of a turn, within which the order is by lot
    draws, seed     orders whose mean is told
    samples, orders  of the bootstrap of whole systems, and orders drawn for each
    marks, random   marks in this order, and in random order
    saved_low, saved_high  95 % interval of what is saved
    """

    method: str
    series: int
    systems: int
    turn: int
    share: float
    draws: int
    samples: int
    orders: int
    seed: int
    marks: int
    random: int
    saved_low: int
    saved_high: int

    @property
    def sentence(self) -> str:
        return (
            f"On {self.series} published series of {self.systems} systems that people called "
            f"steady, {self.marks} marks in this order brought the mean error down to "
            f"{100 * self.share:.0f} % of that of the method alone. In random order it took "
            f"{self.random}, {self.random - self.marks} more "
            f"(95 % interval {self.saved_low} to {self.saved_high})."
        )


@cache
def stored_replay() -> MarksReplay:
    return MarksReplay(**json.loads(STORED.read_text("utf-8")))
