"""The summary of a file that its import page shows. Pure."""

from __future__ import annotations

import dataclasses
from typing import Any

from formats import FormatError, Measurement, Preview
from series import outlines


def summary(found: Preview) -> dict[str, Any]:
    """What `Import.preview` holds of `found`."""
    return {
        "format": found.format,
        "why": found.why,
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
        "drawn": [_small(one) for one in found.drawn],
        "notes": found.notes,
        "warned": list(found.warnings.items()),
        "doubts": [dataclasses.asdict(doubt) for doubt in found.doubts],
        "problems": [str(problem) for problem in found.problems],
        "problem_count": found.problem_count,
        "fatal": str(found.fatal) if found.fatal else "",
        "recording": dataclasses.asdict(found.recording),
    }


def refusal(file: str, problem: FormatError) -> dict[str, Any]:
    """The summary of a file that could not be looked into."""
    return summary(Preview(file=file, fatal=problem, problems=[problem], problem_count=1))


def _as_json(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()
    }


def _small(one: Measurement) -> dict[str, Any]:
    return {"label": one.label, "outline": outlines.draw(one.values).outline}
