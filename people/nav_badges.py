"""Signs beside the entries of the navigation, told by rooms that this one does not know.

What a room has to say of the study that one is in (a run is going, cases are open) it registers in
`AppConfig.register()`::

    nav_badges.register_badge("runs", last_run, describe)

`last_run(user)` gives an expression over a row of `Membership`, so its study is
`OuterRef("study")`. It is read with the memberships, which every page reads anyway: a sign costs no
query, and is computed for the one study that the page is in. `describe(value)` makes the sign of
what was read, or None. Blindness is the room's duty: a count tells too.

A sign that takes long to read is kept for `keep` seconds for each person and study; pages of its
own place read it anew, so that what one has just done is counted there at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.core.cache import cache
from django.db.models import Case, QuerySet, Value as Constant, When
from django.db.models.expressions import Combinable

from people.late_registry import LateRegistry
from people.models import Membership, User

Value = Callable[[User], Combinable]
CACHE_WORD = "sign"  # first word of the name under which a value is kept


@dataclass(frozen=True, slots=True)
class NavBadge:
    """A dot, a triangle or a number; `words` are for who does not see it, after the number."""

    kind: Literal["going", "failed", "count"]
    words: str
    count: int = 0


Said = Callable[[Any], NavBadge | None]


@dataclass(frozen=True, slots=True)
class _RegisteredBadge:
    value: Value
    describe: Said
    keep: int


_registered = LateRegistry[dict[str, _RegisteredBadge]]({})


def register_badge(place: str, value: Value, describe: Said, *, keep: int = 0) -> None:
    """Let the entry `place` (`data-place` in the template) have a sign."""
    _registered.present[place] = _RegisteredBadge(value, describe, keep)


def with_badges(
    memberships: QuerySet[Membership], user: User, study: str | None, *, page_place: str = ""
) -> QuerySet[Membership]:
    """`memberships` with what the signs of the study of that slug need; as they are without one.

    page_place  the place of the page: its own sign is read anew
    """
    if study is None:
        return memberships
    annotations: dict[str, Combinable] = {}
    for nav_entry, badge in _registered.entries.items():
        must_compute = not badge.keep or nav_entry == page_place
        cached_text = None if must_compute else cache.get(_key(nav_entry, user.pk, study))
        if cached_text is None:
            annotations[_column(nav_entry)] = Case(When(study__slug=study, then=badge.value(user)))
        else:
            annotations[_cache_key(nav_entry)] = Constant(cached_text)
    return memberships.annotate(**annotations)


def nav_badges_for(membership: Membership) -> Mapping[str, NavBadge]:
    """Signs by place, of a membership that `with_badges` has read for the study of a page."""
    badge_by_entry = {
        nav_entry: _nav_badge(nav_entry, registered_badge, membership)
        for nav_entry, registered_badge in _registered.entries.items()
    }
    return {nav_entry: badge for nav_entry, badge in badge_by_entry.items() if badge is not None}


def _nav_badge(nav_entry: str, badge: _RegisteredBadge, membership: Membership) -> NavBadge | None:
    if hasattr(membership, _cache_key(nav_entry)):
        return badge.describe(json.loads(getattr(membership, _cache_key(nav_entry))))
    if not hasattr(membership, _column(nav_entry)):
        return None
    value = getattr(membership, _column(nav_entry))
    if badge.keep:
        key = _key(nav_entry, membership.user_id, membership.study.slug)
        cache.set(key, json.dumps(value), badge.keep)  # that there is none is an answer, too
    return badge.describe(value)


def _column(nav_entry: str) -> str:
    return f"sign_of_{nav_entry}"


def _cache_key(nav_entry: str) -> str:
    """Name the kept value of a sign, which comes with the membership, too: the cache is read
    once.
    """
    return f"kept_sign_of_{nav_entry}"


def _key(nav_entry: str, user: int, study: str) -> str:
    return f"{CACHE_WORD}:{nav_entry}:{user}:{study}"
