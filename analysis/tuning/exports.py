"""The tables of an exploration as CSV, JSON and lines: page, download and command say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, Final

from analysis.comparison.exports import Table
from analysis.statistics.objectives import OBJECTIVES
from analysis.tuning import page
from analysis.tuning.designs import ranges_of
from analysis.tuning.page import Choice
from analysis.tuning.reads import OUTPUTS, Reading
from formats.tables import Cell

WHATS: Final = {
    "indices": "Indices of each parameter",
    "pairs": "Indices of pairs",
    "best": "Best sets",
    "sets": "Every set with its figures",
    "front": "Pareto front of the two figures drawn",
    "front-all": "Pareto front of the weighted figures",
    "unseen": "Systems held out",
}
OF_SENSITIVITY: Final = ("indices", "pairs", "sets")
OF_TUNING: Final = ("best", "sets", "front", "front-all", "unseen")


def whats(reading: Reading) -> dict[str, str]:
    """Tables that there are of this kind, the first the usual one."""
    names = OF_SENSITIVITY if reading.exploration.is_sensitivity else OF_TUNING
    return {name: WHATS[name] for name in names}


def table(reading: Reading, choice: Choice, what: str) -> Table:
    """One of `whats`. Raises NothingYet."""
    makers = {
        "indices": _indices,
        "pairs": _pairs,
        "best": _best,
        "sets": _sets,
        "front": _front,
        "front-all": _front_of_all,
        "unseen": _unseen,
    }
    found = makers[what](reading, choice)
    return Table(found.columns, tuple(tuple(_finite(cell) for cell in row) for row in found.rows))


def _finite(cell: Cell) -> Cell:
    """An empty cell where a figure does not exist: JSON has no word for not a number."""
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def _indices(reading: Reading, choice: Choice) -> Table:
    columns = (
        *("parameter", "first", "first_half_width", "total", "total_half_width"),
        *("first_quarter", "first_quarter_half_width"),
        *("total_quarter", "total_quarter_half_width"),
    )
    rows: list[tuple[Cell, ...]] = []
    for row in page.index_rows(reading.sensitivity(choice.output)):
        found = (row.first, row.total, row.quarter_first, row.quarter_total)
        cells = [(each.value, each.half_width) if each else (None, None) for each in found]
        rows.append((row.name, *(cell for pair in cells for cell in pair)))
    return Table(columns, tuple(rows))


def _pairs(reading: Reading, choice: Choice) -> Table:
    found = reading.sensitivity(choice.output).whole.second
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*each.names, each.value, each.half_width) for each in found
    )
    return Table(("first_parameter", "second_parameter", "second", "second_half_width"), rows)


def _set_columns(reading: Reading) -> tuple[str, ...]:
    return tuple(each.of.name for each in ranges_of(reading.exploration))


def _best(reading: Reading, choice: Choice) -> Table:
    found = page.tuned(reading, choice).best
    columns = ("rank", *_set_columns(reading), "score", *OBJECTIVES)
    numbers = _values(reading)
    rows = tuple(
        (row.rank, *numbers[row.at], row.score, *(row.figures[name] for name in OBJECTIVES))
        for row in found
    )
    return Table(columns, rows)


def _values(reading: Reading) -> list[tuple[Cell, ...]]:
    """The varied parameters of every complete set, as the method gets them."""
    whole = [each.of.rounding != "none" for each in ranges_of(reading.exploration)]
    return [
        tuple(int(value) if is_whole else value for value, is_whole in zip(row, whole, strict=True))
        for row in reading.sets.tolist()
    ]


def _sets(reading: Reading, choice: Choice) -> Table:
    found = reading.figures
    tuning = not reading.exploration.is_sensitivity
    scores = reading.scores(choice.weights).tolist() if tuning else []
    figures = [found[name].tolist() for name in OBJECTIVES]
    rows = tuple(
        (*values, *scores[at : at + 1], *(column[at] for column in figures))
        for at, values in enumerate(_values(reading))
    )
    extra = ("score",) if tuning else ()
    return Table((*_set_columns(reading), *extra, *OBJECTIVES), rows)


def _front(reading: Reading, choice: Choice) -> Table:
    return _front_by(reading, choice, reading.front((choice.x, choice.y)).tolist())


def _front_of_all(reading: Reading, choice: Choice) -> Table:
    """Sets of which none is as good in every weighted figure and better in one, by the score."""
    return _front_by(reading, choice, reading.unbeaten(choice.weights).tolist())


def _front_by(reading: Reading, choice: Choice, places: Sequence[int]) -> Table:
    found, sets, scores = reading.figures, _values(reading), reading.scores(choice.weights)
    rows = tuple(
        (*sets[at], float(scores[at]), *(float(found[name][at]) for name in OBJECTIVES))
        for at in places
    )
    return Table((*_set_columns(reading), "score", *OBJECTIVES), rows)


def _unseen(reading: Reading, choice: Choice) -> Table:
    found = reading.unseen(choice.weights)
    sets = _values(reading)
    rows = tuple(
        (", ".join(fold.held_out), *sets[fold.chosen], fold.seen, fold.unseen)
        for fold in found.folds
    )
    return Table(("held_out", *_set_columns(reading), "seen", "unseen"), rows)


def document(reading: Reading, choice: Choice, what: str, found: Table) -> dict[str, Any]:
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
        document |= _worth(reading, choice)
    return document | {"rows": found.records()}


def _worth(reading: Reading, choice: Choice) -> dict[str, Any]:
    found = page.tuned(reading, choice).unseen
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


def as_text(reading: Reading, choice: Choice, found: Table) -> Iterator[str]:
    """Heading, aligned columns, and what the figures are worth."""
    of = reading.exploration
    seen = of.series_count - reading.left_out
    yield f"{of.name} · {of.wanted} parameter sets × {seen} series\n"
    shown = page.context(reading, choice)
    if "indices" in shown:
        yield f"{shown['indices'].sentence}\n{shown['indices'].steady}\n"
    if "tuned" in shown:
        yield f"{shown['tuned'].sentence}\n{shown['tuned'].honest}\n"
    yield from _aligned(
        [list(found.columns), *([_cell(each) for each in row] for row in found.rows)]
    )


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [text.rjust(width) for text, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip() + "\n"


def _cell(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
