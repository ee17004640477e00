"""Explorations as a kind of job: what differs from other jobs."""

from __future__ import annotations

from collections.abc import Callable

from analysis.methods.method_style import style_of
from analysis.tuning import answer_unit, figures
from analysis.tuning.models import Exploration, Part
from analysis.tuning.query import ResultsQuery
from analysis.tuning.reads import ExplorationResults
from analysis.tuning.rounds import plan_round
from analysis.work.kinds import JobKind
from analysis.work.leases import Claim, Outcome
from annotate.blind import EVERYTHING


class ExplorationKind(JobKind[Exploration, Part]):
    """Parts of an exploration: answers are kept in the part; a search plans rounds of them."""

    name, unit_noun = "exploration", "part"
    at_once = False  # a run that begins meanwhile shall not wait for all parts
    job_model, unit_model = Exploration, Part

    def compute(self, claim: Claim[Part]) -> Callable[[], Outcome]:
        return answer_unit.compute(claim)

    def code_of(self, unit: Part) -> str:
        return style_of(unit.job.method).code

    def plan_more(self, job: Exploration) -> bool:
        return plan_round(job)

    def has_ended(self, job: Exploration) -> None:
        """Compute what its page shows first, so that nobody waits for it."""
        reading = ExplorationResults(job, EVERYTHING)
        figures.results_context(reading, ResultsQuery())
