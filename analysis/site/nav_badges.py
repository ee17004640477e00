"""Badges of a study's runs and explorations in the navigation: at work, or failed."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import BooleanField, Case, CharField, Exists, OuterRef, Subquery, Value, When
from django.db.models.expressions import Combinable

from analysis.work.kinds import JobKind, kinds
from people.compiled_sql import CompiledOnce
from people.models import Membership, User
from people.nav_badges import NavBadge

SIGNS: Final = {
    "run going": NavBadge("going", "a run is in progress"),
    "exploration going": NavBadge("going", "sensitivity or tuning is in progress"),
    "training going": NavBadge("going", "a training is in progress"),
    "run failed": NavBadge("failed", "a run has failures"),
    "exploration failed": NavBadge("failed", "sensitivity or tuning has failures"),
    "training failed": NavBadge("failed", "a training has failures"),
}


def state_of_runs(reader: User) -> Combinable:
    """SQL expression: first of `SIGNS` that holds in the membership's study; failures are of the
    latest.

    Counts of units only, no answer: the same for everybody.
    """
    return CompiledOnce(_state_of_runs, Membership, reader.pk, "study", output_field=CharField())


def _state_of_runs(_person: int) -> Combinable:
    shown_kinds = [kind for kind in kinds() if f"{kind.name} going" in SIGNS]
    open_jobs_by_name = {
        kind.name: kind.jobs.open().filter(study=OuterRef("study")) for kind in shown_kinds
    }
    condition_by_state: dict[str, Combinable] = {
        f"{name} going": Exists(jobs) for name, jobs in open_jobs_by_name.items()
    }
    condition_by_state |= {f"{kind.name} failed": _has_failed(kind) for kind in shown_kinds}
    cases = [When(condition, then=Value(name)) for name, condition in condition_by_state.items()]
    return Case(*cases, default=Value(""))


def _has_failed(kind: JobKind[Any, Any]) -> Combinable:
    has_failures = Exists(kind.units.with_failures().filter(job=OuterRef("pk")))
    newest_jobs = (
        kind.jobs.filter(study=OuterRef("study")).order_by("-pk").annotate(lost=has_failures)
    )
    return Subquery(newest_jobs.values("lost")[:1], output_field=BooleanField())


def badge_of_runs(state: str | None) -> NavBadge | None:
    return SIGNS.get(state or "")
