"""`manage.py second_factor`: who has one; and its removal for who has lost phone and codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from people.models import User


class Command(BaseCommand):
    help = "List who has a second factor, or remove that of a person who has lost it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?", help="user name; without one, list them")
        parser.add_argument("--remove", action="store_true", help="ask them for no code any more")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.SECOND_FACTOR == "off":
            raise CommandError(
                "second_factor: PLATEAU_SECOND_FACTOR is off, expected optional or required",
                returncode=2,
            )
        from people.sso import second_factor  # noqa: PLC0415  # its tables are there only where it is on

        name = options["username"]
        people = User.objects.filter(username=name) if name else User.objects.order_by("username")
        if name and not people:
            raise CommandError(f"second_factor: found no person named {name!r}", returncode=2)
        for user in filter(second_factor.is_on, people):
            if name and options["remove"]:
                second_factor.remove_second_factor(user)
            self.stdout.write(user.username)
