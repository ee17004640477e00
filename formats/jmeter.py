"""Results of JMeter, CSV or XML: the elapsed time of every sample, in the order logged.

Source: apache/jmeter: `SampleSaveConfiguration.java`, `CSVSaveService.java`, docs "Listeners". A
CSV has the columns that were chosen; without a header they are in the default order, of which only
time stamp, elapsed and label are sure. Times are milliseconds.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from formats.checks import A_NUMBER
from formats.harness_series import HarnessSeries, measurement
from formats.k6 import REQUESTS
from formats.measurement import Measurement, RecordingHint
from formats.numbers import parse_number
from formats.occasions import time_stamp
from formats.other_tools import SAVE_TIMES
from formats.reader import FileReader, FileStart
from formats.separated import records
from formats.source import InputSource
from formats.xml_text import begins_with_element, xml_tags

REMEDY: Final = "send more requests: raise the loop count of the thread group"
NO_LABEL: Final = "no label"
_SEPARATORS: Final = (",", "\t", ";", "|")
_DEFAULT: Final = ("timeStamp", "elapsed", "label")
_NO_HEADER: Final = re.compile(
    r"""
    (?: (?P<epoch>\d{13})                                         # time stamp
      | \d{2,4}[/-]\d\d[/-]\d{2,4}[T\ ]\d\d:\d\d:\d\d[\d.:Z+-]{0,12} )
    (?P<separator>[,\t;|]) \d{1,9} (?P=separator)                 # elapsed
    (?(epoch) | (?! [\d.+-]*(?P=separator) ))                     # label, such as no reading is
    (?: .*(?P=separator) "?(?:true|false)"? (?: (?P=separator) | \s*\n | \s*\Z )  # success
      | (?! [\d.+-]*(?P=separator) ) [^\n]* (?P=separator)[1-5]\d\d(?P=separator) )  # response code
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_LOOKED_AT: Final = 5_000  # characters: a label or message may have line breaks
NO_SUCCESS: Final = "the file does not say which requests failed"


class _Samples(NamedTuple):
    """Samples of one label; those that failed are apart, for they end early or late."""

    label: str
    failed: bool


@dataclass(slots=True)
class _Results:
    """Times by label, and the time stamp of the first sample, as in the file."""

    started: str = ""
    says_success: bool = False
    times: dict[_Samples, array[float]] = field(default_factory=dict)

    def add(self, label: str, time: float, *, has_failed: bool) -> None:
        samples = _Samples(label or NO_LABEL, has_failed)
        self.times.setdefault(samples, array("d")).append(time)


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each label; failed samples have ``status=KO``."""
    is_xml = source.head_text().lstrip()[:1] == "<"
    results = _xml_results(source) if is_xml else _csv_results(source)
    if not results.times:
        expected = "one with its time"
        raise source.problem(
            "the whole file", found="no sample", expected=expected, hint=SAVE_TIMES
        )
    recording = RecordingHint(measured_at=_moment(results.started))
    notes = (REQUESTS,) if results.says_success else (REQUESTS, NO_SUCCESS)
    yield from source.attempts(
        partial(_series, source, samples, times, recording, notes)
        for samples, times in results.times.items()
    )


def _moment(text: str) -> str:
    """ISO 8601 of a time stamp: milliseconds since 1970, or ``2017/05/11 16:59:33.123``."""
    if text.isdecimal():
        return time_stamp(text)
    try:
        return datetime.fromisoformat(text.replace("/", "-")).isoformat()
    except ValueError:
        return ""


def _csv_results(source: InputSource) -> _Results:
    head = source.head_text()
    first_line, separator = _first_line(head), _separator(head)
    first_cells = _cells(first_line, separator)
    has_header = "elapsed" in first_cells and not any(map(str.isdecimal, first_cells))
    columns = first_cells if has_header else list(_DEFAULT)
    results = _Results()
    rows = ((row, cells) for row, cells in records(source, separator) if any(map(str.strip, cells)))
    for row, cells in islice(rows, int(has_header), None):
        cell_by_column = dict(zip(columns, cells, strict=False))
        text = cell_by_column.get("elapsed", "")
        if (time := parse_number(text, ".")) is None:
            raise source.cell_problem(row, "elapsed", text, A_NUMBER)
        results.started = results.started or cell_by_column.get("timeStamp", "")
        success = cell_by_column.get("success") or _success(cells, has_header=has_header)
        results.says_success |= bool(success)
        results.add(cell_by_column.get("label", ""), time, has_failed=success.lower() == "false")
    return results


def _first_line(text: str) -> str:
    """Return the first line that is not blank."""
    return text.lstrip().partition("\n")[0].strip()


def _success(cells: Sequence[str], *, has_header: bool) -> str:
    """Success of a sample in a file without header: the first cell that says true or false."""
    answers = (cell for cell in cells[len(_DEFAULT) :] if cell.lower() in {"true", "false"})
    return "" if has_header else next(answers, "")


def _separator(text: str) -> str:
    if headless_text := _headless(text):
        return headless_text["separator"]
    return max(_SEPARATORS, key=_first_line(text).count)


def _headless(text: str) -> re.Match[str] | None:
    """Match of a first sample where no header stands before it."""
    return _NO_HEADER.match(text.lstrip()[:_LOOKED_AT])


def _cells(header: str, separator: str) -> list[str]:
    return [name.strip().strip('"') for name in header.split(separator)]


def _xml_results(source: InputSource) -> _Results:
    results = _Results(says_success=True)
    for tag in xml_tags(source):
        if not tag.opens or "t" not in tag.attributes or "lb" not in tag.attributes:
            continue
        text = tag.attributes["t"]
        if (time := parse_number(text, ".")) is None:
            raise source.problem(f"line {tag.line}, t", found=repr(text[:40]), expected=A_NUMBER)
        results.started = results.started or tag.attributes.get("ts", "")
        has_failed = tag.attributes.get("s", "true") == "false"
        results.add(tag.attributes["lb"], time, has_failed=has_failed)
    return results


def _series(
    source: InputSource,
    samples: _Samples,
    times: array[float],
    recording: RecordingHint,
    notes: tuple[str, ...],
) -> Measurement:
    return measurement(
        source,
        HarnessSeries(
            benchmark=samples.label,
            params={"status": "KO"} if samples.failed else {},
            values=np.array(times, dtype=np.float64),
            unit="ms",
            recording=recording,
            notes=notes,
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    if begins_with_element(start.text, "testResults"):
        return "an element testResults: results of JMeter"
    if {"timeStamp", "elapsed"} <= set(_cells(_first_line(start.text), _separator(start.text))):
        return "columns timeStamp and elapsed: results of JMeter"
    if _headless(start.text):
        return "a time stamp, a time and a label: results of JMeter without a header"
    return ""


READER = FileReader(
    name="jmeter",
    title="results of JMeter (CSV, XML)",
    endings=(".jtl", ".csv", ".xml"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
