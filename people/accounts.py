"""Accounts of the installation, for its staff: who they are, disabled and enabled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from people import audit, sessions
from people.audit import Action
from people.models import ApiToken, User
from people.query_form import PageControl, QueryForm, choice_field, text_field

STATES: Final = {"all": Q(), "enabled": Q(is_active=True), "disabled": Q(is_active=False)}


@dataclass(frozen=True, slots=True)
class AccountQuery(QueryForm):
    """Query of accounts: by a part of a name or mail address, and by state."""

    text: str = text_field("q", "text", control=PageControl("Name or mail"))
    state: str = choice_field(
        "state",
        "state",
        STATES.keys(),
        default="all",
        fallback="all accounts",
        control=PageControl("State"),
    )

    def accounts(self) -> QuerySet[User]:
        """Accounts with their numbers of studies; names from files and models are no accounts."""
        users = User.objects.filter(STATES[self.state], simulated=False)
        if self.text:
            columns = ("username", "first_name", "last_name", "email")
            users = users.filter(
                Q.create([(f"{column}__icontains", self.text) for column in columns], Q.OR)
            )
        return users.annotate(n_studies=Count("memberships")).order_by("username")


@transaction.atomic
def disable(user: User, *, by: User) -> None:
    """End sign-in, sessions and tokens of `user` at once; what they made stays.

    ValidationError for oneself, for a superuser where `by` is none, and for the last staff account.
    """
    # Locked, so that two who disable each other at once do not both find the other there.
    staff = _locked_staff()
    if user == by:
        raise ValidationError("You cannot disable your own account: ask another of the staff.")
    if by not in staff:
        raise ValidationError("Your own account has just been disabled, or is no longer staff.")
    if user.is_superuser and not by.is_superuser:
        raise ValidationError(f"{user} has more rights than you: only a superuser may do this.")
    if not User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
        raise ValidationError(f"The account of {user} was disabled already.")
    session_count = sessions.end(user)
    token_count = ApiToken.objects.filter(by=user, revoked=None).update(revoked=timezone.now())
    summary = f"{user.username}; sessions ended: {session_count}, tokens revoked: {token_count}"
    audit.record(Action.ACCOUNT_DISABLED, summary, by=by)


@transaction.atomic
def enable(user: User, *, by: User) -> None:
    """Let `user` sign in again, with the old password. Tokens stay revoked."""
    if not User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
        raise ValidationError(f"The account of {user} was enabled already.")
    audit.record(Action.ACCOUNT_ENABLED, user.username, by=by)


@transaction.atomic
def set_staff(username: str, *, is_staff: bool) -> None:
    """Make a person staff, or end it. ValidationError: no such person, or the last of the staff."""
    if not is_staff and [user.username for user in _locked_staff()] == [username]:
        raise ValidationError(
            f"{username} is the last enabled staff account: make another person staff first."
        )
    if not User.objects.filter(username=username).update(is_staff=is_staff):
        raise ValidationError(f"found no person named {username!r}")
    audit.record(Action.STAFF_CHANGED, f"{username} is {'' if is_staff else 'no '}staff")


def _locked_staff() -> list[User]:
    """The enabled staff, locked until the transaction ends."""
    return list(User.objects.select_for_update().filter(is_staff=True, is_active=True))
