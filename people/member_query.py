"""Query of the members of a study that a page lists: by a part of their name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from django.db.models import Case, Q, QuerySet, When

from people.models import Membership, Role, Study
from people.query_form import PageControl, QueryForm, text_field

NAMES: Final = ("username", "first_name", "last_name")


@dataclass(frozen=True, slots=True)
class MemberQuery(QueryForm):
    """A part of a name; empty lists everybody."""

    text: str = text_field("q", "text", control=PageControl("Name"))

    def memberships(self, study: Study) -> QuerySet[Membership]:
        """Owners first. Mail addresses are not looked at, since only owners see any."""
        owners_first = Case(When(role=Role.OWNER, then=0), default=1)
        members = study.memberships.select_related("user")
        members = members.order_by(owners_first, "role", "user__username")
        if self.text:
            name_matches = (Q((f"user__{name}__icontains", self.text)) for name in NAMES)
            members = members.filter(reduce(or_, name_matches))
        return members
