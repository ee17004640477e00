"""Trends as tables of files and of the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from analysis.trend.sentences import recording_name
from analysis.trend.table import BenchmarkTrend, DatasetTrends
from analysis.web.templatetags.results import percent_signed
from formats.tables import Cell
from people.templatetags.writing import HARD, MINUS, THIN, si

COLUMNS: Final = (
    "dataset",
    "system",
    "benchmark",
    "params",
    "unit",
    "better",
    "start",
    "recordings",
    "first_recording",
    "last_recording",
    "trend",
    "last_group",
    "last_group_since",
    "change",
    "kind",
    "pattern",
    "appeared_with",
    "long_term_best",
    "long_term_best_recording",
    "against_best",
    "loss",
    "regressions",
    "progressions",
    "state",
    "problem",
    "excluded",
)
DOT_COLUMNS: Final = (
    "recording",
    "build",
    "measured_at",
    "forks",
    "forks_recorded",
    "result",
    "group",
    "trend",
    "change",
    "kind",
    "pattern",
    "partner",
    "appeared_with",
)


def trend_rows(found: DatasetTrends) -> Iterator[tuple[Cell, ...]]:
    """A row a benchmark, in the order of the page."""
    return (_row(found, each) for each in found.rows)


def _row(found: DatasetTrends, row: BenchmarkTrend) -> tuple[Cell, ...]:
    one = row.benchmark
    better = "more" if row.higher_is_better else "less"
    about = (found.dataset.slug, one.system, one.name, one.params, one.unit, better)
    return (*about, found.start.code, len(row.dots), *_figures(row), *_state(row))


def _state(row: BenchmarkTrend) -> tuple[Cell, ...]:
    return row.state, row.problem, row.excluded


def _figures(row: BenchmarkTrend) -> tuple[Cell, ...]:
    trend = row.trend
    if trend is None:
        return (None,) * 15
    jump = row.newest
    change: tuple[Cell, ...] = (None,) * 4
    if jump is not None:
        change = (jump.share, jump.kind, jump.pattern, _label(row, jump.shown))
    best_label = None if trend.best_at is None else _label(row, trend.best_at)
    return (
        _label(row, 0),
        _label(row, len(row.dots) - 1),
        trend.level,
        trend.last_size,
        _label(row, trend.groups[-1].start),
        *change,
        trend.best,
        best_label,
        trend.against,
        trend.loss,
        trend.count("regression"),
        trend.count("progression"),
    )


def _label(row: BenchmarkTrend, at: int) -> str:
    return row.dots[at].recording.label


def dot_rows(row: BenchmarkTrend) -> Iterator[tuple[Cell, ...]]:
    """A row a recording, the oldest first."""
    trend = row.trend
    groups = [] if trend is None else [(at, one) for at, one in enumerate(trend.groups)]
    of = [pair for pair in groups for _ in range(pair[1].size)]
    jumps = {} if trend is None else {jump.at: jump for jump in trend.jumps}
    for at, dot in enumerate(row.dots):
        recording, jump = dot.recording, jumps.get(at)
        when = recording.measured_at.isoformat() if recording.measured_at else None
        change: tuple[Cell, ...] = (None,) * 5
        if jump is not None:
            partner = None if jump.partner is None else _label(row, jump.partner)
            change = (jump.share, jump.kind, jump.pattern, partner, _label(row, jump.shown))
        group, level = (of[at][0], of[at][1].mean) if of else (None, None)
        about = (recording.label, recording.build, when, dot.forks, dot.of, dot.result)
        yield (*about, group, level, *change)


def trend_document(found: DatasetTrends) -> dict[str, Any]:
    """The JSON of the table, with what its figures rest on."""
    return {
        "dataset": found.dataset.slug,
        "study": found.dataset.study.slug,
        "start": found.start.code,
        "order": found.order,
        "days_known": found.dated,
        "recordings": found.recordings,
        "hidden_until_answered": found.hidden,
        "still_to_compute": found.waiting,
        "excluded_in_review": found.excluded,
        "regressions": len(found.regressions),
        "rows": [dict(zip(COLUMNS, row, strict=True)) for row in trend_rows(found)],
    }


# --- as lines of a terminal -------------------------------------------------------------------
HEAD: Final = ("benchmark", "recordings", "trend", "last group", "change", "against best", "state")


def trend_text(found: DatasetTrends) -> Iterator[str]:
    """Heading, aligned columns, and each fresh regression with the recording that it came with."""
    order = "date" if found.dated else found.order if found.order == "build" else "import"
    left_out = f" · {found.excluded} excluded in review" if found.excluded else ""
    yield (
        f"{found.dataset} · {found.recordings} recordings by {order} · "
        f"steady from: {found.start.title}{left_out}\n"
    )
    yield from _aligned([HEAD, *(_texts(row) for row in found.rows)])
    for row in found.regressions:
        jump = row.newest
        if jump is not None:
            recording = recording_name(row.dots[jump.at].recording)
            change = _plain(percent_signed(jump.share))
            yield f"regression: {_name(row)}, {change} since {recording}\n"
    if not found.regressions:
        yield "no regression appeared within the last week\n"


def _name(row: BenchmarkTrend) -> str:
    return " ".join(part for part in (row.benchmark.short_name, row.benchmark.params) if part)


def _texts(row: BenchmarkTrend) -> tuple[str, ...]:
    trend, jump = row.trend, row.newest
    if trend is None:
        return (_name(row), str(len(row.dots)), "-", "-", "-", "-", row.word)
    change = "-" if jump is None else f"{percent_signed(jump.share)} {jump.pattern}"
    best = "-" if trend.against is None else percent_signed(trend.against)
    level = si(trend.level, row.benchmark.unit)
    texts = (_name(row), str(len(row.dots)), level, str(trend.last_size), change, best, row.word)
    return tuple(map(_plain, texts))


def _plain(text: str) -> str:
    """For terminals: no thin spaces, and a minus that can be searched for."""
    return text.replace(THIN, "").replace(HARD, " ").replace(MINUS, "-")


def _aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        first, *rest = zip(line, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(text.rjust(width) for text, width in rest)]
        yield "  ".join(cells).rstrip() + "\n"
