"""What the navigation says of a study's runs: one is going, or the latest has failures."""

from __future__ import annotations

from typing import Final

from django.db.models import Case, Exists, OuterRef, Q, Subquery, Value, When
from django.db.models.expressions import Combinable

from analysis.models import Chunk, Run
from people.models import User
from people.signs import Sign

GOING, FAILED = "going", "failed"
SIGNS: Final = {
    GOING: Sign("going", "a run is going"),
    FAILED: Sign("failed", "a run has failures"),
}
LOST: Final = Q(failed_count__gt=0) | Q(state=Chunk.State.GIVEN_UP)


def state_of_runs(_reader: User) -> Combinable:
    """`going` while a run of the membership's study is open, `failed` if the latest has failures.

    Counts of chunks only, no answer: the same for everybody.
    """
    lost = Exists(Chunk.objects.filter(LOST, run=OuterRef("pk")))
    state = Case(
        When(state__in=Run.OPEN, then=Value(GOING)),
        When(lost, then=Value(FAILED)),
        default=Value(""),
    )
    open_first = Case(When(state__in=Run.OPEN, then=0), default=1)
    runs = Run.objects.filter(study=OuterRef("study")).order_by(open_first, "-pk")
    return Subquery(runs.values_list(state)[:1])


def sign_of_runs(state: str | None) -> Sign | None:
    return SIGNS.get(state or "")
