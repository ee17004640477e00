"""`manage.py staff`: who runs the installation: sees its status, and makes studies."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from people import accounts
from people.models import User


class Command(BaseCommand):
    help = "Make a person staff, who see the status page and may make studies; or list the staff."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?", help="user name; without one, list the staff")
        parser.add_argument("--remove", action="store_true", help="end it instead")

    def handle(self, *args: Any, **options: Any) -> None:
        if name := options["username"]:
            try:
                accounts.set_staff(name, is_staff=not options["remove"])
            except ValidationError as error:
                raise CommandError(f"staff: {error.message}", returncode=2) from error
        for user in User.objects.filter(is_staff=True).order_by("username"):
            self.stdout.write(user.username)
