"""The leaderboard of a comparison: heads, rows, and the list behind each figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from typing import Any, Final

from analysis.comparison import row_drawings
from analysis.comparison.columns import (
    COLUMN_SETS,
    FALSE_PLATEAU,
    head_at,
    write,
    write_difference,
    write_interval,
)
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.second_setting import AlternativeRow, alternative_rows, key_figure
from analysis.comparison.table import DEFAULT_SORT, YES_NO_FIGURES, ComparisonResult, LeaderboardRow
from analysis.statistics.leaderboard_figures import FIGURES, Figure
from analysis.statistics.multiple_comparisons import LEAST_SERIES
from analysis.web.interval_scale import IntervalScale
from people.templatetags.writing import grouped

SECONDS_COLUMNS: Final = {"median_abs": "median_abs_seconds", "mean_error": "mean_seconds"}
"""Figures in seconds by those in iterations whose place they take."""
ONE_VOICE: Final = {"person", "others", "method"}  # yardsticks with a name of their own
KEY_FIGURES: Final = {"median_abs", "median_abs_seconds"}


@dataclass(frozen=True)
class Leaderboard:
    """Heads and rows of the table."""

    compared: ComparisonResult
    study: str

    @property
    def query(self) -> ComparisonQuery:
        return self.compared.asked

    @property
    def subject(self) -> str:
        """Question of the page: who is compared with what, and on how many series."""
        looks, n_people = self.compared.looks.values(), len(self.compared.inputs.people)
        yardstick, steady_count = self.compared.yardstick, int(self.compared.truth.steady.sum())
        ranked_count = sum(not look.baseline for look in looks)
        ranked_words = (
            _plural(ranked_count, "method") if ranked_count else _plural(len(looks), "baseline")
        )
        if yardstick.kind == "campaign" and n_people:
            simulated_word = "simulated " * bool(
                yardstick.campaign and yardstick.campaign.simulated
            )
            marking_words = _plural(n_people, f"{simulated_word}person", f"{simulated_word}people")
            yardstick_words = f"what {marking_words} marked"
        else:
            yardstick_words = (
                yardstick.line if yardstick.kind in ONE_VOICE else f"the {yardstick.line}"
            )
        if not looks:
            ranked_words = _plural(n_people, "person", "people")
            yardstick_words = "one another" if n_people > 1 else "their own ground truth"
        is_one = ranked_words.startswith("1 ")
        return (
            f"how far {ranked_words} {'is' if is_one else 'are'} from {yardstick_words}, on "
            f"{grouped(steady_count)} steady "
            "series"
        )

    @property
    def has_usual_columns(self) -> bool:
        """True if intervals and verdict bars stand between the figures."""
        return self.query.columns == "usual"

    @property
    def draws_intervals(self) -> bool:
        """True if intervals are drawn: a second setting needs their room."""
        return self.has_usual_columns and self.compared.other is None

    @property
    def key_figure(self) -> Figure:
        """The figure that two settings are compared by."""
        figure = FIGURES[key_figure(self.query)]
        return figure if figure.head else replace(figure, head=figure.key, title=figure.key)

    @cached_property
    def columns(self) -> tuple[Figure, ...]:
        columns = COLUMN_SETS[self.query.columns]
        if not self.has_usual_columns:
            return columns
        if not self.compared.result.common:
            median_index = columns.index(FIGURES["median_abs"])
            columns = (*columns[:median_index], FIGURES["n"], *columns[median_index:])
        if self.query.unit == "seconds":
            columns = tuple(FIGURES.get(SECONDS_COLUMNS.get(c.key, ""), c) for c in columns)
        return columns

    @property
    def interval_index(self) -> int:
        """Columns before the interval: those up to the median; all where there is none."""
        median_indices = [i for i, c in enumerate(self.columns, 1) if c.key in KEY_FIGURES]
        return median_indices[0] if self.has_usual_columns else len(self.columns)

    @property
    def heads_before(self) -> list[dict[str, Any]]:
        """Heads before the interval; all where there is none."""
        return [self._head(c) for c in self.columns[: self.interval_index]]

    @property
    def middle_heads(self) -> list[dict[str, Any]]:
        return [self._head(c) for c in self.columns[self.interval_index : self.interval_index + 1]]

    @property
    def heads_after(self) -> list[dict[str, Any]]:
        return [self._head(c) for c in self.columns[self.interval_index + 1 :]]

    @property
    def heads(self) -> list[dict[str, Any]]:
        """All of them, for a menu where the table shows none."""
        return [self._head(column) for column in self.columns]

    def _head(self, column: Figure) -> dict[str, Any]:
        """Column, address that sorts by it, direction of a sorted one, and series behind it.

        n  series behind its figures, where all rows have the same
        """
        current_sort, result = self.query.sort or DEFAULT_SORT, self.compared.result
        best_sort = column.key if column.least_first else f"-{column.key}"
        reverse_key = f"-{column.key}" if column.least_first else column.key
        next_sort = reverse_key if current_sort == best_sort else best_sort
        sort = "" if next_sort == DEFAULT_SORT else next_sort
        is_count = column.key == column.behind or column is FALSE_PLATEAU
        n = result.n_yes_no if column.behind == "n_yes_no" else result.n_distances
        sort_directions = {column.key: "ascending", f"-{column.key}": "descending"}
        return {
            "column": column,
            "href": self.query.changed(sort=sort).query() or "?",
            "direction": sort_directions.get(current_sort, ""),
            "n": n if result.common and not is_count else None,
        }

    @property
    def verdict_series_count(self) -> int | None:
        """Series that the bars of verdicts share out, where all rows have the same."""
        result = self.compared.result
        is_counted = result.scope.yes_no & self.compared.truth.steady
        return int(is_counted.sum()) if result.common else None

    @cached_property
    def intervals(self) -> IntervalScale:
        return row_drawings.intervals(self.compared.entries)

    @property
    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows as the template writes them.

        silence      why a method has no answer at all; fewer: words where it lacks some
        second       figure by the second setting; empty without one
        first_below  the first of the methods that have too few series to be ranked
        """
        second_rows = alternative_rows(self.compared)
        cut_index, was_ranked = self.interval_index, True
        for entry in self.compared.entries:
            cells = [self._cell(entry, column) for column in self.columns]
            unranked_reason = self._missing_words(entry)
            is_silent = entry.name in self.compared.inputs.silent
            lacks_answers = entry.kind == "method" and entry.answered < self.compared.result.n_truth
            fewer_title = "Series that the yardstick has answered and this method has not"
            yield {
                "entry": entry,
                "before": cells[:cut_index],
                "interval": self.intervals.rows.get(entry.name),
                "middle": cells[cut_index : cut_index + 1],
                "bar": row_drawings.verdict_bar(entry),
                "after": cells[cut_index + 1 :],
                "fewer": f"{fewer_title}{f'; in all: {unranked_reason}' if unranked_reason else ''}"
                if lacks_answers
                else "",
                "silence": f"no answer: {unranked_reason}" if is_silent else "",
                "second": self._second_cells(entry, second_rows.get(entry.name)),
                "first_below": was_ranked and bool(entry.unranked),
            }
            was_ranked = not entry.unranked

    @property
    def unranked_rows(self) -> list[LeaderboardRow]:
        """Methods with too few series, which stand below the others."""
        return [entry for entry in self.compared.entries if entry.unranked]

    @property
    def ranks_nobody(self) -> bool:
        """True if there are methods to rank, and none has enough series."""
        rankable_entries = [entry for entry in self.compared.entries if entry.may_rank]
        return bool(rankable_entries) and all(entry.unranked for entry in rankable_entries)

    @property
    def overlap_rows(self) -> list[LeaderboardRow]:
        """Rows of methods that knew some of the series before, in the order of the table."""
        return [entry for entry in self.compared.entries if entry.overlap.sentence]

    @property
    def least_series(self) -> int:
        """Series below which nobody is ranked."""
        return LEAST_SERIES

    @property
    def whole_width(self) -> int:
        """Cells of a row behind its rank."""
        return 1 + self.width + 3 * (self.compared.other is not None)

    @property
    def width(self) -> int:
        """Cells of a row behind the method's name."""
        return len(self.columns) + self.has_usual_columns + self.draws_intervals

    def _second_cells(
        self, entry: LeaderboardRow, alternative: AlternativeRow | None
    ) -> dict[str, str]:
        """Figure by the second setting, its change, and the rank there; empty without one."""
        if self.compared.other is None:
            return {}
        second_cells = dict.fromkeys(("interval", "rank", "moved", "words"), "")
        if alternative is None:
            words = "The method has no row by the second setting"
            return {**second_cells, "there": "–", "change": "–", "words": words}
        second_cells["there"] = write(self.key_figure, alternative.second_value)
        second_cells["change"] = write_difference(self.key_figure, alternative.change)
        second_cells["interval"] = write_interval(
            self.key_figure, alternative.low, alternative.high
        )
        if entry.rank is not None and alternative.rank is not None:
            rank_gain = entry.rank - alternative.rank
            second_cells["rank"] = str(alternative.rank)
            second_cells["moved"] = (
                f"↑{rank_gain}" if rank_gain > 0 else f"↓{-rank_gain}" if rank_gain else ""
            )
            rank_words = f"rank {alternative.rank} by the second setting, {entry.rank} by the first"
            second_cells["words"] = rank_words
        return second_cells

    def _missing_words(self, entry: LeaderboardRow) -> str:
        """Why a method has no answer, and for how many series; nothing where it has all."""
        answers = self.compared.answers(entry.name)
        if entry.without is None or answers is None:
            return ""
        n, missing_counts = len(self.compared.lines), entry.without
        phrases = [
            _shares(missing_counts.too_short, n, "too short for it on"),
            _shares(missing_counts.too_long, n, "too long for it on"),
            _shares(missing_counts.not_available, n, "not available for"),
            _shares(missing_counts.failed, n, "it failed on"),
            _shares(n - int(answers.given.sum()) - sum(astuple(missing_counts)), n, "not run on"),
        ]
        return ", ".join(phrase for phrase in phrases if phrase)

    def _cell(self, entry: LeaderboardRow, column: Figure) -> dict[str, Any]:
        """One figure: its text, and the name of the list behind it; empty where there is none."""
        value = entry.figures[column.key]
        text, list_name = write(column, value), "" if value is None else column.list_name
        if column is FALSE_PLATEAU:
            never_count = entry.figures.total("fp") + entry.figures.total("tn")
            text = f"{text} of {grouped(never_count)}" if never_count else "–"
            list_name = list_name if value else ""
        title = entry.untold if value is None and column.key in YES_NO_FIGURES else ""
        is_strong = column.key in KEY_FIGURES
        return {"text": text, "figure": list_name, "strong": is_strong, "title": title}

    @property
    def title_by_list(self) -> dict[str, str]:
        """Figures of the table that have a list of series behind them, and what they are called."""
        verdicts = dict(row_drawings.VERDICT_LISTS) if self.has_usual_columns else {}
        tolerance = self.compared.one_tolerance
        figures = {c.list_name: head_at(c, tolerance) for c in self.columns if c.list_name}
        return {**verdicts, **figures, "unanswered": "without its answer"}


def _plural(count: int, singular: str, plural: str = "") -> str:
    return f"{grouped(count)} {singular if count == 1 else plural or f'{singular}s'}"


def _shares(count: int, n: int, words: str) -> str:
    if not count:
        return ""
    if count == n:
        return f"{words} all {grouped(n)} series" if n > 1 else f"{words} the only series"
    return f"{words} {grouped(count)} series"
