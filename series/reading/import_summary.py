"""The summary of a file that its import page shows. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from detectors.contract.directions import ASSUMED, direction_of
from formats import FormatError, Measurement, Preview
from formats.reader import Doubt, Remedy
from series.drawings import outlines
from series.reading.captions import SeriesCaption, captions
from series.reading.staging import SeriesHeader


def summary(found: Preview, series: Sequence[SeriesHeader] = ()) -> dict[str, Any]:
    """What `Import.preview` holds of `found`, whose `series` are all of its file."""
    shown = captions([SeriesHeader.of(one) for one in found.drawn], series)
    return {
        "format": found.format,
        "why": found.why,
        "encoding": found.encoding,
        "rows": found.rows,
        "choice": found.choice and _as_json(dataclasses.asdict(found.choice)),
        "benchmarks": found.benchmarks,
        "series": found.series,
        "points": found.points,
        "stored_bytes": found.stored_bytes,
        "shortest": found.least_iterations,
        "longest": found.most_iterations,
        "unit": found.units[0] if found.units else "",
        "units": found.units,
        "modes": [mode for mode in found.modes if mode],
        "iterations": found.iterations,
        "median": found.median,
        "medians": found.medians,
        "drawn": [_small(*each) for each in zip(found.drawn, shown, strict=True)],
        "noted": list(found.notes.items()),
        "warned": list(found.warnings.items()),
        "doubts": [
            dataclasses.asdict(doubt) for doubt in [*found.doubts, *_direction_doubts(found)]
        ],
        "problems": [str(problem) for problem in found.problems],
        "problem_count": found.problem_count,
        "fatal": str(found.fatal) if found.fatal else "",
        "refusal": found.fatal.found if found.fatal else "",
        "recordings": len(found.recordings),
        "recording": dataclasses.asdict(found.recording),
    }


def refusal(file: str, problem: FormatError) -> dict[str, Any]:
    """The summary of a file that could not be looked into."""
    return summary(Preview(file=file, fatal=problem, problems=[problem], problem_count=1))


def _direction_doubts(found: Preview) -> list[Doubt]:
    """Of units of which nothing is known: which way is better. One click settles it."""
    unknown = [
        unit for unit, mode in found.measures if unit and not direction_of(unit, mode).is_known
    ]
    if not unknown or found.better:
        return []
    names = ", ".join(map(repr, dict.fromkeys(unknown)))
    remedies = tuple(
        Remedy(label=f"{way.capitalize()} is better", options={"better": way}, keeps=way == ASSUMED)
        for way in ("more", "less")
    )
    now = f"Nothing is known of the unit {names}: {ASSUMED} counts as better."
    return [Doubt(name="better", question="Which way is better?", now=now, remedies=remedies)]


def _as_json(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()
    }


def _small(one: Measurement, caption: SeriesCaption) -> dict[str, Any]:
    outline = outlines.draw(one.values).outline
    return {"label": one.label, **dataclasses.asdict(caption), "outline": outline}
