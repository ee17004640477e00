"""Batches of the batch tests: reading batch by batch, and the first pass that lasts.

SDM and R-test judge every batch, the t- and the F-test every batch with the next one. Once a
statistic is below its critical value the answer never changes.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from detectors.arrays.buffer import Buffer
from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Decision,
    Detection,
    Evidence,
    OnlineDetector,
    TooShort,
    Values,
    parameter,
)
from detectors.kernels.batches import all_statistics, first_below


def batch_parameter() -> Any:
    """The parameter `batch` of every method that reads in batches."""
    return parameter(
        15, low=2, high=100_000, unit="iterations", help="Length of a batch; the last is shorter."
    )


@dataclass
class BatchState:
    """The state of online reading: values so far, the next batch, and the answer once there."""

    buffer: Buffer = field(default_factory=Buffer)
    at: int = 0  # start of the first batch that is not judged
    found: Detection | None = None
    statistic: float = float("nan")

    def decision(self) -> Decision:
        figures = {} if np.isnan(self.statistic) else {"statistic": self.statistic}
        return Decision(self.buffer.n, self.found, self.found is not None, figures)


class BatchTest(OnlineDetector[BatchState]):
    """A statistic of each batch, or each two neighbours, that must fall below a critical value."""

    which: ClassVar[int]  # the kernel's statistic
    together: ClassVar[int]  # batches that one statistic needs
    statistic: ClassVar[str]  # its name, on the axis of the evidence

    @property
    @abstractmethod
    def batch(self) -> int:
        """Values in a batch."""

    @property
    @abstractmethod
    def critical(self) -> float:
        """A statistic below this passes."""

    @property
    @abstractmethod
    def needed(self) -> int:
        """The least length of a series, and what is left of it for a last statistic."""

    def start(self, context: Context) -> BatchState:
        return BatchState()

    def update(self, state: BatchState, batch: Values) -> Decision:
        state.buffer.append(batch)
        if state.found is None:
            state.found = self._judge(state, least=self.together * self.batch)
        return state.decision()

    def finish(self, state: BatchState) -> Decision:
        if state.found is not None:
            return state.decision()
        if state.buffer.n < self.needed:
            raise TooShort(needed=self.needed, got=state.buffer.n)
        never = Detection(NEVER, published_index=NEVER)
        state.found = self._judge(state, least=self._left) or never
        return state.decision()

    @property
    def _left(self) -> int:
        """Values that a last statistic needs: one beside the batches that are complete."""
        return (self.together - 1) * self.batch + 1

    def _judge(self, state: BatchState, least: int) -> Detection | None:
        n = state.buffer.n
        start, state.at, statistic = first_below(
            state.buffer.first(n), state.at, least, self.batch, self.which, self.critical
        )
        if not np.isnan(statistic):
            state.statistic = statistic
        if start == NEVER:
            return None
        decided_at = min(start + self.together * self.batch, n) - 1
        return Detection(start, published_index=start, decided_at=decided_at)

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        detection = self.detect(values, context)
        y = np.empty(-(-values.size // self.batch))
        count = all_statistics(values, self._left, self.batch, self.which, y)
        batch_starts = np.arange(count, dtype=np.int64) * self.batch
        curve = Curve(
            np.where(np.isfinite(y[:count]), y[:count], np.nan),
            label=self.statistic,
            x=batch_starts,
            threshold=self.critical,
            shape="steps",
            meaning=f"One value per {self.batch} iterations; a batch passes below the line.",
        )
        if detection.decided_at is None:
            return (curve,)
        span = (detection.steady_start, detection.decided_at + 1)
        return curve, Bands(
            (span,),
            label="first that passes",
            meaning="The first batch that passes; the steady state begins where it does.",
        )
