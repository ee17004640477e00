"""Answers a question about all events so far, and every round brings more of them."""

from __future__ import annotations

from collections.abc import Callable

from demo.workloads.pypy.dice import Dice


def make(opening: int, added: int) -> Callable[[int], int]:
    dice = Dice(4)
    events = [(k, dice.below(1000)) for k in range(opening)]

    def run(i: int) -> int:
        for k in range(added):
            events.append((i * added + k, dice.below(1000)))  # noqa: PERF401 (what is measured)
        worst = streak = 0
        for _, value in events:
            streak = streak + 1 if value > 200 else 0
            worst = max(worst, streak)
        return worst

    return run
