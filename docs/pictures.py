"""The pictures of the methods' pages: `python -m docs.pictures [--check]`, part of `make docs`.

Each shows one simulated series, where the method calls it steady, where it is, and the evidence
that decided. A picture is drawn anew when the method's key or version, the series or this file
has changed: its first line names all three, so that checking computes nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Detection,
    Detector,
    Events,
    Evidence,
    Levels,
)
from detectors.registry import method_slots, registry
from detectors.simulated.synthetic import SyntheticSeries, simulate

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ROOT / "docs" / "detectors"
BEGIN, END = "<!-- picture: written by `make docs` -->", "<!-- /picture -->"
BEFORE: Final = "<!-- parameters:"  # a page without a picture gets it above its parameters

SEEDS: Final = {"decay": 2, "step": 5}
STEPPING: Final = frozenset({"barrett", "kb-kssd", "exact-bayes"})  # made for steps: shown on one
CONTEXT: Final = Context(
    seconds_per_iteration=0.1,
    settings={
        "warmup_iterations": 5,
        "warmup_seconds": 10.0,
        "measurement_iterations": 3000,
        "measurement_seconds": 0.1,
    },
)
SHAPES: Final = {"decay": "decays and stays level", "step": "falls once and stays level"}
OUTLIERS: Final = "outliers"

NAMESPACE: Final = "http://www.w3.org/2000/svg"
WIDTH, LEFT, TOP, MAIN, PANEL, STRIP = 640, 8, 22, 150, 54, 16
PLOT: Final = WIDTH - 2 * LEFT
COLUMNS: Final = 312  # two pixels each
GAP: Final = 24  # above a panel, for its label
FOOT: Final = 22
MOST_PANELS: Final = 2
NEAR: Final = 80  # about the width of a label
FENCE: Final = 0.25  # of the range, as on the charts
COLOUR = re.compile(
    r"^\s*(?P<names>\.slot-\d+[^{]*)\{ --slot-colour: "
    r"light-dark\((?P<light>#\w+), (?P<dark>#\w+)\)",
    re.MULTILINE,
)
STYLE: Final = """<style>
svg{{color:#1b1f24;--c:{light};--s:#6b7683;--q:#4a5563;--h:#c3cad4}}
@media(prefers-color-scheme:dark){{svg{{color:#f2f4f7;--c:{dark};--s:#8c97a5;--q:#b7c0cc;--h:#313a46}}}}
text{{font:12px Inter,system-ui,sans-serif;fill:var(--q)}}
.pic-name{{font-weight:600;fill:currentColor}}
path{{fill:none}}.pic-series{{stroke:var(--s)}}.pic-axis{{stroke:var(--h)}}
.pic-mark{{stroke:var(--c);stroke-width:2}}.pic-truth{{stroke:currentColor;stroke-dasharray:2 3}}
.pic-tint{{fill:var(--c);opacity:.08}}.pic-level{{stroke:var(--c);stroke-width:2}}
.pic-curve{{stroke:var(--c);stroke-width:1.5}}.pic-threshold{{stroke:var(--q);stroke-dasharray:2 3}}
.pic-band{{fill:var(--c);opacity:.25}}.pic-event{{stroke:var(--c);stroke-width:1.5}}
</style>"""


# --- what is drawn ----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class AnswerPicture:
    """One method's answer on one series."""

    detector: Detector
    series: SyntheticSeries
    found: Detection
    evidence: Sequence[Evidence]

    @property
    def words(self) -> str:
        """Say what is seen, for who does not see it: the picture's text in a page."""
        title, start, true_start = (
            self.detector.title,
            self.found.steady_start,
            self.series.steady_start,
        )
        answer = "says never steady" if start == NEVER else f"says steady from {start}"
        panel_labels = [panel.label for panel in pictured_panels(self.evidence)]
        below_text = f" Below: {'; '.join(panel_labels)}." if panel_labels else ""
        return (
            f"A simulated series that {SHAPES[self.series.kind]}, steady from {true_start}; "
            f"{title} {answer}.{below_text}"
        )


def series_for(slug: str) -> SyntheticSeries:
    """One of the two series of all pictures."""
    shape_kind = "step" if slug in STEPPING else "decay"
    return _series(shape_kind)


@cache
def _series(shape_kind: str) -> SyntheticSeries:
    return simulate(shape_kind, seed=SEEDS[shape_kind])


def scene_of(detector: Detector) -> AnswerPicture:
    """Ask the method. Takes as long as the method takes."""
    series = series_for(detector.slug)
    answer = detector.detect(series.values, CONTEXT)
    return AnswerPicture(detector, series, answer, detector.evidence(series.values, CONTEXT))


def pictured_panels(evidence: Iterable[Evidence]) -> list[Curve | Bands | Events]:
    """Evidence below the series: the first few pieces that have an axis of iterations."""
    panels_on_iterations = [
        item
        for item in evidence
        if isinstance(item, Curve | Bands | Events) and OUTLIERS not in item.label
        if not (isinstance(item, Events) and not item.at)
    ]
    return panels_on_iterations[:MOST_PANELS]


# --- drawing ----------------------------------------------------------------------------------
def picture_svg(scene: AnswerPicture) -> str:
    """The picture as the text of an SVG file."""
    slot = method_slots()[scene.detector.slug]
    light, dark_colours = _colours(slot)
    parts, plots = _panels(scene)
    bottom = plots[-1][1]
    height = bottom + FOOT
    words = escape(scene.words)
    lines = [
        f"<!-- {stamp(scene.detector)} -->",
        f'<svg xmlns="{NAMESPACE}" class="slot-{slot}" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{words}</title>",
        STYLE.format(light=light, dark=dark_colours),
        *_main(scene),
        *parts,
        *_marks(scene, plots),
        *_axis(scene.series.values.size, bottom),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _x(index: float, n: int) -> float:
    return LEFT + PLOT * (index + 0.5) / n


def _digits(number: float) -> str:
    """Write at most one decimal, and no trailing zero."""
    return f"{number:.1f}".removesuffix(".0")


def _main(scene: AnswerPicture) -> Iterator[str]:
    values = scene.series.values
    low, high = _range(values)

    def y(value: float) -> float:
        share = min(max((value - low) / (high - low), 0), 1)
        return TOP + MAIN * (1 - share)

    yield f'<path class="pic-series" d="{_outline(values, y)}"/>'
    for evidence in scene.evidence:
        if isinstance(evidence, Levels):
            strokes = (
                f"M{_digits(_x(start, values.size))} {_digits(y(level))}"
                f"H{_digits(_x(stop - 1, values.size))}"
                for start, stop, level in evidence.pieces
            )
            yield f'<path class="pic-level" d="{"".join(strokes)}"/>'


def _range(values: NDArray[np.float64]) -> tuple[float, float]:
    low_value, high_value = np.quantile(values, [0.005, 0.995])
    reach = FENCE * (high_value - low_value)
    return float(low_value - reach), float(high_value + reach)


def _outline(values: NDArray[np.float64], y: Callable[[float], float]) -> str:
    """Least and greatest of each column, in the order in which they come."""
    edges = values.size * np.arange(COLUMNS + 1) // COLUMNS
    path_data: list[str] = []
    last_point = (0, 0)
    for column, (start, stop) in enumerate(pairwise(edges)):
        column_values = values[start:stop]
        for offset in sorted({int(column_values.argmin()), int(column_values.argmax())}):
            is_later = int(offset > (stop - start) // 2)
            point = (
                LEFT + column * PLOT // COLUMNS + is_later,
                round(y(float(column_values[offset]))),
            )
            step = (point[0] - last_point[0], point[1] - last_point[1])
            path_data.append(f"{'l' if path_data else 'M'}{step[0]} {step[1]}")
            last_point = point
    return "".join(path_data)


def _marks(scene: AnswerPicture, plots: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The answer and the true answer, through every plot and not through the words between."""
    n, start, true_start = (
        scene.series.values.size,
        scene.found.steady_start,
        scene.series.steady_start,
    )
    truth_x = _x(true_start, n)
    yield f'<path class="pic-truth" d="{_vertical_lines(truth_x, plots)}"/>'
    code = scene.detector.code
    if start == NEVER:
        attributes = f'x="{WIDTH - LEFT}" y="14" text-anchor="end"'
        yield f'<text class="pic-name" {attributes}>{code} never</text>'
        yield f'<text x="{_digits(truth_x + 4)}" y="14">true {true_start}</text>'
        return
    answer_x = _x(start, n)
    width = WIDTH - LEFT - answer_x
    box_attributes = f'x="{_digits(answer_x)}" y="{TOP}" width="{_digits(width)}" height="{MAIN}"'
    yield f'<rect class="pic-tint" {box_attributes}/>'
    yield f'<path class="pic-mark" d="{_vertical_lines(answer_x, plots)}"/>'
    yield from _labels((answer_x, f"{code} {start}"), (truth_x, f"true {true_start}"))


def _vertical_lines(x: float, plots: Sequence[tuple[int, int]]) -> str:
    return "".join(f"M{_digits(x)} {top}V{bottom}" for top, bottom in plots)


def _labels(answer: tuple[float, str], truth: tuple[float, str]) -> Iterator[str]:
    """Side by side where they are apart, else the left one to the left of its line."""
    is_near, is_answer_left = abs(answer[0] - truth[0]) < NEAR, answer[0] <= truth[0]
    for (x, text), is_left, kind in (
        (answer, is_answer_left, ' class="pic-name"'),
        (truth, not is_answer_left, ""),
    ):
        if is_near and is_left and x > NEAR:
            yield f'<text{kind} x="{_digits(x - 4)}" y="14" text-anchor="end">{text}</text>'
        elif is_near and x <= NEAR and not is_left:
            yield f'<text{kind} x="{_digits(max(x, answer[0] + NEAR) + 4)}" y="14">{text}</text>'
        else:
            yield f'<text{kind} x="{_digits(x + 4)}" y="14">{text}</text>'


def _panels(scene: AnswerPicture) -> tuple[list[str], list[tuple[int, int]]]:
    """The panels' elements, and top and bottom of every plot, the series' first."""
    n, top, parts = scene.series.values.size, TOP + MAIN, []
    plots = [(TOP - 4, top)]
    for panel in pictured_panels(scene.evidence):
        top += GAP
        parts.append(f'<text x="{LEFT}" y="{top - 6}">{escape(panel.label)}</text>')
        height = PANEL if isinstance(panel, Curve) else STRIP
        parts += _curve(panel, n, top) if isinstance(panel, Curve) else _strip(panel, n, top)
        plots.append((top, top + height))
        top += height
    return parts, plots


def _curve(item: Curve, n: int, top: int) -> Iterator[str]:
    finite_values = item.y[np.isfinite(item.y)]
    levels = [*finite_values.tolist(), *([] if item.threshold is None else [item.threshold])]
    low, high = min(levels, default=0.0), max(levels, default=1.0)
    if low >= 0 and 0.5 < high <= 1:
        low, high = 0.0, 1.0  # a share
    reach = (high - low) or 1.0

    def y(value: float) -> str:
        return _digits(top + PANEL * (1 - (value - low) / reach))

    yield f'<path class="pic-axis" d="M{LEFT} {top + PANEL}H{WIDTH - LEFT}"/>'
    if item.threshold is not None:
        yield f'<path class="pic-threshold" d="M{LEFT} {y(item.threshold)}H{WIDTH - LEFT}"/>'
    yield f'<path class="pic-curve" d="{_stroke(item, n, y)}"/>'


def _stroke(item: Curve, n: int, y: Callable[[float], str]) -> str:
    """The curve through at most two points a column; a gap ends a stroke."""
    x = np.arange(item.y.size) if item.x is None else item.x
    path_data, is_open = [], False
    for index in _extreme_indices(item.y):
        value = float(item.y[index])
        if not np.isfinite(value):
            is_open = False
            continue
        column_x = _digits(_x(float(x[index]), n))
        is_step = item.shape == "steps" and is_open
        path_data.append(
            f"H{column_x}V{y(value)}"
            if is_step
            else f"{'L' if is_open else 'M'}{column_x} {y(value)}"
        )
        is_open = True
    return "".join(path_data)


def _extreme_indices(y: NDArray[np.float64]) -> list[int]:
    """Indices of the least and the greatest value of each of a few hundred stretches."""
    if y.size <= COLUMNS:
        return list(range(y.size))
    edges = y.size * np.arange(COLUMNS // 2 + 1) // (COLUMNS // 2)
    indices: set[int] = set()
    for start, stop in pairwise(edges):
        stretch = y[start:stop]
        gap = bool(np.isnan(stretch).all())
        indices |= (
            {int(start)}
            if gap
            else {int(start + np.nanargmin(stretch)), int(start + np.nanargmax(stretch))}
        )
    return sorted(indices)


def _strip(item: Bands | Events, n: int, top: int) -> Iterator[str]:
    yield f'<path class="pic-axis" d="M{LEFT} {top + STRIP}H{WIDTH - LEFT}"/>'
    if isinstance(item, Events):
        ticks = "".join(f"M{_digits(_x(position, n))} {top}v{STRIP}" for position in item.at)
        yield f'<path class="pic-event" d="{ticks}"/>'
        return
    for start, stop in item.spans:
        start_x, stop_x = _x(start - 0.5, n), _x(stop - 0.5, n)
        width = _digits(max(stop_x - start_x, 1))
        box_attributes = f'x="{_digits(start_x)}" y="{top}" width="{width}" height="{STRIP}"'
        yield f'<rect class="pic-band" {box_attributes}/>'


def _axis(n: int, bottom: int) -> Iterator[str]:
    yield f'<path class="pic-axis" d="M{LEFT} {TOP + MAIN}H{WIDTH - LEFT}"/>'
    for iteration, anchor in ((0, "start"), (1000, "middle"), (2000, "middle")):
        attributes = f'x="{_digits(_x(iteration, n))}" y="{bottom + 16}" text-anchor="{anchor}"'
        yield f"<text {attributes}>{iteration}</text>"
    yield f'<text x="{WIDTH - LEFT}" y="{bottom + 16}" text-anchor="end">iteration {n - 1}</text>'


@cache
def _palette() -> dict[str, tuple[str, str]]:
    css = (ROOT / "static" / "css" / "method-colours.css").read_text("utf-8")
    return {
        name.strip(): (match["light"], match["dark"])
        for match in COLOUR.finditer(css)
        for name in match["names"].split(",")
    }


def _colours(slot: int) -> tuple[str, str]:
    return _palette()[f".slot-{slot % 20}"]


# --- what is up to date -----------------------------------------------------------------------
def stamp(detector: Detector) -> str:
    """Say what a picture was made from: key, series, and how it is drawn."""
    series = series_for(detector.slug)
    digest = sha256(series.values.tobytes()).hexdigest()[:12]
    drawing_digest = sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    key = detector.key.replace("--", "- -")  # which a comment may not hold
    return f"{key} on {series.kind} {digest}, drawn by docs/pictures.py {drawing_digest}"


def picture_path(slug: str) -> Path:
    return PAGES / "pictures" / f"{slug}.svg"


def pictured_methods() -> Iterator[Detector]:
    """Ours that can answer as they come; a method from elsewhere brings its own page."""
    for detector in registry().values():
        if detector.__module__.startswith("detectors.methods.") and "model" not in detector.needs:
            yield detector()


def is_current(detector: Detector) -> bool:
    """Return whether the picture is there, was made from what there is now, and is in its page."""
    path = picture_path(detector.slug)
    if not path.is_file():
        return False
    text = path.read_text("utf-8")
    title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
    page = (PAGES / f"{detector.slug}.md").read_text("utf-8")
    return (
        text.startswith(f"<!-- {stamp(detector)} -->")
        and title is not None
        and _picture_markdown(detector.slug, title[1]) in page
    )


def _picture_markdown(slug: str, words: str) -> str:
    """The picture as a page has it; `words` are escaped for HTML already."""
    plain_words = (
        words.replace("[", "(").replace("]", ")").replace("&#x27;", "’").replace("&amp;", "&")
    )
    return f"{BEGIN}\n![{plain_words}](pictures/{slug}.svg)\n{END}"


def put_picture(page: str, slug: str, words: str) -> str:
    """The page with its picture, in the place that it had or above the parameters."""
    picture_html = _picture_markdown(slug, words)
    if BEGIN in page:
        page_before, _, after_marker = page.partition(BEGIN)
        return page_before + picture_html + after_marker.partition(END)[2]
    page_before, marker, after_marker = page.partition(BEFORE)
    if not marker:
        raise ValueError(f"the page of {slug} has no place for a picture: {BEFORE} is missing")
    return f"{page_before}{picture_html}\n\n{marker}{after_marker}"


def main() -> int:
    """Draw what is out of date; with `--check`, only say so."""
    stale_methods = [method for method in pictured_methods() if not is_current(method)]
    if "--check" in sys.argv[1:]:
        for method in stale_methods:
            sys.stderr.write(f"{picture_path(method.slug)}: out of date; run make docs\n")
        return int(bool(stale_methods))
    for method in stale_methods:
        scene = scene_of(method)
        picture_path(method.slug).parent.mkdir(exist_ok=True)
        picture_path(method.slug).write_text(picture_svg(scene), "utf-8")
        page_path = PAGES / f"{method.slug}.md"
        text = page_path.read_text("utf-8")
        page_path.write_text(put_picture(text, method.slug, escape(scene.words)), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
