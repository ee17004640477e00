"""`manage.py import_marks STUDY/CAMPAIGN FILE`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate import recipes
from annotate.importing import mark_change_points, mark_files
from annotate.importing.mark_files import MarksImportResult
from annotate.named_arguments import study_and_slug
from formats import FormatError, change_points, marks
from people.models import Study
from people.repeated_option import add_option


class Command(BaseCommand):
    help = "Store the marks of a file in a campaign, which is made when there is none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN")
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument(
            "--format", choices=["csv", "annotations", "replication"], default="csv"
        )
        parser.add_argument(
            "--all-changes",
            action="store_true",
            help="of annotations: keep every change of level, not the last one as steady start",
        )
        parser.add_argument(
            "--recipe",
            choices=list(recipes.RECIPES),
            help=f"of a campaign that is made: {recipes.DEFAULT} unless said; one that is there "
            "keeps its own",
        )
        add_option(parser, "--param", "NAME=VALUE", "of the recipe")

    def handle(
        self, *args: Any, campaign: str, file: Path, format: str, recipe: str | None, **options: Any
    ) -> None:
        study, slug = study_and_slug(campaign)
        params = dict(assignment.partition("=")[::2] for assignment in options["param"])
        try:
            import_results = _import_marks(
                study,
                slug,
                file,
                format,
                all_changes=options["all_changes"],
                recipe=recipe,
                params=params,
            )
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror or error}", returncode=2) from error
        except (FormatError, recipes.RecipeParameterError) as error:
            raise CommandError(str(error), returncode=2) from error
        for result in import_results:
            self._tell(f"{study.slug}/{result.campaign.slug}", result)

    def _tell(self, name: str, result: MarksImportResult) -> None:
        self.stdout.write(
            f"{name}: {result.stored} marks stored, {result.known} known, {result.series} series, "
            f"{result.annotators} annotators"
        )
        truth_words = ""
        if result.campaign.makes_truth:
            words = ", ".join(f"{count} {answer}" for answer, count in result.truths().items())
            truth_words = f"; ground truth: {words}"
        self.stdout.write(
            f"{name}: {'made' if result.made else 'was there'}, "
            f"{result.campaign.get_state_display()}, recipe {result.recipe}{truth_words}"
        )


def _import_marks(
    study: Study, slug: str, file: Path, format: str, *, all_changes: bool, **options: Any
) -> list[MarksImportResult]:
    if format == "replication":
        people_marks, rounds = mark_files.rows_of_package(file)
        return mark_files.import_package(
            study, slug, people_marks, rounds, file=file.name, **options
        )
    if file.is_dir():
        hint = "for a replication package say --format replication"
        raise FormatError(str(file), "path", found="a folder", expected="a marks CSV", hint=hint)
    with file.open("rb") as stream:
        if format == "annotations":
            annotations = change_points.read_change_points(stream, file.name)
            rows = list(
                mark_change_points.rows_of_annotations(
                    study, annotations, file.name, all_changes=all_changes
                )
            )
        else:
            rows = list(marks.read_marks(stream, file.name))
    return [mark_files.import_marks(study, slug, rows, file=file.name, **options)]
