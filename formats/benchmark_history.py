"""Pages of github-action-benchmark (`data.js`): one figure of each benchmark for every commit.

Source: benchmark-action/github-action-benchmark: `src/write.ts`. The file is a script that sets a
variable to JSON. A commit that was measured more than once has a recording for each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import array, entries, mapping, text_of
from formats.json_text import assigned_document
from formats.measurement import Measurement, RecordingHint
from formats.occasions import time_stamp
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.summaries import ONE_FIGURE, commit_label, unit_per_operation

VARIABLE: Final = "window.BENCHMARK_DATA"
STORE_FIRST: Final = "let the action store a run first (save-data-file: true)"


def read(source: InputSource) -> Iterator[Measurement]:
    """A series of one value for each commit and benchmark."""
    document = mapping(source, assigned_document(source, VARIABLE), "the whole file")
    has_figure = False
    for suite, runs in mapping(source, document.get("entries"), "entries").items():
        measurement_counts: Counter[str] = Counter()
        for index, listed_run in enumerate(entries(source, runs, f"entries, {suite}")):
            where = f"entries, {suite}, run {index}"
            run = mapping(source, listed_run, where)
            commit = mapping(source, run.get("commit") or {}, f"{where}, commit")
            build, date = text_of(commit.get("id")), run.get("date")
            measurement_counts[build] += 1
            measured_at = time_stamp(date) if isinstance(date, int | float) else ""
            build_time = measured_at if measurement_counts[build] > 1 else ""
            recording = RecordingHint(
                label=commit_label(build, build_time), build=build, measured_at=measured_at
            )
            benches = entries(source, run.get("benches"), f"{where}, benches")
            has_figure = has_figure or bool(benches)
            yield from _series_of_run(source, suite, benches, where, recording)
    if not has_figure:
        expected = "a run whose list benches has a figure"
        raise source.problem("entries", found="none", expected=expected, hint=STORE_FIRST)


def _series_of_run(
    source: InputSource, suite: str, benches: Sequence[object], where: str, recording: RecordingHint
) -> Iterator[Measurement]:
    """A series for each figure; equal names of a run are its forks."""
    names: Counter[str] = Counter()
    for entry in benches:
        figure = mapping(source, entry, f"{where}, benches")
        name = text_of(figure.get("name"))
        make = partial(_series, source, suite, figure, where, fork=names[name])
        names[name] += 1
        if (series := source.attempt(partial(make, recording=recording))) is not None:
            yield series


def _series(  # what one figure is made of
    source: InputSource,
    suite: str,
    figure: object,
    where: str,
    *,
    fork: int,
    recording: RecordingHint,
) -> Measurement:
    fields = mapping(source, figure, where)
    name = text_of(fields.get("name"))
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            params={"suite": suite},
            values=array(source, [fields.get("value")], f"{where}, benchmark {name}, value"),
            unit=unit_per_operation(text_of(fields.get("unit"))),
            fork=fork,
            recording=recording,
            notes=(ONE_FIGURE,),
        ),
    )


def _recognise(start: FileStart) -> str:
    if start.text.startswith(VARIABLE):
        return f"{VARIABLE} found: data.js of github-action-benchmark"
    return ""


READER = FileReader(
    name="benchmark-history",
    title="data.js of github-action-benchmark",
    endings=(".js",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
