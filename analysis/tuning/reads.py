"""Results of an exploration for one reader, without series that they have not answered yet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
from django.core.cache import cache

from analysis.statistics.answers import Answers, Floats, Indices
from analysis.statistics.sensitivity import IndexConvergence, index_convergence, squared_sum
from analysis.statistics.start_outcomes import CostBasis, StartOutcomes
from analysis.statistics.tuning_objectives import (
    OBJECTIVES,
    HeldOutSystems,
    Objective,
    ObjectiveFigures,
    TuningValidation,
    cross_validated,
    figures,
    held_out_systems,
    pareto_front,
    score,
    set_scales,
)
from analysis.tuning import designs
from analysis.tuning.models import Exploration, Part
from analysis.tuning.query import GOAL, Output
from analysis.tuning.series_outcomes import read_outcomes
from annotate.blind import Reader, visible_series
from detectors.contract.parameters import parameter_text
from detectors.parameter_sets.evaluation import Table
from series.models import Series

Computed = TypeVar("Computed")

KEPT_SECONDS: Final = 7 * 24 * 3600
DEFAULTS: Final = 0  # row of a design with the method's defaults


class NoResultsYet(ValueError):
    """Error: no figures to show; its sentence says why, and what would make some."""


@dataclass(frozen=True)
class ExplorationResults:
    """An exploration as one reader may read it."""

    exploration: Exploration
    reader: Reader

    # --- what may be seen -------------------------------------------------------------------
    @cached_property
    def _systems(self) -> Mapping[int, tuple[str, str]]:
        """System and benchmark of each series that the reader may see, by primary key."""
        study_series = Series.objects.filter(benchmark__dataset__study=self.exploration.study)
        series = visible_series(self.reader, study_series)
        rows = series.values_list("pk", "benchmark__system", "benchmark__name")
        exploration_pks = set(self.exploration.series_ids)
        return {pk: (system, name) for pk, system, name in rows if pk in exploration_pks}

    @cached_property
    def columns(self) -> Indices:
        """Positions of the series that count, among the exploration's."""
        visible_positions = [
            position
            for position, pk in enumerate(self.exploration.series_ids)
            if pk in self._systems
        ]
        return np.array(visible_positions, dtype=np.int64)

    @property
    def hidden_count(self) -> int:
        """Series that the reader has yet to answer, or that are gone."""
        return self.exploration.series_count - self.columns.size

    @cached_property
    def truth(self) -> Answers:
        return designs.stored_truth(self.exploration).take(self.columns)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The system of each series; its benchmark where all are of one system."""
        series_pks = [self.exploration.series_ids[position] for position in self.columns.tolist()]
        name_index = 0 if self.by_system else 1
        return tuple(self._systems[pk][name_index] for pk in series_pks)

    @cached_property
    def by_system(self) -> bool:
        return len({system for system, _ in self._systems.values()}) > 1

    # --- the answers ------------------------------------------------------------------------
    @cached_property
    def _rows(self) -> tuple[Floats, Table]:
        """Complete parameter sets (k, parameters), and their answers (k, series)."""
        stored_answers = designs.stored_answers(self.exploration)
        design = designs.planned_sets(self.exploration)
        table = stored_answers.table[np.ix_(np.flatnonzero(stored_answers.complete), self.columns)]
        return design[stored_answers.complete], table

    @cached_property
    def sets(self) -> Floats:
        """Complete parameter sets (k, parameters), in the order of the design."""
        return self._cached("sets", lambda: self._rows[0])

    @property
    def _table(self) -> Table:
        return self._rows[1]

    @cached_property
    def figures(self) -> ObjectiveFigures:
        """Objective figures of every complete set."""
        self._refuse_if_empty()
        return self._cached(
            "figures by name", lambda: figures(self._table, self.truth, outcomes=self.outcomes)
        )

    @cached_property
    def outcomes(self) -> StartOutcomes:
        """Costs and measured errors of tests of the series."""
        series_pks = [self.exploration.series_ids[position] for position in self.columns.tolist()]
        return read_outcomes(series_pks, self.truth)

    @cached_property
    def cost_basis(self) -> CostBasis:
        return self._cached("cost basis", lambda: self.outcomes.basis)

    # --- sensitivity ------------------------------------------------------------------------
    def sensitivity(self, output: Output) -> IndexConvergence:
        """The indices of one output. Raises NoResultsYet."""
        self._refuse_if_empty()
        return self._cached(f"sobol:{output}", lambda: self._sensitivity(output))

    def _sensitivity(self, output: Output) -> IndexConvergence:
        if len(self.sets) < self.exploration.wanted:
            raise NoResultsYet("Indices need the answers of all parameter sets.")
        outputs = squared_sum(self._table, self.truth) if output == "squared" else None
        outputs = self.figures[output] if outputs is None else outputs
        if not np.isfinite(outputs).all():
            raise NoResultsYet(
                f"For some parameter sets there is no {output.replace('_', ' ')}: they call no "
                "series steady that the yardstick does. Choose another figure."
            )
        space = designs.varied_space(self.exploration)
        return index_convergence(space, outputs, seed=self.exploration.seed % 2**32)

    # --- tuning -----------------------------------------------------------------------------
    def scores(self, weights: Mapping[Objective, float], most_error: float | None = None) -> Floats:
        """Score of every complete set; 1 for each weight equals the defaults. Smaller is better.

        Infinite for a set whose result is off by more than `most_error` percent.
        """
        return score(self.figures, weights, set_scales(self.figures, DEFAULTS), most_error)

    def unseen(
        self, weights: Mapping[Objective, float], most_error: float | None = None
    ) -> TuningValidation:
        """Score of the choice on systems that were held out from it. Raises NoResultsYet."""
        self._refuse_if_empty()
        if len(set(self.groups)) < 2:
            raise NoResultsYet("All series are of one benchmark: none can be held out.")
        weights_text = ",".join(f"{name}={weight!r}" for name, weight in weights.items())
        return self._cached(
            f"unseen and costs:{weights_text} {most_error!r}",
            lambda: cross_validated(
                *(self._table, self.truth, self.figures, self._parts, weights),
                baseline=DEFAULTS,
                outcomes=self.outcomes,
                most_error=most_error,
            ),
        )

    @property
    def _parts(self) -> tuple[HeldOutSystems, ...]:
        return self._cached(
            "parts by name",
            lambda: held_out_systems(self._table, self.truth, self.groups, outcomes=self.outcomes),
        )

    def front(self, objectives: tuple[Objective, ...], most_error: float | None = None) -> Indices:
        """Positions of the sets that no other within the limit beats in all of these."""
        settings_text = f"{','.join(objectives)}|{most_error}"
        return self._cached(
            f"front:{settings_text}", lambda: pareto_front(self.figures, objectives, most_error)
        )

    def unbeaten(
        self, weights: Mapping[Objective, float], most_error: float | None = None
    ) -> Indices:
        """Positions of the sets that no other beats in all weighted figures, by their score."""
        front, scores = self.front(tuple(weights), most_error), self.scores(weights)
        ordered_front: Indices = front[np.argsort(scores[front], kind="stable")]
        return ordered_front

    def parameter_texts(self, position: int) -> dict[str, str]:
        """The varied parameters of a complete set, as text, by name."""
        ranges = designs.stored_ranges(self.exploration)
        row = self.sets[position].tolist()
        return {
            parameter_range.parameter.name: parameter_text(value)
            for parameter_range, value in zip(ranges, row, strict=True)
        }

    def detector_key(self, position: int) -> str:
        """The whole key of a complete set. Raises UnknownDetector and ParameterError."""
        params = designs.row_parameters(self.exploration, self.sets[position])
        return designs.exploration_method(self.exploration).with_params(params).key

    # --- kept -------------------------------------------------------------------------------
    def _refuse_if_empty(self) -> None:
        """Raise NoResultsYet where no figure can be."""
        if not self.columns.size:
            raise NoResultsYet(
                "You have yet to answer all of its series, or may still be asked to."
            )
        if not len(self.sets):
            raise NoResultsYet("No parameter set has been answered for all series yet.")

    @cached_property
    def _state(self) -> str:
        """Digest of what all figures depend on: stored answers, and series that count."""
        finished_units = self.exploration.units.filter(state=Part.State.DONE)
        unit_pks = " ".join(map(str, finished_units.order_by("pk").values_list("pk", flat=True)))
        last_finish = (
            finished_units.order_by("-finished").values_list("finished", flat=True).first()
        )
        digest = hashlib.sha256(f"{unit_pks}|{last_finish}".encode())
        digest.update(self.columns.tobytes())
        return digest.hexdigest()

    def _cached(self, name: str, compute_figures: Callable[[], Computed]) -> Computed:
        """Computed once for all who may see the same; a change of answers is another name."""
        state_and_name = f"{self._state}|{name}".encode()
        key = f"explored:{self.exploration.public_id}:{hashlib.sha256(state_and_name).hexdigest()}"
        figures: Computed | None = cache.get(key)
        if figures is None:
            figures = compute_figures()
            cache.set(key, figures, KEPT_SECONDS)
        return figures


def exploration_goal(exploration: Exploration) -> dict[Objective, float]:
    """The weights that it was started with, in the order of OBJECTIVES."""
    stored_goal = exploration.goal or GOAL
    return {name: stored_goal[name] for name in OBJECTIVES if name in stored_goal}
