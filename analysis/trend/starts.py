"""Starts from which on the values of a recording count: ground truth, a method, a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Count

from analysis.methods.method_style import MethodStyles, style_order
from analysis.references import yardsticks
from analysis.references.yardsticks import UnknownYardstick, Yardstick
from analysis.runs.certainty import default_key
from analysis.runs.models import Detection
from series.models import Dataset, Series
from series.models.series import SeriesQuerySet

HALF: Final = "half"
FIXED: Final = "fixed:"
GROUND_TRUTH: Final = "ground-truth"
ENOUGH: Final = 0.9  # share of the answers of the method with most answers
LOOKED_AT: Final = 10_000  # newest series of a data set that are searched for methods


class UnknownStart(LookupError):
    """No such start for this data set; the sentence says which there are."""


class TrendSeries(NamedTuple):
    """One series as a trend reads it."""

    pk: int
    public_id: str
    benchmark_pk: int
    recording_pk: int
    fork: int
    n: int


@dataclass(frozen=True, slots=True)
class TrendStart:
    """A way to say where the steady part of a series begins; `code` names it in addresses.

    yardstick  whose answers it takes; None for a rule that looks at no value
    fixed_iteration      the first iteration that counts, where that is the rule
    """

    code: str
    title: str
    yardstick: Yardstick | None = None
    fixed_iteration: int | None = None

    @property
    def key(self) -> str:
        """The detector key, where a method answers."""
        return self.yardstick.key if self.yardstick is not None else ""

    @property
    def identity(self) -> str:
        """Key under which results of the start are kept; empty for answers of people, which are
        few.
        """
        return self.key or ("" if self.yardstick is not None else self.code)

    @property
    def words(self) -> str:
        """Sentence on which values of a series make its result."""
        if self.yardstick is None:
            return f"A result is the mean from {self.title} on."
        name = f"{self.title}, the default method" if self.key == default_key() else self.title
        return f"A result is the mean from the steady start on, by {name}."

    def series_starts(
        self, rows: Sequence[TrendSeries], series: SeriesQuerySet
    ) -> list[int | None]:
        """The start in each series; None where there is none: no answer, never, too short.

        series  a query that finds all of `rows`, and may find more
        """
        if self.yardstick is not None:
            pks = [row.pk for row in rows]
            answers = yardsticks.yardstick_answers(self.yardstick, pks, subset=series).answers
            return [_usable(answers.value(i), row.n) for i, row in enumerate(rows)]
        if self.fixed_iteration is not None:
            return [_usable(self.fixed_iteration, row.n) for row in rows]
        return [row.n // 2 for row in rows]


def _usable(answer: float | None, n: int) -> int | None:
    return None if answer is None or not 0 <= answer < n else int(answer)


LAST_HALF: Final = TrendStart(HALF, "the middle of each series")


def starts(dataset: Dataset) -> list[TrendStart]:
    """Starts that a reader may choose between, the default first.

    The default is the default method where it has answered nine tenths of what the method with
    most answers to the newest 10,000 series of the data set has; else that method; without any
    detection the last half of each series.
    """
    method_starts = _method_starts(dataset)
    truth_starts = [
        _start_by_yardstick(yardstick)
        for yardstick in yardsticks.yardsticks_of(dataset.study)
        if _may_answer(yardstick, dataset)
    ]
    return [*method_starts[:1], LAST_HALF, _fixed_start(50), *truth_starts, *method_starts[1:]]


def start_choices(dataset: Dataset) -> list[tuple[str, str]]:
    """Code and title of each start for the control of a page; the default has an empty code."""
    default_start, *other_starts = starts(dataset)
    return [("", default_start.title), *((start.code, start.title) for start in other_starts)]


def find_start(
    dataset: Dataset, code: str = "", offered_starts: Sequence[TrendStart] = ()
) -> TrendStart:
    """The start that `code` names, the default for an empty one. Raises UnknownStart.

    code            half, fixed:N, ground-truth (of the campaign of most settled series), the code
                    of a yardstick, or the slug of a method
    offered_starts  what `starts` gave, if it was asked: it looks through many detections
    """
    if code == HALF:
        return LAST_HALF
    if code.startswith(FIXED) and code.removeprefix(FIXED).isdecimal():
        return _fixed_start(int(code.removeprefix(FIXED)))
    choices = offered_starts or starts(dataset)
    chosen_start = _matching_start(choices, code) if code else choices[0]
    if chosen_start is None:
        chosen_start = _start_by_any_yardstick(dataset, code)
    if chosen_start is None:
        codes = ", ".join(start.code for start in choices)
        raise UnknownStart(f"no start {code!r} in {dataset.slug}; there are: {codes}, fixed:N")
    return chosen_start


def start_after_run(dataset: Dataset, key: str) -> TrendStart:
    """The default start once the method `key` has run, also where it has answered nothing.

    A series without an answer has no result then: its middle is none.
    """
    default_start = starts(dataset)[0]
    if default_start is not LAST_HALF:
        return default_start
    return _start_by_yardstick(
        yardsticks.method_yardstick(dataset.study, key, MethodStyles(dataset.study))
    )


def _matching_start(choices: Sequence[TrendStart], code: str) -> TrendStart | None:
    """Start by its code; a slug alone means its only stored parameters, or the default ones."""
    exact_starts = [start for start in choices if start.code in {code, f"method:{code}"}]
    slug_starts = [
        start
        for start in choices
        if start.code.startswith("method:")
        and start.code.removeprefix("method:").partition("@")[0] == code
    ]
    return next(iter([*exact_starts, *slug_starts]), None)


def _start_by_any_yardstick(dataset: Dataset, code: str) -> TrendStart | None:
    """Start by a yardstick that has answers in the study, if not in this data set."""
    try:
        if code == GROUND_TRUTH:
            truths = yardsticks.yardsticks_of(dataset.study)
            yardstick = next((truth for truth in truths if truth.kind == "campaign"), None)
        else:
            yardstick = yardsticks.yardstick(dataset.study, code)
    except UnknownYardstick:
        return None
    return None if yardstick is None else _start_by_yardstick(yardstick)


def _start_by_yardstick(yardstick: Yardstick) -> TrendStart:
    return TrendStart(yardstick.code, yardstick.title, yardstick)


def _fixed_start(iteration: int) -> TrendStart:
    return TrendStart(f"{FIXED}{iteration}", f"iteration {iteration}", fixed_iteration=iteration)


def _method_starts(dataset: Dataset) -> list[TrendStart]:
    """Methods with an answer to a newer series: the default one first, then by slot."""
    recorded_series = Series.objects.filter(recording__in=dataset.recordings.all())
    newest_pks = recorded_series.order_by("-recording_id").values("pk")
    answers = Detection.objects.filter(
        series__in=newest_pks[:LOOKED_AT], outcome=Detection.Outcome.ANSWER
    )
    count_by_key = dict(answers.order_by().values_list("detector_key").annotate(n=Count("pk")))
    method_styles = MethodStyles(dataset.study)
    styles = sorted(map(method_styles, count_by_key), key=style_order)
    if not styles:
        return []
    best_style = min(styles, key=lambda style: (style.baseline, -count_by_key[style.key]))
    if count_by_key.get(default_key(), 0) >= ENOUGH * count_by_key[best_style.key]:
        best_style = method_styles(default_key())
    ordered_styles = [best_style, *(style for style in styles if style != best_style)]
    return [
        _start_by_yardstick(yardsticks.method_yardstick(dataset.study, style.key, method_styles))
        for style in ordered_styles
    ]


def _may_answer(yardstick: Yardstick, dataset: Dataset) -> bool:
    """True if the yardstick could have an answer for a series of the data set."""
    if yardstick.campaign is None:
        return yardstick.series().filter(benchmark__dataset=dataset).exists()
    tasks = yardstick.campaign.tasks.counted()  # fewer than series of the data set, as a rule
    return tasks.filter(series__benchmark__dataset=dataset).exists()
