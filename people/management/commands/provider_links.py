"""`manage.py provider_links`: who is linked to the provider; and the end of such a link."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from people.models import User


class Command(BaseCommand):
    help = "List whose account is linked to the provider, or unlink an account from it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?", help="user name; without one, list them")
        parser.add_argument("--unlink", action="store_true", help="end the link of that account")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.OIDC_NAME:
            raise CommandError(
                "provider_links: PLATEAU_OIDC_ISSUER is not set, expected an address", returncode=2
            )
        from people.sso import provider_links  # noqa: PLC0415  # its package may not be installed

        name = options["username"]
        people = User.objects.filter(username=name) if name else User.objects.order_by("username")
        if name and not people:
            raise CommandError(f"provider_links: found no person named {name!r}", returncode=2)
        for user in people:
            if not provider_links.user_links(user).exists():
                continue
            if name and options["unlink"]:
                provider_links.unlink(user)
            self.stdout.write(user.username)
