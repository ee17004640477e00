"""Compile every kernel once, before workers start or a page is asked for an answer.

`python -m detectors.warm` takes about half a minute on a new machine, and a second after that.
"""

from __future__ import annotations

from detectors.contract import Context, DetectorError, OnlineDetector
from detectors.registry import registry
from detectors.synthetic import simulate


def warm() -> tuple[str, ...]:
    """Let every detector answer, explain, and read online once; the slugs of those that did."""
    return tuple(slug for slug in registry() if _ran(slug))


def _ran(slug: str) -> bool:
    detector = registry()[slug]()
    series = simulate("step", n=600)
    try:
        detector.answer(series.values)
        detector.evidence(series.values, Context())
        if isinstance(detector, OnlineDetector):
            state = detector.start(Context())
            detector.update(state, series.values)
    except DetectorError:
        return False  # it has told why; a worker will store that as its answer
    return True


if __name__ == "__main__":
    warm()
