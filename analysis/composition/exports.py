"""Files of a composition: a row a system; a row a series with shape, noise and their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analysis.composition.reads import SystemComposition, composition_of
from analysis.web.page_tables import DATASET, PageTables, TableRequest, declared_table
from annotate.blind import Reader, visible_series
from detectors.shapes.noise import NoiseFacts
from detectors.shapes.series_shape import RULE, Shape, ShapeFacts
from detectors.shapes.shape_words import MEANINGS, WORDS
from formats.tables import Cell, TableColumn
from series.models import Dataset, Series
from series.shape_facts import shape_facts
from series.values.exports import DIGEST, SERIES_COLUMNS

# --- systems ----------------------------------------------------------------------------------
Column = TableColumn[SystemComposition]
_SYSTEMS: Final[tuple[Column, ...]] = (
    Column("system", lambda row: row.system, "system; “all” for the whole data set"),
    Column("benchmarks", lambda row: row.benchmarks, "benchmarks of the system"),
    Column("recordings", lambda row: row.recordings, "recordings that have one of them"),
    Column("series", lambda row: row.series, "series: forks of all benchmarks and recordings"),
    Column("forks_least", lambda row: row.forks[0], "fewest forks of a benchmark in a recording"),
    Column("forks_most", lambda row: row.forks[1], "most forks of a benchmark in a recording"),
    Column("iterations_least", lambda row: row.iterations[0], "iterations of the shortest series"),
    Column("iterations_most", lambda row: row.iterations[1], "iterations of the longest series"),
    Column("values", lambda row: row.values, "iterations of all series together"),
    Column(
        "units", lambda row: " ".join(row.units), "units of its benchmarks, separated by spaces"
    ),
    Column("visible", lambda row: row.n_visible, "series that the following columns count"),
    Column("steady", lambda row: row.steady, "that become steady, by ground truth"),
    Column("never", lambda row: row.never, "that never do, by ground truth"),
    Column("unanswered", lambda row: row.unanswered, "without ground truth"),
    Column("noisy", lambda row: row.noisy, "whose last half is noisy"),
    Column("untold", lambda row: row.unshaped, "whose shape no worker has determined yet"),
)


def _shape_column(shape: Shape) -> Column:
    name = f"shape_{shape.replace('-', '_')}"
    return Column(name, lambda row: row.shapes[shape], f"series of the shape “{WORDS[shape]}”")


SYSTEM_COLUMNS: Final = (*_SYSTEMS, *map(_shape_column, MEANINGS))


# --- series -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ExportedShape:
    """One row of the shapes CSV."""

    dataset: Dataset
    series: Series
    shape: ShapeFacts | None
    noise: NoiseFacts | None


ShapeColumn = TableColumn[ExportedShape]


def _shape_field(name: str, meaning: str) -> ShapeColumn:
    """A field of the shape; its cell is empty as long as no worker has told it."""
    return TableColumn[ShapeFacts](name, lambda facts: _cell(facts, name), meaning).column_of_part(
        lambda row: row.shape
    )


def _noise_field(name: str, meaning: str, field: str = "") -> ShapeColumn:
    return TableColumn[NoiseFacts](
        name, lambda facts: _cell(facts, field or name), meaning
    ).column_of_part(lambda row: row.noise)


def _cell(facts: ShapeFacts | NoiseFacts, name: str) -> Cell:
    field_value = getattr(facts, name)
    cell: Cell = " ".join(map(str, field_value)) if isinstance(field_value, tuple) else field_value
    return cell


SHAPE_COLUMNS: Final[tuple[ShapeColumn, ...]] = (
    ShapeColumn("dataset", lambda row: row.dataset.slug),
    ShapeColumn("dataset_name", lambda row: row.dataset.name),
    *(column.column_of_part(lambda row: row.series) for column in SERIES_COLUMNS),
    _shape_field("shape", f"one of: {', '.join(MEANINGS)}; empty: not determined yet"),
    _shape_field("classes", "all classes that fit, separated by spaces"),
    _noise_field("noise", "quiet or noisy; empty: too short to tell"),
    _noise_field("reasons", "what makes it noisy: outliers, dependence, drift, spread"),
    _shape_field("level", "model of the level with the least BIC"),
    _shape_field("margin", "how much lower its BIC is than that of one level"),
    _shape_field("runner_up", "the next best model"),
    _shape_field("runner_up_margin", "how much higher its BIC is"),
    _shape_field("reach", "difference of the lowest and the highest level: 0.1 is 10 %"),
    _shape_field("change", "difference of the first and the last level, with its sign"),
    _shape_field("share", "share of the spread of values that the level explains"),
    _shape_field("changes", "of steps: first iteration of each level after the first"),
    _shape_field("length", "iterations: time constant of a decay, period of slow cycles"),
    _shape_field("period", "iterations: period of fast cycles; 0: none"),
    _shape_field("repeats", "autocorrelation at that period"),
    _shape_field("fast_share", "share of the spread that fast cycles explain"),
    _shape_field("spikes", "single values far above and far below the level"),
    _noise_field("outliers", "share of outliers in the last half"),
    _noise_field("lag_one", "autocorrelation of the last half at lag 1"),
    _noise_field("integrated_time", "integrated autocorrelation time, in iterations", "time"),
    _noise_field("drift", "change over the last half, as a share of its level"),
    _noise_field("drift_p", "p-value of that change (Mann-Kendall)", "p"),
    _noise_field("spread", "robust standard deviation, as a share of the level"),
    ShapeColumn("rule", lambda row: RULE if row.shape else None, "version of the rules"),
    DIGEST.column_of_part(lambda row: row.series),
)


def shape_rows(dataset: Dataset, reader: Reader) -> Iterator[ExportedShape]:
    """A row for each series of the data set that `reader` may see."""
    series = visible_series(reader, Series.objects.filter(benchmark__dataset=dataset))
    ordered_series = series.select_related("benchmark", "recording", "shaped").order_by(
        *("benchmark__system", "benchmark__name", "benchmark__params", "recording_id", "fork")
    )
    for series_row in ordered_series.iterator(chunk_size=2000):
        stored_shape = getattr(series_row, "shaped", None)
        shape_and_noise = (
            shape_facts(stored_shape.facts)
            if stored_shape and stored_shape.rule == RULE
            else (None, None)
        )
        yield ExportedShape(dataset, series_row, *shape_and_noise)


COMPOSITION_TABLES: Final[PageTables[TableRequest]] = PageTables(
    scope=DATASET,
    queries={},
    compute=lambda request: request,
    tables={
        "systems": declared_table(
            "Systems",
            SYSTEM_COLUMNS,
            lambda request: composition_of(request.scope, request.reader).lines,
        ),
        "shapes": declared_table(
            "Shapes and noise of series",
            SHAPE_COLUMNS,
            lambda request: shape_rows(request.scope, request.reader),
        ),
    },
)
