"""Answers from a process of their own, which is ended when it takes too long.

A compiled kernel cannot be interrupted from within: so it runs in a child (`detectors.answers`)
that is kept, with its kernels loaded, for the next question.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from django.conf import settings

from detectors.contract import Context, Detector, Values
from formats.child_process import STARTING, ChildEnded, ChildProcesses, ChildrenBusy, ChildTimeout

__all__ = ["Calculator", "ChildTimeout", "ChildrenBusy", "PlaygroundAnswer"]

QUEUEING: Final = 3.0  # seconds that a quick question waits for the one before it


class PlaygroundAnswer(NamedTuple):
    """Answer of a method, and its evidence as JSON: long, and only a browser reads it."""

    page_fields: dict[str, Any]
    evidence: str


class Calculator:
    """One child process, which answers one question at a time. Safe to ask from any thread."""

    def __init__(self, *, queueing: float) -> None:
        self.children = ChildProcesses(
            "detectors.answers", folder=settings.BASE_DIR, queueing=queueing
        )

    def ask(
        self, detector: Detector, values: Values, context: Context, *, seconds: float
    ) -> PlaygroundAnswer:
        """The answer of `detectors.answers`. Raises ChildrenBusy and ChildTimeout."""
        head, data = _question(detector, values, context)
        try:
            with self.children.reply_to(head, data) as reply:
                with reply.within(STARTING):
                    reply.line()  # "warm": kernels are loaded, or compiled
                with reply.within(seconds):
                    answer = json.loads(reply.line())
                with reply.within(seconds):
                    return PlaygroundAnswer(answer, reply.line().decode())
        except ChildEnded as ended:  # a method that ends its process has no answer either
            raise ChildTimeout from ended

    def prepare(self) -> None:
        """Start the child before the first question, without waiting for it."""
        self.children.prepare()


def _question(
    detector: Detector, values: Values, context: Context
) -> tuple[Mapping[str, Any], bytes]:
    arrays: dict[str, np.ndarray] = {"values": values.astype("<f8", copy=False)}
    if context.samples is not None:
        arrays["offsets"] = context.samples.offsets.astype("<i8", copy=False)
        arrays["samples"] = context.samples.values.astype("<f8", copy=False)
        arrays["counts"] = context.samples.counts.astype("<i8", copy=False)
    head: Mapping[str, Any] = {
        "key": detector.key,
        "context": {
            "unit": context.unit,
            "mode": context.mode,
            "seconds_per_iteration": context.seconds_per_iteration,
            "settings": dict(context.settings),
            "benchmark": context.benchmark,
            "more_is_better": context.more_is_better,
        },
        "arrays": [[name, array.dtype.str, array.size] for name, array in arrays.items()],
    }
    return head, b"".join(array.tobytes() for array in arrays.values())


# Questions of two kinds, so that nobody's slider waits for somebody's slow method.
at_once: Final = Calculator(queueing=QUEUEING)
on_request: Final = Calculator(queueing=0)
