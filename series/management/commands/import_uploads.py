"""`manage.py import_uploads JOB`: what a web process starts for large imports."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from people import database
from series.importing import jobs
from series.importing.import_order import ImportOrder
from series.reading import file_readers


class Command(BaseCommand):
    help = (
        "Import the files of a job that was confirmed on a page, in a process of its own. "
        "The web server starts it; the standard input says what was confirmed."
    )
    requires_system_checks = ()  # the server that starts it has made them
    stealth_options = ("stdin",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("job", metavar="JOB")

    def handle(self, *args: Any, **options: Any) -> None:
        order = ImportOrder.of_text((options.get("stdin") or sys.stdin).read())
        with database.lock_timeout(jobs.PATIENCE), file_readers.import_patience():
            jobs.import_files(options["job"], order)
