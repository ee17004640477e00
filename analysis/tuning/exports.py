"""Tables of an exploration: indices of parameters, or parameter sets with their figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, Final, NamedTuple

from analysis.statistics.sensitivity import interval_widths
from analysis.statistics.tuning_objectives import OBJECTIVES
from analysis.tuning import page
from analysis.tuning.designs import stored_ranges
from analysis.tuning.models import Exploration
from analysis.tuning.query import OUTPUTS, ResultsChoice, ResultsQuery
from analysis.tuning.reads import ExplorationResults, NoResultsYet, exploration_goal
from analysis.web.aligned_lines import aligned_lines
from analysis.web.page_tables import (
    PageTable,
    PageTables,
    Row,
    TableNotReady,
    TableRequest,
    TableScope,
)
from formats.tables import Cell
from people.access import study_for

_INDEX_COLUMNS: Final = {
    "parameter": "parameter that varies",
    "first": "first-order index: share of the variance that the parameter explains alone",
    "first_half_width": "half of its 95 % interval",
    "total": "total index: share that the parameter explains with all others",
    "total_half_width": "half of its 95 % interval",
    "first_quarter": "first-order index of a quarter of the samples",
    "first_quarter_half_width": "half of its 95 % interval",
    "total_quarter": "total index of a quarter of the samples",
    "total_quarter_half_width": "half of its 95 % interval",
    "total_difference": "difference of the total index of all samples and of a quarter",
    "total_ratio": "that difference as a share of the half interval",
}
_PAIR_COLUMNS: Final = {
    "first_parameter": "first of the two parameters",
    "second_parameter": "second of the two parameters",
    "second": "second-order index: share of the variance that only the two together explain",
    "second_half_width": "half of its 95 % interval",
}
_WIDTH_COLUMNS: Final = {
    "order": "first, total or second: kind of the indices",
    "samples": "all samples, or a quarter of them",
    "n": "indices of that kind",
    "mean_width": "mean width of their 95 % intervals",
    "sd_width": "standard deviation of these widths",
}


class TuningResults(NamedTuple):
    """Results of an exploration, and what is chosen to see of them."""

    reading: ExplorationResults
    choice: ResultsChoice


Rows = Iterable[Row]


def _finite(cell: Cell) -> Cell:
    """An empty cell where a figure does not exist: JSON has no word for not a number."""
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def _index_rows(results: TuningResults) -> Rows:
    for row in page.index_rows(results.reading.sensitivity(results.choice.output)):
        indices = (row.first, row.total, row.quarter_first, row.quarter_total)
        cells = [(index.value, index.half_width) if index else (None, None) for index in indices]
        move_cells = (move.difference, move.ratio) if (move := row.difference) else (None, None)
        yield (row.name, *(cell for pair in cells for cell in pair), *move_cells)


def _pair_rows(results: TuningResults) -> Rows:
    for index in results.reading.sensitivity(results.choice.output).whole.second:
        yield (*index.names, index.value, index.half_width)


def _width_rows(results: TuningResults) -> Rows:
    """Mean and deviation of the widths of the intervals, with all samples and with a quarter."""
    convergence = results.reading.sensitivity(results.choice.output)
    for sample_name, indices in {"all": convergence.whole, "quarter": convergence.quarter}.items():
        for order in ("first", "total", "second") if indices else ():
            if (widths := interval_widths(getattr(indices, order))) is not None:
                yield order, sample_name, widths.n, widths.mean, widths.sd


# --- parameter sets ---------------------------------------------------------------------------
def _parameter_columns(results: TuningResults) -> dict[str, str]:
    ranges = stored_ranges(results.reading.exploration)
    return {varied_range.parameter.name: "value of this parameter" for varied_range in ranges}


def _set_columns(results: TuningResults) -> dict[str, str]:
    """Parameters and figures of a set; a tuning has a score, too."""
    score = {"score": "weighted figures against those of the defaults; the least is best"}
    is_sensitivity = results.reading.exploration.is_sensitivity
    figures: Mapping[str, str] = {str(name): words for name, words in OBJECTIVES.items()}
    return {**_parameter_columns(results), **({} if is_sensitivity else score), **figures}


def _set_rows(results: TuningResults, set_indices: Iterable[int]) -> Rows:
    """Parameters and figures of the complete sets at these places."""
    reading, choice = results
    columns: list[list[float]] = [reading.figures[name].tolist() for name in OBJECTIVES]
    if not reading.exploration.is_sensitivity:
        columns.insert(0, reading.scores(choice.weights, choice.most_error).tolist())
    sets = _set_values(reading)
    return [
        (*sets[set_index], *(column[set_index] for column in columns)) for set_index in set_indices
    ]


def _set_values(reading: ExplorationResults) -> list[Row]:
    """The varied parameters of every complete set, as the method gets them."""
    are_whole = [r.parameter.rounding != "none" for r in stored_ranges(reading.exploration)]
    return [
        [int(value) if is_whole else value for value, is_whole in zip(row, are_whole, strict=True)]
        for row in reading.sets.tolist()
    ]


def _best_rows(results: TuningResults) -> Rows:
    best_rows = page.tuning_result(*results).best
    sets = _set_rows(results, [row.set_index for row in best_rows])
    return [(row.rank, *cells) for row, cells in zip(best_rows, sets, strict=True)]


def _unbeaten_rows(results: TuningResults) -> Rows:
    """Sets of which none is as good in every weighted figure and better in one, by the score."""
    reading, choice = results
    return _set_rows(results, reading.unbeaten(choice.weights, choice.most_error).tolist())


def _unseen_rows(results: TuningResults) -> Rows:
    reading, choice = results
    sets = _set_values(reading)
    for fold in reading.unseen(choice.weights, choice.most_error).folds:
        yield (", ".join(fold.held_out), *sets[fold.chosen], fold.seen, fold.unseen)


# --- which tables there are -------------------------------------------------------------------
def _table(
    title: str,
    columns: Mapping[str, str] | Callable[[TuningResults], Mapping[str, str]],
    rows: Callable[[TuningResults], Rows],
) -> PageTable[TuningResults]:
    """Table without infinite figures. Its rows raise TableNotReady while there are no results."""

    def finite_rows(results: TuningResults) -> Rows:
        try:
            return [tuple(map(_finite, row)) for row in rows(results)]
        except NoResultsYet as error:
            raise TableNotReady(str(error)) from error

    return PageTable(title, columns, finite_rows)


def _read_results(request: TableRequest) -> TuningResults:
    exploration, (query,) = request.scope, request.queries
    choice = query.choice(exploration_goal(exploration), exploration.most_error)
    return TuningResults(ExplorationResults(exploration, request.reader), choice)


def _settings_and_counts(results: TuningResults, table_name: str) -> dict[str, Any]:
    """Everything that the figures rest on."""
    reading, choice = results
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
        "hidden_until_answered": reading.hidden_count,
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
        document |= _validation_scores(reading, choice)
    return document


def _validation_scores(reading: ExplorationResults, choice: ResultsChoice) -> dict[str, Any]:
    validation = page.tuning_result(reading, choice).unseen
    if validation is None:
        return {"unseen_score": None}
    baseline_figures = validation.baseline_figures or {}
    return {
        "optimistic_score": _finite(validation.optimistic),
        "optimistic_figures": {
            name: _finite(figure) for name, figure in validation.optimistic_figures.items()
        },
        "unseen_score": _finite(validation.score),
        "unseen_figures": {name: _finite(figure) for name, figure in validation.figures.items()},
        "defaults_score": _finite(validation.baseline_score),
        "defaults_figures": {name: _finite(figure) for name, figure in baseline_figures.items()},
    }


def _report_lines(results: TuningResults, table_name: str) -> Iterator[str]:
    """Heading, aligned columns, and what the figures are worth."""
    reading, choice = results
    columns, rows = exploration_tables(reading.exploration).table(results, table_name)
    exploration = reading.exploration
    visible_count = exploration.series_count - reading.hidden_count
    yield f"{exploration.name} · {exploration.wanted} parameter sets × {visible_count} series\n"
    results_context = page.results_context(reading, choice)
    if "indices" in results_context:
        table = results_context["indices"]
        yield f"{table.sentence}\n{table.convergence_sentence}\n{table.width_sentence}\n"
    if "tuned" in results_context:
        tuning = results_context["tuned"]
        yield f"{tuning.sentence}\n{tuning.validation_sentence}\n"
    yield from aligned_lines(
        [columns, *([_cell_text(cell) for cell in row] for row in rows)], left_columns=0
    )


def _cell_text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def _exploration_tables(
    tables: Mapping[str, PageTable[TuningResults]],
) -> PageTables[TuningResults]:
    return PageTables(
        scope=TableScope(
            *("scope", "STUDY/CAMPAIGN", str, study_for),
            lambda exploration: (exploration.study.slug, exploration.kind),
        ),
        queries={ResultsQuery: ()},
        compute=_read_results,
        tables=tables,
        about=_settings_and_counts,
        lines=_report_lines,
    )


_EVERY_SET: Final = _table(
    "Every set with its figures",
    _set_columns,
    lambda results: _set_rows(results, range(len(results.reading.sets))),
)
SENSITIVITY_TABLES: Final = _exploration_tables(
    {
        "indices": _table("Indices of each parameter", _INDEX_COLUMNS, _index_rows),
        "pairs": _table("Indices of pairs", _PAIR_COLUMNS, _pair_rows),
        "widths": _table("Widths of the intervals", _WIDTH_COLUMNS, _width_rows),
        "sets": _EVERY_SET,
    }
)
TUNING_TABLES: Final = _exploration_tables(
    {
        "best": _table(
            "Best sets",
            lambda results: {"rank": "place by the score; empty: defaults"} | _set_columns(results),
            _best_rows,
        ),
        "sets": _EVERY_SET,
        "front": _table(
            "Pareto front of the two figures drawn",
            _set_columns,
            lambda results: _set_rows(
                results, results.reading.front((results.choice.x, results.choice.y)).tolist()
            ),
        ),
        "front-all": _table("Pareto front of the weighted figures", _set_columns, _unbeaten_rows),
        "unseen": _table(
            "Systems held out",
            lambda results: {
                "held_out": "systems or benchmarks that the choice had not seen",
                **_parameter_columns(results),
                "seen": "score on the others, by which the set was chosen",
                "unseen": "score on those held out",
            },
            _unseen_rows,
        ),
    }
)


def exploration_tables(exploration: Exploration) -> PageTables[TuningResults]:
    return SENSITIVITY_TABLES if exploration.is_sensitivity else TUNING_TABLES
