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
from analysis.web.command_output import aligned
from formats.tables import Cell


def whats(reading: ExplorationResults) -> dict[str, str]:
    """Tables that there are of this kind, the first the usual one."""
    tables = OF_SENSITIVITY if reading.exploration.is_sensitivity else OF_TUNING
    return {name: words for name, (words, _) in tables.items()}


def exploration_table(
    reading: ExplorationResults, choice: ResultsChoice, what: str
) -> ComparisonTable:
    """One of `whats`. Raises NoResultsYet."""
    _, make = {**OF_SENSITIVITY, **OF_TUNING}[what]
    found = make(reading, choice)
    return ComparisonTable(
        found.columns, tuple(tuple(_finite(cell) for cell in row) for row in found.rows)
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
        found = (row.first, row.total, row.quarter_first, row.quarter_total)
        cells = [(each.value, each.half_width) if each else (None, None) for each in found]
        moved = (row.moved.difference, row.moved.ratio) if row.moved else (None, None)
        rows.append((row.name, *(cell for pair in cells for cell in pair), *moved))
    return ComparisonTable(columns, tuple(rows))


def _pairs(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    found = reading.sensitivity(choice.output).whole.second
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*each.names, each.value, each.half_width) for each in found
    )
    return ComparisonTable(
        ("first_parameter", "second_parameter", "second", "second_half_width"), rows
    )


def _widths(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    """Mean and deviation of the widths of the intervals, with all samples and with a quarter."""
    found = reading.sensitivity(choice.output)
    samples = {"all": found.whole, "quarter": found.quarter}
    rows: list[tuple[Cell, ...]] = []
    for name, each in samples.items():
        orders = {"first": each.first, "total": each.total, "second": each.second} if each else {}
        for order, indices in orders.items():
            if (wide := interval_widths(indices)) is not None:
                rows.append((order, name, wide.n, wide.mean, wide.sd))
    return ComparisonTable(("order", "samples", "n", "mean_width", "sd_width"), tuple(rows))


def _best(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    best = page.tuning_result(reading, choice).best
    found = _of_sets(reading, choice, [row.at for row in best])
    rows = ((row.rank, *cells) for row, cells in zip(best, found.rows, strict=True))
    return ComparisonTable(("rank", *found.columns), tuple(rows))


def _sets(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    return _of_sets(reading, choice, range(len(reading.sets)))


def _front(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    return _of_sets(reading, choice, reading.front((choice.x, choice.y)).tolist())


def _front_of_all(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    """Sets of which none is as good in every weighted figure and better in one, by the score."""
    places = reading.unbeaten(choice.weights, choice.most_error).tolist()
    return _of_sets(reading, choice, places)


def _of_sets(
    reading: ExplorationResults, choice: ResultsChoice, places: Iterable[int]
) -> ComparisonTable:
    """Parameters and figures of the complete sets at these places; a tuning has scores, too."""
    figures: dict[str, list[float]] = {name: reading.figures[name].tolist() for name in OBJECTIVES}
    if not reading.exploration.is_sensitivity:
        scores = reading.scores(choice.weights, choice.most_error).tolist()
        figures = {"score": scores, **figures}
    sets = _values(reading)
    rows = tuple((*sets[at], *(column[at] for column in figures.values())) for at in places)
    return ComparisonTable((*_names(reading), *figures), rows)


def _names(reading: ExplorationResults) -> list[str]:
    return [each.of.name for each in ranges_of(reading.exploration)]


def _values(reading: ExplorationResults) -> list[tuple[Cell, ...]]:
    """The varied parameters of every complete set, as the method gets them."""
    whole = [each.of.rounding != "none" for each in ranges_of(reading.exploration)]
    return [
        tuple(int(value) if is_whole else value for value, is_whole in zip(row, whole, strict=True))
        for row in reading.sets.tolist()
    ]


def _unseen(reading: ExplorationResults, choice: ResultsChoice) -> ComparisonTable:
    found = reading.unseen(choice.weights, choice.most_error)
    sets = _values(reading)
    rows = tuple(
        (", ".join(fold.held_out), *sets[fold.chosen], fold.seen, fold.unseen)
        for fold in found.folds
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
    reading: ExplorationResults, choice: ResultsChoice, what: str, found: ComparisonTable
) -> dict[str, Any]:
    """The JSON of one table, with everything that its figures rest on."""
    of = reading.exploration
    document: dict[str, Any] = {
        "what": what,
        "study": of.study.slug,
        "exploration": of.public_id,
        "kind": of.kind,
        "method": of.method,
        "varied": of.varied,
        "held": of.held,
        "yardstick": of.yardstick,
        "yardstick_digest": of.truth_digest,
        "error": "predicted - truth, in iterations",
        "series": of.series_count,
        "hidden_until_answered": reading.left_out,
        "sets": of.wanted,
        "samples": of.samples,
        "seed": of.seed,
    }
    if of.is_sensitivity:
        document["output"] = {choice.output: OUTPUTS[choice.output]}
    else:
        document["weights"] = dict(choice.weights)
        document["most_error"] = choice.most_error
        document["machine_time_unit"] = reading.cost_basis.unit
        document |= _worth(reading, choice)
    return document | {"rows": found.records()}


def _worth(reading: ExplorationResults, choice: ResultsChoice) -> dict[str, Any]:
    found = page.tuning_result(reading, choice).unseen
    if found is None:
        return {"unseen_score": None}
    usual = found.baseline_figures or {}
    return {
        "optimistic_score": _finite(found.optimistic),
        "optimistic_figures": {name: _finite(at) for name, at in found.optimistic_figures.items()},
        "unseen_score": _finite(found.score),
        "unseen_figures": {name: _finite(at) for name, at in found.figures.items()},
        "defaults_score": _finite(found.baseline_score),
        "defaults_figures": {name: _finite(at) for name, at in usual.items()},
    }


def exploration_text(
    reading: ExplorationResults, choice: ResultsChoice, found: ComparisonTable
) -> Iterator[str]:
    """Heading, aligned columns, and what the figures are worth."""
    of = reading.exploration
    seen = of.series_count - reading.left_out
    yield f"{of.name} · {of.wanted} parameter sets × {seen} series\n"
    shown = page.results_context(reading, choice)
    if "indices" in shown:
        told = shown["indices"]
        yield f"{told.sentence}\n{told.steady}\n{told.widths}\n"
    if "tuned" in shown:
        yield f"{shown['tuned'].sentence}\n{shown['tuned'].honest}\n"
    yield from aligned(
        [list(found.columns), *([_cell(each) for each in row] for row in found.rows)], left=0
    )


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
