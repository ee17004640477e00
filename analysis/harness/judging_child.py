"""Series judged beside the web process, in a child that is kept: a page only looks what is known.

Thousands of series take seconds of a core, which the other pages of a web process would wait for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, Final

from django.conf import settings

from analysis.harness.judging import AskedSeries, Judgement, judge_series, judgement_from_json
from analysis.harness.judging_process import question
from detectors.contract import Detector
from formats.child_process import STARTING, ChildEnded, ChildProcesses, ChildTimeout

CHILD: Final = "analysis.harness.judging_process"


class JudgesBeside:
    """A child, asked for some series after others. Safe to ask from any thread.

    keep  is given each place with its judgement, in a thread of its own. A place is what a
          judgement depends on, and can be hashed.
    """

    def __init__(self, keep_judgement: Callable[[Any, Judgement], object]) -> None:
        self._keep_judgement = keep_judgement
        self._children = ChildProcesses(CHILD, folder=settings.BASE_DIR)
        self._thread = ThreadPoolExecutor(1, "harness-judges")
        self._futures: dict[object, Future[None]] = {}
        self._lock = Lock()

    def pending_judgement(self, cache_key: object) -> Future[None] | None:
        """Future that ends when the judgement of a place is kept; None where it was not
        requested.
        """
        with self._lock:
            return self._futures.get(cache_key)

    def ask(self, series: Mapping[Any, AskedSeries], judge: Detector) -> Future[None]:
        """Request judgements of series without waiting."""
        with self._lock:
            future = self._thread.submit(self._answer, series, judge)
            self._futures |= dict.fromkeys(series, future)
        future.add_done_callback(partial(self._forget, list(series)))
        return future

    def _forget(self, cache_keys: Sequence[object], _: Future[None]) -> None:
        with self._lock:
            for cache_key in cache_keys:
                self._futures.pop(cache_key, None)

    def _answer(self, series: Mapping[Any, AskedSeries], judge: Detector) -> None:
        try:
            judgements = self._child_judgements(list(series.values()), judge)
        except (ChildEnded, ChildTimeout):  # no child process starts, or none lives long enough
            judgements = [judge_series(asked_series, judge) for asked_series in series.values()]
        for cache_key, judgement in zip(series, judgements, strict=True):
            self._keep_judgement(cache_key, judgement)

    def _child_judgements(self, series: list[AskedSeries], judge: Detector) -> list[Judgement]:
        child_reply = self._children.reply_to(*question(judge.key, series))
        with child_reply as reply, reply.within(STARTING):  # loads or compiles kernels
            line = reply.line()
        return [judgement_from_json(plain_judgement) for plain_judgement in json.loads(line)]
