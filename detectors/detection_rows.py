"""One answer as a row: what `python -m detectors detect` writes, in every format."""

from __future__ import annotations

import csv
import json
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

from detectors.contract import (
    NEVER,
    Context,
    Detection,
    Detector,
    DetectorError,
    Evidence,
    Values,
    as_json,
)
from detectors.intervals.steady_interval import precision_words, steady_interval
from detectors.kernels.jit import compile_when_hot
from detectors.simulated.synthetic import simulate


@dataclass(frozen=True, slots=True)
class SeriesInFile:
    """A series with its place: the file, and its name in it."""

    file: str
    series: str
    values: Values
    context: Context


class DetectionRow(NamedTuple):
    """The columns, in their order. None is an empty cell: "does not apply"; never is -1.

    mean: of the values from the start on; mean_low, mean_high: its 95 % interval, where known.
    """

    file: str
    series: str
    n: int
    method: str
    version: str
    params: str
    steady_start: int | None
    published_index: int | None
    decided_at: int | None
    flags: str
    milliseconds: float | None
    error: str
    reason: str = ""
    mean: float | None = None
    mean_low: float | None = None
    mean_high: float | None = None


COLUMNS = DetectionRow._fields


def answers(
    detectors: Sequence[Detector],
    job: SeriesInFile,
    *,
    evidence: bool = False,
    are_few: bool = False,
) -> list[tuple[DetectionRow, tuple[Evidence, ...]]]:
    """A row for each detector, in their order, with its evidence if that is wanted.

    are_few: only hot kernels are compiled; a row has no time where others ran as they are written.
    """
    answer_series = _quick_row if are_few else _answer
    return [answer_series(detector, job, evidence=evidence) for detector in detectors]


def _quick_row(
    detector: Detector, job: SeriesInFile, *, evidence: bool
) -> tuple[DetectionRow, tuple[Evidence, ...]]:
    with compile_when_hot() as kernel_use:
        row, drawings = _answer(detector, job, evidence=evidence)
    return row._replace(milliseconds=None) if kernel_use.as_written else row, drawings


def _answer(
    detector: Detector, job: SeriesInFile, *, evidence: bool
) -> tuple[DetectionRow, tuple[Evidence, ...]]:
    drawings: tuple[Evidence, ...] = ()
    began_at = time.perf_counter()
    try:
        detection = detector.answer(job.values, job.context)
        milliseconds = 1e3 * (time.perf_counter() - began_at)
        if evidence:
            drawings = detector.explained(job.values, job.context)
    except DetectorError as error:
        return _row(detector, job, error=str(error)), ()
    except Exception as error:  # noqa: BLE001  # anyone's detector: the other rows are still wanted
        return _row(detector, job, error=f"failed: {type(error).__name__}: {error}"), ()
    return _row(detector, job, detection=detection, milliseconds=round(milliseconds, 3)), drawings


def _row(
    detector: Detector,
    job: SeriesInFile,
    *,
    detection: Detection | None = None,
    milliseconds: float | None = None,
    error: str = "",
) -> DetectionRow:
    interval = None
    if detection is not None and detection.steady_start != NEVER:
        interval = steady_interval(job.values[detection.steady_start :])
    return DetectionRow(
        file=job.file,
        series=job.series,
        n=job.values.size,
        method=detector.slug,
        version=detector.version,
        params=detector.params.as_text(),
        steady_start=detection.steady_start if detection else None,
        published_index=detection.published_index if detection else None,
        decided_at=detection.decided_at if detection else None,
        flags=" ".join(detection.flags) if detection else "",
        milliseconds=milliseconds,
        error=error,
        reason=detection.reason if detection else "",
        mean=interval.mean if interval else None,
        mean_low=_finite_bound(interval.low) if interval else None,
        mean_high=_finite_bound(interval.high) if interval else None,
    )


def warm_up(detectors: Sequence[Detector], *, are_few: bool = False) -> None:
    """Load and compile what the detectors need, so that no row's time contains it."""
    series = simulate("step", n=600)
    answers(detectors, SeriesInFile("", "", series.values, Context()), are_few=are_few)


AnsweredRows = Iterable[tuple[DetectionRow, tuple[Evidence, ...]]]


def write_csv(answered_rows: AnsweredRows, output_file: TextIO) -> Iterator[DetectionRow]:
    """Write the rows as they come; gives each back after it is written."""
    writer = csv.writer(output_file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row, _ in answered_rows:
        writer.writerow(map(_cell, row))
        yield row


def write_jsonl(
    answered_rows: AnsweredRows, output_file: TextIO, *, evidence: bool = False
) -> Iterator[DetectionRow]:
    """One object a line, with the columns as names, and `evidence` if wanted."""
    for row, drawings in answered_rows:
        record: dict[str, Any] = row._asdict()
        if evidence:
            record["evidence"] = [as_json(drawing) for drawing in drawings]
        output_file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        yield row


def write_table(answered_rows: AnsweredRows, output_file: TextIO) -> Iterator[DetectionRow]:
    """Write an aligned table for people, without the columns that a person can do without."""
    rows = [row for row, _ in answered_rows]
    heads = (
        *("file", "series", "n", "method", "steady from", "steady mean"),
        *("why", "flags", "ms", "error"),
    )
    lines = [heads, *(_readable_row(row) for row in rows)]
    output_file.write(aligned(lines))
    yield from rows


def _readable_row(row: DetectionRow) -> tuple[str, ...]:
    start = "never" if row.steady_start == NEVER else _cell(row.steady_start)
    milliseconds = "" if row.milliseconds is None else f"{row.milliseconds:.2f}"
    # Of a method that asks another one, which.
    member = row.params.partition("method=")[2].partition("@")[0]
    method = f"{row.method} {member}" if member else row.method
    answer_cells = (start, _mean_cell(row), row.reason, row.flags)
    return (row.file, row.series, str(row.n), method, *answer_cells, milliseconds, row.error)


def _finite_bound(bound: float | None) -> float | None:
    """A bound of an interval; None also where it is beyond the largest number."""
    return bound if bound is not None and math.isfinite(bound) else None


def _mean_cell(row: DetectionRow) -> str:
    """`1.234 ±0.072 %`: the mean from the start on, and how well it is known."""
    if row.mean is None:
        return ""
    if row.mean_high is None or row.mean == 0:
        return f"{row.mean:.4g}"
    share = (row.mean_high - row.mean) / abs(row.mean)
    return f"{row.mean:.4g} {precision_words(share) if share < 1 else 'not told apart from 0'}"


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells under one another, two spaces apart; columns without a cell are left out."""
    filled_columns = [
        i for i in range(len(lines[0])) if len(lines) == 1 or any(line[i] for line in lines[1:])
    ]
    widths = {i: max(len(line[i]) for line in lines) for i in filled_columns}
    return "".join(
        "  ".join(line[i].ljust(widths[i]) for i in filled_columns).rstrip() + "\n"
        for line in lines
    )
