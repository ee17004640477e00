"""Badges of a study's runs and explorations in the navigation: at work, or failed."""

from __future__ import annotations

from typing import Final

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, Subquery, Value, When
from django.db.models.expressions import Combinable

from analysis.runs.models import Chunk, Run
from analysis.tuning.models import Exploration, Part
from people.models import User
from people.nav_badges import NavBadge

SIGNS: Final = {
    "run going": NavBadge("going", "a run is going"),
    "exploration going": NavBadge("going", "sensitivity or tuning is going"),
    "run failed": NavBadge("failed", "a run has failures"),
    "exploration failed": NavBadge("failed", "sensitivity or tuning has failures"),
}
LOST: Final = Q(failed_count__gt=0) | Q(state=Chunk.State.GIVEN_UP)


def state_of_runs(_reader: User) -> Combinable:
    """Of `SIGNS` the first that is so in the membership's study; failures are of the latest.

    Counts of chunks and parts only, no answer: the same for everybody.
    """
    here = OuterRef("study")
    runs, explorations = Run.objects.filter(study=here), Exploration.objects.filter(study=here)
    lost_chunks = Exists(Chunk.objects.filter(LOST, run=OuterRef("pk")))
    lost_parts = Exists(Part.objects.filter(LOST, exploration=OuterRef("pk")))
    last_run = runs.order_by("-pk").annotate(lost=lost_chunks).values("lost")[:1]
    last_exploration = explorations.order_by("-pk").annotate(lost=lost_parts).values("lost")[:1]
    is_so = (
        Exists(runs.filter(state__in=Run.OPEN)),
        Exists(explorations.filter(state__in=Exploration.OPEN)),
        Subquery(last_run, output_field=BooleanField()),
        Subquery(last_exploration, output_field=BooleanField()),
    )
    cases = [When(found, then=Value(name)) for name, found in zip(SIGNS, is_so, strict=True)]
    return Case(*cases, default=Value(""))


def badge_of_runs(state: str | None) -> NavBadge | None:
    return SIGNS.get(state or "")
