"""Data of a series that a page hands to js/chart/chart.js, and the same in words."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from detectors.contract.directions import is_rate
from formats.iterations import NOT_KNOWN
from people.templatetags.writing import grouped, si
from series.models import Series

QUANTITIES = {
    "avgt": "time per operation",
    "sample": "time per operation",
    "ss": "time per call",
    "thrpt": "throughput",
}


def chart_data(series: Series) -> dict[str, Any]:
    """The `Series` of js/chart/payload.js; names what annotators may not see: none.

    No name, fork or recording: the same data serve a campaign that hides them.
    """
    return {
        "n": series.n,
        "digest": series.digest,
        "scale": series.scale,
        "payloadUrl": reverse("payload", kwargs={"digest": series.digest}),
        "windowUrl": reverse("payload-window", kwargs={"digest": series.digest}),
        "robust": [series.robust_low, series.robust_high],
        "unit": axis_unit(series.benchmark.unit),
        "quantity": quantity(series.benchmark.unit, series.benchmark.mode),
    }


def axis_unit(unit: str) -> str:
    """The unit as the axis writes it: the quantity says already that it is per operation."""
    return "s" if unit == "s/op" else unit


def quantity(unit: str, mode: str) -> str:
    """Name what the values are, for the title of the axis: `time per operation`."""
    if mode in QUANTITIES:
        return QUANTITIES[mode]
    if unit == "s" or unit.startswith("s/"):
        return "time per operation" if unit == "s/op" else "time per iteration"
    return "throughput" if is_rate(unit) else "value"


def range_shown(series: Series) -> tuple[float, float]:
    """The robust range without its margin beyond the data: what of the values is in view."""
    return (max(series.robust_low, series.minimum), min(series.robust_high, series.maximum))


def description(series: Series) -> str:
    """One sentence for who does not see the chart."""
    return sentence(
        series.n, series.median_last_half, range_shown(series), unit=series.benchmark.unit
    )


def sentence(n: int, median: float, shown_range: tuple[float, float], *, unit: str) -> str:
    """The description of `n` values, from their figures."""
    low, high = shown_range
    return (
        f"{grouped(n)} iterations, median of the last half {si(median, unit)}, "
        f"range shown {si(low, unit)} to {si(high, unit)}."
    )


def conditions(series: Series) -> list[tuple[str, str]]:
    """Conditions under which the series was measured, as far as its file said: name, words."""
    settings = series.settings
    name = settings.get("vm_name") or settings.get("jvm") or ""
    version = settings.get("vm_version") or settings.get("jdk_version") or ""
    condition_rows = [
        ("Warm-up before the first value", _repetition_words(settings, "warmup")),
        ("Configured", _repetition_words(settings, "measurement")),
        ("Length of an iteration", series.iteration_length or NOT_KNOWN),
        ("Threads", settings.get("threads")),
        ("Virtual machine", f"{name} {version}".strip()),
        ("Arguments", settings.get("jvm_args")),
        ("JMH", settings.get("jmh_version")),
    ]
    return [(name, str(text)) for name, text in condition_rows if text]


def _repetition_words(settings: dict[str, Any], phase: str) -> str:
    """`5 iterations of 10 s`; empty where there was none or nothing is known."""
    count, seconds = settings.get(f"{phase}_iterations"), settings.get(f"{phase}_seconds")
    if not count:
        return ""
    length = f" of {seconds:g} s" if seconds else ""
    return f"{grouped(count)} iteration{'' if count == 1 else 's'}{length}"
