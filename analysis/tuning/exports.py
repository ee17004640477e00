"""The tables of an exploration as CSV, JSON and lines: page, download and command say the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any, Final

from analysis.comparison.exports import ComparisonTable
from analysis.statistics.objectives import OBJECTIVES
from analysis.statistics.sensitivity import interval_widths
from analysis.tuning import page
from analysis.tuning.designs import ranges_of
from analysis.tuning.query import OUTPUTS, ResultsChoice
from analysis.tuning.reads import ExplorationResults
from analysis.web.aligned_lines import aligned
from formats.tables import Cell


def whats(reading: ExplorationResults) -> dict[str, str]:
    """Tables that there are of this kind, the first the usual one."""
    tables = OF_SENSITIVITY if reading.exploration.is_sensitivity else OF_TUNING
    return {name: description for name, (description, _) in tables.items()}


def exploration_table(
    reading: ExplorationResults, choice: ResultsChoice, table_name: str
) -> ComparisonTable:
    """One of `whats`. Raises NoResultsYet."""
    _, make = {**OF_SENSITIVITY, **OF_TUNING}[table_name]
    table = make(reading, choice)
    return ComparisonTable(
        table.columns, tuple(tuple(_finite(cell) for cell in row) for row in table.rows)
    )


def _finite(cell: Cell) -> Cell:
    """An empty cell where a figure does not exist: JSON has no word for not a number."""
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def _indices(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    columns = (
        *("parameter", "first", "first_half_width", "total", "total_half_width"),
        *("first_quarter", "first_quarter_half_width"),
        *("total_quarter", "total_quarter_half_width"),
        *("total_difference", "total_ratio"),
    )
    rows: list[tuple[Cell, ...]] = []
    for row in page.index_rows(reading.sensitivity(choice.output)):
        indices = (row.first, row.total, row.quarter_first, row.quarter_total)
        cells = [(index.value, index.half_width) if index else (None, None) for index in indices]
        move_cells = (row.moved.difference, row.moved.ratio) if row.moved else (None, None)
        rows.append((row.name, *(cell for pair in cells for cell in pair), *move_cells))
    return ComparisonTable(columns, tuple(rows))


def _pairs(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    second_order = reading.sensitivity(choice.output).whole.second
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*index.names, index.value, index.half_width) for index in second_order
    )
    return ComparisonTable(
        ("first_parameter", "second_parameter", "second", "second_half_width"), rows
    )


def _widths(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    """Mean and deviation of the widths of the intervals, with all samples and with a quarter."""
    convergence = reading.sensitivity(choice.output)
    samples = {"all": convergence.whole, "quarter": convergence.quarter}
    rows: list[tuple[Cell, ...]] = []
    for name, sobol_indices in samples.items():
        orders = (
            {
                "first": sobol_indices.first,
                "total": sobol_indices.total,
                "second": sobol_indices.second,
            }
            if sobol_indices
            else {}
        )
        for order, indices in orders.items():
            if (wide := interval_widths(indices)) is not None:
                rows.append((order, name, wide.n, wide.mean, wide.sd))
    return ComparisonTable(("order", "samples", "n", "mean_width", "sd_width"), tuple(rows))


def _best(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    best_rows = page.tuning_result(reading, choice).best
    table = _of_sets(reading, choice, [row.at for row in best_rows])
    rows = ((row.rank, *cells) for row, cells in zip(best_rows, table.rows, strict=True))
    return ComparisonTable(("rank", *table.columns), tuple(rows))


def _sets(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    return _of_sets(reading, choice, range(len(reading.sets)))


def _front(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    return _of_sets(reading, choice, reading.front((choice.x, choice.y)).tolist())


def _front_of_all(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    """Sets of which none is as good in every weighted figure and better in one, by the score."""
    set_indices = reading.unbeaten(choice.weights, choice.most_error).tolist()
    return _of_sets(reading, choice, set_indices)


def _of_sets(
    reading: ExplorationResults, choice: ResultsChoice, set_indices: Iterable[int]
) -> ComparisonTable:
    """Parameters and figures of the complete sets at these places; a tuning has scores, too."""
    figures: dict[str, list[float]] = {name: reading.figures[name].tolist() for name in OBJECTIVES}
    if not reading.exploration.is_sensitivity:
        scores = reading.scores(choice.weights, choice.most_error).tolist()
        figures = {"score": scores, **figures}
    sets = _values(reading)
    rows = tuple(
        (*sets[set_index], *(column[set_index] for column in figures.values()))
        for set_index in set_indices
    )
    return ComparisonTable((*_names(reading), *figures), rows)


def _names(reading: ExplorationResults) -> list[str]:
    return [parameter_range.of.name for parameter_range in ranges_of(reading.exploration)]


def _values(reading: ExplorationResults) -> list[tuple[Cell, ...]]:
    """The varied parameters of every complete set, as the method gets them."""
    are_whole = [
        parameter_range.of.rounding != "none" for parameter_range in ranges_of(reading.exploration)
    ]
    return [
        tuple(
            int(value) if is_whole else value
            for value, is_whole in zip(row, are_whole, strict=True)
        )
        for row in reading.sets.tolist()
    ]


def _unseen(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    validation = reading.unseen(choice.weights, choice.most_error)
    sets = _values(reading)
    rows = tuple(
        (", ".join(fold.held_out), *sets[fold.chosen], fold.seen, fold.unseen)
        for fold in validation.folds
    )
    return ComparisonTable(("held_out", *_names(reading), "seen", "unseen"), rows)


_EVERY_SET: Final = {"sets": ("Every set with its figures", _sets)}
OF_SENSITIVITY: Final = {
    "indices": ("Indices of each parameter", _indices),
    "pairs": ("Indices of pairs", _pairs),
    "widths": ("Widths of the intervals", _widths),
    **_EVERY_SET,
}
OF_TUNING: Final = {
    "best": ("Best sets", _best),
    **_EVERY_SET,
    "front": ("Pareto front of the two figures drawn", _front),
    "front-all": ("Pareto front of the weighted figures", _front_of_all),
    "unseen": ("Systems held out", _unseen),
}
"""Tables by name: what pages call each, and what makes it."""


def exploration_document(
    reading: ExplorationResults, choice: ResultsChoice, table_name: str, table: ComparisonTable
) -> dict[str, Any]:
    """The JSON of one table, with everything that its figures rest on."""
    exploration = reading.exploration
    document: dict[str, Any] = {
        "what": table_name,
        "study": exploration.study.slug,
        "exploration": exploration.public_id,
        "kind": exploration.kind,
        "method": exploration.method,
        "varied": exploration.varied,
        "held": exploration.held,
        "yardstick": exploration.yardstick,
        "yardstick_digest": exploration.truth_digest,
        "error": "predicted - truth, in iterations",
        "series": exploration.series_count,
        "hidden_until_answered": reading.left_out,
        "sets": exploration.wanted,
        "samples": exploration.samples,
        "seed": exploration.seed,
    }
    if exploration.is_sensitivity:
        document["output"] = {choice.output: OUTPUTS[choice.output]}
    else:
        document["weights"] = dict(choice.weights)
        document["most_error"] = choice.most_error
        document["machine_time_unit"] = reading.cost_basis.unit
        document |= _worth(reading, choice)
    return document | {"rows": table.records()}


def _worth(reading: ExplorationResults, choice: ResultsChoice) -> dict[str, Any]:
    validation = page.tuning_result(reading, choice).unseen
    if validation is None:
        return {"unseen_score": None}
    usual = validation.baseline_figures or {}
    return {
        "optimistic_score": _finite(validation.optimistic),
        "optimistic_figures": {
            name: _finite(figure) for name, figure in validation.optimistic_figures.items()
        },
        "unseen_score": _finite(validation.score),
        "unseen_figures": {name: _finite(figure) for name, figure in validation.figures.items()},
        "defaults_score": _finite(validation.baseline_score),
        "defaults_figures": {name: _finite(figure) for name, figure in usual.items()},
    }


def exploration_text(
    reading: ExplorationResults, choice: ResultsChoice, table: ComparisonTable
) -> Iterator[str]:
    """Heading, aligned columns, and what the figures are worth."""
    exploration = reading.exploration
    visible_count = exploration.series_count - reading.left_out
    yield f"{exploration.name} · {exploration.wanted} parameter sets × {visible_count} series\n"
    results_context = page.results_context(reading, choice)
    if "indices" in results_context:
        index_table = results_context["indices"]
        yield f"{index_table.sentence}\n{index_table.steady}\n{index_table.widths}\n"
    if "tuned" in results_context:
        yield f"{results_context['tuned'].sentence}\n{results_context['tuned'].honest}\n"
    yield from aligned(
        [list(table.columns), *([_cell(cell) for cell in row] for row in table.rows)],
        left_columns=0,
    )


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
