"""Signs beside the entries of the navigation, told by rooms that this one does not know.

What a room has to say of the study that one is in (a run is going, cases are open) it registers in
`AppConfig.ready()`::

    signs.register("runs", last_run, said)

`last_run(user)` gives an expression over a row of `Membership`, so its study is
`OuterRef("study")`. It is read with the memberships, which every page reads anyway: a sign costs no
query, and is computed for the one study that the page is in. `said(value)` makes the sign of what
was read, or None. Blindness is the room's duty: a count tells too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Case, QuerySet, When
from django.db.models.expressions import Combinable

from people.models import Membership, User

Value = Callable[[User], Combinable]


@dataclass(frozen=True, slots=True)
class Sign:
    """A dot, a triangle or a number; `words` are for who does not see it, after the number."""

    kind: Literal["going", "failed", "count"]
    words: str
    count: int = 0


Said = Callable[[Any], Sign | None]
_registered: dict[str, tuple[Value, Said]] = {}


def register(place: str, value: Value, said: Said) -> None:
    """Let the entry `place` (`data-place` in the template) have a sign."""
    _registered[place] = (value, said)


def told(memberships: QuerySet[Membership], user: User, study: str | None) -> QuerySet[Membership]:
    """`memberships` with what the signs of the study of that slug need; as they are without one."""
    if study is None:
        return memberships
    here = {
        _name(place): Case(When(study__slug=study, then=value(user)))
        for place, (value, _) in _registered.items()
    }
    return memberships.annotate(**here)


def of(membership: Membership) -> Mapping[str, Sign]:
    """Signs by place, of a membership that `told` has read."""
    found = {
        place: said(getattr(membership, _name(place)))
        for place, (_, said) in _registered.items()
        if hasattr(membership, _name(place))
    }
    return {place: sign for place, sign in found.items() if sign is not None}


def _name(place: str) -> str:
    return f"sign_of_{place}"
