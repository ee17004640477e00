"""Evidence of a method for one series: computed when somebody asks to see it, and kept.

What takes no time is computed here. What may take seconds is asked of a child process, which is
ended when it takes too long, so that no page waits for it and no web process is held up.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, TypeVar, cast

from django.core.cache import cache
from django.urls import reverse

from analysis.methods.method_style import MethodStyle, MethodStyles
from analysis.methods.playground.calculator import Calculator, ChildrenBusy, ChildTimeout
from analysis.methods.playground.query import playground_command
from analysis.methods.series_context import context_of_series, wanted_inputs
from analysis.methods.weight_sets import is_trained
from analysis.runs.models import Detection
from detectors.contract import Detector, DetectorError, NotAvailable, as_json, as_series
from detectors.contract.evidence import thin_curve
from detectors.registry import UnknownDetector, from_key
from people.templatetags.writing import grouped
from series.models import Series

AT_ONCE: Final = 150.0  # milliseconds of the stored answer, up to which no child is asked …
MOST_AT_ONCE: Final = 20_000  # … on so many iterations: evidence may take longer than the answer
AT_ONCE_TRAINED: Final = 2000.0  # the same for weights of a study, which a child cannot read
MOST_SECONDS: Final = 10.0  # seconds of a child for the answer and its evidence
KEPT: Final = 7 * 24 * 3600  # seconds; values and keys never change, so only room is saved

Found = TypeVar("Found")
child: Final = Calculator(queueing=3.0)


def read_evidence(series: Series, name: str) -> dict[str, Any] | None:
    """Items for js/chart/evidence.js, or the sentence why there are none.

    None for a method without a stored detection on this series: nothing else is computed here.
    """
    method_styles = MethodStyles(series.benchmark.dataset.study)
    detection_rows = Detection.objects.filter(series=series).values_list(
        "detector_key", "milliseconds"
    )
    key, milliseconds = next(
        (
            (key, row_milliseconds)
            for key, row_milliseconds in detection_rows
            if method_styles(key).name == name
        ),
        ("", None),
    )
    if not key:
        return None
    style = method_styles(key)
    if style.source:
        return _no_evidence(style, f"Its answers are {style.source}; a file brings no evidence.")
    try:
        evidence_items = cached_answer(
            "explained", series, key, lambda: _compute_items(series, from_key(key), milliseconds)
        )
    except (UnknownDetector, DetectorError) as error:
        return _no_evidence(style, str(error))
    except ChildrenBusy:
        return _no_evidence(style, "Another explanation is being computed. Try again in a moment.")
    except ChildTimeout:
        return _no_evidence(style, _time_out_sentence(series, from_key(key)))
    method_fields = {"title": style.title, "slot": style.slot or 0, **_addresses(from_key(key))}
    problem = "" if evidence_items else f"{style.title} keeps no evidence."
    return {
        "title": style.label,
        "items": [{**evidence_item, **method_fields} for evidence_item in evidence_items],
        "problem": problem,
    }


def cached_answer(
    cache_prefix: str, series: Series, key: str, compute_answer: Callable[[], Found]
) -> Found:
    """Return what `compute_answer` gives for a method on a series: computed once, and kept in the
    cache.
    """
    description = f"{series.pk} {series.digest} {key} {series.benchmark.direction.more}"
    cache_key = f"{cache_prefix}:{sha256(description.encode()).hexdigest()}"
    return cast("Found", cache.get_or_set(cache_key, compute_answer, KEPT))


def _addresses(detector: Detector) -> dict[str, str]:
    """Addresses that explain the method: its page here, and its publication if that has one."""
    source = detector.source
    address = f"https://doi.org/{source.doi}" if source.doi else source.url
    return {"source": address, "page": reverse("method", args=[detector.slug])}


def _no_evidence(style: MethodStyle, problem: str) -> dict[str, Any]:
    return {"title": style.label, "items": [], "problem": problem}


def _compute_items(
    series: Series, detector: Detector, milliseconds: float | None
) -> list[dict[str, Any]]:
    """The items; `milliseconds` are the milliseconds of the stored answer, None where nobody knows.

    Raises DetectorError, ChildrenBusy and ChildTimeout.
    """
    if milliseconds is not None and milliseconds > 1000 * MOST_SECONDS:
        raise ChildTimeout  # the answer alone took as long: refuse at once
    values = as_series(series.array())
    context = context_of_series(series, has_samples="samples" in wanted_inputs(detector))
    has_trained_weights = is_trained(detector)
    max_milliseconds = AT_ONCE_TRAINED if has_trained_weights else AT_ONCE
    if milliseconds is not None and milliseconds <= max_milliseconds and series.n <= MOST_AT_ONCE:
        return [
            as_json(thin_curve(evidence_item))
            for evidence_item in detector.explained(values, context)
        ]
    if has_trained_weights:
        raise NotAvailable(
            f"evidence by trained weights takes longer than {max_milliseconds / 1000:.0f} s"
        )
    answer = child.ask(detector, values, context, seconds=MOST_SECONDS)
    evidence_items: list[dict[str, Any]] = json.loads(answer.evidence)
    if not evidence_items and "problem" in answer.page_fields:
        raise DetectorError(f"{detector.title} gives no evidence: {answer.page_fields['problem']}")
    return evidence_items


def _time_out_sentence(series: Series, detector: Detector) -> str:
    """Sentence with the command to type instead."""
    command = playground_command(detector, "values.csv")
    return (
        f"The evidence of {detector.title} takes longer than {MOST_SECONDS:.0f} s on "
        f"{grouped(series.n)} iterations. Download the values, and type: "
        f"{command} --format jsonl --evidence"
    )
