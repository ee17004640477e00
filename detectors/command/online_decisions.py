"""Reading values as they come: which decisions of an online method say something new.

A method that can change its mind decides anew now and then, and each time is worth a line. One
whose answer is final says it with every value from then on, and only the first is worth one.
"""

from __future__ import annotations

from typing import Any, Final

from detectors.contract import NEVER, Context, Decision, OnlineDetector, Values, as_series

NO_VALUES: Final = as_series([])


class OnlineWatch:
    """One online method that reads one series."""

    def __init__(self, detector: OnlineDetector[Any], context: Context) -> None:
        self._detector, self._context = detector, context
        _, read_context = detector.reads(NO_VALUES, context)
        self._state = detector.start(read_context)
        self.last = Decision(0)

    @property
    def start(self) -> int | None:
        """The answer so far: an iteration, `NEVER`, or None while there is none."""
        return None if self.last.detection is None else self.last.detection.steady_start

    @property
    def steady(self) -> bool:
        """True where the answer so far is an iteration."""
        return self.start not in {None, NEVER}

    def read(self, values: Values) -> Decision | None:
        """The decision after `values` (through `as_series`), if it says something new.

        Raises a `DetectorError` for values that the method cannot read.
        """
        read_values, _ = self._detector.reads(values, self._context)
        decision = self._detector.update(self._state, read_values)
        if self.last.final or decision.n <= self.last.n or decision.detection is None:
            return None
        self.last = decision
        return decision

    def end(self) -> Decision | None:
        """The decision at the end of all values, if it says something new. Raises `TooShort`."""
        decision = self._detector.finish(self._state)
        if self.last.final or (decision.n, decision.detection) == (
            self.last.n,
            self.last.detection,
        ):
            return None
        self.last = decision
        return decision
