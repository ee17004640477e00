"""Columns of the comparison table: what they are called, mean, and how figures are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from analysis.statistics.rows import FIGURES, WITHIN
from people.templatetags.writing import share, si, signed, whole

Value = float | int | None
LEADERBOARD: Final[Mapping[str, str]] = {
    "method": "the method's slug, or a person's pseudonym",
    "version": "version of the method",
    "params": "its parameters, defaults written out",
    "kind": "method, baseline, constant or person",
    **FIGURES,
    "answered": "series that both the method and the yardstick have answered",
    "too_short": "series of the comparison for which the method was too short",
    "too_long": "series of the comparison that are longer than the method reads",
    "failed": "series for which it failed",
    "not_available": "series for which it lacked something that it needs",
    "held_out": "series of systems or benchmarks that the method was trained on, each answered by "
    "the model that was not trained on its own",
    "in_sample": "series that its parameters were chosen on, or that the model which answered was "
    "trained on: its figures are too good, and it has no rank",
    "rank": "place among the ranked methods by the sorted figure",
    "unranked": "why a method has no place, such as too few series",
}
"""Columns of the leaderboard's file, with their meanings; `LeaderboardRow.cells` has the cells."""
SORTS: Final = ("title", *LEADERBOARD)


@dataclass(frozen=True, slots=True)
class LeaderboardColumn:
    """One column of the leaderboard. `figure` names the list behind its numbers."""

    key: str
    head: str
    title: str
    write: Callable[[Value], str]
    figure: str = ""
    first: bool = True  # the way it sorts at the first click: best first

    def difference(self, value: Value) -> str:
        """A difference of two figures, always with its sign; of shares in percentage points."""
        if value is None:
            return "–"
        unsigned: dict[object, Callable[[Value], str]] = {signed: whole, signed_seconds: _seconds}
        write = unsigned.get(self.write, self.write)
        size = write(abs(value)).replace("%", "pp")
        return size if not value else f"{'+' if value > 0 else '−'}{size}"

    def head_at(self, tolerance: int | None) -> str:
        """Head of the column where `tolerance` is that of all series; None: each has its own."""
        if self.key != WITHIN_TOLERANCE.key:
            return self.head
        return "Within tolerance" if tolerance is None else f"{self.head}{whole(tolerance)}"

    def interval(self, low: Value, high: Value) -> str:
        """The interval of a difference; nothing where it has none."""
        if low is None or high is None:
            return ""
        return f"{self.difference(low)} to {self.difference(high)}"


def decimal(value: Value, digits: int = 2) -> str:
    """Decimal number with a minus sign, as everywhere in pages."""
    if value is None:
        return "–"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")  # no minus before zero


def _half(value: Value) -> str:
    """A median: one decimal, since it may be a half."""
    return "–" if value is None else _grouped(value, 1)


def _grouped(value: float, digits: int) -> str:
    text = f"{abs(value):,.{digits}f}" if abs(value) >= 10_000 else f"{abs(value):.{digits}f}"
    return ("−" if value < 0 else "") + text.replace(",", "\u2009")


def _seconds(value: Value) -> str:
    return si(value, "s")


def signed_seconds(value: Value) -> str:
    """A difference of times: `−44.55 ms`, `+1.200 s`."""
    text = si(value, "s")
    return f"+{text}" if value is not None and value > 0 else text


def _count(key: str, head: str, title: str, *, first: bool = False) -> LeaderboardColumn:
    """Series that a list of the same name has."""
    return LeaderboardColumn(key, head, title, whole, key, first)


YES_NO = LeaderboardColumn(
    "agreement",
    "Yes/no",
    "Share on which both say steady, or both say never",
    share,
    "agreements",
    first=False,
)
KAPPA = LeaderboardColumn(
    "kappa", "κ", "Cohen's kappa of yes/no: agreement beyond chance", decimal, first=False
)
BALANCED = LeaderboardColumn(
    "balanced_accuracy",
    "Balanced",
    "Balanced accuracy: mean of both rates of being right",
    share,
    first=False,
)
MEDIAN = LeaderboardColumn(
    "median_abs", "Median |Δ|", "Median of the absolute error, both steady", _half, "n"
)
MEAN = LeaderboardColumn(
    "mean_error", "Mean Δ", "Mean of predicted − yardstick: positive is late", signed, "n"
)
WITHIN_TOLERANCE = LeaderboardColumn(
    "within_tolerance",
    "Within ±",
    "Share with |Δ| within tolerance, both steady",
    share,
    "within_tolerance",
    first=False,
)
N = _count("n", "n", "Series on which both say steady")
FALSE_PLATEAU = _count(
    "fp", "False plateau", "Says steady where the yardstick says never", first=True
)
DISTANCES: Final = (
    N,
    LeaderboardColumn(
        "manhattan", "Σ|Δ|", "Manhattan distance: sum of the absolute errors", whole, "n"
    ),
    LeaderboardColumn(
        "manhattan_clustered",
        "Σ clustered",
        "Of series whose marks lie together",
        whole,
        "clustered",
    ),
    LeaderboardColumn(
        "manhattan_scattered",
        "Σ scattered",
        "Of series whose marks are scattered",
        whole,
        "scattered",
    ),
    MEAN,
    LeaderboardColumn(
        "sd_error",
        "SD Δ",
        "Standard deviation of the signed error, dividing by the count",
        _half,
        "n",
    ),
    LeaderboardColumn("mean_abs", "Mean |Δ|", "Mean of the absolute error", _half, "n"),
    MEDIAN,
    *(
        LeaderboardColumn(
            f"within_{most}",
            f"≤ {most}",
            f"Share with |Δ| at most {most} iterations",
            share,
            f"within_{most}",
            first=False,
        )
        for most in WITHIN
    ),
)
COUNTS: Final = (
    _count("n_yes_no", "n", "Series on which both have an answer"),
    _count("agreements", "Agreements", "Both say steady, or both say never"),
    YES_NO,
    _count("tp", "TP", "Both say steady"),
    _count("fp", "FP", "It says steady, the yardstick never", first=True),
    _count("fn", "FN", "It says never, the yardstick steady", first=True),
    _count("tn", "TN", "Both say never"),
    BALANCED,
    KAPPA,
)
IN_SECONDS: Final = (
    LeaderboardColumn(
        "median_abs_seconds", "Median |Δ|", "Median of the absolute error in seconds", _seconds, "n"
    ),
    LeaderboardColumn(
        "mean_seconds",
        "Mean Δ",
        "Mean of predicted − yardstick in seconds: positive is late",
        signed_seconds,
        "n",
    ),
)
SETS: Final[Mapping[str, tuple[LeaderboardColumn, ...]]] = {
    "usual": (YES_NO, KAPPA, MEDIAN, MEAN, WITHIN_TOLERANCE, FALSE_PLATEAU),
    "distances": DISTANCES,
    "yes-no": COUNTS,
    "all": (*DISTANCES, *COUNTS[1:], *IN_SECONDS),
}
SET_WORDS: Final = {
    "usual": "The default columns",
    "distances": "Distances",
    "yes-no": "Steady or never",
    "all": "All of them",
}
ALL_COLUMNS: Final = {
    column.key: column for chosen in SETS.values() for column in (*chosen, *IN_SECONDS)
}
