"""The loop of every method that reads values as they come: keep them, look, and decide once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from detectors.api import Detection, Values
from detectors.arrays.buffer import Buffer
from detectors.contract import Decision, OnlineDetector


@dataclass
class OnlineState:
    """State of online reading: the values so far, and the answer once there is one.

    position: the first value that no look has judged. figures: named numbers of the last look.
    """

    buffer: Buffer = field(default_factory=Buffer)
    position: int = 0
    detection: Detection | None = None
    figures: Mapping[str, float] = field(default_factory=dict)

    @property
    def values(self) -> Values:
        """All values so far, read-only; valid until more come."""
        return self.buffer.first(self.buffer.n)


StateT = TypeVar("StateT", bound=OnlineState)


class OnlineRule(OnlineDetector[StateT]):
    """A detector that looks at the values so far whenever more have come, until it has an answer.

    A subclass writes `start`, which makes its state, and `look`.
    """

    revises: ClassVar[bool] = False  # a later look may change the answer: no answer is final

    @abstractmethod
    def look(self, state: StateT, *, end: bool) -> Detection | None:
        """Judge the values from `state.position` on; the answer, or None while there is none.

        end: no more values come, so that there must be an answer.
        """

    def update(self, state: StateT, batch: Values) -> Decision:
        state.buffer.append(batch)
        return self._decision(state, end=False)

    def finish(self, state: StateT) -> Decision:
        self.check_least_length(state.buffer.n)
        return self._decision(state, end=True)

    def _decision(self, state: StateT, *, end: bool) -> Decision:
        if self.revises or state.detection is None:
            state.detection = self.look(state, end=end)
        n = state.position if self.revises else state.buffer.n
        is_final = state.detection is not None and not self.revises
        return Decision(n, state.detection, is_final, state.figures)
