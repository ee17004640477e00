"""Batches: reading batch by batch, and the first pass that lasts.

SDM and R-test judge every batch, the t- and the F-test every batch with the next one. Once a
statistic is below its critical value the answer never changes.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from detectors.api import NEVER, Context, Detection, Values, draw, parameter
from detectors.kernels.batches import all_statistics, first_below
from detectors.rules.online.loop import OnlineRule, OnlineState, StateT


def batch_parameter() -> Any:
    """The parameter `batch` of every method that reads in batches."""
    return parameter(
        15, low=2, high=100_000, unit="iterations", help="Length of a batch; the last is shorter."
    )


class BatchReader(OnlineRule[StateT]):
    """A method that judges values by whole batches, and answers the first that passes."""

    together: ClassVar[int] = 1  # batches that have come when one of them is decided
    params: Any  # each method's own, with `batch`

    @abstractmethod
    def first_passing_start(self, state: StateT, due_at: int, *, end: bool) -> int:
        """The first iteration that passes among those up to `due_at` not judged yet, or `NEVER`."""

    def look(self, state: StateT, *, end: bool) -> Detection | None:
        n, batch = state.buffer.n, self.params.batch
        due_at = n if end else n - n % batch
        start = self.first_passing_start(state, due_at, end=end)
        if start == NEVER:
            return Detection(NEVER, published_index=NEVER) if end else None
        decided_at = min((start // batch + self.together) * batch, due_at) - 1
        return Detection(start, published_index=start, decided_at=decided_at)


class BatchTest(BatchReader[OnlineState]):
    """A statistic of each batch, or each two neighbours, that must fall below a critical value."""

    which: ClassVar[int]  # the kernel's statistic
    statistic: ClassVar[str]  # its name, on the axis of the evidence

    @property
    @abstractmethod
    def critical(self) -> float:
        """A statistic below this passes."""

    @property
    def least_length(self) -> int:
        return max(self._left, 2)

    @property
    def _left(self) -> int:
        """Values that a last statistic needs: one beside the batches that are complete."""
        return int((self.together - 1) * self.params.batch) + 1

    def start(self, context: Context) -> OnlineState:
        return OnlineState()

    def first_passing_start(self, state: OnlineState, due_at: int, *, end: bool) -> int:
        least_values = self._left if end else self.together * self.params.batch
        values = state.buffer.first(due_at)
        start, state.position, statistic = first_below(
            values, state.position, least_values, self.params.batch, self.which, self.critical
        )
        if not math.isnan(statistic):
            state.figures = {"statistic": statistic}
        return start

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        batch_size = self.params.batch
        y = np.empty(-(-values.size // batch_size))
        count = all_statistics(values, self._left, batch_size, self.which, y)
        curve = draw.Curve(
            y[:count],
            label=self.statistic,
            x=np.arange(count, dtype=np.int64) * batch_size,
            threshold=self.critical,
            shape="steps",
            meaning=f"One value per {batch_size} iterations; a batch passes below the line.",
        )
        return curve, *draw.decision_band(
            self.detect(values, context),
            "first that passes",
            "The first batch that passes; the steady state begins where it does.",
        )
