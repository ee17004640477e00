"""Why a method answered so, for one series: computed when somebody asks to see it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from analysis.looks import look_of
from analysis.models import Detection
from analysis.runs.work import context_of, wanted
from detectors.contract import Curve, DetectorError, Evidence, as_json, door
from detectors.registry import UnknownDetector, from_key
from series.models import Series

MOST_POINTS: Final = 20_000  # of a curve; above it the extremes of so many stretches are sent
STRETCHES: Final = 4096


def evidence_of(series: Series, name: str) -> dict[str, Any] | None:
    """Items for js/evidence.js, or the sentence why there are none.

    None for a method without a stored detection on this series: nothing else is computed here.
    """
    keys = Detection.objects.filter(series=series).values_list("detector_key", flat=True)
    key = next((key for key in keys if look_of(key).name == name), None)
    if key is None:
        return None
    look = look_of(key)
    try:
        detector = from_key(key)
        needed = "samples" in wanted(detector)
        found = detector.evidence(door(series.array()), context_of(series, samples=needed))
    except (UnknownDetector, DetectorError) as error:
        return {"title": look.label, "items": [], "problem": str(error)}
    shared = {"title": look.title, "slot": look.slot or 0}
    items = [{**as_json(_thinned(each)), **shared} for each in found]
    problem = "" if items else f"{look.title} keeps no evidence."
    return {"title": look.label, "items": items, "problem": problem}


def _thinned(item: Evidence) -> Evidence:
    """A long curve as the least and greatest value of each stretch: no spike is lost."""
    if not isinstance(item, Curve) or item.y.size <= MOST_POINTS:
        return item
    kept = _extremes(item.y)
    x = np.arange(item.y.size) if item.x is None else item.x
    return replace(item, y=item.y[kept], x=x[kept])


def _extremes(y: np.ndarray) -> np.ndarray:
    edges = y.size * np.arange(STRETCHES + 1) // STRETCHES
    found: list[int] = [0, y.size - 1]
    for start, stop in pairwise(edges):
        part = y[start:stop]
        if part.size and not np.isnan(part).all():
            found += [int(start + np.nanargmin(part)), int(start + np.nanargmax(part))]
    return np.unique(found)
