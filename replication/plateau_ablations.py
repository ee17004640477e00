"""What each part of `plateau` is worth: `python -m replication.plateau_ablations [FOLDER]`.

Every series is answered by a model that has not seen its system, with one forest of each kind, in
the folds of the shipped weights. What is printed of a line is its difference from the first one,
with 95 % of the differences where whole systems are drawn anew. First the place: without a source
of training data, and without each group of features. Then steady or never: with and without the
corpus of known answers (`make corpus`), of which a series is judged by a model that has not seen
the workload of its noise. Last, where a second fork of the benchmark has a say.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.answers import Bools, Floats
from detectors.forests import Forest
from detectors.kernels.plateau import risen
from detectors.methods.plateau import WITHIN, Plateau, PlateauReading
from detectors.panel import GRID, SHIPPED, models_named, summary_row
from detectors.series_features import SeriesFeatures
from detectors.training import known_answers
from detectors.training.method_figures import balanced_accuracy, resamples
from detectors.training.panel import PanelFeatures, fitted_starts, fitted_steady
from detectors.training.panel_answers import KNOWN_WEIGHT, PanelAnswers, ShownSeries
from detectors.training.published import of_folder
from detectors.training.validation import folds
from formats.markdown import head, row
from replication.published_files import option, study_command
from replication.published_study import PublishedStudy

DRAWS: Final = 2000
SHARES: Final = (0.1, 0.25, 0.5)  # of the other fork
WEIGHTS: Final = (0.0, 0.01, KNOWN_WEIGHT, 0.04, 0.1)  # of a series of the corpus
GROUPS: Final[Mapping[str, tuple[int, int]]] = {
    "what is left behind it": (2, 13),
    "levels on either side": (13, 38),
    "level of the earlier part": (38, 41),
    "scatter on either side": (41, 45),
    "steps before and behind it": (45, 48),
    "the series as a whole": (48, 78),
}
"""First and last column of features, the last exclusive."""
CORPUS: Final = Path("data/plateau-corpus-1")
Names = NDArray[np.str_]
Figure = Callable[[Floats], float]


def _told(study: PublishedStudy, options: Namespace) -> int:
    panel = of_folder(study.folder)
    seen = PanelFeatures.of(panel)
    _place(seen)
    _steady(panel, options.known_answers)
    _forks(seen, study.folder)
    return 0


def differences(ours: Floats, first: Floats, systems: Names, figure: Figure) -> Floats:
    """2.5 and 97.5 % of what figure(ours) - figure(first) is where systems are drawn anew.

    One number a series each; `figure` must be defined on any non-empty part of them.
    """
    drawn = islice(resamples(systems, np.random.default_rng(0)), DRAWS)
    found: Floats = np.percentile(
        [figure(ours[each]) - figure(first[each]) for each in drawn], [2.5, 97.5]
    )
    return found


def _cell(ours: Floats, first: Floats, systems: Names, figure: Figure, digits: int = 0) -> str:
    low, high = differences(ours, first, systems, figure)
    change = figure(ours) - figure(first)
    return (
        f"{figure(ours):.{digits}f} | {change:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"
    )


def _mean(values: Floats) -> float:
    return float(values.mean())


def _near(errors: Floats) -> float:
    return float((errors <= WITHIN).mean())


# --- the place ------------------------------------------------------------------------------------
def without(seen: PanelFeatures, columns: tuple[int, int]) -> PanelFeatures:
    """The same panel, and nothing to be seen in these columns."""
    rows, shown = seen.rows.copy(), seen.shown_rows.copy()
    rows[:, :, slice(*columns)] = shown[:, :, slice(*columns)] = 0
    return replace(seen, rows=rows, shown_rows=shown)


def _no_single_marks(seen: PanelFeatures) -> PanelFeatures:
    shown = [ShownSeries(each.group, each.values, (), each.steady) for each in seen.panel.shown]
    return replace(seen, panel=replace(seen.panel, shown=shown))


def _held_out(seen: PanelFeatures) -> Iterator[tuple[Bools, Bools]]:
    """(marked, shown) series that a fold trains on."""
    for kept, _ in folds([*seen.groups, *seen.shown_groups], None):
        yield np.isin(seen.groups, kept), np.isin(seen.shown_groups, kept)


def distributions(seen: PanelFeatures) -> Floats:
    """(marked, 64): each series by a model that has not seen its system."""
    found = np.zeros(seen.rows.shape[:2])
    for marked, shown in _held_out(seen):
        forest = fitted_starts(seen, marked, shown, 0, forests=1)
        for at in np.flatnonzero(~marked):
            found[at] = risen(forest.sums(seen.rows[at]))
    return found


def distances(cdf: Floats, starts: Floats) -> Floats:
    """Of each distribution and what was answered, in iterations of a series of 3,000 (CRPS)."""
    came = starts[:, None] <= GRID
    found: Floats = ((np.clip(cdf, 0, 1) - came) ** 2 * np.gradient(GRID)).sum(axis=1)
    return found


def _errors(seen: PanelFeatures, cdf: Floats) -> Floats:
    """Of the median of each distribution."""
    at = [
        sight.at[sight.expected(each).argmin()]
        for sight, each in zip(seen.sights, cdf, strict=True)
    ]
    return np.abs(np.array(at) - np.array([each.start for each in seen.panel.marked])).astype(float)


def _place(seen: PanelFeatures) -> None:
    lines = {"everything": seen, "no single marks on shown series": _no_single_marks(seen)}
    lines |= {f"not: {name}": without(seen, columns) for name, columns in GROUPS.items()}
    columns = ("distance from the answers", "change", "error of its median", "change")
    print(head("distribution", *columns))
    first: tuple[Floats, Floats] | None = None
    for name, each in lines.items():
        cdf = distributions(each)
        found = distances(cdf, seen.starts), _errors(seen, cdf)
        first = first or found
        cells = [_cell(a, b, seen.groups, _mean) for a, b in zip(found, first, strict=True)]
        print(row(name, *cells), flush=True)


# --- steady or never ------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class SteadyChances:
    """Log odds that a series becomes steady, each by a model that has not seen its group."""

    shown: Floats
    known: Floats


def steady_chances(seen: PanelFeatures) -> SteadyChances:
    shown_odds, known_odds = np.zeros(seen.steady.size), np.zeros(seen.known_steady.size)
    parts, workloads = list(_held_out(seen)), np.unique(seen.known_groups)
    rows = np.stack([summary_row(each) for each in seen.shown_rows])
    for number, (_, shown) in enumerate(parts):
        out = np.isin(seen.known_groups, workloads[number :: len(parts)])
        forest = _given(fitted_steady(seen, shown, ~out & (seen.known_weights > 0), 0, forests=1))
        shown_odds[~shown] = forest.sums(rows[~shown])
        known_odds[out] = forest.sums(seen.known_sums[out])
    return SteadyChances(shown_odds, known_odds)


def _given(forest: Forest | None) -> Forest:
    if forest is None:
        raise ValueError("found too few labels of either kind")
    return forest


def _steady(panel: PanelAnswers, folder: Path) -> None:
    known = known_answers.of_folder(folder)
    columns = ("squared error of the chance, people", "change", "balanced accuracy, people")
    print(f"\n{head('weight of the corpus', *columns, 'corpus', 'false nevers there')}")
    seen = PanelFeatures.of(replace(panel, known=known))
    first: Floats | None = None
    for weight in WEIGHTS:
        weighed = replace(seen, known_weights=np.full(len(known), weight))
        odds = steady_chances(weighed)
        squares = (1 / (1 + np.exp(-odds.shown)) - seen.steady) ** 2
        first = squares if first is None else first
        found = odds.known > 0
        error = _cell(squares, first, seen.shown_groups, _mean, 4)
        answers = ((odds.shown > 0, seen.steady), (found, seen.known_steady))
        balanced = (f"{balanced_accuracy(*each):.3f}" for each in answers)
        missed, steady = (seen.known_steady & ~found).sum(), seen.known_steady.sum()
        print(row(f"{weight:g}", error, *balanced, f"{missed:,} of {steady:,}"), flush=True)


# --- another fork ---------------------------------------------------------------------------------
def _marked_rows(folder: Path) -> list[int]:
    """Places of the marked series among all."""
    records = json.loads((folder / "expected.json").read_text("utf-8"))
    return [row for row, each in enumerate(records) if each["marks"]]


def _forks(seen: PanelFeatures, folder: Path) -> None:
    """The shown fork of a benchmark, if it is another, has a share in the marked one's."""
    models, method = models_named(SHIPPED), Plateau()
    reads, others, chosen = [], [], []
    for number, at in enumerate(_marked_rows(folder)):
        marked, shown = seen.panel.marked[number], seen.panel.shown[at]
        if not np.array_equal(marked.values, shown.values):
            model = models.judge(marked.values, marked.group).model
            reads.append(method.read(seen.sights[number], model))
            others.append(risen(model.starts.sums(SeriesFeatures.of(shown.values).rows)))
            chosen.append(number)
    truth = np.array([seen.panel.marked[each].start for each in chosen])
    print(f"\nSeries with another fork that was shown: {truth.size}\n")
    print(head("share of the other fork", "error", "change", "within 50", "change"))
    first: Floats | None = None
    for share in (0.0, *SHARES):
        errors = np.abs(blended(reads, others, share, method.params.worth) - truth)
        first = errors if first is None else first
        cells = [
            _cell(errors, first, seen.groups[chosen], figure, digits)
            for figure, digits in ((_mean, 0), (_near, 3))
        ]
        print(row(f"{share:g}", *cells))


def blended(
    reads: Sequence[PlateauReading], others: Sequence[Floats], share: float, worth: float
) -> Floats:
    """The answers where another fork's distribution has this share."""
    found = []
    for read, other in zip(reads, others, strict=True):
        expected = read.seen.expected((1 - share) * read.cdf + share * other)
        found.append(read.seen.at[(expected - worth * read.near).argmin()])
    return np.array(found, dtype=np.float64)


main = study_command(_told, option("--known-answers", type=Path, default=CORPUS, metavar="FOLDER"))

if __name__ == "__main__":
    raise SystemExit(main())
