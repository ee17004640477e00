"""Gains of preparing series before methods read them: the table of docs/detectors/prepared.md.

    python -m evidence.replication.preparation_gains [--check]      the table, from what is kept
    python -m evidence.replication.preparation_gains --ask [FOLDER] measures first

Every quick method is asked for series of the corpus and for the marked series of FOLDER, as they
are and after each step. An error is the distance from the nearest right answer, as a share of the
length; never, and no answer, get the median answer of the source. Gains are kept by the key of a
method, for all series and for each class of shape and noise; which steps are switched on says
`confirmed_gains`. No published value or mark is kept.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Detector, Values, as_series
from detectors.preparation.helpful_steps import (
    EVERY_SERIES,
    FILE,
    PREPARED_WORDS,
    Gain,
    MeasuredGain,
    measured_gains,
)
from detectors.preparation.steps import STEPS, Step
from detectors.registry import KeyParts, get, registry
from detectors.shapes.noise import NoiseFacts, shapes_and_noises
from detectors.shapes.series_shape import ShapeFacts
from detectors.training.figures.method_figures import answer_of, interval
from detectors.training.labels.published import panel_of_folder
from docs.derived import is_stale
from evidence.corpus.series import corpus_of
from evidence.corpus.versions import CURRENT
from evidence.replication.confirmed_gains import (
    AdjustedChances,
    Pair,
    adjusted_chances,
    chance_of_gain,
)
from evidence.replication.published_files import DEFAULT_FOLDER
from formats.markdown import markdown_table, replace_between

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "detectors" / "prepared.md"
BEGIN, END = "<!-- gains: written by `make docs` -->", "<!-- /gains -->"
FAMILIES: Final = frozenset(
    {
        "Published detectors",
        "Process industry",
        "Simulation",
        "MCMC",
        "Molecular dynamics",
        "Learned methods",
        "Change points",
    }
)
LEARNED: Final = frozenset({"rocket", "fcn", "oscnn", "classifier", "plateau-online"})
SLOW: Final = frozenset({"cp-ssd", "barrett", "pilot", "ssd-cpd", "laaber-rciw", "laaber-kld"})
SHORTEST, LONGEST, SOME = 200, 3000, 2  # values of the series of the corpus; each second of these
FEWEST_SERIES, FEWEST_SYSTEMS = 8, 4  # of a class
DIGITS: Final = 5
SOURCES: Final = ("corpus", "people")
CANDIDATE_HEADS: Final = ("method", "step", *SOURCES, "p corpus", "p people", "on")
CLASS_HEADS: Final = ("method", "step", "series", *SOURCES)
INTERVALS: Final = (
    "Gains are percentage points of the length by which the mean error falls, with 95 % intervals "
    "(whole systems drawn anew)"
)


@dataclass(frozen=True, slots=True, eq=False)
class KnownAnswer:
    """A series with its right answers, from `low` to `high`, and the system that is drawn anew."""

    values: Values
    low: int
    high: int
    system: str


def corpus_answers() -> list[KnownAnswer]:
    """Series of the corpus that become steady, by a change that can be seen."""
    return [
        KnownAnswer(
            series.values,
            series.known.within_spread,
            series.known.steady_start,
            series.plan.workload,
        )
        for series in corpus_of(CURRENT)
        if series.is_seen and series.is_steady and SHORTEST <= series.plan.n <= LONGEST
    ][::SOME]


def people_answers(folder: Path) -> list[KnownAnswer]:
    """Series that people marked, each with the aggregate of their marks."""
    return [
        KnownAnswer(as_series(series.values), series.start, series.start, series.group)
        for series in panel_of_folder(folder).marked
    ]


def measured_methods() -> Iterator[Detector]:
    """Methods of a few milliseconds, with their defaults, that look at the values alone."""
    for slug, detector in registry().items():
        if (
            detector.family in FAMILIES
            and slug not in LEARNED | SLOW
            and not detector.needs
            and not slug.startswith("ruptures")
        ):
            yield detector()


def classes_of(shape: ShapeFacts, noise: NoiseFacts) -> tuple[str, ...]:
    """Classes of a series that gains are measured for: all, its shape, and its noise."""
    reasons = noise.reasons or ((noise.noise,) if noise.noise else ())
    return (EVERY_SERIES, f"shape {shape.shape}", *(f"noise {reason}" for reason in reasons))


# --- measuring ------------------------------------------------------------------------------------
class GainMeasurement:
    """Series of one source, as they are and after each step."""

    def __init__(self, answers: Sequence[KnownAnswer]) -> None:
        self.answers = answers
        facts = shapes_and_noises([answer.values for answer in answers])
        self.classes = [classes_of(shape, noise) for shape, noise in facts]
        self.prepared = {
            step: self._prepared_values(step, [shape for shape, _ in facts]) for step in STEPS
        }
        self.systems = np.array([answer.system for answer in answers])
        middles = [(answer.low + answer.high) / 2 / answer.values.size for answer in answers]
        self.constant = float(np.median(middles))
        self.chances: dict[Pair, float] = {}  # p-values over all series

    def _prepared_values(self, step: Any, shapes: Sequence[ShapeFacts]) -> list[Values]:
        return [
            as_series(STEPS[step](answer.values, shape))
            for answer, shape in zip(self.answers, shapes, strict=True)
        ]

    def gains(self, method: Detector) -> dict[tuple[str, str], Gain]:
        """Gain of each step on each class with enough series."""
        plain_errors = self._errors(method, [answer.values for answer in self.answers])
        gains: dict[tuple[str, str], Gain] = {}
        for step, prepared_series in self.prepared.items():
            fall = plain_errors - self._errors(method, prepared_series)
            for series_class in {name for classes in self.classes for name in classes}:
                is_in = np.array([series_class in classes for classes in self.classes])
                if (gain := self._gain(fall[is_in], self.systems[is_in])) is not None:
                    gains[step, series_class] = gain
            self.chances[method.key, step] = chance_of_gain(fall, self.systems)
        return gains

    def _errors(self, method: Detector, all_values: Sequence[Values]) -> Values:
        errors = np.empty(len(all_values))
        for number, (answer, values) in enumerate(zip(self.answers, all_values, strict=True)):
            detection = answer_of(method, values)
            start = NEVER if detection is None else detection.steady_start
            place = self.constant * values.size if start == NEVER else float(start)
            nearest_place = min(max(place, answer.low), answer.high)
            errors[number] = abs(place - nearest_place) / values.size
        return errors

    def _gain(self, fall: Values, systems: NDArray[np.str_]) -> Gain | None:
        count = np.unique(systems).size
        if fall.size < FEWEST_SERIES or count < FEWEST_SYSTEMS:
            return None
        low, high = interval(fall, systems)
        mean, low, high = (round(figure, DIGITS) for figure in (float(fall.mean()), low, high))
        return Gain(mean, low, high, fall.size, count)


def ask(folder: Path) -> None:
    """Measure all methods, and keep the gains that an interval tells from 0, and those of all."""
    measurements = (GainMeasurement(corpus_answers()), GainMeasurement(people_answers(folder)))
    gains_by_key = {}
    for method in measured_methods():
        gains_by_key[method.key] = [measurement.gains(method) for measurement in measurements]
        sys.stderr.write(f"{method.key}\n")
    adjusted = adjusted_chances(*(measurement.chances for measurement in measurements))
    methods = {}
    for key, (corpus, people) in gains_by_key.items():
        rows = [
            {
                "step": step,
                "class": series_class,
                "corpus": corpus.get((step, series_class)),
                "people": people.get((step, series_class)),
                **(_p_fields(adjusted[key, step]) if series_class == EVERY_SERIES else {}),
            }
            for step, series_class in sorted(corpus.keys() | people.keys())
            if series_class == EVERY_SERIES
            or any(_is_told(gains.get((step, series_class))) for gains in (corpus, people))
        ]
        methods[key] = rows
    counts = {
        source: len(measurement.answers)
        for source, measurement in zip(SOURCES, measurements, strict=True)
    }
    on_both = (corpus.keys() & people for corpus, people in gains_by_key.values())
    counts["classes"] = sum(name != EVERY_SERIES for _, name in chain.from_iterable(on_both))
    FILE.write_text(_as_text(counts, methods), "utf-8")
    measured_gains.cache_clear()


def _p_fields(chances: AdjustedChances) -> dict[str, list[float | None]]:
    return {"p": [None if chance is None else round(chance, DIGITS) for chance in chances]}


def _as_text(counts: Mapping[str, int], methods: Mapping[str, Sequence[object]]) -> str:
    """JSON with a line for each gain."""
    parts = [
        f"  {json.dumps(key)}: [\n   " + ",\n   ".join(map(json.dumps, rows)) + "\n  ]"
        for key, rows in methods.items()
    ]
    series = json.dumps(counts)
    return f'{{\n "series": {series},\n "methods": {{\n' + ",\n".join(parts) + "\n }\n}\n"


def _is_told(gain: Gain | None) -> bool:
    return gain is not None and (gain.low > 0 or gain.high < 0)


# --- the table ------------------------------------------------------------------------------------
def gains_markdown() -> str:
    """Steps that are switched on, the gains of each method on all series, and by class."""
    counts = json.loads(FILE.read_text("utf-8"))["series"]
    candidate_rows, class_rows, rows = [], [], []
    for key, gains in measured_gains().items():
        title = get(KeyParts.from_key(key).slug).title
        overall_gains = {gain.step: gain for gain in gains if gain.series_class == EVERY_SERIES}
        rows.append((title, *(_cell(overall_gains[step]) for step in STEPS)))
        candidates = [gain for gain in overall_gains.values() if gain.people_p is not None]
        candidate_rows += [_candidate_row(title, gain) for gain in candidates]
        class_rows += [
            (title, PREPARED_WORDS[gain.step], gain.series_class, *_both_words(gain))
            for gain in gains
            if gain.series_class != EVERY_SERIES and gain.is_above_zero
        ]
    heads = ("method", *(PREPARED_WORDS[step] for step in STEPS))
    sources = f"{counts['corpus']} series of the corpus / {counts['people']} that people marked"
    candidate_rows.sort(key=lambda row: (row[-1] != "yes", row[-2]))
    return (
        f"{INTERVALS}: {sources}. Of {3 * len(rows)} pairs of method and step the corpus leaves "
        f"{len(candidate_rows)}; *p* is one-sided and adjusted:\n\n"
        f"{markdown_table(CANDIDATE_HEADS, candidate_rows)}\n\n"
        "On all series, corpus / people; what excludes 0 is in bold:\n\n"
        f"{markdown_table(heads, rows)}\n\n"
        "By class of shape or noise: methods whose error falls (+) and rises (−) by an interval "
        "that excludes 0, on the corpus / on people's marks:\n\n"
        f"{markdown_table(('series', *heads[1:]), _count_rows())}\n\n"
        f"Classes that both intervals put above 0, of {counts['classes']}; so many have some by "
        "chance, so no class decides:\n\n"
        f"{markdown_table(CLASS_HEADS, class_rows)}"
    )


def _count_rows() -> Iterator[tuple[str, ...]]:
    """Each class with the number of methods that each step helps and harms."""
    gains_by_class = defaultdict[str, list[MeasuredGain]](list)
    for gain in chain.from_iterable(measured_gains().values()):
        if gain.series_class != EVERY_SERIES:
            gains_by_class[gain.series_class].append(gain)
    for series_class, gains in sorted(gains_by_class.items()):
        yield series_class, *(_count_words(gains, step) for step in STEPS)


def _count_words(gains: Sequence[MeasuredGain], step: Step) -> str:
    """Counts of one step, such as `+3 −1 / +0 −2`; a dash where no interval excludes 0."""
    of_step = [(gain.corpus, gain.people) for gain in gains if gain.step == step]
    counts = [
        (sum(gain.low > 0 for gain in step_gains), sum(gain.high < 0 for gain in step_gains))
        for step_gains in ([gain for gain in side if gain] for side in zip(*of_step, strict=True))
    ]
    return " / ".join(f"+{falls} −{rises}" for falls, rises in counts) or "–"


def _candidate_row(title: str, gain: MeasuredGain) -> tuple[str, ...]:
    ps = (f"{p:.3f}" for p in (gain.corpus_p, gain.people_p) if p is not None)
    on = "yes" if gain.helps else "no"
    return title, PREPARED_WORDS[gain.step], *_both_words(gain), *ps, on


def _both_words(gain: MeasuredGain) -> tuple[str, str]:
    return _words(gain.corpus), _words(gain.people)


def _cell(measured_gain: MeasuredGain) -> str:
    return " / ".join(
        f"**{_points(gain)}**" if _is_told(gain) else _points(gain)
        for gain in (measured_gain.corpus, measured_gain.people)
    )


def _points(gain: Gain | None) -> str:
    return "" if gain is None else f"{100 * gain.mean:+.1f}"


def _words(gain: Gain | None) -> str:
    if gain is None:
        return ""
    low, high = 100 * gain.low, 100 * gain.high
    return f"{100 * gain.mean:+.2f} [{low:+.2f}, {high:+.2f}], n {gain.series}"


def write_gains_table(*, check: bool) -> int:
    """Write the table into its page; with `check`, only say whether it is out of date."""
    text = replace_between(PAGE.read_text("utf-8"), BEGIN, END, gains_markdown())
    return int(is_stale(PAGE, text, check=check) and check)


def main(arguments: Sequence[str]) -> int:
    if "--ask" in arguments:
        folders = [argument for argument in arguments if not argument.startswith("--")]
        ask(Path(folders[0]) if folders else DEFAULT_FOLDER)
    return write_gains_table(check="--check" in arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
