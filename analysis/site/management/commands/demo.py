"""`manage.py demo`: a study to look at, with people, a campaign and a finished run."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.site import demo


class Command(BaseCommand):
    help = (
        "Make the demo study, its people, campaign and run; what is there stays. "
        "In development mode only, since its passwords are printed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reset", action="store_true", help="first remove the demo study and all in it"
        )
        parser.add_argument(
            "--leave-runs", action="store_true", help="leave all runs to workers, and do not wait"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEVELOPMENT:
            sentence = (
                "demo: found PLATEAU_MODE production, expected development: "
                "the demo's passwords are known to everybody"
            )
            raise CommandError(sentence, returncode=2)
        if options["reset"]:
            demo.remove_demo()
        demo.make_demo(self.stdout.write, leaves_runs=options["leave_runs"])
        self.stdout.write("People of the demo (user name, password):")
        for username, *_ in (demo.OWNER, *demo.ANNOTATORS):
            role = "owner" if username == demo.OWNER[0] else "annotator"
            self.stdout.write(f"  {username:<6} {demo.PASSWORD}   {role}")
