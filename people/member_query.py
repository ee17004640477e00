"""Query of the members of a study that a page lists: by a part of their name."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Case, Q, QuerySet, When
from django.template.defaultfilters import pluralize

from people.models import Membership, Role, Study
from people.query_form import PageControl, QueryForm, text_field
from people.templatetags.writing import grouped

NAMES: Final = ("username", "first_name", "last_name")


@dataclass(frozen=True, slots=True)
class MemberQuery(QueryForm):
    """A part of a name; empty lists everybody."""

    text: str = text_field("q", "text", control=PageControl("Name"))

    def memberships(self, study: Study) -> QuerySet[Membership]:
        """Owners first. Mail addresses are not looked at, since only owners see any."""
        owner_order = Case(When(role=Role.OWNER, then=0), default=1)
        members = study.memberships.select_related("user")
        members = members.order_by(owner_order, "role", "user__username")
        if self.text:
            name_matches = (Q((f"user__{name}__icontains", self.text)) for name in NAMES)
            members = members.filter(reduce(or_, name_matches))
        return members


def members_sentence(study: Study) -> str:
    """Count members by role, and those who were never here: `1 owner, 5 annotators; 4 never here.`

    Members whose answers came from a file have no password and are never expected.
    """
    counts = Counter(study.memberships.values_list("role", flat=True))
    roles = ", ".join(
        f"{grouped(counts[role])} {Role(role).label}{pluralize(counts[role])}"
        for role in (Role.OWNER, Role.ANNOTATOR, Role.VIEWER)
        if counts[role]
    )
    absent_members = study.memberships.filter(user__last_seen=None)
    absent_count = absent_members.exclude(
        user__password__startswith=UNUSABLE_PASSWORD_PREFIX
    ).count()
    return f"{roles}{f'; {grouped(absent_count)} never here' if absent_count else ''}."
