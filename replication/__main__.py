"""Recompute the published comparisons and print them beside the published figures.

    python -m replication [FOLDER] [--quick] [--only GROUP]

FOLDER holds checkouts of the two published packages, or the subset that tests read; without it
PLATEAU_REPLICATION, else ../shared/replication. Nothing in it is changed.

After the comparison of detectors come every figure that the publications print, or that their
programs give, beside ours: equal, or the reason; --only prints one group of them.
On a part of the series the published values do not apply. The last table holds every method's
answers beside the published ones; it takes minutes. Measurement deviations draw 10,000 times for
each benchmark and technique; --quick draws less and takes a sample.
Errors are printed as published, truth - published index: positive is too early. Plateau's own
tables have the opposite sign.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Collection, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, Final

import numpy as np

from analysis.statistics.answers import NEVER, Answers
from analysis.statistics.comparison import Comparison, compare
from analysis.statistics.people import leave_one_out
from annotate import recipes
from detectors.contract import Detector, DetectorError
from detectors.registry import registry
from replication import (
    available_comparisons,
    comparison_figures,
    published_figures,
    published_models,
    stopping_figures,
)
from replication.comparison_tally import STATUS, ComparisonTally
from replication.figure_verdicts import table
from replication.parity import print_parity
from replication.published_files import option, study_command
from replication.published_study import ANSWERED, RECIPES, PublishedStudy
from replication.stopping_figures import StoppingFigures

AS_PUBLISHED: Final = {"cp_ssd"}
"""Answers that hang on the publication's unseeded resampling: the last table computes them."""

YES_NO: Final = ("agreements", "tp", "fn", "fp", "tn", "balanced_accuracy")


def verdict(
    tally: ComparisonTally,
    where: str,
    found: Mapping[str, Any],
    published: Mapping[str, Any],
    decimals: int,
) -> str:
    """A cell: "equal", or what differs, to so many decimals."""
    shared = [name for name in published if found.get(name) is not None]
    if not shared:
        return "nothing published"
    unlike = [
        f"{name} {round(found[name], decimals)}, published {published[name]}"
        for name in shared
        if not tally.hold(
            f"{where}: {name}", round(found[name], decimals), round(published[name], decimals)
        )
    ]
    return "; ".join(unlike) or f"equal ({len(shared)})"


def computed(study: PublishedStudy, options: Namespace) -> int:
    """Print what is asked for; the exit status."""
    tally = ComparisonTally()
    if options.only is None:
        replicate(study, tally, quick=options.quick)
    else:
        one_group(study, tally, options.only, quick=options.quick)
    print("", *tally.summary(), sep="\n")
    return tally.status


def replicate(study: PublishedStudy, tally: ComparisonTally, *, quick: bool) -> None:
    """Everything."""
    marked = sum(bool(marks) for marks in study.marks)
    print(f"{study.folder}: {len(study.benchmarks)} benchmarks, {marked} with marks, ", end="")
    print(f"{int(study.labels.given.sum())} with a yes/no label")
    truths = print_ground_truth(study, tally)
    answers = print_detectors(study, tally)
    for recipe, (truth, clustered) in truths.items():
        print_distances(
            recipe, truth, clustered=clustered, answers=answers, study=study, tally=tally
        )
    print_yes_no(answers, study, tally)
    print_people(study, tally)
    print_claims(figures_of_answers(study, answers, truths), study, tally)
    print_stops(study, tally, quick=quick)
    print_parity(study, tally, quick=quick)


def one_group(study: PublishedStudy, tally: ComparisonTally, only: str, *, quick: bool) -> None:
    """The published figures of one group only."""
    if only not in published_figures.COMPARISON:
        print_stops(study, tally, quick=quick, only=only)
        return
    with redirect_stdout(StringIO()):
        truths, answers = (
            print_ground_truth(study, ComparisonTally()),
            print_detectors(study, ComparisonTally()),
        )
    print_claims(figures_of_answers(study, answers, truths), study, tally, only)


# --- published figures ----------------------------------------------------------------------------

Truths = Mapping[str, tuple[Answers, np.ndarray]]


def figures_of_answers(
    study: PublishedStudy, answers: Mapping[str, Answers], truths: Truths
) -> dict[str, float]:
    """What is published of the comparison of KB-KSSD; nothing without series to compare on."""
    truth, clustered = truths["jagt-published"]
    return comparison_figures.figures(answers, truth, clustered, study.labels) if answers else {}


def print_claims(
    ours: Mapping[str, float],
    study: PublishedStudy,
    tally: ComparisonTally,
    only: str | None = None,
) -> None:
    """What is published of the comparison of KB-KSSD."""
    print_groups(
        published_figures.COMPARISON if only is None else {only},
        StoppingFigures(dict(ours)),
        study,
        tally,
    )


def print_stops(
    study: PublishedStudy, tally: ComparisonTally, *, quick: bool, only: str | None = None
) -> None:
    """What is published of stopping techniques and models."""
    found = StoppingFigures({})
    if study.stopped and only not in published_figures.BEYOND:
        found = stopping_figures.figures(study.stopped, quick=quick, only=only)
    if study.stopped and (only is None or only in published_figures.BEYOND):
        models = published_models.figures(study.folder, study.stopped, quick=quick)
        found = StoppingFigures({**found.values, **models}, found.spreads)
    every = {each.slug for each in published_figures.GROUPS} - published_figures.COMPARISON
    print_groups(every if only is None else {only}, found, study, tally)


def print_groups(
    slugs: Collection[str], ours: StoppingFigures, study: PublishedStudy, tally: ComparisonTally
) -> None:
    """Tables of published figures, each beside ours."""
    for group in [each for each in published_figures.GROUPS if each.slug in slugs]:
        claims = [
            each for each in published_figures.published_figures() if each.group == group.slug
        ]
        complete, lacking = available_comparisons.of_group(study, group.slug)
        print(f"\n{group.title}\n{group.publication}")
        if not complete:
            print(f"Not compared: {lacking}.")
        lines = table(
            claims, ours.values, tally, complete=complete, lacking=lacking, spreads=ours.spreads
        )
        print(*lines, sep="\n")


# --- ground truth ---------------------------------------------------------------------------------


def print_ground_truth(
    study: PublishedStudy, tally: ComparisonTally
) -> dict[str, tuple[Answers, np.ndarray]]:
    print("\nGround truth from the marks")
    found = {}
    for recipe in RECIPES:
        truths = [each.truth(recipe) for each in study.rows]
        starts = [truth.value if truth else None for truth in truths]
        clustered = np.array([bool(truth and truth.agreement == "clustered") for truth in truths])
        found[recipe] = Answers.of(starts), clustered
        here = [start for start, marks in zip(starts, study.marks, strict=True) if marks]
        expected = study.truths(recipe)
        known = _equal(recipe, here, expected, tally) if expected else ""
        print(f"  {recipe:15} {_counts(here, clustered)}  {known}")
    if study.totals and any(study.marks):
        marked, together = sum(bool(marks) for marks in study.marks), int(clustered.sum())
        counts = {"steady_rows": marked, "clustered": together, "scattered": marked - together}
        published = _only(study.totals, list(counts))
        print(f"  {'counts':15} {verdict(tally, 'counts', counts, published, 0)}")
    return found


def _counts(starts: Sequence[int | None], clustered: np.ndarray) -> str:
    known = [start for start in starts if start is not None]
    if not known:
        return "no marks"
    together = int(clustered.sum())
    return (
        f"{together} clustered, {len(known) - together} scattered; "
        f"mean {np.mean(known):.3f}, median {np.median(known):g}, {min(known)} to {max(known)}"
    )


def _equal(what: str, found: Sequence[Any], expected: Sequence[Any], tally: ComparisonTally) -> str:
    held = [
        tally.hold(f"{what}, row {row}", *both)
        for row, both in enumerate(zip(found, expected, strict=True))
    ]
    return f"{sum(held)} of {len(held)} equal"


# --- detectors ------------------------------------------------------------------------------------


def print_detectors(study: PublishedStudy, tally: ComparisonTally) -> dict[str, Answers]:
    """Answers for the tables: computed here, else as published; fork 0."""
    print("\nDetectors (published index, fork 0)")
    published, answers = study.answers, dict[str, Answers]()
    for key in ANSWERED:
        known, line = published.get(key), "as published, for the tables; computed in the last one"
        if key not in AS_PUBLISHED and any(each.read for each in study.rows):
            answers[key], line = _detect(registry()[_slug(key)](), study)
            if known is not None:
                line += "  " + _equal_answers(key, answers[key], known, tally)
        elif known is not None:
            answers[key] = known
        print(f"  {_slug(key):15} {line if key in answers else 'not computed: no series'}")
    return answers


def _slug(key: str) -> str:
    return key.replace("_", "-")


def _detect(detector: Detector, study: PublishedStudy) -> tuple[Answers, str]:
    index: list[int | None] = [None] * len(study.rows)
    steady = np.zeros(len(index), dtype=np.bool_)
    refused = 0
    for row, values in study.series():
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


def _equal_answers(key: str, ours: Answers, theirs: Answers, tally: ComparisonTally) -> str:
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
    study: PublishedStudy,
    tally: ComparisonTally,
) -> None:
    sets = (study.totals or {}).get(recipe.replace("-", "_"), {})
    for name, excluding in comparison_figures.SETS.items():
        missing = [_slug(key) for key in excluding if key not in answers]
        print(f"\nErrors, truth - published index; ground truth {recipe}; ", end="")
        print(f"series on which {', '.join(map(_slug, excluding))} say steady")
        if missing:
            print(f"  left out: no answers of {', '.join(missing)}")
            continue
        comparison = compare(
            answers,
            truth,
            tolerance=comparison_figures.TOLERANCE,
            clustered=clustered,
            excluding=excluding,
        )
        _print_set(comparison, sets.get(name, {}), f"{recipe}, {name}", tally, study.decimals)


def _print_set(
    comparison: Comparison,
    printed: Mapping[str, Any],
    where: str,
    tally: ComparisonTally,
    decimals: int,
) -> None:
    n = verdict(tally, where, {"n": comparison.n_distances}, _only(printed, ["n"]), decimals)
    print(f"  {comparison.n_distances} of {comparison.n_series} series  {n}")
    print(
        f"  {'':15} {'n':>4} {'sum':>7} {'clust.':>7} {'scatt.':>7} {'mean':>9} {'sd':>9}", end=""
    )
    print(f" {'median':>7} {'mean ||':>9} {'med. ||':>7}  published")
    for row in comparison.rows:
        figures = comparison_figures.of_row(row)
        said = verdict(
            tally,
            f"{where}, {_slug(row.method)}",
            figures,
            printed.get(row.method, {}),
            decimals,
        )
        print(f"  {_slug(row.method):15} {_line(figures)}  {said}")
    if (constant := comparison.constant) is not None:
        found = {"index": constant.index, "manhattan": constant.manhattan}
        said = verdict(
            tally, f"{where}, constant", found, printed.get("best_constant", {}), decimals
        )
        print(
            f"  {'always ' + str(constant.index):15} {constant.n:4} {constant.manhattan:7}  {said}"
        )


def _only(printed: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: printed[name] for name in names if name in printed}


def _line(figures: Mapping[str, Any]) -> str:
    if not figures["n"]:
        return "   0"
    return (
        "{n:4} {manhattan:7} {clustered:7} {scattered:7} {mean:9.3f} {sd:9.3f} {median:7} "
        "{mean_abs:9.3f} {median_abs:7}"
    ).format(**figures)


def print_yes_no(
    answers: Mapping[str, Answers], study: PublishedStudy, tally: ComparisonTally
) -> None:
    print("\nSteady or never, against the first-stage labels (given on a fork drawn at random,")
    print("while detectors read fork 0, as published)")
    print(
        f"  {'':15} {'agree':>5} {'tp':>4} {'fn':>4} {'fp':>4} {'tn':>4} {'balanced':>9}  published"
    )
    compared = compare(answers, study.labels, tolerance=comparison_figures.TOLERANCE, common=False)
    printed = (study.totals or {}).get("yes_no", {})
    for row in compared.rows:
        cells = row.columns()
        found = {name: cells[name] for name in YES_NO}
        said = verdict(
            tally,
            f"yes/no, {_slug(row.method)}",
            found,
            printed.get(row.method, {}),
            study.decimals,
        )
        yes_no = row.yes_no
        balanced = "" if yes_no.balanced_accuracy is None else f"{yes_no.balanced_accuracy:.6f}"
        print(
            f"  {_slug(row.method):15} {yes_no.agreements:5} {yes_no.tp:4} {yes_no.fn:4} "
            f"{yes_no.fp:4} {yes_no.tn:4} {balanced:>9}  {said}"
        )


def print_people(study: PublishedStudy, tally: ComparisonTally) -> None:
    names = sorted({name for marks in study.marks for name in marks})
    people = {
        name: Answers.of(marks.get(name) for marks in study.marks)
        for name in sorted(names, key=recipes.annotator_order)
    }
    printed = (study.totals or {}).get("humans_leave_one_out", {})
    print("\nPeople, against the median of the others")
    for row in leave_one_out(people, tolerance=comparison_figures.TOLERANCE):
        found = {"mean_abs": row.distances.mean_abs, "median_abs": row.distances.median_abs}
        known = _only(printed.get(row.method, {}), list(found))
        said = verdict(tally, f"people, {row.method}", found, known, 4)
        print(
            f"  {row.method:15} {row.distances.n:4} series, mean || {row.distances.mean_abs:.4f}, "
            f"median || {row.distances.median_abs:g}  {said}"
        )


GROUPS: Final = [each.slug for each in published_figures.GROUPS]
main = study_command(
    computed,
    option("--quick", action="store_true", help="fewer draws, and a sample at last"),
    option("--only", choices=GROUPS, help="one group of published figures"),
    about=STATUS,
)

if __name__ == "__main__":
    sys.exit(main())
