"""Map of a run: a row a series, a column a method, a cell where the answer stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby
from typing import Final

from analysis.methods.method_style import MethodStyle, style_of
from analysis.methods.short_titles import short_titles
from analysis.runs.models import Detection, Run
from analysis.runs.progress import cached_figures
from analysis.runs.selection import SeriesSelection
from analysis.work.progress import JobProgress
from annotate.blind import visible_series
from detectors.registry import registry
from people.models import User
from people.templatetags.writing import grouped
from series.models import Series

MOST_CELLS: Final = 1_600  # cells of a page, which then has at most 4,000 elements
MOST_ROWS: Final = 40
FEWEST_ROWS: Final = 8
MOST_CODES: Final = 16  # columns that are named one by one; of more, families are named
CELL_WIDTH: Final = 16  # px of a cell with its gap
LETTER_WIDTH: Final = 7  # px of a letter of a heading
OTHERS: Final = "Others"
STATES: Final[Mapping[str, str]] = {
    "answered": "answered",
    "short": "too short or too long",
    "lacking": "not available",
    "failed": "failed",
    "working": "working",
    "waiting": "waiting",
    "out": "left out",
}
"""States of a cell, as the legend names them."""
STATE_OF: Final[Mapping[str, str]] = {
    Detection.Outcome.ANSWER: "answered",
    Detection.Outcome.TOO_SHORT: "short",
    Detection.Outcome.TOO_LONG: "short",
    Detection.Outcome.NOT_AVAILABLE: "lacking",
    Detection.Outcome.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class MapCell:
    """One answer, or what stands in its place.

    label          the answer
    words          method and answer
    begins_family  whether a family of methods begins here
    """

    state: str
    label: str
    words: str
    begins_family: bool


@dataclass(frozen=True, slots=True)
class MapRow:
    """One series with its cells, in the order of the columns; a worker may be at it."""

    series: Series
    cells: tuple[MapCell, ...]
    is_at_work: bool

    @property
    def done_count(self) -> int:
        return sum(cell.state not in {"working", "waiting", "out", "failed"} for cell in self.cells)


@dataclass(frozen=True, slots=True)
class AnswerMap:
    """The map as it is drawn.

    families       heading of neighbouring columns, and how many these are
    hidden_count   series that the reader has yet to answer
    undrawn_count  series for which the page has no room, none longer than those that are drawn
    """

    methods: tuple[MethodStyle, ...]
    families: tuple[tuple[str, int], ...]
    rows: tuple[MapRow, ...]
    hidden_count: int
    undrawn_count: int

    @property
    def has_codes(self) -> bool:
        """True where columns are headed by the codes of their methods."""
        return len(self.methods) <= MOST_CODES

    @property
    def legend(self) -> list[tuple[str, str]]:
        """States that occur, with their words; answers that are written need none."""
        present_states = {cell.state for row in self.rows for cell in row.cells}
        present_states -= {"answered"} if self.has_codes else set()
        return [(state, label) for state, label in STATES.items() if state in present_states]


def answer_map(run: Run, progress: JobProgress, reader: User) -> AnswerMap:
    """Read the cells of the longest series that the reader may see."""
    keys, families = map_columns(run.detectors)
    selected_series = SeriesSelection.from_json(run.selection).series(run.study)
    visible_rows = visible_series(reader, selected_series)
    visible_count = visible_rows.count()
    row_count = max(FEWEST_ROWS, min(MOST_ROWS, MOST_CELLS // max(len(keys), 1)))
    longest_series = visible_rows.select_related("benchmark__dataset__study", "recording").order_by(
        "-n", "-pk"
    )
    drawn_series = list(longest_series[:row_count])
    working_cells = {(unit.current, unit.method_key) for unit in progress.held if unit.current}
    pks = [series.pk for series in drawn_series]
    stored_cells = cached_figures(progress, f"map:{hash(tuple(pks))}", partial(_states, pks, keys))
    rows = _rows(
        run,
        drawn_series[::-1],
        keys,
        families,
        working_cells=working_cells,
        stored_cells=stored_cells,
    )
    return AnswerMap(
        methods=tuple(style_of(key) for key in keys),
        families=families,
        rows=tuple(sorted(rows, key=lambda row: row.is_at_work)),
        hidden_count=run.series_count - visible_count,
        undrawn_count=visible_count - len(drawn_series),
    )


def map_columns(keys: Collection[str]) -> tuple[list[str], tuple[tuple[str, int], ...]]:
    """Detector keys by family, and headings with their numbers of columns.

    Families whose heading is wider than their columns stand last, under one heading.
    """
    counts = Counter(_family(key) for key in keys)
    narrow_families = {family for family, count in counts.items() if not _fits(family, count)}
    heading_by_key = {
        key: OTHERS if _family(key) in narrow_families else _family(key) for key in keys
    }
    headings = [*dict.fromkeys(name for name in heading_by_key.values() if name != OTHERS), OTHERS]
    ordered_keys = sorted(
        keys, key=lambda key: (headings.index(heading_by_key[key]), style_of(key).slot or 0)
    )
    groups = groupby(ordered_keys, key=lambda key: heading_by_key[key])
    return ordered_keys, tuple((name, len(list(members))) for name, members in groups)


def _family(key: str) -> str:
    method = registry().get(style_of(key).slug)
    return method.family if method else OTHERS


def _fits(heading: str, count: int) -> bool:
    return len(heading) * LETTER_WIDTH <= count * CELL_WIDTH


def _rows(
    run: Run,
    drawn_series: Sequence[Series],
    keys: Sequence[str],
    families: Sequence[tuple[str, int]],
    *,
    working_cells: Collection[tuple[str, str]],
    stored_cells: Mapping[tuple[int, str], tuple[str, str]],
) -> list[MapRow]:
    """Rows with cells: at work (series and method), else state and words of what is stored."""
    family_starts = set(accumulate((count for _, count in families), initial=0))
    titles = [_title(key) for key in keys]
    rows = []
    for series in drawn_series:
        cells = []
        for method_index, key in enumerate(keys):
            if (series.public_id, key) in working_cells:
                state, label = "working", "working"
            elif (series.pk, key) in stored_cells:
                state, label = stored_cells[series.pk, key]
            elif series.public_id in run.left_out:
                state, label = "out", "left out"
            else:
                state, label = "waiting", "waiting"
            words = f"{titles[method_index]}: {label}"
            cells.append(MapCell(state, label, words, method_index in family_starts))
        is_held = any(cell.state == "working" for cell in cells)
        rows.append(MapRow(series, tuple(cells), is_held))
    return rows


def _states(series: Sequence[int], keys: Sequence[str]) -> dict[tuple[int, str], tuple[str, str]]:
    """State and words of each stored answer."""
    outcomes = Detection.Outcome
    rows = Detection.objects.filter(series__in=series, detector_key__in=keys).order_by()
    return {
        (pk, key): (STATE_OF[outcome], answer_words(start) or outcomes(outcome).label)
        for pk, key, outcome, start in rows.values_list(
            "series_id", "detector_key", "outcome", "steady_start"
        )
    }


def answer_words(steady_start: int | None) -> str:
    """`322`, or `never`; empty without an answer."""
    if steady_start is None:
        return ""
    return "never" if steady_start < 0 else grouped(steady_start)


def _title(key: str) -> str:
    style = style_of(key)
    return short_titles().get(style.slug) or style.title
