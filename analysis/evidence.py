"""Why a method answered so, for one series: computed when somebody asks to see it."""

from __future__ import annotations

from typing import Any

from analysis.looks import Looks
from analysis.models import Detection
from analysis.runs.work import context_of, wanted
from detectors.contract import DetectorError, as_json, door
from detectors.evidence import thinned
from detectors.registry import UnknownDetector, from_key
from series.models import Series


def evidence_of(series: Series, name: str) -> dict[str, Any] | None:
    """Items for js/evidence.js, or the sentence why there are none.

    None for a method without a stored detection on this series: nothing else is computed here.
    """
    look_of = Looks(series.benchmark.dataset.study)
    keys = Detection.objects.filter(series=series).values_list("detector_key", flat=True)
    key = next((key for key in keys if look_of(key).name == name), None)
    if key is None:
        return None
    look = look_of(key)
    if look.source:
        words = f"Its answers are {look.source}; a file brings no evidence."
        return {"title": look.label, "items": [], "problem": words}
    try:
        detector = from_key(key)
        needed = "samples" in wanted(detector)
        found = detector.evidence(door(series.array()), context_of(series, samples=needed))
    except (UnknownDetector, DetectorError) as error:
        return {"title": look.label, "items": [], "problem": str(error)}
    shared = {"title": look.title, "slot": look.slot or 0}
    items = [{**as_json(thinned(each)), **shared} for each in found]
    problem = "" if items else f"{look.title} keeps no evidence."
    return {"title": look.label, "items": items, "problem": problem}
