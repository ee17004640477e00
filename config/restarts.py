"""Programs that are kept running: one that ends is started again, later if it ends at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from config.processes import ChildProgram, stop

LIVED = 10.0  # seconds after which the end of a program says nothing about its next start
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds


def restart_pause(quick_ends: int) -> float:
    """Seconds until the next start, after so many ends in a row that came soon after a start."""
    if not quick_ends:
        return 0.0
    return min(FIRST_PAUSE * 2.0 ** min(quick_ends - 1, 10), LONGEST_PAUSE)


class KeptProgram:
    """One program of an installation, started anew by `start` each time it has ended."""

    def __init__(self, title: str, start: Callable[[], ChildProgram]) -> None:
        self.title, self._start = title, start
        self._quick_ends = 0
        self._due: float | None = None  # when the next start is, while it does not run
        self.begin()

    def begin(self) -> None:
        self.child = self._start()
        self._since, self._due = time.monotonic(), None

    def look(self, clock_time: float) -> None:
        """Notice that it has ended; start it when its pause is over."""
        if self.child.alive:
            return
        if self._due is None:
            self._due = clock_time + self._note_end(clock_time)
        if clock_time >= self._due:
            try:
                self.begin()
            except OSError as error:  # no memory for another process, no room for its log
                self._due = clock_time + LONGEST_PAUSE
                words = f"The {self.title} cannot be started ({error})"
                print(
                    f"{words}; tried again in {LONGEST_PAUSE:.0f} s.", file=sys.stderr, flush=True
                )

    def _note_end(self, clock_time: float) -> float:
        """Say that it has ended, and why; the seconds until it is started again."""
        stop([self.child])  # what is left of its group, which may hold its port
        ended_quickly = clock_time - self._since < LIVED
        self._quick_ends = self._quick_ends + 1 if ended_quickly else 0
        pause = restart_pause(self._quick_ends)
        restart_words = f"in {pause:.0f} s" if pause else "now"
        lines = [f"The {self.title} {self.child.ending}; it is started again {restart_words}."]
        if ended_quickly:
            lines.append(
                f"It ran for {clock_time - self._since:.0f} s; the end of {self.child.log}:"
            )
            lines.append(self.child.tail())
        print("\n".join(lines), file=sys.stderr, flush=True)
        return pause
