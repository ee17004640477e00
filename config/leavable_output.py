"""Output of a command whose reader may leave early, as `head` does."""

from __future__ import annotations

import os
from typing import Any, TextIO


class LeavableOutput:
    """Writes to `stream` until its reader is gone, and to nowhere from then on.

    A command that imports, runs and fails a build does all of it, whoever reads what it prints: an
    exception of a `print` would end it half way, with a status that says nothing of its work.
    `reader_left` lets a command that only prints stop.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.reader_left = False

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._leave()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> None:
        """Send to nowhere what is still in the buffer when Python ends."""
        self.reader_left = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
