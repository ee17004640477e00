"""The chart of the first page: a recorded series, what five simulated annotators and methods say.

    python -m docs.landing_chart [--check]

Everything on it is computed from a recording that is shipped: answers, ground truth and what each
answer costs. It is written as parts of a page, SVG with the classes of the style sheet: once for
wide pages, once for narrow ones, and the same answers as lines of a CSV file. The pictures of
docs/landing_verbs.py are written with it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import numpy as np

from analysis.methods.baselines import BASELINES
from analysis.methods.symbols import classes
from analysis.site.landing_ranking import ranking_svg as framed, symbol
from analysis.statistics.steady_summary import change_of_result
from demo.methods import FAST
from detectors.arrays.robust_range import robust_range
from detectors.contract import NEVER, Values
from detectors.registry import method_slots, registry
from docs import landing_data, landing_verbs
from docs.derived import is_stale
from docs.landing_data import FORK, LandingSeries, extremes, one_series

FOLDER: Final = Path(__file__).resolve().parent / "landing"
CHART, LINES = FOLDER / "chart.html", FOLDER / "lines.html"
ANNOTATING, COMPARING = FOLDER / "annotating.html", FOLDER / "comparing.html"
HEAD: Final = "<!-- Written by `make docs` (docs/landing_chart.py). -->\n"
RECORDING: Final = "java-word-count"
TOLERANCE: Final = 0.01  # of the series: an answer so near to the ground truth agrees with it
LANE, STRIP, AXIS = 24, 34, 34  # pixels: of a label, of the marks below the plot, of the axis
LETTER: Final = 6.2  # of a label, on average
PITCH: Final = 13  # between two marks that would cover one another


@dataclass(frozen=True, slots=True)
class LandingLayout:
    """Pixels of one of the two drawings; `words`: labels say what an answer costs."""

    width: int
    plot: int
    left: int
    ticks: int
    words: bool
    kind: str


WIDE: Final = LandingLayout(1232, 238, 48, 500, words=True, kind="wide-only")
NARROW: Final = LandingLayout(358, 200, 40, 1000, words=False, kind="narrow-only")


@dataclass(frozen=True, slots=True)
class LandingAnswer:
    """One method's answer, and what it costs, in words."""

    slug: str
    code: str
    title: str
    start: int
    words: str


@dataclass(frozen=True, slots=True)
class LandingScene:
    """Scene that is drawn. `marks`: answers of the annotators; -1 never. `seconds` of an
    iteration.
    """

    name: str
    values: Values
    answers: tuple[LandingAnswer, ...]
    truth: int
    marks: tuple[int, ...]


@cache
def scene() -> LandingScene:
    """Read the recording, its ground truth and three answers: less than a second."""
    series = one_series(RECORDING)
    if series.truth is None or series.truth == NEVER:
        raise ValueError(f"{RECORDING}: no ground truth; choose another series")
    starts = {slug: series.answer(slug) for slug in FAST if slug not in BASELINES}
    slugs = telling_slugs(starts, series.truth)
    answers = tuple(_answer(slug, series, series.truth) for slug in slugs)
    return LandingScene(series.title, series.values, answers, series.truth, series.marks)


def telling_slugs(starts: Mapping[str, int], truth: int) -> list[str]:
    """Choose the earliest, the nearest and the latest answer; each method once, the earliest first.

    starts: first steady iteration by slug, -1 never; a never is not drawn.
    """
    sorted_answers = sorted((start, slug) for slug, start in starts.items() if start != NEVER)
    if not sorted_answers:
        return []
    nearest_answer = min(sorted_answers, key=lambda answer: abs(answer[0] - truth))
    return [slug for _, slug in sorted({sorted_answers[0], nearest_answer, sorted_answers[-1]})]


def _answer(slug: str, series: LandingSeries, truth: int) -> LandingAnswer:
    method, start = registry()[slug], series.answer(slug)
    return LandingAnswer(
        slug, method.code, method.title, start, _consequence(series.values, start, truth)
    )


def _consequence(values: Values, start: int, truth: int) -> str:
    """Say what it means to begin at `start`; one operation an iteration, so values are its
    seconds.
    """
    if abs(start - truth) <= TOLERANCE * values.size:
        return "agrees"
    if start > truth:
        return f"too late, {values[truth:start].sum():.2g} s measured for nothing"
    change = change_of_result(values, start, truth)
    share = 0.0 if change is None else abs(change.share)
    return f"too early, the result would be {100 * share:.2g} % off"


# --- drawing ----------------------------------------------------------------------------------
def chart() -> str:
    """Both drawings, and what the narrow one has no room for."""
    landing_scene = scene()
    rows = "".join(
        f'<li><span class="symbol {classes(method_slots()[answer.slug])}"></span> '
        f"<b>{escape(answer.title)}: from {answer.start}</b> {escape(answer.words)}</li>\n"
        for answer in landing_scene.answers
    )
    list_html = f'<ul class="landing-list narrow-only">\n{rows}</ul>\n'
    return (
        f"{HEAD}{landing_svg(landing_scene, WIDE)}{landing_svg(landing_scene, NARROW)}{list_html}"
    )


def landing_csv() -> str:
    """Write the answers as lines of a CSV file."""
    landing_scene = scene()
    rows = [
        f"{RECORDING},{FORK},{answer.slug},{answer.start},{landing_scene.truth},"
        f"{answer.start - landing_scene.truth}"
        for answer in landing_scene.answers
    ]
    head = "benchmark,fork,method,steady_start,ground_truth,delta"
    nearest_answer = min(
        landing_scene.answers, key=lambda answer: abs(answer.start - landing_scene.truth)
    )
    command = f"$ python -m detectors detect jmh.json --method {nearest_answer.slug}"
    return HEAD + "".join(f"<span>{row}</span>\n" for row in (head, *rows, command))


def landing_svg(landing_scene: LandingScene, layout: LandingLayout) -> str:
    """One drawing as SVG."""
    top = LANE * (len(landing_scene.answers) + 1) + 4
    bottom = top + layout.plot
    parts = [
        *_series(landing_scene.values, layout, top),
        *_labels(landing_scene, layout, bottom),
        *_marks(landing_scene, layout, bottom),
        *_axis(landing_scene.values.size, layout, bottom + STRIP),
    ]
    height = bottom + STRIP + AXIS
    return framed(layout.kind, layout.width, height, drawing_words(landing_scene), parts)


def drawing_words(landing_scene: LandingScene) -> str:
    """The drawing for who does not see it."""
    answers_text = "; ".join(
        f"{answer.title} from {answer.start}, {answer.words}" for answer in landing_scene.answers
    )
    return (
        f"{landing_scene.values.size} iterations of {landing_scene.name}. Ground truth of five "
        "simulated "
        f"annotators: steady from {landing_scene.truth}. {answers_text}."
    )


def _x(iteration: float, n: int, layout: LandingLayout) -> float:
    return round(layout.left + (layout.width - layout.left) * iteration / n, 1)


def _series(values: Values, layout: LandingLayout, top: int) -> Iterator[str]:
    """The line, its steady part, and the grid with the values in milliseconds."""
    low, high = robust_range(values)
    bottom = top + layout.plot
    y = landing_data.scale_to_height(values, bottom, layout.plot)
    steady_x = _x(scene().truth, values.size, layout)
    yield (
        f'<rect class="chart-tint" x="{steady_x}" y="{top}" '
        f'width="{round(layout.width - steady_x, 1)}" height="{layout.plot}"/>'
    )
    least_range = 1e3 * (high - low) / 4
    power = 10.0 ** np.floor(np.log10(least_range))
    step = float(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least_range))
    for level in np.arange(np.ceil(1e3 * low / step), np.floor(1e3 * high / step) + 1) * step:
        level_y = y(level / 1e3)
        yield f'<path class="grid" d="M{layout.left} {level_y}H{layout.width}"/>'
        text = f"{level:.3g} ms"
        yield f'<text x="{layout.left - 6}" y="{level_y + 4}" text-anchor="end">{text}</text>'
    columns = (layout.width - layout.left) // 2
    path = extremes(values, columns, lambda iteration: _x(iteration, values.size, layout), y)
    yield f'<path class="pic-series" d="{path}"/>'
    yield f'<path class="axis" d="M{layout.left} {bottom}H{layout.width}"/>'


def _labels(landing_scene: LandingScene, layout: LandingLayout, bottom: int) -> Iterator[str]:
    """A lane a label, the ground truth in the lowest; lines end with the plot."""
    n = landing_scene.values.size
    for lane, answer in enumerate(landing_scene.answers):
        x, y, colour = (
            _x(answer.start, n, layout),
            LANE * lane,
            classes(method_slots()[answer.slug]),
        )
        yield f'<path class="interval {colour}" d="M{x} {y + 2}V{bottom}"/>'
        name = (
            f"{answer.title}: from {answer.start}"
            if layout.words
            else f"{answer.code} {answer.start}"
        )
        cost = f'<tspan class="landing-cost" dx="8">{escape(answer.words)}</tspan>'
        label = f"{name} {answer.words}" if layout.words else name
        is_before = x + 24 + LETTER * len(label) > layout.width
        yield symbol(method_slots()[answer.slug], x - 18 if is_before else x + 6, y + 6)
        text_attributes = f'x="{x - 24}" text-anchor="end"' if is_before else f'x="{x + 24}"'
        yield (
            f'<text class="line-text" {text_attributes} y="{y + 16}">{escape(name)}'
            f"{cost if layout.words else ''}</text>"
        )
    x, y = _x(landing_scene.truth, n, layout), LANE * len(landing_scene.answers)
    text = f"ground truth {landing_scene.truth}" if layout.words else f"truth {landing_scene.truth}"
    width = LETTER * len(text) + 36
    yield f'<path class="line-truth" d="M{x} {y + 2}V{bottom + STRIP - 14}"/>'
    yield f'<rect class="line-badge" x="{x + 5}" y="{y + 2}" width="{width}" height="20" rx="4"/>'
    yield f'<path class="landing-diamond" d="M{x + 17} {y + 7}l5 5-5 5-5-5Z"/>'
    yield f'<text class="landing-boxed" x="{x + 28}" y="{y + 16}">{text}</text>'


def _marks(landing_scene: LandingScene, layout: LandingLayout, bottom: int) -> Iterator[str]:
    """A triangle a mark, moved apart where two would cover one another."""
    n, y = landing_scene.values.size, bottom + 8
    steady_marks = sorted(mark for mark in landing_scene.marks if mark >= 0)
    last_x = -float(PITCH)
    for mark in steady_marks:
        last_x = max(_x(mark, n, layout), last_x + PITCH)
        yield f'<path class="landing-mark" d="M{last_x - 5} {y}h10l-5 9Z"/>'
    count = len(landing_scene.marks) - len(steady_marks)
    never_words = f", {count} never steady" if count else ""
    summary = (
        f"five simulated annotators{never_words}"
        if layout.words
        else f"five simulated{never_words}"
    )
    yield f'<text x="{last_x + 14}" y="{y + 10}">{summary}</text>'


def _axis(n: int, layout: LandingLayout, top: int) -> Iterator[str]:
    yield f'<path class="axis" d="M{layout.left} {top}H{layout.width}"/>'
    for tick in range(0, n - layout.ticks // 2, layout.ticks):
        anchor = "middle" if tick else "start"
        yield f'<text x="{_x(tick, n, layout)}" y="{top + 16}" text-anchor="{anchor}">{tick}</text>'
    yield f'<text x="{layout.width}" y="{top + 16}" text-anchor="end">iteration {n - 1}</text>'


def write_landing_chart(*, check: bool) -> int:
    """Write all files afresh; with `check`, only say which are out of date."""
    pictures = {
        ANNOTATING: landing_verbs.annotation_drawing,
        COMPARING: landing_verbs.comparison_drawing,
    }
    files = [(CHART, chart()), (LINES, landing_csv())]
    files += [(path, HEAD + draw()) for path, draw in pictures.items()]
    stale_files = [is_stale(path, text, check=check) for path, text in files]
    return int(check and any(stale_files))


if __name__ == "__main__":
    raise SystemExit(write_landing_chart(check="--check" in sys.argv[1:]))
