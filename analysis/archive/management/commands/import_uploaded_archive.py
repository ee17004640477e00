"""`manage.py import_uploaded_archive UPLOAD`: what a web process starts for an uploaded archive."""

from __future__ import annotations

import resource
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from analysis.archive import uploading
from analysis.archive.models import ArchiveUpload
from people import database
from series.importing.jobs import PATIENCE


class Command(BaseCommand):
    help = (
        "Check or import an archive that was uploaded on a page, in a process of its own. "
        "The web server starts it; import_archive is for people."
    )
    requires_system_checks = ()  # the server that starts this command has made the checks

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("upload", metavar="UPLOAD")

    def handle(self, *args: Any, upload: str, **options: Any) -> None:
        # Beside what is held now, most of which libraries only reserve
        with suppress(FileNotFoundError):  # no Linux: nobody can say what is held
            memory_pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            memory_limit = memory_pages * resource.getpagesize() + settings.READ_MEMORY
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))
        with database.lock_timeout(PATIENCE):
            uploading.process_archive_upload(
                ArchiveUpload.objects.select_related("by").get(public_id=upload)
            )
