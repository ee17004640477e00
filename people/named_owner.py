"""The account that owns what a command makes: the one that is named, or the only one there is."""

from __future__ import annotations

from django.core.management.base import CommandError

from people.models import User

NAMES_SHOWN = 20


def find_owner(name: str | None) -> User:
    """Return the account called `name`; without a name the only account that can sign in.

    Raises CommandError with status 2, which names the accounts to choose from.
    """
    accounts = User.objects.filter(is_active=True, simulated=False).order_by("username")
    matching_accounts = list(accounts.filter(username=name) if name else accounts[:2])
    if len(matching_accounts) == 1:
        return matching_accounts[0]
    if not accounts.exists():
        raise CommandError("no account could own it: make one with createsuperuser", returncode=2)
    names = ", ".join(accounts.values_list("username", flat=True)[:NAMES_SHOWN])
    actual = f"found {name!r}" if name else "found none"
    raise CommandError(f"--owner: {actual}, expected one of {names}", returncode=2)
