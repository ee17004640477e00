"""Table of a fork chart: who says what of each fork, and of the benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analysis.references.yardsticks import UnknownYardstick
from analysis.series_page.fork_chart.figures import fork_figure
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_chart.reads import (
    ForkChart,
    UnknownRecording,
    fork_chart as read_chart,
)
from analysis.series_page.fork_classes import ForkAnswers
from analysis.statistics.answers import Number
from analysis.web.page_tables import BENCHMARK, PageTables, TableEmpty, TableRequest, declared_table
from formats.tables import TableColumn
from series.models import Series
from series.values.exports import DATASET_SERIES_COLUMNS


@dataclass(frozen=True, slots=True)
class ForkChartRow:
    """One answer for one fork, or for the benchmark: then `fork` says nothing.

    series  of the fork; of the benchmark the first, which has its names
    """

    series: Series
    source: str
    start: Number | None
    words: str = ""
    steady_count: int | None = None
    mean: float | None = None
    is_benchmark: bool = False


def _row_series(row: ForkChartRow) -> Series:
    return row.series


def _fork_series(row: ForkChartRow) -> Series | None:
    return None if row.is_benchmark else row.series


Column = TableColumn[ForkChartRow]
OF_FORK: Final = ("fork", "n")
COLUMNS: Final[tuple[Column, ...]] = (
    *(
        column.column_of_part(_fork_series if column.name in OF_FORK else _row_series)
        for column in DATASET_SERIES_COLUMNS
    ),
    Column("answer_of", lambda row: row.source, "code of the yardstick, or key of the method"),
    Column(
        "steady_start",
        lambda row: row.start,
        "first steady iteration, -1 never; of the benchmark the median of its steady forks",
    ),
    Column("words", lambda row: row.words, "agreement of a ground truth; class of the benchmark"),
    Column(
        "steady_forks", lambda row: row.steady_count, "of the benchmark: forks that become steady"
    ),
    Column("steady_mean", lambda row: row.mean, "mean from the ground truth on, in the unit"),
)


def fork_chart_rows(fork_chart: ForkChart) -> Iterator[ForkChartRow]:
    """Fork by fork, then of the benchmark; a fork that is hidden has no row."""
    code = fork_chart.yardstick.code if fork_chart.yardstick else ""
    for fork in fork_chart.forks:
        if fork.truth is not None or fork.agreement:
            yield ForkChartRow(fork.series, code, fork.truth, fork.agreement, mean=fork.mean)
        for name, (style, _) in fork_chart.methods.items():
            if not fork.is_hidden and fork.starts.get(name) is not None:
                yield ForkChartRow(fork.series, style.key, fork.starts[name])
    if fork_chart.truth is not None:
        yield _benchmark_row(fork_chart, code, fork_chart.truth)
    if not fork_chart.hidden_count:
        for style, answer in fork_chart.methods.values():
            yield _benchmark_row(fork_chart, style.key, answer)


def _benchmark_row(fork_chart: ForkChart, source: str, answer: ForkAnswers) -> ForkChartRow:
    return ForkChartRow(
        series=fork_chart.forks[0].series,
        is_benchmark=True,
        source=source,
        start=answer.middle_start,
        words=answer.benchmark_class,
        steady_count=len(answer.steady_starts),
        mean=answer.mean,
    )


def _read_fork_chart(request: TableRequest) -> ForkChart:
    fork_chart = read_chart(request.scope, request.reader, *request.queries)
    if fork_chart is None:
        raise TableEmpty("the benchmark has no series")
    return fork_chart


FORK_TABLES: Final = PageTables(
    scope=BENCHMARK,
    queries={ForkChartQuery: ()},
    compute=_read_fork_chart,
    tables={"forks": declared_table("Answers for each fork", COLUMNS, fork_chart_rows)},
    refusals=(UnknownRecording, UnknownYardstick),
    figures={"forks": fork_figure},
)
