"""Recompute the published comparison and print it beside the published figures.

    python -m bench.replicate [FOLDER] [--quick] [--only GROUP]

FOLDER holds a checkout of the two published packages, or the subset that tests read; without it
PLATEAU_REPLICATION, else ../shared/replication. Nothing in it is changed.
Exit status 0: every figure that can be compared is equal; 1: some differ; 2: no such data.

Then every figure that the publications print, or that their programs give, beside ours: equal, or
the reason (bench.facts); --only prints one group of them. On a part of the series the published
values do not apply. Measurement deviations draw 10,000 times for each benchmark and technique, and
the last table (see bench.parity) takes minutes; --quick draws less and takes a sample.
Errors are printed as published, truth - published index: positive is too early. Plateau's own
tables have the opposite sign.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from analysis.statistics import NEVER, Answers, Comparison, Row, compare, leave_one_out
from annotate import recipes
from bench import comparison_figures, facts, published_models, stops
from bench.claims import table
from bench.parity import DEFAULT_FOLDER, print_parity
from bench.printed import SERIES
from bench.published import ANSWERED, RECIPES, NotPublishedData, Published, read
from detectors.contract import Detector, DetectorError
from detectors.registry import registry
from formats import FormatError

TOLERANCE: Final = 150
AS_PUBLISHED: Final = {"cp_ssd"}
"""Answers that hang on the publication's unseeded resampling: the last table computes them."""

WITHIN: Final = (15, 50, 100, 250, 500)
FIGURES: Final = {
    "n": "n",
    "manhattan": "manhattan",
    "clustered": "manhattan_clustered",
    "scattered": "manhattan_scattered",
    "mean": "mean_error",
    "sd": "sd_error",
    "median": "median_error",
    "mean_abs": "mean_abs",
    "sd_abs": "sd_abs",
    "median_abs": "median_abs",
    **{f"within_{most}": f"within_{most}" for most in WITHIN},
}
SIGNED: Final = {"mean", "median"}
YES_NO: Final = ("agreements", "tp", "fn", "fp", "tn", "balanced_accuracy")


@dataclass(slots=True)
class Tally:
    """How many figures were compared, and which differ."""

    decimals: int
    compared: int = 0
    differing: list[str] = field(default_factory=list)

    def verdict(self, where: str, found: Mapping[str, Any], published: Mapping[str, Any]) -> str:
        """A cell: "equal", or what differs."""
        shared = [name for name in published if found.get(name) is not None]
        unlike = [
            f"{name} {self._short(found[name])}, published {published[name]}"
            for name in shared
            if round(found[name], self.decimals) != round(published[name], self.decimals)
        ]
        self.compared += len(shared)
        self.differing += [f"{where}: {one}" for one in unlike]
        if not shared:
            return "nothing published"
        return f"equal ({len(shared)})" if not unlike else "; ".join(unlike)

    def summary(self) -> str:
        if not self.compared:
            return "No figure was compared: nothing is published for this selection of series."
        return f"{self.compared - len(self.differing)} of {self.compared} figures equal"

    def _short(self, value: float) -> float:
        return round(value, self.decimals)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m bench.replicate", description=__doc__.partition("\n")[0]
    )
    default = Path(os.environ.get("PLATEAU_REPLICATION") or DEFAULT_FOLDER)
    parser.add_argument("folder", nargs="?", type=Path, default=default, metavar="FOLDER")
    parser.add_argument("--quick", action="store_true", help="fewer draws, and a sample at last")
    groups = [each.slug for each in facts.GROUPS]
    parser.add_argument("--only", choices=groups, help="one group of published figures")
    options = parser.parse_args(arguments)
    try:
        published = read(options.folder)
        if options.only:
            return one_group(options.folder, published, options.only, quick=options.quick)
        return replicate(options.folder, published, quick=options.quick)
    except (NotPublishedData, FormatError) as complaint:
        print(complaint, file=sys.stderr)
        return 2


def replicate(folder: Path, published: Published, *, quick: bool) -> int:
    tally = Tally(published.decimals)
    marked = sum(bool(marks) for marks in published.marks)
    print(f"{folder}: {len(published.marks)} series, {marked} with marks, ", end="")
    print(f"{int(published.labels.given.sum())} with a yes/no label")
    truths = print_ground_truth(published, tally)
    answers = print_detectors(published, tally)
    for recipe, (truth, clustered) in truths.items():
        print_distances(
            recipe,
            truth,
            clustered=clustered,
            answers=answers,
            published=published,
            tally=tally,
        )
    print_yes_no(answers, published, tally)
    print_people(published, tally)
    unexplained = print_claims(figures_of_answers(published, answers, truths), published)
    unexplained += print_stops(folder, quick=quick)
    unexplained += print_parity(folder, quick=quick)
    print()
    for one in tally.differing + unexplained:
        print(f"DIFFERS  {one}")
    print(tally.summary())
    return int(bool(tally.differing or unexplained))


def one_group(folder: Path, published: Published, only: str, *, quick: bool) -> int:
    """The published figures of one group only."""
    if only in facts.COMPARISON:
        tally = Tally(published.decimals)
        truths = print_ground_truth(published, tally)
        answers = print_detectors(published, tally)
        unexplained = print_claims(figures_of_answers(published, answers, truths), published, only)
    else:
        unexplained = print_stops(folder, quick=quick, only=only)
    for one in unexplained:
        print(f"DIFFERS  {one}")
    return int(bool(unexplained))


# --- published figures ----------------------------------------------------------------------------

Truths = Mapping[str, tuple[Answers, np.ndarray]]


def figures_of_answers(
    published: Published, answers: Mapping[str, Answers], truths: Truths
) -> dict[str, float]:
    truth, clustered = truths["jagt-published"]
    return comparison_figures.figures(answers, truth, clustered, published.labels)


def print_claims(
    ours: Mapping[str, float], published: Published, only: str | None = None
) -> list[str]:
    """What is published of the comparison of KB-KSSD; what differs without a reason."""
    complete = len(published.marks) == SERIES
    return print_groups(facts.COMPARISON if only is None else {only}, ours, complete=complete)


def print_stops(folder: Path, *, quick: bool, only: str | None = None) -> list[str]:
    """What is published of stopping techniques; what differs without a reason."""
    benchmarks = stops.read(folder)
    ours: dict[str, float] = {}
    if benchmarks and only != "table-2":
        ours |= stops.figures(benchmarks, quick=quick, only=only)
    if benchmarks and only in {None, "table-2"}:
        ours |= published_models.figures(folder, benchmarks, quick=quick)
    groups = {each.slug for each in facts.GROUPS} - facts.COMPARISON if only is None else {only}
    return print_groups(groups, ours, complete=len(benchmarks) == SERIES)


def print_groups(slugs: Collection[str], ours: Mapping[str, float], *, complete: bool) -> list[str]:
    unexplained = []
    for group in [each for each in facts.GROUPS if each.slug in slugs]:
        claims = [each for each in facts.claims() if each.group == group.slug]
        made = table(claims, ours, complete=complete)
        print(f"\n{group.title}\n{group.publication}")
        if not complete:
            print("This folder holds a part of the series: published values do not apply to it.")
        print(*made.lines, sep="\n")
        unexplained += made.unexplained
    return unexplained


# --- ground truth ---------------------------------------------------------------------------------


def print_ground_truth(published: Published, tally: Tally) -> dict[str, tuple[Answers, np.ndarray]]:
    print("\nGround truth from the marks")
    found = {}
    for recipe in RECIPES:
        truths = [_truth(recipe, marks, label) for marks, label in _rows(published)]
        starts = [truth.value if truth else None for truth in truths]
        clustered = np.array([bool(truth and truth.agreement == "clustered") for truth in truths])
        found[recipe] = Answers.of(starts), clustered
        here = [start for start, marks in zip(starts, published.marks, strict=True) if marks]
        expected = published.truths.get(recipe)
        known = "" if expected is None else _equal(recipe, here, expected, tally)
        print(f"  {recipe:15} {_counts(here, clustered)}  {known}")
    if published.totals:
        counts = {
            "steady_rows": sum(bool(marks) for marks in published.marks),
            "clustered": int(clustered.sum()),
            "scattered": sum(bool(marks) for marks in published.marks) - int(clustered.sum()),
        }
        expected_counts = {name: published.totals[name] for name in counts}
        print(f"  {'counts':15} {tally.verdict('counts', counts, expected_counts)}")
    return found


def _rows(published: Published) -> Iterator[tuple[Mapping[str, int], int | float | None]]:
    for row, marks in enumerate(published.marks):
        yield marks, published.labels.value(row)


def _truth(
    recipe: str, marks: Mapping[str, int], label: float | None
) -> recipes.GroundTruth | None:
    """The recipe's answer; never for a series whose label says so; None for one without either."""
    if marks:
        steady = [recipes.Mark(name, "steady", index) for name, index in marks.items()]
        return recipes.aggregate(recipe, steady, complete=True)
    if label == NEVER:
        return recipes.GroundTruth(steady=False, steady_start=None, agreement="unanimous-never")
    return None


def _counts(starts: Sequence[int | None], clustered: np.ndarray) -> str:
    known = [start for start in starts if start is not None]
    if not known:
        return "no marks"
    together = int(clustered.sum())
    return (
        f"{together} clustered, {len(known) - together} scattered; "
        f"mean {np.mean(known):.3f}, median {np.median(known):g}, {min(known)} to {max(known)}"
    )


def _equal(what: str, found: Sequence[Any], expected: Sequence[Any], tally: Tally) -> str:
    unlike = [
        f"row {row}: {ours}, published {theirs}"
        for row, (ours, theirs) in enumerate(zip(found, expected, strict=True))
        if ours != theirs
    ]
    tally.compared += len(expected)
    tally.differing += [f"{what}, {one}" for one in unlike]
    return f"{len(expected) - len(unlike)} of {len(expected)} equal"


# --- detectors ------------------------------------------------------------------------------------


def print_detectors(published: Published, tally: Tally) -> dict[str, Answers]:
    """Answers for the tables: computed here, else as published."""
    print("\nDetectors (published index, fork 0)")
    ours = {key: slug for key in ANSWERED if (slug := _slug(key)) in registry()}
    computed = {
        key: _detect(registry()[slug](), published)
        for key, slug in ours.items()
        if key not in AS_PUBLISHED
    }
    answers: dict[str, Answers] = {}
    for key in ANSWERED:
        line = ""
        if key in computed:
            answers[key], line = computed[key]
        known = published.answers.get(key)
        if key not in answers and known is not None:
            answers[key], line = known, "as published, for the tables; computed in the last one"
        elif known is not None:
            line += "  " + _equal_answers(key, answers[key], known, tally)
        print(f"  {_slug(key):15} {line or 'left out: neither here nor in the folder'}")
    return answers


def _slug(key: str) -> str:
    return key.replace("_", "-")


def _detect(detector: Detector, published: Published) -> tuple[Answers, str]:
    index: list[int | None] = [None] * len(published.marks)
    steady = np.zeros(len(index), dtype=np.bool_)
    refused = 0
    for row, values in published.series():
        try:
            found = detector.answer(values)
        except DetectorError:
            refused += 1
            continue
        printed = found.steady_start if found.published_index is None else found.published_index
        index[row], steady[row] = printed, found.steady_start != NEVER
    answered = sum(one is not None for one in index)
    line = f"{detector.key}: {answered} series"
    return Answers.of(index, steady=steady), line + (f", {refused} refused" if refused else "")


def _equal_answers(key: str, ours: Answers, theirs: Answers, tally: Tally) -> str:
    rows = np.flatnonzero(ours.given & theirs.given)
    found = [ours.value(int(row)) for row in rows]
    return _equal(_slug(key), found, [theirs.value(int(row)) for row in rows], tally)


# --- tables ---------------------------------------------------------------------------------------


def print_distances(
    recipe: str,
    truth: Answers,
    *,
    clustered: np.ndarray,
    answers: Mapping[str, Answers],
    published: Published,
    tally: Tally,
) -> None:
    sets = (published.totals or {}).get(recipe.replace("-", "_"), {})
    for name, excluding in SETS.items():
        missing = [_slug(key) for key in excluding if key not in answers]
        print(f"\nErrors, truth - published index; ground truth {recipe}; ", end="")
        print(f"series on which {', '.join(map(_slug, excluding))} say steady")
        if missing:
            print(f"  left out: no answers of {', '.join(missing)}")
            continue
        comparison = compare(
            answers, truth, tolerance=TOLERANCE, clustered=clustered, excluding=excluding
        )
        _print_set(comparison, sets.get(name, {}), f"{recipe}, {name}", tally)


SETS: Final = {
    "pair": ("cp_ssd", "kb_kssd"),
    "five": ("cp_ssd", "kb_kssd", "sdm", "t_test", "r_test"),
}


def _print_set(
    comparison: Comparison, printed: Mapping[str, Any], where: str, tally: Tally
) -> None:
    n = tally.verdict(where, {"n": comparison.n_distances}, _only(printed, ["n"]))
    print(f"  {comparison.n_distances} of {comparison.n_series} series  {n}")
    print(
        f"  {'':15} {'n':>4} {'sum':>7} {'clust.':>7} {'scatt.':>7} {'mean':>9} {'sd':>9}", end=""
    )
    print(f" {'median':>7} {'mean ||':>9} {'med. ||':>7}  published")
    for row in comparison.rows:
        figures = _figures(row)
        said = tally.verdict(f"{where}, {_slug(row.method)}", figures, printed.get(row.method, {}))
        print(f"  {_slug(row.method):15} {_line(figures)}  {said}")
    if (constant := comparison.constant) is not None:
        found = {"index": constant.index, "manhattan": constant.manhattan}
        said = tally.verdict(f"{where}, constant", found, printed.get("best_constant", {}))
        print(
            f"  {'always ' + str(constant.index):15} {constant.n:4} {constant.manhattan:7}  {said}"
        )


def _only(printed: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: printed[name] for name in names if name in printed}


def _figures(row: Row) -> dict[str, Any]:
    cells = row.columns()
    found: dict[str, Any] = {name: cells[column] for name, column in FIGURES.items()}
    return {
        name: -value if name in SIGNED and value is not None else value
        for name, value in found.items()
    }


def _line(figures: Mapping[str, Any]) -> str:
    if not figures["n"]:
        return "   0"
    return (
        "{n:4} {manhattan:7} {clustered:7} {scattered:7} {mean:9.3f} {sd:9.3f} {median:7} "
        "{mean_abs:9.3f} {median_abs:7}"
    ).format(**figures)


def print_yes_no(answers: Mapping[str, Answers], published: Published, tally: Tally) -> None:
    print("\nSteady or never, against the first-stage labels (given on a fork drawn at random,")
    print("while detectors read fork 0, as published)")
    print(
        f"  {'':15} {'agree':>5} {'tp':>4} {'fn':>4} {'fp':>4} {'tn':>4} {'balanced':>9}  published"
    )
    compared = compare(answers, published.labels, tolerance=TOLERANCE, common=False)
    printed = (published.totals or {}).get("yes_no", {})
    for row in compared.rows:
        cells = row.columns()
        found = {name: cells[name] for name in YES_NO}
        said = tally.verdict(f"yes/no, {_slug(row.method)}", found, printed.get(row.method, {}))
        yes_no = row.yes_no
        balanced = "" if yes_no.balanced_accuracy is None else f"{yes_no.balanced_accuracy:.6f}"
        print(
            f"  {_slug(row.method):15} {yes_no.agreements:5} {yes_no.tp:4} {yes_no.fn:4} "
            f"{yes_no.fp:4} {yes_no.tn:4} {balanced:>9}  {said}"
        )


def print_people(published: Published, tally: Tally) -> None:
    names = sorted({name for marks in published.marks for name in marks})
    people = {
        name: Answers.of(marks.get(name) for marks in published.marks)
        for name in sorted(names, key=recipes.annotator_order)
    }
    printed = (published.totals or {}).get("humans_leave_one_out", {})
    coarse = Tally(decimals=4)
    print("\nPeople, against the median of the others")
    for row in leave_one_out(people, tolerance=TOLERANCE):
        found = {"mean_abs": row.distances.mean_abs, "median_abs": row.distances.median_abs}
        known = _only(printed.get(row.method, {}), list(found))
        said = coarse.verdict(f"people, {row.method}", found, known)
        print(
            f"  {row.method:15} {row.distances.n:4} series, mean || {row.distances.mean_abs:.4f}, "
            f"median || {row.distances.median_abs:g}  {said}"
        )
    tally.compared += coarse.compared
    tally.differing += coarse.differing


if __name__ == "__main__":
    sys.exit(main())
