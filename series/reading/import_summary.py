"""The summary of a file that its import page shows. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from detectors.contract.directions import ASSUMED, direction_of
from formats import FormatError, Measurement, Preview
from formats.reader import Doubt, Remedy
from series.drawings import outlines
from series.reading.captions import SeriesCaption, captions
from series.reading.staging import SeriesHeader

MOST_NOTES: Final = 10  # a file of thousands of benchmarks has a note on each


def summary(preview: Preview, series: Sequence[SeriesHeader] = ()) -> dict[str, Any]:
    """Summary that `Import.preview` holds of `preview`, whose `series` are all of its file."""
    drawn_captions = captions(
        [SeriesHeader.from_measurement(measurement) for measurement in preview.drawn], series
    )
    return {
        "format": preview.format,
        "why": preview.why,
        "encoding": preview.encoding,
        "rows": preview.rows,
        "choice": preview.choice and _json_fields(dataclasses.asdict(preview.choice)),
        "benchmarks": preview.benchmarks,
        "series": preview.series,
        "points": preview.points,
        "stored_bytes": preview.stored_bytes,
        "shortest": preview.least_iterations,
        "longest": preview.most_iterations,
        "unit": preview.units[0] if preview.units else "",
        "units": preview.units,
        "modes": [mode for mode in preview.modes if mode],
        "iterations": preview.iterations,
        "median": preview.median,
        "medians": preview.medians,
        "drawn": [
            _summary(*drawn_pair) for drawn_pair in zip(preview.drawn, drawn_captions, strict=True)
        ],
        "noted": first_notes(preview.notes),
        "warned": list(preview.warnings.items()),
        "doubts": [
            dataclasses.asdict(doubt) for doubt in [*preview.doubts, *_direction_doubts(preview)]
        ],
        "problems": [str(problem) for problem in preview.problems],
        "problem_count": preview.problem_count,
        "fatal": str(preview.fatal) if preview.fatal else "",
        "refusal": preview.fatal.found if preview.fatal else "",
        "recordings": len(preview.recordings),
        "recording": dataclasses.asdict(preview.recording),
    }


def first_notes(notes: Mapping[str, int]) -> list[tuple[str, int]]:
    """First notes of a file with the number of their series; a last line counts the others."""
    counted_notes = list(notes.items())
    further_notes = counted_notes[MOST_NOTES:]
    if not further_notes:
        return counted_notes
    count = sum(series for _, series in further_notes)
    return [*counted_notes[:MOST_NOTES], (f"{len(further_notes):,} further notes", count)]


def refused_summary(file: str, problem: FormatError) -> dict[str, Any]:
    """The summary of a file that could not be looked into."""
    return summary(Preview(file=file, fatal=problem, problems=[problem], problem_count=1))


def _direction_doubts(preview: Preview) -> list[Doubt]:
    """Doubts about units of which nothing is known: which way is better. One click settles each."""
    unknown_units = [
        unit for unit, mode in preview.measures if unit and not direction_of(unit, mode).is_known
    ]
    if not unknown_units or preview.better:
        return []
    names = ", ".join(map(repr, dict.fromkeys(unknown_units)))
    remedies = tuple(
        Remedy(
            label=f"{direction.capitalize()} is better",
            options={"better": direction},
            keeps=direction == ASSUMED,
        )
        for direction in ("more", "less")
    )
    statement = f"Nothing is known of the unit {names}: {ASSUMED} counts as better."
    return [Doubt(name="better", question="Which way is better?", now=statement, remedies=remedies)]


def _json_fields(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()
    }


def _summary(measurement: Measurement, caption: SeriesCaption) -> dict[str, Any]:
    outline = outlines.draw_outline(measurement.values).outline
    return {"label": measurement.label, **dataclasses.asdict(caption), "outline": outline}
