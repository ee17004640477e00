"""The parameter sets of an exploration: drawn, kept as bytes, and read again."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from analysis.statistics.answers import Answers, Bools, Floats
from analysis.statistics.parameter_search import proposals
from analysis.statistics.parameter_space import ParameterSpace, grid
from analysis.statistics.sensitivity import parameter_sample
from analysis.tuning.models import Exploration, Part
from analysis.tuning.query import ExplorationQuery, Kind, ParameterRange
from detectors.contract import Context, Detector, ParameterError, Parameters, Values
from detectors.parameter_sets.evaluation import NO_ANSWER, SetAnswerer, Table, answering
from detectors.registry import UnknownDetector, get

ROUND: Final = 10  # sets that a search plans at once, enough for several workers
LEVEL: Final = 1  # level of zlib: answers repeat so much that more effort gains little


# --- drawing ----------------------------------------------------------------------------------
def first_design(query: ExplorationQuery) -> Floats:
    """The sets that are known at the start, a row each; of a search only the defaults."""
    if query.kind == Kind.SENSITIVITY:
        return parameter_sample(query.space, query.samples, seed=query.seed)
    if query.kind == Kind.GRID:
        levels = {r.parameter.name: r.levels for r in query.ranges}
        return np.vstack([query.defaults, grid(levels)])
    return query.defaults


def next_round(exploration: Exploration, trials: Floats, scores: Floats) -> Floats:
    """Propose the next sets of a search, after the sets `trials` had these scores (small is good).

    scores  (k,), or (k, objectives) of a search for a front
    The same history gives the same sets: whoever plans a round plans the same one.
    """
    count = min(ROUND, exploration.wanted - exploration.planned)
    return proposals(varied_space(exploration), trials, scores, count, seed=exploration.seed)


# --- kept as bytes ----------------------------------------------------------------------------
def pack_design(design: Floats) -> bytes:
    return zlib.compress(np.ascontiguousarray(design, "<f8").tobytes(), LEVEL)


def planned_sets(exploration: Exploration) -> Floats:
    """Every planned set: float64 (planned, varied parameters)."""
    flat_design = np.frombuffer(zlib.decompress(bytes(exploration.design)), "<f8")
    return flat_design.reshape(-1, len(exploration.varied))


def pack_answers(table: Table) -> bytes:
    return zlib.compress(np.ascontiguousarray(table, "<i4").tobytes(), LEVEL)


def unpack_answers(content: bytes, set_count: int, series_count: int) -> Table:
    """The answers of a part: int32 (sets, series)."""
    return np.frombuffer(zlib.decompress(content), "<i4").reshape(set_count, series_count)


def stored_truth(exploration: Exploration) -> Answers:
    """The yardstick's answers, aligned with its series, as they were when it began."""
    return Answers.from_arrays(np.frombuffer(bytes(exploration.truth), "<f8"))


# --- read again -------------------------------------------------------------------------------
def stored_ranges(exploration: Exploration) -> tuple[ParameterRange, ...]:
    return tuple(ParameterRange.from_json(stored_range) for stored_range in exploration.varied)


def exploration_method(exploration: Exploration) -> type[Detector]:
    """The method's class. Raises UnknownDetector, also for a version that is not this one."""
    slug, _, version = exploration.method.partition("@")
    method_class = get(slug)
    if method_class.version != version:
        raise UnknownDetector(
            f"no version {version!r} of {slug!r} here; there is: {method_class.version}"
        )
    return method_class


def varied_space(exploration: Exploration) -> ParameterSpace:
    """The space of varied parameters, with the values of held parameters."""
    parameter_by_name = {
        parameter.name: parameter for parameter in exploration_method(exploration).Params.declared()
    }
    held_values = {
        name: parameter_by_name[name].parse(text) for name, text in exploration.held.items()
    }
    return ParameterSpace(tuple(r.parameter for r in stored_ranges(exploration)), held_values)


def row_parameters(exploration: Exploration, row: Floats) -> Parameters:
    """The parameters that one row of the design stands for. Raises ParameterError."""
    space, method = varied_space(exploration), exploration_method(exploration)
    return space.parameters(method.Params, row[None, :])[0]


@dataclass(frozen=True, slots=True, eq=False)
class AnswerMatrix:
    """Answers so far: int32 (planned sets, series), -2 where there is none yet.

    complete  bool (sets,): every series of the exploration has been asked under this set
    """

    table: Table
    complete: Bools


def stored_answers(exploration: Exploration) -> AnswerMatrix:
    """Everything that is stored of the planned sets."""
    shape = exploration.planned, exploration.series_count
    table = np.full(shape, NO_ANSWER, np.int32)
    answered_counts = np.zeros(exploration.planned, np.int64)
    finished_units = exploration.units.filter(state=Part.State.DONE).exclude(answers=b"")
    for unit in finished_units.iterator(chunk_size=50):
        set_slice = slice(unit.first_set, unit.first_set + unit.sets)
        series_slice = slice(unit.first_series, unit.first_series + unit.series)
        table[set_slice, series_slice] = unpack_answers(bytes(unit.answers), unit.sets, unit.series)
        answered_counts[set_slice] += unit.series
    return AnswerMatrix(table, answered_counts == exploration.series_count)


@lru_cache(maxsize=2)
def set_answerer(exploration_id: str, first_set: int, count: int) -> SetAnswerer:
    """Build the answerer of `count` planned sets from `first_set` on, once a process.

    A set that a rule between parameters refuses has no answer for any series.
    """
    stored_exploration = Exploration.objects.get(public_id=exploration_id)
    space, method = varied_space(stored_exploration), exploration_method(stored_exploration)
    design_rows = planned_sets(stored_exploration)[first_set : first_set + count]
    allowed_params = [_allowed_parameters(space, method, row) for row in design_rows]
    is_allowed = np.array([params is not None for params in allowed_params], np.bool_)
    answer_sets = answering(method, [params for params in allowed_params if params is not None])
    return answer_sets if is_allowed.all() else _skip_forbidden(answer_sets, is_allowed)


def _allowed_parameters(
    space: ParameterSpace, method: type[Detector], row: Floats
) -> Parameters | None:
    try:
        return space.parameters(method.Params, row[None, :])[0]
    except ParameterError:
        return None


def _skip_forbidden(answer_sets: SetAnswerer, is_allowed: np.ndarray) -> SetAnswerer:
    def answer_allowed_sets(values: Values, context: Context) -> Table:
        answers = np.full(is_allowed.size, NO_ANSWER, np.int32)
        answers[is_allowed] = answer_sets(values, context)
        return answers

    return answer_allowed_sets
