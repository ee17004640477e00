"""Worth of each part of `plateau`.

    python -m evidence.replication.plateau_ablations [FOLDER]

Every series is answered by a model that has not seen its system, with one forest of each kind, in
the folds of the shipped weights and in as many shuffled ones as make up `--foldings`. What is
printed of a line is its difference from the first one, over all foldings, with 95 % of the
differences where whole systems are drawn anew, each with its series of every folding. First the
place: without a source of training data, and without each group of features. Then steady or
never: by other forests, and with their odds mended. Last, where a second fork of the benchmark has
a say.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from analysis.statistics.answers import Bools, Floats
from detectors.methods.plateau import WITHIN, Plateau, PlateauReading
from detectors.panel.forests import Forest
from detectors.panel.panel_grid import GRID, running_maximum
from detectors.panel.panel_models import SHIPPED, models_named, summary_row
from detectors.panel.series_features import SeriesFeatures
from detectors.training.figures.method_figures import balanced_accuracy, resamples
from detectors.training.figures.validation import folds
from detectors.training.labels.panel_answers import ShownSeries
from detectors.training.labels.published import panel_of_folder
from detectors.training.panel import STEADY_OPTIONS, PanelFeatures, fitted_starts, fitted_steady
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedStudy
from evidence.replication.sureness import counts_of
from formats.markdown import head, row

DRAWS: Final = 2000
SHARES: Final = (0.1, 0.25, 0.5)  # of the other fork
GROUPS: Final[Mapping[str, tuple[int, int]]] = {
    "what is left behind it": (2, 13),
    "levels on either side": (13, 38),
    "level of the earlier part": (38, 41),
    "scatter on either side": (41, 45),
    "steps before and behind it": (45, 48),
    "the series as a whole": (48, 78),
}
"""First and last column of features, the last exclusive."""
FORESTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "as shipped": {},
    "trees of 3 leaves, 120": {"max_leaf_nodes": 3, "max_iter": 120},
    "trees of 15 leaves": {"max_leaf_nodes": 15},
    "200 trees that learn a third as fast": {"max_iter": 200, "learning_rate": 0.025},
    "scikit-learn's own settings": {
        "max_iter": 100,
        "learning_rate": 0.1,
        "max_leaf_nodes": 31,
        "min_samples_leaf": 20,
        "max_features": 1.0,
        "l2_regularization": 0,
    },
}
"""What differs from the settings of `detectors.training.panel`."""
Names = NDArray[np.str_]
Figure = Callable[[Floats], float]
Options = Mapping[str, Any]
Mended = Callable[[Floats], Floats]
Orders = Sequence[int | None]
"""Of foldings, as `detectors.training.figures.validation.folds` takes them."""


def _print_ablations(study: PublishedStudy, options: Namespace) -> int:
    panel = panel_of_folder(study.folder)
    features = PanelFeatures.from_panel(panel)
    orders = (None, *range(1, options.foldings))
    _place(features, orders)
    _print_steady(features, orders)
    _forks(features, study.folder)
    return 0


def differences(own_distances: Floats, first: Floats, systems: Names, figure: Figure) -> Floats:
    """2.5 and 97.5 % of what figure(ours) - figure(first) is where systems are drawn anew.

    One number a series each; `figure` must be defined on any non-empty part of them.
    """
    resampled_places = islice(resamples(systems, np.random.default_rng(0)), DRAWS)
    percentiles: Floats = np.percentile(
        [figure(own_distances[places]) - figure(first[places]) for places in resampled_places],
        [2.5, 97.5],
    )
    return percentiles


def _cell(
    own_distances: Floats, first: Floats, systems: Names, figure: Figure, digits: int = 0
) -> str:
    low, high = differences(own_distances, first, systems, figure)
    value = figure(own_distances)
    change = value - figure(first)
    return f"{value:.{digits}f} | {change:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"


def _mean(values: Floats) -> float:
    return float(values.mean())


def _share_near(errors: Floats) -> float:
    return float((errors <= WITHIN).mean())


# --- the place ------------------------------------------------------------------------------------
def blank_columns(features: PanelFeatures, columns: tuple[int, int]) -> PanelFeatures:
    """Blank these columns of the panel's features."""
    rows, shown_rows = features.rows.copy(), features.shown_rows.copy()
    rows[:, :, slice(*columns)] = shown_rows[:, :, slice(*columns)] = 0
    return replace(features, rows=rows, shown_rows=shown_rows)


def _no_single_marks(features: PanelFeatures) -> PanelFeatures:
    shown_series = [
        ShownSeries(shown_series.group, shown_series.values, (), shown_series.steady)
        for shown_series in features.panel.shown
    ]
    return replace(features, panel=replace(features.panel, shown=shown_series))


def _training_masks(features: PanelFeatures, order: int | None) -> Iterator[tuple[Bools, Bools]]:
    """(marked, shown) series that a fold trains on."""
    for training, _ in folds([*features.groups, *features.shown_groups], order):
        yield np.isin(features.groups, training), np.isin(features.shown_groups, training)


def distributions(features: PanelFeatures, order: int | None) -> Floats:
    """(marked, 64): each series by a model that has not seen its system."""
    cdfs = np.zeros(features.rows.shape[:2])
    for marked_mask, shown_mask in _training_masks(features, order):
        forest = fitted_starts(features, marked_mask, shown_mask, 0, forests=1)
        for series_index in np.flatnonzero(~marked_mask):
            cdfs[series_index] = running_maximum(forest.sums(features.rows[series_index]))
    return cdfs


def distances(cdf: Floats, starts: Floats) -> Floats:
    """Distance of each distribution from the answer, in iterations of a series of 3,000 (CRPS)."""
    steady_by = starts[:, None] <= GRID
    scores: Floats = ((np.clip(cdf, 0, 1) - steady_by) ** 2 * np.gradient(GRID)).sum(axis=1)
    return scores


def _errors(features: PanelFeatures, cdf: Floats) -> Floats:
    """Errors of the median of each distribution."""
    medians = [
        sight.candidates[sight.mean_errors(distribution).argmin()]
        for sight, distribution in zip(features.sights, cdf, strict=True)
    ]
    return np.abs(
        np.array(medians)
        - np.array([marked_series.start for marked_series in features.panel.marked])
    ).astype(float)


def _place(features: PanelFeatures, orders: Orders) -> None:
    lines = {"everything": features, "no single marks on shown series": _no_single_marks(features)}
    lines |= {f"not: {name}": blank_columns(features, columns) for name, columns in GROUPS.items()}
    columns = ("distance from the answers", "change", "error of its median", "change")
    print(head("distribution", *columns))
    first: tuple[Floats, Floats] | None = None
    systems = np.tile(features.groups, len(orders))
    for name, line_features in lines.items():
        cdfs = [distributions(line_features, order) for order in orders]
        figures = (
            np.concatenate([distances(cdf, features.starts) for cdf in cdfs]),
            np.concatenate([_errors(features, cdf) for cdf in cdfs]),
        )
        first = first or figures
        cells = [_cell(a, b, systems, _mean) for a, b in zip(figures, first, strict=True)]
        print(row(name, *cells), flush=True)


# --- steady or never ------------------------------------------------------------------------------
def steady_odds(
    features: PanelFeatures, order: int | None, options: Options = STEADY_OPTIONS
) -> Floats:
    """Logarithms of the odds of steady, each by a model that has not seen its group."""
    out_of_fold = np.zeros(features.steady.size)
    rows = np.stack([summary_row(row) for row in features.shown_rows])
    for _, shown_mask in _training_masks(features, order):
        out_of_fold[~shown_mask] = _fit_forest(features, shown_mask, options).sums(
            rows[~shown_mask]
        )
    return out_of_fold


def _fit_forest(features: PanelFeatures, shown_mask: Bools, options: Options) -> Forest:
    no_known = np.zeros(features.known_groups.size, np.bool_)  # people's labels alone
    forest = fitted_steady(features, shown_mask, no_known, 0, forests=1, options=options)
    if forest is None:
        raise ValueError("found too few labels of either kind")
    return forest


COLUMNS: Final = ("squared error of the chance", "change", "balanced accuracy", "change")


def _print_steady(features: PanelFeatures, orders: Orders) -> None:
    print(f"\n{head('chance of steady', *COLUMNS)}")
    lines = NeverLines(features, orders)
    for name, options in FORESTS.items():
        forest_options = {**STEADY_OPTIONS, **options}
        lines.tell(name, [steady_odds(features, order, forest_options) for order in orders])
    calibrated_features = [calibrated_odds(features, order) for order in orders]
    for name in CALIBRATIONS:
        lines.tell(name, [mended_odds[name] for mended_odds in calibrated_features])


class NeverLines:
    """Lines of a table; each is compared with the first that was told."""

    def __init__(self, features: PanelFeatures, orders: Orders) -> None:
        self.seen, self.times = features, len(orders)
        self.systems = np.tile(features.shown_groups, self.times)
        self.first: tuple[Floats, Floats] | None = None

    def tell(self, name: str, odds: Sequence[Floats]) -> None:
        """One line: squared error and balanced accuracy on people's labels."""
        is_steady = np.tile(self.seen.steady, self.times)
        all_odds = np.concatenate(odds)
        squares = (1 / (1 + np.exp(-all_odds)) - is_steady) ** 2
        answers_and_labels = np.column_stack([all_odds > 0, is_steady]).astype(float)
        self.first = self.first or (squares, answers_and_labels)
        cells = [
            _cell(squares, self.first[0], self.systems, _mean, 4),
            _cell(answers_and_labels, self.first[1], self.systems, _balanced_accuracy, 3),
        ]
        print(row(name, *cells), flush=True)


def _balanced_accuracy(pairs: Floats) -> float:
    """Balanced accuracy of pairs (answer, label)."""
    says_steady, true_starts = pairs.T > 0
    return balanced_accuracy(says_steady, true_starts)


def calibrated_odds(features: PanelFeatures, order: int | None) -> dict[str, Floats]:
    """Odds mended in each way, as fitted in folds of a fold's training systems."""
    out_of_fold = {name: np.zeros(features.steady.size) for name in CALIBRATIONS}
    rows = np.stack([summary_row(row) for row in features.shown_rows])
    for _, shown_mask in _training_masks(features, order):
        forest = _fit_forest(features, shown_mask, STEADY_OPTIONS)
        inner_odds = steady_odds(_select_series(features, shown_mask), None)
        for name, calibrate in CALIBRATIONS.items():
            mend = calibrate(inner_odds, features.steady[shown_mask])
            out_of_fold[name][~shown_mask] = mend(forest.sums(rows[~shown_mask]))
    return out_of_fold


def _select_series(features: PanelFeatures, shown_mask: Bools) -> PanelFeatures:
    """Keep of these series what steady or never is learned from."""
    return replace(
        features,
        groups=features.groups[np.isin(features.groups, features.shown_groups[shown_mask])],
        shown_rows=features.shown_rows[shown_mask],
        shown_groups=features.shown_groups[shown_mask],
        labelled=features.labelled[shown_mask],
        steady=features.steady[shown_mask],
    )


def _scale_odds(odds: Floats, is_steady: Bools) -> Mended:
    counts = counts_of(odds, is_steady)
    return lambda other_odds: counts * other_odds


def _fit_line(odds: Floats, is_steady: Bools) -> Mended:
    """Platt's: a constant, too."""
    line = LogisticRegression().fit(odds[:, None], is_steady)
    return lambda other_odds: line.decision_function(other_odds[:, None])


def _fit_steps(odds: Floats, is_steady: Bools) -> Mended:
    """Isotonic; no chance beyond 2 and 98 %."""
    steps = IsotonicRegression(y_min=0.02, y_max=0.98, out_of_bounds="clip").fit(odds, is_steady)
    return lambda other_odds: logit(steps.predict(other_odds))


CALIBRATIONS: Final[Mapping[str, Callable[[Floats, Bools], Mended]]] = {
    "odds count more, as fitted": _scale_odds,
    "and a constant (Platt)": _fit_line,
    "isotonic": _fit_steps,
}


# --- another fork ---------------------------------------------------------------------------------
def _marked_rows(folder: Path) -> list[int]:
    """Places of the marked series among all."""
    records = json.loads((folder / "expected.json").read_text("utf-8"))
    return [row for row, record in enumerate(records) if record["marks"]]


def _forks(features: PanelFeatures, folder: Path) -> None:
    """The shown fork of a benchmark, if it is another, has a share in the marked one's."""
    models, method = models_named(SHIPPED), Plateau()
    readings, other_distributions, marked_indices = [], [], []
    for number, shown_index in enumerate(_marked_rows(folder)):
        marked_series, shown_series = (
            features.panel.marked[number],
            features.panel.shown[shown_index],
        )
        if not np.array_equal(marked_series.values, shown_series.values):
            model = models.judge(marked_series.values, marked_series.group).model
            readings.append(method.read(features.sights[number], model))
            other_distributions.append(
                running_maximum(
                    model.starts.sums(SeriesFeatures.from_values(shown_series.values).rows)
                )
            )
            marked_indices.append(number)
    truth = np.array(
        [features.panel.marked[chosen_number].start for chosen_number in marked_indices]
    )
    print(f"\nSeries with another fork that was shown: {truth.size}\n")
    print(head("share of the other fork", "error", "change", "within 50", "change"))
    first: Floats | None = None
    for share in (0.0, *SHARES):
        errors = np.abs(
            blended_answers(readings, other_distributions, share, method.params.worth) - truth
        )
        first = errors if first is None else first
        cells = [
            _cell(errors, first, features.groups[marked_indices], figure, digits)
            for figure, digits in ((_mean, 0), (_share_near, 3))
        ]
        print(row(f"{share:g}", *cells))


def blended_answers(
    readings: Sequence[PlateauReading],
    other_distributions: Sequence[Floats],
    share: float,
    weight: float,
) -> Floats:
    """The answers where another fork's distribution has this share."""
    answers = []
    for reading, other_distribution in zip(readings, other_distributions, strict=True):
        expected = reading.seen.mean_errors((1 - share) * reading.cdf + share * other_distribution)
        answers.append(reading.seen.candidates[(expected - weight * reading.near).argmin()])
    return np.array(answers, dtype=np.float64)


main = study_command(
    _print_ablations, option("--foldings", type=int, choices=range(1, 10), default=1, metavar="N")
)

if __name__ == "__main__":
    raise SystemExit(main())
