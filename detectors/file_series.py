"""Series of files with what a method may know of them, and answers in their order.

Only the command line and the library of the wheel ask files; no method does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

import formats
from detectors import detection_rows
from detectors.cache import as_written, is_cold
from detectors.contract import Context, Detector, Evidence, as_series
from detectors.crossfit import benchmark_key
from detectors.detection_rows import DetectionRow, SeriesInFile
from formats.iterations import with_length

SHORT = 4000  # values: kernels as they are written answer in less time than they compile
AHEAD = 4  # series a worker may have waiting: memory is bounded by it

AnsweredRow = tuple[DetectionRow, tuple[Evidence, ...]]


def measurements_in(
    name: str, on_problem: formats.OnProblem | None = None, stream: BinaryIO | None = None
) -> Iterator[formats.Measurement]:
    """The series of the file `name`, or of `stream`, which is called so.

    Raises `OSError` and `FormatError`, as `formats.read` does.
    """
    with nullcontext(stream) if stream is not None else Path(name).open("rb") as opened:
        yield from formats.read(opened, name, on_problem=on_problem)


def series_of(name: str, measured: formats.Measurement) -> SeriesInFile:
    """A measurement of the file `name` as methods are asked for it."""
    return SeriesInFile(name, measured.label, as_series(measured.values), context_of(measured))


def context_of(measured: formats.Measurement) -> Context:
    """What a measurement says beside its values."""
    seconds = measured.settings.get("seconds_per_iteration")
    return Context(
        unit=measured.unit,
        mode=measured.mode,
        seconds_per_iteration=float(seconds) if isinstance(seconds, int | float) else None,
        settings=with_length(measured.unit, measured.mode, measured.settings),
        samples=measured.samples,
        benchmark=benchmark_key(measured.system, measured.benchmark, measured.params),
    )


def _few(
    detectors: Sequence[Detector], series: Iterator[SeriesInFile]
) -> tuple[bool, Iterator[SeriesInFile]]:
    """Whether one method is asked for one short series; and the series, of which none is lost."""
    first = list(islice(series, 2))
    short = len(first) == 1 and first[0].values.size <= SHORT and len(detectors) == 1
    return short, chain(first, series)


def answers_in_order(
    detectors: Sequence[Detector],
    series: Iterable[SeriesInFile],
    *,
    workers: int = 1,
    evidence: bool = False,
    at_once: bool = False,
) -> Iterator[list[AnsweredRow]]:
    """For each series, in the order given, the rows of all methods.

    They come from this process or from `workers` of them, and while `series` is still read.
    at_once: for a process of one thread, where no kernel was ever compiled: one method answers one
    short series without compiling, and no time is given. Kernels as they are written take tenths
    of a second, to compile them takes ten.
    """
    ask = partial(detection_rows.answers, detectors, evidence=evidence)
    if at_once and workers == 1 and is_cold():
        few, series = _few(detectors, iter(series))
        if few:
            with as_written():
                yield from map(partial(ask, timed=False), series)
            return
    if workers == 1:
        detection_rows.warm_up(detectors)
        yield from map(ask, series)
        return
    with ProcessPoolExecutor(
        workers, initializer=detection_rows.warm_up, initargs=(detectors,)
    ) as pool:
        yield from _in_order(pool.submit, ask, series, AHEAD * workers)


def _in_order(
    submit: Callable[..., Future[list[AnsweredRow]]],
    ask: Callable[[SeriesInFile], list[AnsweredRow]],
    series: Iterable[SeriesInFile],
    most: int,
) -> Iterator[list[AnsweredRow]]:
    waiting: deque[Future[Any]] = deque()
    for each in series:
        waiting.append(submit(ask, each))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
