"""Figures of `plateau` over several seeds of its training, each series by a model that held it out.

    python -m evidence.replication.plateau_seeds [FOLDER] --known-answers FOLDER [--seeds N]

Systems are held out in the folds of the weights that ship. Seeds change the random features of the
forests, and nothing else. Intervals (95 %) resample systems. Plain series are drawn ones that no
training has seen, of 500 to 3,000 values; the model of the first fold answers them. About two
minutes of a processor for each seed.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER
from detectors.methods.plateau import Plateau
from detectors.panel.panel_models import PanelJudge, PanelModel
from detectors.panel.series_features import SeriesFeatures
from detectors.simulated.plain_series import PlainSeries
from detectors.training.figures.method_figures import (
    balanced_accuracy,
    panel_starts,
    resamples,
    starts_with_constant,
)
from detectors.training.figures.validation import HeldOutModel, constants, deal_groups
from detectors.training.labels import known_answers
from detectors.training.labels.published import panel_of_folder
from detectors.training.panel import (
    LEVELS,
    PanelFeatures,
    fit_nearness,
    fitted_starts,
    fitted_steady,
)
from detectors.training.plain import fitted_plain, is_right
from evidence.corpus.plain_shares import plain_suite
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

LENGTHS: Final = (500, 1000, 3000)
WITHIN: Final = 50
SAMPLES: Final = 2000
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SeedAnswers:
    """Answers of one seed: starts of marked series, of those shown, and of the corpus; -1 never.

    plain: whether each drawn series is answered rightly.
    """

    marked: NDArray[np.int64]
    shown: NDArray[np.int64]
    known: NDArray[np.int64]
    plain: Bools


def fit_offline_model(features: PanelFeatures, groups: Sequence[str], seed: int) -> PanelModel:
    """Fit the model of `groups`, except for reading online."""
    marked_mask, shown_mask, known_mask = (
        np.isin(names, list(groups))
        for names in (features.groups, features.shown_groups, features.known_groups)
    )
    starts = fitted_starts(features, marked_mask, shown_mask, seed)
    return PanelModel(
        starts,
        fitted_steady(features, shown_mask, known_mask, seed),
        fit_nearness(features, marked_mask, seed),
        starts,
        LEVELS,
        plain=fitted_plain(features.plain, groups, seed),
    )


def answers_of_seed(
    features: PanelFeatures,
    parts: Sequence[HeldOutModel],
    plain_sights: Sequence[tuple[PlainSeries, SeriesFeatures]],
    sights: Sequence[Sequence[SeriesFeatures]],
) -> SeedAnswers:
    """Answers by the models of one seed. sights: of the shown series, and of the corpus."""
    method = Plateau()
    judges = {group: PanelJudge(part.model, blind=True) for part in parts for group in part.groups}

    def starts(series: Sequence[SeriesFeatures], groups: Sequence[str]) -> NDArray[np.int64]:
        pairs = zip(series, groups, strict=True)
        return np.array(
            [method.judged(sight, judges[group]).steady_start for sight, group in pairs]
        )

    first = PanelJudge(parts[0].model, blind=True)
    return SeedAnswers(
        starts(features.sights, features.groups.tolist()),
        starts(sights[0], features.shown_groups.tolist()),
        starts(sights[1], features.known_groups.tolist()),
        np.array(
            [
                plain_series.is_right(method.judged(sight, first).steady_start)
                for plain_series, sight in plain_sights
            ]
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class SeedFigures:
    """Figures of answers: a name, a value and, where systems are drawn, an interval."""

    seen: PanelFeatures
    drawn: Sequence[tuple[PlainSeries, SeriesFeatures]]

    def rows(self, answers: SeedAnswers) -> Iterator[tuple[str, float, tuple[float, float] | None]]:
        panel = self.seen.panel
        counted_starts = starts_with_constant(answers.marked.astype(np.float64), constants(panel))
        errors = np.abs(counted_starts - panel_starts(panel))
        for name, figure in (
            ("mean error", lambda rows: float(errors[rows].mean())),
            ("median error", lambda rows: float(np.median(errors[rows]))),
            (f"within {WITHIN}", lambda rows: float((errors[rows] <= WITHIN).mean())),
        ):
            yield name, *figure_interval(figure, self.seen.groups)
        labelled_mask = self.seen.labelled
        says_steady, is_steady = (
            (answers.shown != NEVER)[labelled_mask],
            self.seen.steady[labelled_mask],
        )
        systems = self.seen.shown_groups[labelled_mask]
        for name, figure in (
            (
                "steady or never, balanced",
                lambda rows: balanced_accuracy(says_steady[rows], is_steady[rows]),
            ),
            ("steady, found", lambda rows: float(says_steady[rows][is_steady[rows]].mean())),
            ("never, found", lambda rows: float((~says_steady[rows][~is_steady[rows]]).mean())),
        ):
            yield name, *figure_interval(figure, systems)
        pairs = zip(answers.known.tolist(), panel.known, strict=True)
        is_right_on_corpus = [is_right(start, series.start) for start, series in pairs]
        if is_right_on_corpus:
            yield "corpus, right", float(np.mean(is_right_on_corpus)), None
        shapes = np.array([series.shape for series, _ in self.drawn])
        noises = np.array([series.noise for series, _ in self.drawn])
        yield "plain, right", float(answers.plain.mean()), None
        yield "plain, flat", float(answers.plain[shapes == "flat"].mean()), None
        yield "plain, recorded noise", float(answers.plain[noises == "recorded"].mean()), None


def figure_interval(
    figure: Callable[[NDArray[np.int64]], float], systems: NDArray[np.str_]
) -> tuple[float, tuple[float, float]]:
    """A figure of all series, and its 95 % interval where whole systems are drawn anew."""
    draws = islice(resamples(systems, np.random.default_rng(0)), SAMPLES)
    low, high = np.nanpercentile([figure(places) for places in draws], (2.5, 97.5)).tolist()
    return figure(np.arange(systems.size)), (low, high)


def _print_seeds(study: PublishedStudy, options: Namespace) -> int:
    panel = panel_of_folder(study.folder)
    if options.known_answers:
        panel = replace(panel, known=known_answers.known_series_of_folder(options.known_answers))
    features = PanelFeatures.from_panel(panel)
    plain_sights = [
        (series, SeriesFeatures.from_values(series.values)) for series in plain_suite(LENGTHS)
    ]
    sights = [
        [SeriesFeatures.from_values(series.values) for series in part_series]
        for part_series in (panel.shown, panel.known)
    ]
    figures = SeedFigures(features, plain_sights)
    values_by_name: dict[str, list[float]] = {}
    print(f"{len(features.groups)} marked series, {int(features.labelled.sum())} labelled ones\n")
    for seed in range(options.seeds):
        parts = [
            HeldOutModel(held_groups, fit_offline_model(features, training_groups, seed))
            for training_groups, held_groups in deal_groups(features, None)
        ]
        rows = list(figures.rows(answers_of_seed(features, parts, plain_sights, sights)))
        if not values_by_name:
            print(head("seed", *(name for name, _, _ in rows)))
        for name, value, _ in rows:
            values_by_name.setdefault(name, []).append(value)
        print(row(seed, *(_cell(value, interval) for _, value, interval in rows)), flush=True)
    print(row("mean", *(_cell(float(np.mean(values)), None) for values in values_by_name.values())))
    print(
        row(
            "from, to",
            *(f"{_cell(min(x), None)}, {_cell(max(x), None)}" for x in values_by_name.values()),
        )
    )
    return 0


def _cell(value: float, interval: tuple[float, float] | None) -> str:
    number_format = "{:.0f}" if value > 1 else "{:.3f}"
    text = number_format.format(value)
    return (
        f"{text} [{', '.join(number_format.format(end) for end in interval)}]" if interval else text
    )


main = study_command(
    _print_seeds,
    option("--known-answers", type=Path, metavar="FOLDER"),
    option("--seeds", type=int, default=5),
)

if __name__ == "__main__":
    raise SystemExit(main())
