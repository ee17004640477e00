"""Values that arrive bit by bit, as one array: what online methods keep as their state."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values


class Buffer:
    """A growing series; n appended values cost O(n) in all."""

    def __init__(self) -> None:
        self._room = np.empty(256)
        self.n = 0

    def append(self, batch: Values) -> None:
        """Take the values of `batch`, any number of them."""
        needed_size = self.n + batch.size
        if needed_size > self._room.size:
            room = np.empty(max(needed_size, 2 * self._room.size))
            room[: self.n] = self._room[: self.n]
            self._room = room
        self._room[self.n : needed_size] = batch
        self.n = needed_size

    def first(self, n: int) -> Values:
        """The first n values, read-only; valid until the next `append`."""
        view = self._room[:n]
        view.flags.writeable = False
        return view
