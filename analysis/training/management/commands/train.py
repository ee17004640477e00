"""`manage.py train METHOD STUDY/CAMPAIGN`: a learned detector that answers as one's own panel."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from analysis.training import command_line
from analysis.training.panel_answers import panel_of_campaign
from analysis.web.command_options import SEEDS, integer_type, mistakes
from annotate.named_arguments import campaign_named
from detectors.panel.panel_models import PACKAGED, SHIPPED, folders, name_for
from detectors.training.labels import known_answers
from detectors.training.labels.panel_answers import PanelAnswers
from detectors.training.labels.published import NoPanel, panel_of_folder
from detectors.training.panel import TooFewAnswers
from detectors.training.whole_files import write_whole
from people.repeated_option import add_option

SLUGS: Final = ("plateau",)
ALSO: Final = ("ensemble", "jumpavg")  # beside all that answer in a millisecond
ONLINE: Final = "plateau-online"  # fitted with it: its own lines are there already


class Command(BaseCommand):
    help = (
        "Fit a learned detector on the answers of a panel, print how it does on systems that it "
        "has not seen, and write its weights."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", choices=(*SLUGS, *command_line.SLUGS))
        parser.add_argument("campaign", metavar="STUDY/CAMPAIGN", nargs="?")
        command_line.add_arguments(parser)
        parser.add_argument(
            "--replication",
            metavar="FOLDER",
            type=Path,
            help="published marks instead of a campaign: series.npz, stage1.npz, expected.json",
        )
        parser.add_argument(
            "--known-answers",
            metavar="FOLDER",
            type=Path,
            help="learn also from the series of `make corpus`: of plateau whether a series becomes "
            "steady, of the others with --own their windows",
        )
        parser.add_argument(
            "--output", metavar="FOLDER", type=Path, help="default: models beside the data"
        )
        parser.add_argument("--seed", metavar="N", type=SEEDS, default=0)
        parser.add_argument(
            "--foldings",
            metavar="N",
            type=integer_type(0),
            default=1,
            help="how many ways to hold systems out; 0 writes the weights without a table",
        )
        parser.add_argument("--alone", action="store_true", help="print no other methods beside it")
        add_option(parser, "--beside", "METHOD", "these methods, too, though they are not quick")
        parser.add_argument(
            "--slow",
            action="store_true",
            help="beside every other method: minutes to hours for a campaign",
        )
        parser.add_argument(
            "--shipped",
            action="store_true",
            help="replace the weights that come with Plateau by these",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # forests this small only wait for threads
        if options["slug"] in command_line.SLUGS:
            command_line.train(options, write_line=self.stdout.write, progress=self._progress)
            return
        panel, source, name_words = _asked_panel(options)
        try:
            card, content = self._fit(panel, source, options)
        except TooFewAnswers as error:
            raise CommandError(f"{source}: {error}", returncode=2) from error
        name = SHIPPED if options["shipped"] else name_for(name_words, content)
        folder = PACKAGED if options["shipped"] else options["output"] or next(folders())
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"plateau-{name}.npz"
        # The numbers last, since with them the model is there.
        card_text = json.dumps({"model": name} | card, indent=1) + "\n"
        write_whole(path.with_suffix(".json"), card_text.encode())
        write_whole(path, content)
        self.stdout.write(f"\n{path}: {len(content) / 1024:.0f} KB")
        if not options["shipped"]:
            self.stdout.write(f"Use it as plateau?model={name}")

    def _fit(
        self, panel: PanelAnswers, source: str, options: dict[str, Any]
    ) -> tuple[dict[str, Any], bytes]:
        # scikit-learn takes a second to import: only where it is used.
        from detectors.training import plateau  # noqa: PLC0415
        from detectors.training.figures.panel_figures import average_table  # noqa: PLC0415

        training = plateau.PlateauTraining(panel, options["seed"], progress=self._progress)
        card = training.card(source)
        validations: list[plateau.PlateauValidation] = []
        for folding in range(options["foldings"]):
            other_detectors = [] if options["alone"] or folding else list(_other_methods(options))
            validation = training.validate(folding, other_detectors)
            validations.append(validation)
            self._progress("")
            self.stdout.write(validation.text)
            card["cross_validation"].append(validation.document(folding))
        own_method_names = [
            row["name"]
            for validation_card in card["cross_validation"][:1]
            for row in validation_card["methods"]
        ]
        self.stdout.write(average_table([v.figures for v in validations], own_method_names))
        content = training.models().as_bytes()
        self._progress("")
        return card, content

    def _progress(self, text: str) -> None:
        """Write progress over the line before, on a terminal only."""
        if sys.stderr.isatty():
            self.stderr.write(f"\r\033[K{text}", ending="")
            self.stderr.flush()


def _asked_panel(options: dict[str, Any]) -> tuple[PanelAnswers, str, str]:
    """The panel, what the card calls it, and the words of the model's name."""
    folder, name, answers_folder = (
        options["replication"],
        options["campaign"],
        options["known_answers"],
    )
    if (folder is None) == (name is None):
        raise CommandError(
            "found none or both, expected STUDY/CAMPAIGN or --replication FOLDER", returncode=2
        )
    with mistakes(NoPanel):
        simulated_series = (
            [] if answers_folder is None else known_answers.known_series_of_folder(answers_folder)
        )
        if folder is None:
            campaign = campaign_named(name)
            panel, name_words = (
                panel_of_campaign(campaign),
                f"{campaign.study.slug}-{campaign.slug}",
            )
        else:
            panel, name, name_words = panel_of_folder(folder), "published packages", "published"
    return replace(panel, known=simulated_series), name, name_words


def _other_methods(options: dict[str, Any]) -> Iterator[Any]:
    """Every other method with its defaults, as far as it can answer here."""
    from detectors.registry import registry  # noqa: PLC0415  # with the rest of the work

    wanted_slugs = {*ALSO, *options["beside"]}
    for slug, detector in registry().items():
        is_chosen = options["slow"] or detector.cost == "instant" or slug in wanted_slugs
        if is_chosen and slug not in {*SLUGS, ONLINE} and not detector.missing():
            yield detector()
