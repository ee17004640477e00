"""From which iteration on the values of a recording count: ground truth, a method, a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Count

from analysis import yardsticks
from analysis.looks import Looks, order
from analysis.models import Detection
from analysis.yardsticks import UnknownYardstick, Yardstick
from series.models import Dataset

HALF: Final = "half"
FIXED: Final = "fixed:"
GROUND_TRUTH: Final = "ground-truth"


class UnknownStart(LookupError):
    """No such start for this data set; the sentence says which there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class Measured(NamedTuple):
    """One series as a trend reads it."""

    pk: int
    public_id: str
    benchmark: int
    recording: int
    fork: int
    n: int


@dataclass(frozen=True, slots=True)
class Start:
    """A way to say where the steady part of a series begins; `code` names it in addresses.

    yardstick  whose answers it takes; None for a rule that looks at no value
    fixed      the first iteration that counts, where that is the rule
    """

    code: str
    title: str
    yardstick: Yardstick | None = None
    fixed: int | None = None

    def of(self, rows: Sequence[Measured]) -> list[int | None]:
        """The start in each series; None where there is none: no answer, never, too short."""
        if self.yardstick is not None:
            answers = yardsticks.read(self.yardstick, [row.pk for row in rows]).answers
            return [_within(answers.value(at), row.n) for at, row in enumerate(rows)]
        if self.fixed is not None:
            return [_within(self.fixed, row.n) for row in rows]
        return [row.n // 2 for row in rows]


def _within(answer: float | None, n: int) -> int | None:
    return None if answer is None or not 0 <= answer < n else int(answer)


LAST_HALF: Final = Start(HALF, "the middle of each series")


def starts(dataset: Dataset) -> list[Start]:
    """What a reader may choose between, the default first.

    The default is the method that answered most series of the data set; without any detection
    it is the last half of each series.
    """
    methods = _methods(dataset)
    truths = [each for each in yardsticks.yardsticks(dataset.study) if each.kind != "method"]
    people = [each for each in truths if each.kind in {"campaign", "known"}]
    answered = [_of(each) for each in people if _in(each, dataset)]
    return [*methods[:1], LAST_HALF, _fixed(50), *answered, *methods[1:]]


def start_named(dataset: Dataset, code: str = "") -> Start:
    """The start that `code` names, the default for an empty one. Raises UnknownStart.

    half, fixed:N, ground-truth (of the newest campaign with any), the code of a yardstick, or
    the slug of a method.
    """
    if not code:
        return starts(dataset)[0]
    if code == HALF:
        return LAST_HALF
    if code.startswith(FIXED) and code.removeprefix(FIXED).isdecimal():
        return _fixed(int(code.removeprefix(FIXED)))
    try:
        found = _yardstick(dataset, code)
    except UnknownYardstick:
        found = None
    if found is None:
        there = ", ".join(each.code for each in starts(dataset))
        raise UnknownStart(f"no start {code!r} in {dataset.slug}; there are: {there}, fixed:N")
    return _of(found)


def _yardstick(dataset: Dataset, code: str) -> Yardstick | None:
    if code == GROUND_TRUTH:
        return next(
            (one for one in yardsticks.yardsticks(dataset.study) if one.kind == "campaign"), None
        )
    kind = code.partition(":")[0]
    if kind in {"campaign", "known", "person", "method"}:
        return yardsticks.yardstick(dataset.study, code)
    # A slug alone is its only stored parameters, or the default ones.
    named = [each for each in _methods(dataset) if _slug(each) == code]
    exact = [each for each in named if each.code == f"method:{code}"]
    return next((each.yardstick for each in [*exact, *named]), None)


def _slug(start: Start) -> str:
    return start.code.removeprefix("method:").partition("@")[0]


def _of(chosen: Yardstick) -> Start:
    return Start(chosen.code, chosen.title, chosen)


def _fixed(first: int) -> Start:
    return Start(f"{FIXED}{first}", f"iteration {first}", fixed=first)


def _methods(dataset: Dataset) -> list[Start]:
    """Methods with an answer in the data set: that with most answers first, then by slot."""
    answers = Detection.objects.filter(
        series__benchmark__dataset=dataset, outcome=Detection.Outcome.ANSWER
    )
    counted = answers.order_by().values_list("detector_key").annotate(n=Count("pk"))
    look_of = Looks(dataset.study)
    looks = sorted(((look_of(key), -n) for key, n in counted), key=lambda one: order(one[0]))
    if not looks:
        return []
    best = min(looks, key=lambda one: (one[0].baseline, one[1]))
    ordered = [best[0], *(look for look, _ in looks if look != best[0])]
    codes = (f"method:{look.name}" for look in ordered)
    found = (yardsticks.yardstick(dataset.study, code) for code in codes)
    return [_of(one) for one in found if one is not None]


def _in(chosen: Yardstick, dataset: Dataset) -> bool:
    return chosen.series().filter(benchmark__dataset=dataset).exists()
