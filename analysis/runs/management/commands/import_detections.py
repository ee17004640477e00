"""`manage.py import_detections STUDY FILE`: answers from a file as a method of the study's own."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from analysis.methods.models import ImportedMethod
from analysis.runs.imported_methods import services
from analysis.runs.imported_methods.checks import CheckedAnswers
from analysis.web.command_options import mistakes
from annotate.named_arguments import study_named
from formats import FormatError
from formats.answers import CONVENTIONS
from people.models import Study, User

PROBLEMS_SHOWN = 20
CHUNK = 1 << 20  # bytes read at once


class Command(BaseCommand):
    help = (
        "Store a method's answers, one row a series, as a method of the study's own. "
        "All or nothing; the same file again changes nothing, and no version is overwritten."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument(
            "--method",
            metavar="NAME[@VERSION]",
            required=True,
            help="name of the method; the version is 1 by default",
        )
        parser.add_argument("--code", metavar="XX", default="", help="2 to 4 letters, on charts")
        parser.add_argument(
            "--index",
            choices=list(CONVENTIONS),
            default="steady-start",
            help="; ".join(f"{name} is {words}" for name, words in CONVENTIONS.items()),
        )
        parser.add_argument("--by", metavar="NAME", help="person who imports it")
        parser.add_argument("--dry-run", action="store_true", help="check only, store nothing")

    def handle(self, *args: Any, study: str, file: Path, **options: Any) -> None:
        target_study = study_named(study)
        importing_user = _person(target_study, options["by"])
        with transaction.atomic():  # a command that is killed leaves no file waiting
            self._import(target_study, file, importing_user, options)

    def _import(
        self, target_study: Study, file: Path, importer: User | None, options: dict[str, Any]
    ) -> None:
        try:
            waiting_method = _hold_file(target_study, file, importer, options)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=2) from error
        except (FormatError, services.ImportRefused) as error:
            raise CommandError(str(error), returncode=2) from error
        try:
            self._act(waiting_method, is_dry_run=options["dry_run"])
        finally:
            services.discard_waiting_file(waiting_method)

    def _act(self, waiting_method: ImportedMethod, *, is_dry_run: bool) -> None:
        checked_answers = services.check_waiting_file(waiting_method)
        self.stdout.write(_counts(checked_answers))
        for problem in checked_answers.problems[:PROBLEMS_SHOWN]:
            self.stderr.write(str(problem))
        if is_dry_run:
            if not checked_answers.is_ready:
                raise CommandError("It cannot be stored.", returncode=2)
            return
        with mistakes(services.ImportRefused):
            imported_method, is_new = services.import_method(waiting_method)
        outcome = (
            f"{imported_method.answers} answers stored"
            if is_new
            else "nothing changed, it was there already"
        )
        self.stdout.write(f"{imported_method.detector_key}: {outcome}")


def _person(study: Study, name: str | None) -> User | None:
    if name is None:
        return None
    user = User.objects.filter(memberships__study=study, username=name).first()
    if user is None:
        raise CommandError(f"--by {name}: nobody of that name in {study.slug}", returncode=2)
    return user


def _hold_file(
    study: Study, file: Path, importer: User | None, options: dict[str, Any]
) -> ImportedMethod:
    """The file as an upload would be held, under the name and version that were given."""
    title, _, version = options["method"].partition("@")
    with file.open("rb") as stream:
        chunks = iter(lambda: stream.read(CHUNK), b"")
        waiting_method = services.hold_upload(study, chunks, file.name, user=importer)
    try:
        services.set_description(
            waiting_method,
            title=title.strip()[:60],
            version=version or "1",
            code=options["code"],
            convention=options["index"],
        )
    except services.ImportRefused:
        services.discard_waiting_file(waiting_method)
        raise
    return waiting_method


def _counts(checked_answers: CheckedAnswers) -> str:
    parts = [
        f"{checked_answers.rows} rows",
        f"{checked_answers.matched_count} matched",
        f"{checked_answers.steady} steady",
        f"{checked_answers.never_count} never",
        f"{checked_answers.empty_count} without an answer",
        *(f"{count} {words}" for words, count in checked_answers.kinds),
    ]
    return ", ".join(parts)
