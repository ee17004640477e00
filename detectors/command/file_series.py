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
from typing import Any, BinaryIO, Final

import formats
from detectors import detection_rows
from detectors.contract import Context, Detector, Evidence, as_series
from detectors.detection_rows import DetectionRow, SeriesInFile
from detectors.kernels.jit import SHORT
from detectors.learned.crossfit import benchmark_key
from formats.companion_files import add_neighbour_options
from formats.iterations import context_settings

FEW: Final = 8  # short series that are asked as kernels are written
AHEAD = 4  # series a worker may have waiting: memory is bounded by it

AnsweredRow = tuple[DetectionRow, tuple[Evidence, ...]]


def measurements_in(
    name: str, on_problem: formats.OnProblem | None = None, stream: BinaryIO | None = None
) -> Iterator[formats.Measurement]:
    """The series of the file `name`, or of `stream`, which is called so.

    Files beside `name` say the names of its benchmarks, see `formats.companion_files`.

    Raises `OSError` and `FormatError`, as `formats.read_series_of_file` does.
    """
    with nullcontext(stream) if stream is not None else Path(name).open("rb") as opened_stream:
        options = add_neighbour_options(Path(name), formats.ReadOptions())
        yield from formats.read_series_of_file(
            opened_stream, name, options=options, on_problem=on_problem
        )


def series_of_measurement(name: str, measurement: formats.Measurement) -> SeriesInFile:
    """A measurement of the file `name` as methods are asked for it."""
    return SeriesInFile(
        name, measurement.label, as_series(measurement.values), context_of_measurement(measurement)
    )


def context_of_measurement(measurement: formats.Measurement) -> Context:
    """Context of a measurement: all that it says beside its values."""
    seconds = measurement.settings.get("seconds_per_iteration")
    return Context(
        unit=measurement.unit,
        mode=measurement.mode,
        seconds_per_iteration=float(seconds) if isinstance(seconds, int | float) else None,
        settings=context_settings(measurement.unit, measurement.mode, measurement.settings),
        samples=measurement.samples,
        benchmark=benchmark_key(measurement.system, measurement.benchmark, measurement.params),
    )


def _are_few_and_series(series: Iterable[SeriesInFile]) -> tuple[bool, Iterator[SeriesInFile]]:
    """Tell if these series are few and short; and return them all."""
    remaining_series = iter(series)
    first_jobs = list(islice(remaining_series, FEW + 1))
    are_few = len(first_jobs) <= FEW and all(job.values.size <= SHORT for job in first_jobs)
    return are_few, chain(first_jobs, remaining_series)


def answers_in_order(
    detectors: Sequence[Detector],
    series: Iterable[SeriesInFile],
    *,
    workers: int = 1,
    evidence: bool = False,
) -> Iterator[list[AnsweredRow]]:
    """Rows of all methods for each series, in the order given.

    They come from this process or from `workers` of them, and while `series` is still read.
    For a few short series only those kernels are compiled that take long as they are written:
    that takes tenths of a second, to compile all ten. Then no time is given.
    """
    answer_series = partial(detection_rows.answers, detectors, evidence=evidence)
    if workers == 1:
        are_few, series = _are_few_and_series(series)
        detection_rows.warm_up(detectors, are_few=are_few)
        yield from map(partial(answer_series, are_few=are_few), series)
        return
    with ProcessPoolExecutor(
        workers, initializer=detection_rows.warm_up, initargs=(detectors,)
    ) as pool:
        yield from _ordered_rows(pool.submit, answer_series, series, AHEAD * workers)


def _ordered_rows(
    submit: Callable[..., Future[list[AnsweredRow]]],
    answer_series: Callable[[SeriesInFile], list[AnsweredRow]],
    series: Iterable[SeriesInFile],
    most_waiting: int,
) -> Iterator[list[AnsweredRow]]:
    waiting_futures: deque[Future[Any]] = deque()
    for job in series:
        waiting_futures.append(submit(answer_series, job))
        if len(waiting_futures) >= most_waiting:
            yield waiting_futures.popleft().result()
    while waiting_futures:
        yield waiting_futures.popleft().result()
