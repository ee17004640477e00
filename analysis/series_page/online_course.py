"""The decisions of an online method after each iteration: computed once, and kept.

Read value by value like a running benchmark, so that every decision is the one it would have
made. Only methods with a stored detection on the series are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Any, Final, NamedTuple

from analysis.methods.method_style import MethodStyle, MethodStyles, style_order
from analysis.methods.playground.query import playground_command
from analysis.methods.series_context import context_of_series, wanted_inputs
from analysis.runs.models import Detection
from analysis.series_page.evidence import cached_answer
from detectors.command.online_decisions import OnlineWatch
from detectors.contract import NEVER, DetectorError, OnlineDetector, as_series
from detectors.detection_rows import warm_up
from detectors.registry import UnknownDetector, from_key, registry
from people.templatetags.writing import grouped
from series.models import Series

EACH: Final = 20_000  # values up to which every iteration is asked after …
POINTS: Final = 1_000  # … and beyond, so many places
MOST_SECONDS: Final = 4.0  # seconds of computing for one method on one series
WIDTH, HEIGHT = 1000, 100  # size of a strip in units of its view box
MOST_DIGITS: Final = 10


class AnswerChange(NamedTuple):
    """Change of an online answer: from `iteration` on it was `start` (an iteration or NEVER)."""

    iteration: int
    start: int


@dataclass(frozen=True, slots=True)
class OnlineCourse:
    """The answers of one method while the values came.

    final_iteration  from which on nothing could change the answer; None for no such iteration
    problem  why there is no course
    """

    style: MethodStyle
    changes: Sequence[AnswerChange] = ()
    final_iteration: int | None = None
    problem: str = ""

    def answer_after(self, iteration: int) -> int | None:
        """The answer once iteration `iteration` was over; None while there was none."""
        starts = [change.start for change in self.changes if change.iteration <= iteration]
        return starts[-1] if starts else None

    @property
    def change_count(self) -> int:
        """Number of changes after the first answer."""
        return max(len(self.changes) - 1, 0)

    @property
    def first_steady(self) -> AnswerChange | None:
        """First steady answer, at which a benchmark would have been stopped."""
        return next((change for change in self.changes if change.start != NEVER), None)

    @property
    def sentence(self) -> str:
        """The strip in words."""
        if not self.changes:
            return f"{self.style.label}: no answer"
        first_steady, last_change = self.first_steady, self.changes[-1]
        end_words = "never" if last_change.start == NEVER else grouped(last_change.start)
        steady_phrase = (
            f"steady from {grouped(first_steady.start)} after {grouped(first_steady.iteration)}, "
            if first_steady
            else ""
        )
        return f"{self.style.label}: {steady_phrase}in the end {end_words}"


@dataclass(frozen=True, slots=True)
class OnlineCourseRow:
    """A course as it stands at the iteration that is looked at."""

    course: OnlineCourse
    answer: int | None
    svg_path: str
    changes_text: str  # for js/series_page/online.js


@dataclass(frozen=True, slots=True)
class OnlineCoursesPage:
    """All courses of a series, at iteration `iteration`."""

    n: int
    iteration: int
    step: int  # the method is asked after every so many iterations
    rows: Sequence[OnlineCourseRow]

    @property
    def last_iteration(self) -> int:
        return self.n - 1

    @property
    def x_position(self) -> str:
        """Position of `at` on a strip, 0 to 1000."""
        return f"{self.iteration * WIDTH / max(self.last_iteration, 1):.1f}"


def online_courses_page(series: Series, iteration_text: str) -> OnlineCoursesPage:
    """The page at iteration `iteration_text`, as it was typed; at the last one if that is none."""
    last_iteration = series.n - 1
    iteration = (
        min(int(iteration_text), last_iteration)
        if iteration_text.isdecimal() and len(iteration_text) < MOST_DIGITS
        else last_iteration
    )
    rows = [
        OnlineCourseRow(
            course,
            course.answer_after(iteration),
            _path(course, last_iteration),
            " ".join(f"{change.iteration}:{change.start}" for change in course.changes),
        )
        for course in courses(series)
    ]
    return OnlineCoursesPage(series.n, iteration, _step(series.n), rows)


def _path(course: OnlineCourse, last_iteration: int) -> str:
    """The answer (up) against iterations (across) as steps of a path; nothing while never."""
    scale = 1 / max(last_iteration, 1)
    end_iterations = [*(change.iteration for change in course.changes[1:]), last_iteration]
    return "".join(
        f"M{WIDTH * change.iteration * scale:.1f} {HEIGHT * (1 - change.start * scale):.1f}"
        f"H{WIDTH * end * scale:.1f}"
        for change, end in zip(course.changes, end_iterations, strict=False)
        if change.start != NEVER
    )


def _step(n: int) -> int:
    return 1 if n <= EACH else -(-n // POINTS)


def reads_online(slugs: Iterable[str]) -> bool:
    """True if a method among `slugs` reads values as they come."""
    return any(slug in registry() and registry()[slug].online for slug in slugs)


def courses(series: Series) -> list[OnlineCourse]:
    """Courses of all online methods that have answered the series, in the order of methods."""
    styles = sorted(
        map(MethodStyles(series.benchmark.dataset.study), _online_keys(series)), key=style_order
    )
    return [_read_course(series, style) for style in styles]


def _online_keys(series: Series) -> list[str]:
    slugs = [slug for slug, method in registry().items() if method.online]
    online_detections = Detection.objects.filter(series=series, slug__in=slugs)
    return list(online_detections.values_list("detector_key", flat=True))


def _read_course(series: Series, style: MethodStyle) -> OnlineCourse:
    try:
        stored_course = cached_answer(
            "read-online", series, style.key, lambda: _compute_course(series, style.key)
        )
    except (UnknownDetector, DetectorError) as error:
        return OnlineCourse(style, problem=str(error))
    except TimeoutError:
        return OnlineCourse(style, problem=_time_out_sentence(series, style))
    changes = [AnswerChange(*change) for change in stored_course["changes"]]
    return OnlineCourse(style, changes, stored_course["final"])


def _compute_course(series: Series, key: str) -> dict[str, Any]:
    """Raises UnknownDetector, DetectorError, and TimeoutError."""
    detector = from_key(key)
    if not isinstance(detector, OnlineDetector):
        raise UnknownDetector(f"{detector.slug} does not read online")
    values = as_series(series.array())
    online_watch = OnlineWatch(
        detector, context_of_series(series, has_samples="samples" in wanted_inputs(detector))
    )
    step = _step(values.size)
    changes: list[AnswerChange] = []
    final_iteration: int | None = None
    warm_up([detector])  # compiling must not count as computing
    deadline = thread_time() + MOST_SECONDS
    for offset in range(0, values.size, step):
        decision = online_watch.read(values[offset : offset + step])
        if thread_time() > deadline:
            raise TimeoutError
        _note_change(changes, online_watch, min(offset + step, values.size) - 1)
        if decision is not None and decision.final:
            final_iteration = changes[-1].iteration
            break
    online_watch.end()
    _note_change(changes, online_watch, values.size - 1)
    return {"changes": [tuple(change) for change in changes], "final": final_iteration}


def _note_change(changes: list[AnswerChange], online_watch: OnlineWatch, iteration: int) -> None:
    start = online_watch.start
    if start is not None and (not changes or changes[-1].start != start):
        changes.append(AnswerChange(iteration, start))


def _time_out_sentence(series: Series, style: MethodStyle) -> str:
    """Sentence with the command to type instead."""
    method = playground_command(from_key(style.key), "").partition(" --method ")[2]
    return (
        f"Reading {grouped(series.n)} iterations one by one takes longer than "
        f"{MOST_SECONDS:.0f} s. "
        f"Download the values, and type: python -m detectors watch --method {method} < values.txt"
    )
