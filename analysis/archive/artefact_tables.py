"""Tables of an artefact beside its comparison: what commands say of campaigns and data sets.

Each is written by its command, so that the artefact names what makes it again.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.core.management import CommandError, call_command

from people.models import Study

FOLDER: Final = "tables"
FORMATS: Final = ("csv", "tex")
OF_CAMPAIGNS: Final = {
    "agreement": "Agreement of people",
    "change_scores": "Changes of level: covering and F1 of methods and people",
    "cost": "Cost of each method: time, waste, error of the result",
}
OF_DATASETS: Final = {
    "composition": "Systems: benchmarks, forks, ground truth, shapes, noise",
    "shapes": "Shape and noise of every series",
    "trend": "Trend of every benchmark over the recordings",
    "builds": "Every benchmark of the newest build and the one before it",
    "machines": "Variance by machine, fork and iteration, of the newest build",
}
"""Titles by command."""


@dataclass(frozen=True, slots=True)
class ArtefactTable:
    """One table of a campaign or a data set, which is named as commands name it."""

    command: str
    scope: str
    title: str

    def path(self, form: str) -> str:
        return f"{FOLDER}/{self.scope.partition('/')[2]}/{self.command}.{form}"

    def command_line(self, form: str) -> str:
        return f"python manage.py {self.command} {self.scope} --format {form}"

    def write(self, folder: Path) -> bool:
        """Write all forms; False, and no file, where the command has no rows to print."""
        for form in FORMATS:
            path = folder / self.path(form)
            path.parent.mkdir(parents=True, exist_ok=True)
            sink = io.StringIO()
            try:
                words = {"format": form, "output": path, "stdout": sink, "stderr": sink}
                call_command(self.command, self.scope, **words)
            except (CommandError, SystemExit):  # the trend command's status says that it is empty
                path.unlink(missing_ok=True)
                return False
        return True


def study_tables(study: Study) -> Iterator[ArtefactTable]:
    """Tables of every campaign and data set of a study, whether they have rows or not."""
    campaigns = study.campaigns.for_truth().exclude(state="draft").order_by("slug")
    yield from _tables(study, OF_CAMPAIGNS, campaigns.values_list("slug", flat=True))
    datasets = study.datasets.order_by("slug")
    yield from _tables(study, OF_DATASETS, datasets.values_list("slug", flat=True))


def _tables(study: Study, titles: dict[str, str], slugs: Iterable[str]) -> Iterator[ArtefactTable]:
    for slug in slugs:
        for command, title in titles.items():
            yield ArtefactTable(command, f"{study.slug}/{slug}", title)
