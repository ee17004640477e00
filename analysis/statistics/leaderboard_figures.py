"""Figures of the leaderboard, each defined once, and the row of one method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.statistics.answers import Answers, Bools, Floats, Number, as_integer, errors
from analysis.statistics.bootstrap import BootstrapSettings, median_interval
from analysis.statistics.paired_bootstrap import FigureSample, Kind
from analysis.statistics.verdicts import VERDICTS, Verdict, verdict_codes

STEADY_VERDICTS: Final = 4
"""So many of VERDICTS are about series that the yardstick calls steady."""
WITHIN: Final = (15, 50, 100, 250, 500)
"""Iterations for which publications print the share of errors that are at most as large."""

Cell = str | Number | None
Unit = Literal["whole", "decimal", "half", "share", "signed", "seconds", "signed seconds"]
SecondsSource = Floats | Callable[[], Floats | None] | None
RowSet = Literal[
    "yes_no", "distances", "timed", "clustered", "scattered", "truth_steady", "truth_never"
]


@dataclass(frozen=True, slots=True, eq=False)
class RowScope:
    """The yardstick, and the series on which a row is computed.

    yes_no, distances  bool (n,): the series that may count towards each part of a row
    tolerance          iterations: one number, or one a series
    clustered          bool (n,) or None: the yardstick's marks lie together
    bootstrap          how intervals are drawn; None for none
    """

    truth: Answers
    yes_no: Bools
    distances: Bools
    tolerance: ArrayLike
    clustered: Bools | None
    bootstrap: BootstrapSettings | None


@dataclass(frozen=True, eq=False)
class MeasuredAnswers:
    """One method's answers beside the yardstick's: what every figure of a row is made of.

    seconds  its signed errors in seconds, float64 (n,), NaN if unknown; or what reads them
    """

    predicted: Answers
    scope: RowScope
    seconds: SecondsSource = None

    @property
    def truth(self) -> Answers:
        return self.scope.truth

    @cached_property
    def yes_no(self) -> Bools:
        """Series of the yes/no figures."""
        return self.scope.yes_no & self.truth.given & self.predicted.given

    @cached_property
    def distances(self) -> Bools:
        """Series whose error counts."""
        return self.scope.distances & self.truth.steady & self.predicted.steady

    @cached_property
    def clustered(self) -> Bools | None:
        """Series whose error counts and whose marks lie together; None without marks."""
        return None if self.scope.clustered is None else self.distances & self.scope.clustered

    @cached_property
    def scattered(self) -> Bools | None:
        """Series whose error counts and whose marks do not; None without marks."""
        return None if self.scope.clustered is None else self.distances & ~self.scope.clustered

    @cached_property
    def timed(self) -> Bools:
        """Series whose error counts and is known in seconds."""
        return self.distances & np.isfinite(self.in_seconds)

    @cached_property
    def truth_steady(self) -> Bools:
        """Series of the yes/no figures that the yardstick calls steady."""
        return self.yes_no & self.truth.steady

    @cached_property
    def truth_never(self) -> Bools:
        """Series of the yes/no figures that the yardstick calls never steady."""
        return self.yes_no & ~self.truth.steady

    @cached_property
    def is_right(self) -> Bools:
        """Right about steady or never."""
        is_right: Bools = self.predicted.steady == self.truth.steady
        return is_right

    @cached_property
    def confusion(self) -> Floats:
        """Places in (tp, fp, fn, tn); steady is the positive class."""
        return (2 * ~self.predicted.steady + 1 * ~self.truth.steady).astype(np.float64)

    @cached_property
    def delta(self) -> Floats:
        """Signed errors in iterations, NaN unless both say steady."""
        return errors(self.predicted, self.truth)

    @cached_property
    def size(self) -> Floats:
        return np.abs(self.delta)

    @cached_property
    def in_seconds(self) -> Floats:
        """Signed errors in seconds, NaN if unknown."""
        seconds = self.seconds() if callable(self.seconds) else self.seconds
        return np.full(self.truth.n, np.nan) if seconds is None else seconds

    @cached_property
    def verdicts(self) -> NDArray[np.int8]:
        """Positions in VERDICTS."""
        return verdict_codes(self.predicted, self.truth, self.scope.tolerance)


# --- one table of figures ---------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: what is made of which values of which series, and what it is called.

    meaning      explanation of the figure in files
    values       numbers or a mask, one a series; by default 1 for each
    statistic    what is made of the values; None for a bound of the bootstrap interval
    rows         property of `MeasuredAnswers` with the series that count
    head, title  name of its column and what that is; empty of figures that only files have
    unit         how it is written
    list_name    name of the list of the series behind it
    listed       sentence of that list, of the figure that counts its series
    """

    key: str
    meaning: str
    values: Callable[[MeasuredAnswers], NDArray[Any]] = lambda s: np.ones(s.truth.n)
    statistic: Kind | None = "sum"
    rows: RowSet = "distances"
    head: str = ""
    title: str = ""
    unit: Unit = "decimal"
    list_name: str = ""
    listed: str = ""

    def with_column(self, head: str, title: str, unit: Unit, list_name: str = "") -> Self:
        """Figure with a column on the page."""
        list_name = list_name or self.list_name
        return replace(self, head=head, title=title, unit=unit, list_name=list_name)

    def with_list(self, name: str, sentence: str) -> Self:
        """Figure with a list of the series that it counts."""
        return replace(self, list_name=name, listed=sentence)

    @property
    def least_first(self) -> bool:
        """Order that puts the best first: errors rise, shares and counts of agreement fall."""
        return self.unit not in {"share", "decimal"} and self.key not in AGREEING

    @property
    def behind(self) -> str:
        """Key of the count of the series that the figure rests on."""
        return {"yes_no": "n_yes_no", "timed": "n_seconds"}.get(self.rows, "n")

    def compute(self, answers: MeasuredAnswers) -> Number | None:
        """Compute the figure; None where it is not defined on these series."""
        mask = getattr(answers, self.rows)
        if mask is None or self.statistic is None:
            return None
        return STATISTICS[self.statistic](self.values(answers)[mask])

    def sample(self, answers: MeasuredAnswers) -> FigureSample | None:
        """Values behind the figure, for resamples of series; None of a figure without any."""
        mask = getattr(answers, self.rows)
        if mask is None or self.statistic is None:
            return None
        return FigureSample(np.where(mask, self.values(answers), np.nan), self.statistic)

    def series(self, answers: MeasuredAnswers) -> Bools:
        """Series that the figure counts: bool (n,)."""
        mask = getattr(answers, self.rows)
        no_series = np.zeros(answers.truth.n, np.bool_)
        return no_series if mask is None else mask & (self.values(answers) == 1)


AGREEING: Final = frozenset({"n", "n_yes_no", "agreements", "tp", "tn"})
"""Counts of which more are better."""


def _cell_count(cell_index: int, key: str, cell_name: str, meaning: str = "") -> Figure:
    """Count of one place of the confusion matrix; its list explains the column."""
    return (
        Figure(key, meaning or cell_name, lambda s: s.confusion == cell_index, rows="yes_no")
        .with_list(key, cell_name)
        .with_column(key.upper(), cell_name.capitalize(), "whole")
    )


def _share_within(most_iterations: int) -> Figure:
    key, meaning = (
        f"within_{most_iterations}",
        f"share of `n` with |Δ| at most {most_iterations} iterations",
    )
    return (
        Figure(key, meaning, lambda s: s.size <= most_iterations, "mean")
        .with_list(key, f"both say steady, at most {most_iterations} iterations apart")
        .with_column(
            f"≤ {most_iterations}", f"Share with |Δ| at most {most_iterations} iterations", "share"
        )
    )


def _verdict_figures(verdict: Verdict, meaning: str, share_meaning: str) -> tuple[Figure, Figure]:
    """Count of a verdict, and its share of series that the yardstick calls steady, or never."""
    key, code = verdict.replace(" ", "_"), VERDICTS.index(verdict)
    rows: RowSet = "truth_steady" if code < STEADY_VERDICTS else "truth_never"
    count = Figure(key, meaning, lambda s: s.verdicts == code, rows=rows)
    return count.with_list(key, verdict), replace(
        count, key=f"{key}_share", meaning=share_meaning, statistic="mean"
    )


_STEADY_OR_NEVER: Final = (
    Figure("n_yes_no", "series of the yes/no figures", rows="yes_no")
    .with_list("n_yes_no", "both have an answer")
    .with_column("n", "Series on which both have an answer", "whole"),
    _cell_count(0, "tp", "both say steady"),
    _cell_count(1, "fp", "it says steady, the yardstick never", "method steady, yardstick never"),
    _cell_count(2, "fn", "it says never, the yardstick steady", "method never, yardstick steady"),
    _cell_count(3, "tn", "both say never"),
    Figure("agreements", "tp + tn", lambda s: s.is_right, rows="yes_no")
    .with_list("agreements", "both say steady, or both say never")
    .with_column("Agreements", "Both say steady, or both say never", "whole"),
    Figure(
        "agreement", "their share of `n_yes_no`", lambda s: s.is_right, "mean", "yes_no"
    ).with_column(
        "Yes/no", "Share on which both say steady, or both say never", "share", "agreements"
    ),
    Figure(
        "balanced_accuracy",
        "mean of tp / (tp + fn) and tn / (tn + fp); always steady has 0.5",
        lambda s: s.confusion,
        "balanced",
        "yes_no",
    ).with_column("Balanced", "Balanced accuracy: mean of both rates of being right", "share"),
    Figure(
        "kappa",
        "Cohen's κ: agreement beyond chance; 0 is chance, 1 is always",
        lambda s: s.confusion,
        "kappa",
        "yes_no",
    ).with_column("κ", "Cohen's kappa of yes/no: agreement beyond chance", "decimal"),
)
"""Steady or never, whatever the iteration, on series for which the yardstick and the method have an
answer (in a common comparison: every chosen method). Steady is the positive class."""
_ERRORS: Final = (
    Figure("n", "series whose error counts")
    .with_list("n", "both say steady")
    .with_column("n", "Series on which both say steady", "whole"),
    Figure("manhattan", "sum of |Δ|", lambda s: s.size).with_column(
        "Σ|Δ|", "Manhattan distance: sum of the absolute errors", "whole", "n"
    ),
    Figure(
        "n_clustered", "of them, series whose people's marks lie together", rows="clustered"
    ).with_list("clustered", "both say steady, marks in a cluster"),
    Figure(
        "manhattan_clustered", "sum of |Δ| on these", lambda s: s.size, rows="clustered"
    ).with_column("Σ clustered", "Of series whose marks lie together", "whole", "clustered"),
    Figure("n_scattered", "series whose people's marks do not", rows="scattered").with_list(
        "scattered", "both say steady, marks scattered"
    ),
    Figure(
        "manhattan_scattered", "sum of |Δ| on these", lambda s: s.size, rows="scattered"
    ).with_column("Σ scattered", "Of series whose marks are scattered", "whole", "scattered"),
    Figure("mean_error", "mean of Δ", lambda s: s.delta, "mean").with_column(
        "Mean Δ", "Mean of predicted − yardstick: positive is late", "signed", "n"
    ),
    Figure("sd_error", "standard deviation of Δ", lambda s: s.delta, "sd").with_column(
        "SD Δ", "Standard deviation of the signed error, dividing by the count", "half", "n"
    ),
    Figure("median_error", "median of Δ", lambda s: s.delta, "median"),
    Figure("mean_abs", "mean of |Δ|", lambda s: s.size, "mean").with_column(
        "Mean |Δ|", "Mean of the absolute error", "half", "n"
    ),
    Figure("sd_abs", "standard deviation of |Δ|", lambda s: s.size, "sd"),
    Figure("median_abs", "median of |Δ|", lambda s: s.size, "median").with_column(
        "Median |Δ|", "Median of the absolute error, both steady", "half", "n"
    ),
    Figure(
        "median_abs_low", "lower end of the 95 % bootstrap interval of `median_abs`", statistic=None
    ),
    Figure("median_abs_high", "upper end; 10,000 repeats, percentiles, seed 0", statistic=None),
    *map(_share_within, WITHIN),
    Figure(
        "within_tolerance",
        "share of `n` with |Δ| at most the tolerance",
        lambda s: s.size <= np.asarray(s.scope.tolerance),
        "mean",
    )
    .with_list("within_tolerance", "both say steady, within tolerance")
    .with_column("Within ±", "Share with |Δ| within tolerance, both steady", "share"),
)
"""Errors in iterations, predicted - truth, over the series on which both say steady. Standard
deviations divide by the count, as the publications do."""
_VERDICTS: Final = (
    _verdict_figures(
        "agrees",
        "series of the yes/no figures on which the verdict is agrees",
        "share of `agrees` where the yardstick says steady",
    ),
    _verdict_figures("early", "how many of them are early", "share of `early` of the same"),
    _verdict_figures("late", "how many of them are late", "share of `late` of the same"),
    _verdict_figures(
        "missed", "how many of them are missed", "share of `missed`; these four add up to one"
    ),
    _verdict_figures(
        "false plateau",
        "how many of them are a false plateau",
        "share of `false_plateau` where the yardstick says never",
    ),
    _verdict_figures(
        "both never", "how many of them are both never", "share of `both_never` of the same"
    ),
)
_SECONDS: Final = (
    Figure("n_seconds", "series whose error counts whose time is known", rows="timed"),
    Figure(
        "mean_seconds", "mean of Δ in seconds", lambda s: s.in_seconds, "mean", "timed"
    ).with_column(
        "Mean Δ",
        "Mean of predicted − yardstick in seconds: positive is late",
        "signed seconds",
        "n",
    ),
    Figure(
        "mean_abs_seconds",
        "mean of |Δ| in seconds",
        lambda s: np.abs(s.in_seconds),
        "mean",
        "timed",
    ),
    Figure(
        "median_abs_seconds",
        "median of |Δ| in seconds",
        lambda s: np.abs(s.in_seconds),
        "median",
        "timed",
    ).with_column("Median |Δ|", "Median of the absolute error in seconds", "seconds", "n"),
)
FIGURES: Final[Mapping[str, Figure]] = {
    figure.key: figure
    for figure in (*_STEADY_OR_NEVER, *_ERRORS, *chain(*zip(*_VERDICTS, strict=True)), *_SECONDS)
}
"""Every figure of a row, by key, in the order of files."""
BOUNDS: Final = ("median_abs_low", "median_abs_high")


# --- a row ------------------------------------------------------------------------------------
class RowFigures(Mapping[str, Number | None]):
    """Figures of one method by key, each computed when it is first asked for: a page shows few of
    them, and the seconds of errors are read from all values.

    undefined  keys of figures that these answers cannot have
    """

    def __init__(self, answers: MeasuredAnswers, undefined_keys: Iterable[str] = ()) -> None:
        self._answers = answers
        self._computed: dict[str, Number | None] = dict.fromkeys(undefined_keys)

    def __getitem__(self, key: str) -> Number | None:
        if key not in self._computed:
            bootstrap = self._answers.scope.bootstrap
            if bootstrap and key in BOUNDS:
                sizes = self._answers.size[self._answers.distances]
                bounds = median_interval(sizes, bootstrap) or (None, None)
                self._computed.update(zip(BOUNDS, bounds, strict=True))
            else:
                self._computed[key] = FIGURES[key].compute(self._answers)
        return self._computed[key]

    def __iter__(self) -> Iterator[str]:
        return iter(FIGURES)

    def __len__(self) -> int:
        return len(FIGURES)

    def total(self, key: str) -> Number:
        """Count or sum, which is defined on any series."""
        return self[key] or 0


# --- statistics -------------------------------------------------------------------------------
def _mean(values: NDArray[Any]) -> float | None:
    return float(values.mean()) if values.size else None


def _sd(values: NDArray[Any]) -> float | None:
    """Standard deviation, dividing by the count."""
    return float(values.std()) if values.size else None


def _median(values: NDArray[Any]) -> float | None:
    return float(np.median(values)) if values.size else None


def _confusion_counts(cell_indices: Floats) -> list[int]:
    """Counts of tp, fp, fn and tn."""
    counts: list[int] = np.bincount(cell_indices.astype(np.int64), minlength=4).tolist()
    return counts


def balanced_accuracy(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Mean of both rates of being right; None where the yardstick says only one of the two."""
    sensitivity, specificity = share_of(tp, tp + fn), share_of(tn, tn + fp)
    if sensitivity is None or specificity is None:
        return None
    return (sensitivity + specificity) / 2


def kappa(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Cohen's kappa; None where chance alone would agree always, or without series."""
    n = tp + fp + fn + tn
    chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
    if chance == n * n:
        return None
    # In whole numbers up to the one division, so that equal tables give equal figures.
    return ((tp + tn) * n - chance) / (n * n - chance)


STATISTICS: Final[Mapping[Kind, Callable[[NDArray[Any]], Number | None]]] = {
    "sum": lambda values: as_integer(float(values.sum())),
    "mean": _mean,
    "sd": _sd,
    "median": _median,
    "balanced": lambda places: balanced_accuracy(*_confusion_counts(places)),
    "kappa": lambda places: kappa(*_confusion_counts(places)),
}
"""Statistics of the values that count; None where there are too few."""


def mean_sd_median(values: Floats) -> tuple[float | None, float | None, float | None]:
    """Mean, standard deviation (dividing by the count) and median; None of nothing."""
    return _mean(values), _sd(values), _median(values)


def share_of(count: int, total: int) -> float | None:
    """A share between 0 and 1, or None of nothing."""
    return count / total if total else None
