"""Certainty of `plateau`, and its calibration: `python -m evidence.replication.sureness [FOLDER]`.

Every marked series is read by the model that has not seen its system. First the odds of an answer
within 50 iterations of the panel's, fitted on all of them: the constants that the method ships.
Then the reliability of the same fit where each system is held out, in bins of equal size, with
the expected calibration error beside that of a forecast which is right. Then the same of never:
on the series that people labelled, and with `--known-answers` on those of a folder of
`make corpus`, of which it is known by construction whether they become steady. Last, how many
marks it takes to bring the mean error of all series down where people mark the least sure series
first, and where they mark in random order. With `--write` the figures of the order that campaigns
offer are stored, with their settings, where the application reads them.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut

from analysis.least_sure.replay import STORED, MarksReplay
from analysis.statistics.answers import Bools, Floats
from analysis.statistics.marking_order import TURN, turns
from detectors.methods.plateau import WITHIN, Plateau, near_figures
from detectors.panel.panel_models import SHIPPED, STEADY_COUNTS, models_named, summary_row
from detectors.panel.series_features import SeriesFeatures, grid_rows
from detectors.training.figures.method_figures import resamples
from detectors.training.labels import known_answers
from detectors.training.labels.panel_answers import KnownSeries, ShownSeries
from detectors.training.labels.published import panel_of_folder
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

BINS: Final = (5, 10)
SHARES: Final = (0.75, 0.5, 0.25)
HALF: Final = 0.5
DRAWS: Final = 200
QUEUES: Final = 2000  # drawn of all series
SAMPLES: Final = 1000
ORDERS: Final = 20  # drawn of each sample
SEED: Final = 0
Names = NDArray[np.str_]


def _print_forecasts(study: PublishedStudy, options: Namespace) -> int:
    panel, method, models = panel_of_folder(study.folder), Plateau(), models_named("shipped")
    readings = [
        method.read(
            SeriesFeatures.from_values(marked_series.values),
            models.judge(marked_series.values, marked_series.group).model,
        )
        for marked_series in panel.marked
    ]
    figures = np.array([near_figures(reading) for reading in readings])
    widths = np.array(
        [(reading.interval[1] - reading.interval[0]) / reading.seen.n for reading in readings]
    )
    errors = np.array(
        [
            abs(reading.start - marked_series.start)
            for reading, marked_series in zip(readings, panel.marked, strict=True)
        ]
    )
    systems = np.array([marked_series.group for marked_series in panel.marked])
    is_near = errors <= WITHIN
    regression = LogisticRegression().fit(figures, is_near)
    constants = [float(regression.intercept_[0]), *regression.coef_[0].tolist()]
    print(f"Odds: {', '.join(f'{constant:.3f}' for constant in constants)}\n")
    held_out = np.zeros(is_near.size)
    for training_rows, test_rows in LeaveOneGroupOut().split(figures, is_near, systems):
        model = LogisticRegression().fit(figures[training_rows], is_near[training_rows])
        held_out[test_rows] = model.predict_proba(figures[test_rows])[:, 1]
    _reliability(held_out, is_near)
    _print_never_chance(
        panel.shown,
        known_answers.known_series_of_folder(options.known_answers)
        if options.known_answers
        else (),
    )
    exact_errors = errors.astype(np.float64)
    _marks(exact_errors, {"widest interval": widths, "least probable": -held_out})
    replay = replay_marks(exact_errors, widths, systems, method=method.key)
    print(f"\nAs campaigns ask, in turns of {TURN}: {replay.sentence}")
    if options.write:
        STORED.write_text(json.dumps(asdict(replay), indent=1) + "\n", "utf-8")
    return 0


def calibration_error(chances: Floats, came_true: Bools, bins: int) -> float:
    """Mean distance of forecast and frequency over bins of equal size, by their sizes."""
    order = np.array_split(np.argsort(chances, kind="stable"), bins)
    return float(
        sum(abs(chances[b].mean() - came_true[b].mean()) * b.size for b in order) / came_true.size
    )


def squared_miscalibration(chances: Floats, came_true: Bools, bins: int) -> float:
    """Mean squared distance of forecast and frequency over bins of equal size, without bias.

    The variance of each frequency is taken off, so a forecast that is right has 0 on average, and
    less than 0 as often as more (Kumar, Liang and Ma 2019, arXiv 1909.10155, section 4).
    """
    order = np.array_split(np.argsort(chances, kind="stable"), bins)
    squares = []
    for places in order:
        frequency = came_true[places].mean()
        variance = frequency * (1 - frequency) / (places.size - 1)
        squares.append((chances[places].mean() - frequency) ** 2 - variance)
    return float(np.average(squares, weights=[places.size for places in order]))


def _reliability(chances: Floats, came_true: Bools) -> None:
    print(head("said", "came true", "series"))
    for rows in np.array_split(np.argsort(chances, kind="stable"), BINS[0]):
        print(row(f"{chances[rows].mean():.2f}", f"{came_true[rows].mean():.2f}", rows.size))
    rng = np.random.default_rng(0)
    for bins in BINS:
        chance_errors = [
            calibration_error(chances, rng.random(came_true.size) < chances, bins)
            for _ in range(DRAWS)
        ]
        error = calibration_error(chances, came_true, bins)
        print(f"\nExpected calibration error, {bins} bins: {error:.3f}; ", end="")
        print(f"of a forecast that is right, by chance: {np.mean(chance_errors):.3f}; ", end="")
        print(f"squared, unbiased: {squared_miscalibration(chances, came_true, bins):+.4f}")


# --- never ----------------------------------------------------------------------------------------
def _print_never_chance(
    shown_series: Sequence[ShownSeries], known_series: Sequence[KnownSeries]
) -> None:
    """Print how often a series called never steady is said to be so, with each chance."""
    labelled_series = [series for series in shown_series if series.steady is not None]
    odds, is_steady = (
        steady_odds(labelled_series),
        np.array([bool(series.steady) for series in labelled_series]),
    )
    systems = np.array([series.group for series in labelled_series])
    resampled_places = islice(resamples(systems, np.random.default_rng(SEED)), SAMPLES)
    low, high = np.quantile(
        [counts_of(odds[places], is_steady[places]) for places in resampled_places], (0.025, 0.975)
    )
    print(f"\nThe odds of steady count {counts_of(odds, is_steady):.3f} times; ", end="")
    print(f"{low:.2f} to {high:.2f} where systems are drawn anew (95 %)")
    print_never("People, as the forests say", odds, is_steady)
    print_never("People", odds * leave_out_factors(odds, is_steady, systems), is_steady)
    if known_series:
        simulated = np.array([series.steady for series in known_series])
        print_never("Corpus", steady_odds(known_series) * STEADY_COUNTS, simulated)


def steady_odds(series: Sequence[ShownSeries | KnownSeries]) -> Floats:
    """Logarithms of the odds that people call them steady, by models that have not seen them."""
    models, odds = models_named(SHIPPED), []
    for one_series in series:
        forest = models.judge(one_series.values, one_series.group).model.steady
        summary = summary_row(grid_rows(one_series.values))
        odds.append(forest.sums(summary[None])[0] if forest else np.inf)
    return np.array(odds)


def counts_of(odds: Floats, is_steady: Bools) -> float:
    """Factor of the odds that makes them likeliest; even odds stay even."""
    regression = LogisticRegression(fit_intercept=False).fit(odds[:, None], is_steady)
    return float(regression.coef_[0, 0])


def leave_out_factors(odds: Floats, is_steady: Bools, systems: Names) -> Floats:
    """Factor of the odds for each series, from the other systems."""
    factors = np.zeros(odds.size)
    for training_rows, test_rows in LeaveOneGroupOut().split(odds, is_steady, systems):
        factors[test_rows] = counts_of(odds[training_rows], is_steady[training_rows])
    return factors


def print_never(name: str, odds: Floats, is_steady: Bools) -> None:
    """Print the reliability of never, for all series and for those answered never."""
    chances = 1 / (1 + np.exp(odds))
    for subset_name, is_counted in (
        ("all", np.ones(odds.size, np.bool_)),
        ("answered never", odds <= 0),
    ):
        print(f"\nNever: {name}, {subset_name}:\n")
        _reliability(chances[is_counted], ~is_steady[is_counted])


# --- marks ----------------------------------------------------------------------------------------
def needed_mark_count(errors: Floats, order: Sequence[int], share: float) -> int:
    """Marks after which the mean error is this share of what it was; a mark has none."""
    remaining_error = errors.sum() - np.concatenate([[0.0], np.cumsum(errors[list(order)])])
    return int(np.argmax(remaining_error <= share * errors.sum()))


Ordered = Callable[[np.random.Generator], Sequence[int]]


def mean_marks(
    errors: Floats,
    draw_order: Ordered,
    share: float,
    *,
    draws: int = QUEUES,
    rng: np.random.Generator | None = None,
) -> float:
    """The mean over orders that are drawn."""
    rng = rng or np.random.default_rng(SEED)
    return float(np.mean([needed_mark_count(errors, draw_order(rng), share) for _ in range(draws)]))


def turn_order(widths: Floats) -> Ordered:
    """The widest first in turns, as a queue of a campaign; within a turn by lot."""
    width_by_series = dict(enumerate(widths.tolist()))
    turn = np.array(list(turns(range(widths.size), width_by_series, seed=SEED).items()))
    series_turns = turn[np.argsort(turn[:, 0]), 1]
    return lambda rng: np.lexsort((rng.random(series_turns.size), series_turns)).tolist()


def random_order(n: int) -> Ordered:
    return lambda rng: rng.permutation(n).tolist()


def replay_marks(
    errors: Floats, widths: Floats, systems: Iterable[str], *, method: str, samples: int = SAMPLES
) -> MarksReplay:
    """Marks to half of the error in the order of campaigns, and in random order.

    The interval of what is saved is of a bootstrap of whole systems.
    """
    rng = np.random.default_rng(SEED)
    names = np.array(list(systems))
    saved_shares = []
    for places in islice(resamples(names, rng), samples):
        orders = turn_order(widths[places]), random_order(places.size)
        fewer_needed, random_marks = (
            mean_marks(errors[places], order, HALF, draws=ORDERS, rng=rng) for order in orders
        )
        saved_shares.append((random_marks - fewer_needed) / places.size)
    low, high = np.quantile(saved_shares, (0.025, 0.975)) * errors.size
    return MarksReplay(
        method=method,
        series=errors.size,
        systems=np.unique(names).size,
        turn=TURN,
        share=HALF,
        draws=QUEUES,
        samples=samples,
        orders=ORDERS,
        seed=SEED,
        marks=round(mean_marks(errors, turn_order(widths), HALF)),
        random=round(mean_marks(errors, random_order(errors.size), HALF)),
        saved_low=round(float(low)),
        saved_high=round(float(high)),
    )


def _marks(errors: Floats, orders: Mapping[str, Floats]) -> None:
    print(f"\n{head('mean error brought down to', *orders, 'random order')}")
    for share in SHARES:
        needed_marks = [
            needed_mark_count(errors, np.argsort(-widths).tolist(), share)
            for widths in orders.values()
        ]
        needed_marks.append(round(mean_marks(errors, random_order(errors.size), share)))
        print(row(f"{share:.0%}", *needed_marks))


main = study_command(
    _print_forecasts,
    option("--known-answers", type=Path, metavar="FOLDER"),
    option("--write", action="store_true", help=f"store the figures in {STORED.name}"),
)

if __name__ == "__main__":
    raise SystemExit(main())
