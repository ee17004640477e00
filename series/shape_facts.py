"""Shape and noise of a series as they are stored: columns of `series.SeriesShape`. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from detectors.contract import Values
from detectors.shapes.noise import NoiseFacts, shapes_and_noises
from detectors.shapes.series_shape import RULE, ShapeFacts


def shape_row(values: Values) -> dict[str, Any]:
    """The columns of `SeriesShape` for a series, as JSON holds them."""
    return shape_rows([values])[0]


def shape_rows(arrays: Sequence[Values]) -> list[dict[str, Any]]:
    """`shape_row` of each series; of hundreds of one length in a tenth of the time."""
    return [_row(shape, noise) for shape, noise in shapes_and_noises(arrays)]


def _row(shape: ShapeFacts, noise: NoiseFacts) -> dict[str, Any]:
    return {
        "rule": RULE,
        "shape": shape.shape,
        "classes": f" {' '.join(shape.classes)} ",  # each between blanks, to be looked for
        "noise": noise.noise,
        "facts": {"shape": _fields(shape), "noise": _fields(noise)},
    }


def _fields(facts: ShapeFacts | NoiseFacts) -> dict[str, Any]:
    """Its fields; `dataclasses.asdict` would copy each, which takes longer than to make it."""
    return {name: getattr(facts, name) for name in facts.__slots__}


def shape_facts(stored_row: Mapping[str, Any]) -> tuple[ShapeFacts, NoiseFacts]:
    """The numbers behind a shape of the rules of today: its column `facts`."""
    shape_fields, noise_fields = (_tuples(stored_row[name]) for name in ("shape", "noise"))
    return ShapeFacts(**shape_fields), NoiseFacts(**noise_fields)


def _tuples(stored_facts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in stored_facts.items()
    }
