"""Tables of an artefact beside its comparison: what commands say of campaigns and data sets.

Each is written by its command, so that the artefact names what makes it again.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.core.management import CommandError, call_command

from annotate.models import Campaign
from people.models import Study
from series.models import Dataset

FOLDER: Final = "tables"
FORMATS: Final = ("csv", "tex")
AGREEMENT: Final = {"agreement": "Agreement of people"}
OF_CAMPAIGNS: Final = {
    Campaign.Purpose.ANNOTATE: {
        **AGREEMENT,
        "cost": "Cost of each method: time, waste, error of the result",
    },
    Campaign.Purpose.SCREENING: AGREEMENT,
    Campaign.Purpose.CHANGES: {
        "change_scores": "Changes of level: covering and F1 of methods and people"
    },
}
"""Titles by purpose of a campaign and command."""
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

    def script_line(self, form: str) -> str:
        """Line of a shell script that ends where a command fails, which status 4 of trend is not:
        the newest recording has no result.
        """
        line = f'{self.command_line(form)} --output "$to/{self.path(form)}"'
        return f"{line} || test $? -eq 4" if self.command == "trend" else line

    def write(self, folder: Path) -> bool:
        """Write all forms; False, and no file, where the command has no rows to print."""
        paths = [folder / self.path(form) for form in FORMATS]
        paths[0].parent.mkdir(parents=True, exist_ok=True)
        for form, path in zip(FORMATS, paths, strict=True):
            sink = io.StringIO()
            words = {"format": form, "output": path, "stdout": sink, "stderr": sink}
            try:
                with suppress(SystemExit):  # as in `script_line`, when the table is written
                    call_command(self.command, self.scope, **words)
            except CommandError:
                return False
        has_rows = paths[0].read_text("utf-8").count("\n") > 1
        if not has_rows:
            for path in paths:
                path.unlink()
        return has_rows


def study_tables(study: Study) -> Iterator[ArtefactTable]:
    """Tables of every campaign and data set of a study, whether they have rows or not."""
    campaigns = study.campaigns.filter(purpose__in=OF_CAMPAIGNS).exclude(state="draft")
    for campaign in campaigns.order_by("slug"):
        yield from _tables(campaign, OF_CAMPAIGNS[Campaign.Purpose(campaign.purpose)])
    for dataset in study.datasets.order_by("slug"):
        yield from _tables(dataset, OF_DATASETS)


def _tables(scope: Campaign | Dataset, titles: Mapping[str, str]) -> Iterator[ArtefactTable]:
    for command, title in titles.items():
        yield ArtefactTable(command, f"{scope.study.slug}/{scope.slug}", title)
