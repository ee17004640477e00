"""Criterion.rs: `sample.json`, `raw.csv`, and the messages of cargo-criterion.

Source: bheisler/criterion.rs: `src/csv_report.rs`, `src/lib.rs` (SavedSample),
book/src/cargo_criterion/external_tools.md. A sample is the time of a count of iterations, which
grows from sample to sample in the linear mode; a value is their quotient. What is run in the
warm-up time is not in any file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from formats.checks import A_NUMBER
from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import json_excerpt, mapping, numbers, text_of
from formats.json_text import documents
from formats.measurement import Measurement
from formats.numbers import parse_number
from formats.reader import FileReader, FileStart
from formats.separated import named_rows
from formats.source import InputSource

REMEDY: Final = "record with cargo bench -- --sample-size 3000 --warm-up-time 0.001"
SAMPLES: Final = "a value is the mean of one sample: its first calls are not told apart"
COMPLETE: Final = "benchmark-complete"
MEASURED: Final = "sample_measured_value"
COUNT: Final = "iteration_count"


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark: its samples in the order measured."""
    if source.head_text().lstrip()[:1] == "{":
        yield from _read_json(source)
    else:
        yield from _read_csv(source)


def _read_json(source: InputSource) -> Iterator[Measurement]:
    has_sample = False
    for document_number, document in enumerate(documents(source), start=1):
        fields = mapping(source, document, f"document {document_number}")
        if "times" in fields:
            name = source.options.benchmark or source.stem
            make = partial(
                _series_of_lists, source, name, fields.get("times"), fields.get("iters"), "ns"
            )
        elif fields.get("reason") == COMPLETE:
            times, counts = fields.get("measured_values"), fields.get(COUNT)
            name, unit = text_of(fields.get("id")), text_of(fields.get("unit"))
            make = partial(_series_of_lists, source, name, times, counts, unit)
        else:
            continue
        has_sample = True
        if (series := source.attempt(make)) is not None:
            yield series
    if not has_sample:
        raise source.problem("the whole file", found="no sample", expected=f"{COMPLETE} or times")


def _series_of_lists(
    source: InputSource, name: str, times: object, counts: object, unit: str
) -> Measurement:
    where = f"benchmark {name}"
    times_array = numbers(source, times, f"{where}, times", "sample")
    counts_array = numbers(source, counts, f"{where}, iterations", "sample")
    if len(times_array) != len(counts_array):
        actual = f"{len(counts_array):,} counts of {len(times_array):,} times"
        raise source.problem(f"{where}, iterations", found=actual, expected="one of each time")
    return _series(source, name, times_array, counts_array, unit)


@dataclass(slots=True)
class _CriterionSamples:
    unit: str
    times: list[float] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)


def _read_csv(source: InputSource) -> Iterator[Measurement]:
    samples_by_name: dict[str, _CriterionSamples] = {}
    for row_number, row in named_rows(source):
        name = "/".join(
            filter(None, (row.get(column) for column in ("group", "function", "value")))
        )
        samples = samples_by_name.setdefault(name, _CriterionSamples(row.get("unit", "")))
        samples.times.append(_cell(source, row_number, MEASURED, row))
        samples.counts.append(_cell(source, row_number, COUNT, row))
    if not samples_by_name:
        raise source.problem("the whole file", found="a header alone", expected="a row a sample")
    yield from source.attempts(
        partial(_series, source, name, samples.times, samples.counts, samples.unit)
        for name, samples in samples_by_name.items()
    )


def _cell(source: InputSource, row_number: int, column: str, row: Mapping[str, str]) -> float:
    text = row.get(column, "")
    if (value := parse_number(text, ".")) is None:
        raise source.cell_problem(row_number, column, text, A_NUMBER)
    return value


def _series(
    source: InputSource, name: str, times: Sequence[float], counts: Sequence[float], unit: str
) -> Measurement:
    if (least_count := min(counts, default=1)) <= 0:
        where = f"benchmark {name}, iterations"
        raise source.problem(where, found=json_excerpt(least_count), expected="one or more")
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=[time / count for time, count in zip(times, counts, strict=True)],
            unit=f"{unit}/op",
            operation_counts=counts,
            notes=(SAMPLES,),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    if start.has('"sampling_mode"', '"iters"', '"times"'):
        return '"sampling_mode" found: sample.json of Criterion.rs'
    if start.has('"reason"', f'"{COMPLETE}"', '"measured_values"'):
        return f"{COMPLETE} found: messages of cargo-criterion"
    header = start.text.partition("\n")[0]
    return f"column {MEASURED}: raw.csv of Criterion.rs" if MEASURED in header else ""


READER = FileReader(
    name="criterion",
    title="samples of Criterion.rs",
    endings=(".json", ".csv", ".jsonl"),
    recognise=_recognise,
    read=read,
    options=("system", "benchmark"),
    named_values=True,
    harness="criterion",
)
