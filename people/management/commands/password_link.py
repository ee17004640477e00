"""`manage.py password_link`: a link with which somebody sets a new password."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from people import audit, services
from people.models import User


class Command(BaseCommand):
    help = "Print a link with which a person sets a new password: good once, for a day."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", help="user name")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["username"]
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None or not user.has_usable_password():
            raise CommandError(
                f"password_link: found no person named {name!r} who can sign in", returncode=2
            )
        audit.record(audit.Action.PASSWORD_LINK, f"for {name}")
        self.stdout.write(settings.PUBLIC_URL + services.password_path(user))
