"""`manage.py train rocket|fcn|oscnn|classifier`: a learned stopping method from own labels."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import CommandError

from analysis.training import labelled_series
from analysis.web.command_options import integer_type, mistakes
from annotate.models import Campaign
from annotate.named_arguments import dataset_named, scope_named
from detectors.contract import Detector, NotAvailable, ParameterError
from detectors.learned import fitted_classifiers
from detectors.learned.windows import LEAST_WINDOW, WINDOW
from detectors.panel.panel_models import PACKAGED, SHIPPED, folders
from detectors.registry import UnknownDetector, from_key
from detectors.training.labels.labelled_windows import LabelledSeries
from detectors.training.labels.published import NoPanel
from detectors.training.panel import TooFewAnswers

if TYPE_CHECKING:
    from detectors.training.stopping import TrainedModels

SLUGS: Final = ("rocket", "fcn", "oscnn", "classifier")
CLASSIFIER: Final = "classifier"
SEEDS: Final = 3  # seeds of a classifier by default
NETWORKS: Final = ("fcn", "oscnn")
PUBLISHED: Final = ("change-points", "marks")

Said = Callable[[str], object]
Asked = tuple[list[LabelledSeries], str, str, str]  # series, source, labels, and words for the name


def add_arguments(parser: ArgumentParser) -> None:
    learned_options = parser.add_argument_group("rocket, fcn, oscnn, classifier")
    learned_options.add_argument(
        "--labels",
        metavar="METHOD",
        help="of a data set STUDY/DATASET: a method's key (default cp-ssd), or known, for "
        "simulated series; with --replication: change-points (default) or marks",
    )
    learned_options.add_argument(
        "--own",
        action="store_true",
        help="the recorded and simulated series that come with Plateau, labelled by cp-ssd and "
        "by what is known",
    )
    learned_options.add_argument(
        "--unseen",
        choices=("benchmarks", "systems"),
        default="benchmarks",
        help="what a fold holds out: benchmarks of every system, as published, or whole systems",
    )
    learned_options.add_argument(
        "--kernels",
        metavar="N",
        type=integer_type(1),
        default=500,
        help="of rocket: how many random ones",
    )
    learned_options.add_argument(
        "--window",
        metavar="N",
        type=integer_type(LEAST_WINDOW),
        default=WINDOW,
        help="values of one",
    )
    learned_options.add_argument(
        "--size", metavar="N", type=integer_type(1), help="benchmarks to learn from; default: all"
    )
    learned_options.add_argument(
        "--seeds",
        metavar="N",
        type=integer_type(1),
        help="how often, to see the spread; the weights are those of the first. Default: 1, of a "
        f"classifier {SEEDS}",
    )
    parser.add_argument_group("classifier").add_argument(
        "--model",
        metavar="PACKAGE:CLASS",
        help="a class with fit and predict, such as sklearn.ensemble:RandomForestClassifier",
    )
    net_options = parser.add_argument_group("fcn, oscnn")
    net_options.add_argument(
        "--epochs", metavar="N", type=integer_type(1), default=500, help="at most"
    )
    net_options.add_argument("--batch", metavar="N", type=integer_type(1), default=1024)
    net_options.add_argument(
        "--most",
        metavar="N",
        type=integer_type(1),
        help="windows to fit on, drawn at random, and a quarter as many to check on; default: all",
    )
    net_options.add_argument(
        "--every",
        metavar="N",
        type=integer_type(1),
        default=1,
        help="choose thresholds on each N-th window of the validation series",
    )
    net_options.add_argument("--device", default="cpu", help="where PyTorch computes: cpu, cuda")


def train(options: dict[str, Any], *, write_line: Said, progress: Said) -> None:
    """Label, fit, print, and write the weights. Raises CommandError."""
    _check_options(options)
    # scikit-learn takes a second to import: only where it is used.
    from detectors.training import stopping  # noqa: PLC0415
    from detectors.training.figures import fold_figures  # noqa: PLC0415
    from detectors.training.fitting.classifiers import NoClassifier  # noqa: PLC0415

    series, source, labels, name_words = _asked_labels(options, progress)
    setting_options = options | {"target": options["model"] or ""}
    settings = stopping.StoppingSettings(
        **{field.name: setting_options[field.name] for field in fields(stopping.StoppingSettings)}
    )
    folder: Path = options["output"] or next(folders())
    n_seeds = options["seeds"] or (SEEDS if settings.slug == CLASSIFIER else 1)
    try:
        seed_trainings = [
            stopping.StoppingTraining(series, seeded_settings, folder=folder, progress=progress)
            for seeded_settings in (
                replace(settings, seed=settings.seed + offset) for offset in range(n_seeds)
            )
        ]
        seed_models = [seed_training.run(source, labels) for seed_training in seed_trainings]
    except (TooFewAnswers, stopping.ModelTooLarge, NotAvailable) as error:
        raise CommandError(f"{source}: {error}", returncode=2) from error
    except NoClassifier as error:
        raise CommandError(f"--model: {error}", returncode=2) from error
    progress("")
    cards = [trained.card["cross_validation"] for trained in seed_models]
    write_line(_heading(seed_models[0].card) + fold_figures.as_table(cards[0]))
    if n_seeds > 1:
        write_line(
            f"\nMeans over folds, for each of {n_seeds} seeds:\n\n"
            + fold_figures.spread_table(cards)
        )
    _write_weights(
        seed_models[0], folder, name_words, write_line=write_line, shipped=options["shipped"]
    )
    for seed_training in seed_trainings:
        seed_training.finish()


def _check_options(options: dict[str, Any]) -> None:
    slug, model = options["slug"], options["model"]
    if slug == CLASSIFIER and not model:
        raise CommandError("--model: found nothing, expected package.module:Class", returncode=2)
    if slug != CLASSIFIER and model is not None:
        raise CommandError(
            f"--model {model}: found it with {slug}, expected with {CLASSIFIER}", returncode=2
        )
    if slug in NETWORKS and find_spec("torch") is None:
        raise CommandError(
            f"{slug}: found no PyTorch, which only training needs; "
            "install it with: pip install -r requirements-train.txt",
            returncode=2,
        )


def _write_weights(
    trained_models: TrainedModels, folder: Path, name_words: str, *, write_line: Said, shipped: bool
) -> None:
    """Into the folder, and say how a run names it; a class that no run may read is not written."""
    target = trained_models.card["settings"].get("target")
    if target and target not in fitted_classifiers.allowed_classes():
        write_line(
            f"\nNot written: {target} is none of the classes that this installation allows "
            f"({fitted_classifiers.VARIABLE}), and no run could read it."
        )
        return
    name = SHIPPED if shipped else trained_models.name(name_words)
    path = trained_models.write(PACKAGED if shipped else folder, name)
    kilobytes = sum(len(file) for file in trained_models.files) / 1024
    write_line(f"\n{path} and five files beside it: {kilobytes:.0f} KB")
    if not shipped:
        write_line(f"Use it as {trained_models.slug}?weights={name}")


def _heading(card: dict[str, Any]) -> str:
    return (
        f"\nWindows of {card['steady_series']} steady series ({card['series']} in all), labelled "
        f"by {card['labels']}; {card['stable_windows']:,} of {card['windows']:,} are stable.\n"
        f"Every window is judged by a model that has not seen its "
        f"{card['settings']['unseen'].removesuffix('s')}; stable counts as positive.\n\n"
    )


def _asked_labels(options: dict[str, Any], progress: Said) -> Asked:
    source_flags = [
        options["campaign"] is not None,
        options["replication"] is not None,
        options["own"],
    ]
    if sum(source_flags) != 1:
        raise CommandError(
            f"found {sum(source_flags)} sources, "
            "expected one of STUDY/CAMPAIGN, STUDY/DATASET, --replication FOLDER, --own",
            returncode=2,
        )
    if options["own"]:
        series = labelled_series.shipped_series(progress)
        source = "recorded and simulated series that come with Plateau"
        if folder := options["known_answers"]:
            with mistakes(NoPanel):
                series += labelled_series.labelled_series_of_corpus(folder)
            source += ", and the corpus of known answers"
        return series, source, "cp-ssd, and what is known of simulated ones", "own"
    if options["replication"] is not None:
        return _published_labels(options["replication"], options["labels"] or PUBLISHED[0])
    return _stored_labels(options["campaign"], options["labels"], progress)


def _published_labels(folder: Path, labels: str) -> Asked:
    if labels not in PUBLISHED:
        raise CommandError(
            f"--labels: found {labels!r}, expected {' or '.join(PUBLISHED)}", returncode=2
        )
    with mistakes(NoPanel):
        series = labelled_series.labelled_series_of_folder(
            folder, "marks" if labels == "marks" else "change-points"
        )
    return series, "published packages", f"published {labels}", f"published-{labels}"


def _stored_labels(name: str, labels: str | None, progress: Said) -> Asked:
    """A campaign's ground truth; or a data set's answers of a method, where one is named."""
    scope = dataset_named(name) if labels else scope_named(name)
    name_words = name.replace("/", "-")
    if isinstance(scope, Campaign):
        return (
            labelled_series.labelled_series_of_campaign(scope),
            name,
            f"the marks of {name}",
            name_words,
        )
    method = (
        None
        if labels == labelled_series.KNOWN
        else _label_method(labels or labelled_series.CHANGE_POINTS)
    )
    label_words = "what is known of simulated series" if method is None else method.key
    series = labelled_series.labelled_series_of_dataset(scope, method, progress)
    return series, name, label_words, name_words


def _label_method(key: str) -> Detector:
    try:
        return from_key(key)
    except (UnknownDetector, ParameterError) as error:
        raise CommandError(f"--labels: {error}", returncode=2) from error
