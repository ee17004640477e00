"""Series of the playground: stored, simulated, or sent by the page."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

import numpy as np
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse

from analysis.methods.series_context import context_of_series
from annotate import blind
from detectors.contract import NEVER, BadSeries, Context, Setting, Values, as_series
from detectors.registry import DEFAULT_METHOD
from detectors.simulated.synthetic import KINDS, simulate
from formats import FormatError, Measurement, ReadLimits, ReadOptions
from formats.iterations import context_settings
from people.models import User
from people.templatetags.writing import grouped
from series.drawings import chart
from series.drawings.outlines import draw_outline
from series.models import Series
from series.panels import PagePanel
from series.reading import file_readers

Person = User | AnonymousUser

MOST_BYTES: Final = 2_000_000
MOST_VALUES: Final = 200_000
MOST_SERIES: Final = 200
LEAST_EXAMPLE, MOST_EXAMPLE = 100, 20_000
MOST_SEED: Final = 2**32 - 1
LIMITS: Final = ReadLimits(
    file_bytes=MOST_BYTES, series=MOST_SERIES, points_per_series=MOST_VALUES, points=MOST_VALUES
)
# Readers of the playground alone, so that no stranger keeps the readers of imports busy.
READERS: Final = file_readers.FileReaders(max_count=1, seconds=5, memory=500_000_000, queueing=1.0)
# Settings that methods read; nothing else of what a page sends gets as far as a method.
SETTINGS: Final = (
    "warmup_iterations",
    "warmup_seconds",
    "measurement_iterations",
    "measurement_seconds",
    "forks",
    "threads",
    "operations_per_iteration",
    "unrecorded_iterations",
)
BLIND: Final = "You have yet to answer this series. The playground opens it after that."
BLIND_EXAMPLE: Final = "You have yet to answer a series like this example. Take another seed."
BLIND_COPY: Final = (
    "You have yet to answer a series with these values, perhaps trimmed, shifted, in another "
    "unit or in another order. The playground takes them after that."
)


class UnusableValues(ValueError):
    """The values cannot be looked at; the message is a sentence for the page."""


@dataclass(frozen=True, slots=True)
class SliderRange:
    """One number of an example with its slider: its bounds, and how it moves between them."""

    name: str
    label: str
    value: float
    low: float
    high: float
    is_log: bool
    is_whole: bool


@dataclass(frozen=True, slots=True)
class SimulatedExample:
    """A simulated series by what it is made from."""

    kind: str = "step"
    n: int = 3000
    seed: int = 0
    noise: float = 0.01

    @classmethod
    def from_fields(cls, fields: Mapping[str, str]) -> SimulatedExample:
        """Example from a query or a form; missing and out-of-bounds values become the nearest
        allowed.
        """
        kind = fields.get("kind", cls().kind)
        return cls(
            kind=kind if kind in KINDS else cls().kind,
            n=int(_number(fields.get("n"), cls().n, LEAST_EXAMPLE, MOST_EXAMPLE)),
            seed=int(_number(fields.get("seed"), 0, 0, MOST_SEED)),
            noise=_number(fields.get("noise"), cls().noise, 0.0, 1.0),
        )

    @property
    def ranges(self) -> tuple[SliderRange, ...]:
        """Ranges that the sliders of the page set."""
        return (
            SliderRange(
                "n", "iterations", self.n, LEAST_EXAMPLE, MOST_EXAMPLE, is_log=True, is_whole=True
            ),
            SliderRange("noise", "noise", self.noise, 0, 0.5, is_log=False, is_whole=False),
            SliderRange("seed", "seed", self.seed, 0, 100, is_log=False, is_whole=True),
        )

    def pairs(self) -> list[tuple[str, str]]:
        """Query of the example; defaults are left out, but for the kind."""
        default_example = SimulatedExample()
        name_value_pairs = [("kind", self.kind)]
        if self.n != default_example.n:
            name_value_pairs.append(("n", str(self.n)))
        if self.seed != default_example.seed:
            name_value_pairs.append(("seed", str(self.seed)))
        if self.noise != default_example.noise:
            name_value_pairs.append(("noise", f"{self.noise:g}"))
        return name_value_pairs

    @property
    def command(self) -> str:
        """The command that writes the same values to a file."""
        noise = "" if self.noise == SimulatedExample().noise else f" --noise {self.noise:g}"
        return (
            f"python -m detectors synth --kind {self.kind} --n {self.n} --seed {self.seed}"
            f"{noise} --output example.npz"
        )


def _number(text: str | None, default: float, low: float, high: float) -> float:
    try:
        number = float(text or default)
    except ValueError:
        return default
    return min(max(number, low), high) if np.isfinite(number) else default


@dataclass(frozen=True, slots=True)
class PlaygroundSubject:
    """Values, what is known beside them, and what the page's chart is given."""

    values: Values
    context: Context
    drawing_fields: Mapping[str, Any]
    file: str  # file name on the command line
    prepare_command: str = ""  # command that makes the file


# --- stored -----------------------------------------------------------------------------------
def stored_subject(digest: str, person: Person, *, has_samples: bool = False) -> PlaygroundSubject:
    """A series of a study of this person, which they are not blind to."""
    matching_series = Series.objects.visible_to(person).filter(digest=digest)
    series = matching_series.select_related(
        "benchmark__dataset__study", "recording", "stored"
    ).first()
    if series is None:
        raise UnusableValues(
            "The series of this link is not here, or you may not see it. "
            "Ask whoever sent the link for the values, or look at an example."
        )
    if blind.open_series(person).filter(digest=digest).exists():
        raise UnusableValues(BLIND)
    drawing_fields = {
        **chart.chart_data(series),
        "median": series.median_last_half,
        "label": str(series),
        "description": chart.description(series),
        "url": series.get_absolute_url(),
    }
    return PlaygroundSubject(
        series.array(),
        context_of_series(series, has_samples=has_samples),
        drawing_fields,
        "values.csv",
    )


# --- simulated --------------------------------------------------------------------------------
def simulated_subject(example: SimulatedExample, person: Person) -> PlaygroundSubject:
    """The example, with its true answer; series of a study may be made of the same seed."""
    sample = simulate(example.kind, n=example.n, seed=example.seed, noise=example.noise)
    if blind.is_copy_of_open(person, sample.values):
        raise UnusableValues(BLIND_EXAMPLE)
    truth = (
        "never steady" if sample.steady_start == NEVER else f"from {grouped(sample.steady_start)}"
    )
    drawing_fields = {
        **_drawing(sample.values, unit="s", mode="", label=f"Simulated: {example.kind}"),
        "truth": sample.steady_start,
        "why": f"True answer: {truth}. {sample.why}",
    }
    return PlaygroundSubject(
        sample.values, Context(), drawing_fields, "example.npz", example.command
    )


def next_example(example: SimulatedExample, person: Person) -> SimulatedExample:
    """The example of the next seed that this person may see, with no less than the usual noise.

    With less, all seeds of a kind can be one series, and then there is no other.
    """
    noise = max(example.noise, SimulatedExample().noise)
    for step in itertools.count(1):
        seed = (example.seed + step) % (MOST_SEED + 1)
        candidate = replace(example, seed=seed, noise=noise)
        with suppress(UnusableValues):
            simulated_subject(candidate, person)
            return candidate
    raise AssertionError  # a person has yet to answer so many series, and not one more


# --- sent by the page -------------------------------------------------------------------------
def pasted_subject(values_bytes: bytes, context_json: str, person: Person) -> PlaygroundSubject:
    """Values that the page was given by `read` or typed, as float64, little-endian."""
    if len(values_bytes) % 8 or not 2 <= len(values_bytes) // 8 <= MOST_VALUES:
        expected_words = f"expected 2 to {grouped(MOST_VALUES)} values of 8 bytes"
        raise UnusableValues(f"Values: found {len(values_bytes)} bytes, {expected_words}.")
    try:
        values = as_series(np.frombuffer(values_bytes, "<f8"))
    except BadSeries as bad:
        raise UnusableValues(f"{bad}.") from None
    if blind.is_copy_of_open(person, values):
        raise UnusableValues(BLIND_COPY)
    context = _context(context_json)
    return PlaygroundSubject(values, context, {}, "FILE")


def _context(context_json: str) -> Context:
    """Context that the page sends beside the values: foreign text, of which only numbers are
    kept.
    """
    try:
        description = json.loads(context_json or "{}")
    except (ValueError, RecursionError):
        description = {}
    if not isinstance(description, dict):
        description = {}
    page_settings = description.get("settings")
    settings: dict[str, Setting] = {
        name: page_settings[name]
        for name in SETTINGS
        if isinstance(page_settings, dict) and _positive_number(page_settings, name)
    }
    seconds = description["seconds"] if _positive_number(description, "seconds") else None
    return Context(
        unit=str(description.get("unit", ""))[:40],
        mode=str(description.get("mode", ""))[:40],
        seconds_per_iteration=seconds,
        settings=settings,
    )


def _positive_number(description: Mapping[str, Any], name: str) -> bool:
    value = description.get(name)
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
    )


def read_subjects(file_bytes: bytes, name: str, *, unit: str = "") -> list[dict[str, Any]]:
    """Every series of a file or of pasted text, for the page to keep. Raises FormatError."""
    options = ReadOptions(unit=unit, limits=LIMITS)
    measurements = file_readers.read_measurements(
        file_readers.FileToRead(name, data=file_bytes, options=options), READERS
    )
    if not measurements:
        raise FormatError(name, "the file", found="no series", expected="at least two values")
    return [_subject_fields(measurement) for measurement in measurements]


def _subject_fields(measurement: Measurement) -> dict[str, Any]:
    values_bytes = measurement.values.astype("<f8", copy=False).tobytes()
    settings = context_settings(measurement.unit, measurement.mode, measurement.settings)
    seconds = settings.get("seconds_per_iteration")
    return {
        **_drawing(
            measurement.values,
            unit=measurement.unit,
            mode=measurement.mode,
            label=measurement.label,
        ),
        "values": base64.b64encode(values_bytes).decode(),
        "bytes": 8,
        "about": {
            "unit": measurement.unit,
            "mode": measurement.mode,
            "seconds": seconds if isinstance(seconds, int | float) else None,
            "settings": {key: settings[key] for key in SETTINGS if key in settings},
        },
    }


# --- for pages ----------------------------------------------------------------------------
def _drawing(values: Values, *, unit: str, mode: str, label: str) -> dict[str, Any]:
    """Drawing data of js/chart/chart.js for values that are not stored, with them as float32."""
    figures = draw_outline(values)
    value_range = (
        max(figures.robust_low, figures.minimum),
        min(figures.robust_high, figures.maximum),
    )
    return {
        "n": values.size,
        "digest": sha256(values.astype("<f8", copy=False).tobytes()).hexdigest(),
        "scale": figures.scale,
        "robust": [figures.robust_low, figures.robust_high],
        "unit": chart.axis_unit(unit),
        "quantity": chart.quantity(unit, mode),
        "median": figures.median_last_half,
        "label": label,
        "description": chart.sentence(
            values.size, figures.median_last_half, value_range, unit=unit
        ),
        "values": base64.b64encode((values / figures.scale).astype("<f4").tobytes()).decode(),
        "bytes": 4,
    }


def playground_panels(request: HttpRequest, series: Series) -> list[PagePanel]:
    """An entry of the menu of a series' page, for who may see its detections."""
    if blind.is_open(request.user, series):
        return []
    context = {
        "url": f"{reverse('method', args=[DEFAULT_METHOD])}?series={series.digest}#try",
        "words": "Try a method on it",
    }
    return [PagePanel("menu", "series/_menu_link.html", context)]
