"""Recompute the published comparisons and print them beside the published figures.

    python -m evidence.replication [FOLDER] [--quick] [--only GROUP]

FOLDER holds checkouts of the two published packages, or the subset that tests read; without it
PLATEAU_REPLICATION, else ../shared/replication. Nothing in it is changed.

After the comparison of detectors come every figure that the publications print, or that their
programs give, beside ours: equal, or the reason; --only prints one group of them.
On a part of the series the published values do not apply. The last table holds every method's
answers beside the published ones; it takes minutes. Measurement deviations draw 10,000 times for
each benchmark and technique; --quick takes previews of as many draws, and a sample of the answers.
Each row is printed when it is known; how long the rest takes is said on the error output.
Errors are printed as published, truth - published index: positive is too early. Plateau's own
tables have the opposite sign.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Collection, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from typing import Any, Final

import numpy as np

from analysis.statistics.answers import NEVER, Answers
from analysis.statistics.comparison import Comparison, compare
from analysis.statistics.people_consensus import people_rows
from annotate import recipes
from detectors.contract import Detector, DetectorError
from detectors.registry import registry
from evidence.replication import (
    available_comparisons,
    comparison_figures,
    published_figures,
    published_models,
    stopping_figures,
)
from evidence.replication.comparison_tally import STATUS, ComparisonTally
from evidence.replication.figure_verdicts import figures_table
from evidence.replication.model_stops import add_model_stops
from evidence.replication.monte_carlo import MonteCarloSpread
from evidence.replication.parity import print_parity
from evidence.replication.progress import rough_duration, track_items
from evidence.replication.published_files import NotPublishedData, option, study_command
from evidence.replication.published_study import ANSWERED, RECIPES, PublishedStudy
from evidence.replication.stopping_figures import StoppingFigures

AS_PUBLISHED: Final = {"cp_ssd"}
"""Answers that hang on the publication's unseeded resampling: the last table computes them."""

YES_NO: Final = ("agreements", "tp", "fn", "fp", "tn", "balanced_accuracy")
Truths = Mapping[str, tuple[Answers, np.ndarray]]


def print_replication(study: PublishedStudy, options: Namespace) -> int:
    """Print what is asked for; the exit status."""
    replication = Replication(study, ComparisonTally(), quick=options.quick)
    if options.only is None:
        replication.print_everything()
    else:
        replication.print_group(options.only)
    print("", *replication.tally.summary(), sep="\n")
    print(f"computed in {rough_duration(time.process_time())} of one core", file=sys.stderr)
    return replication.tally.status


@dataclass(frozen=True, slots=True)
class Replication:
    """Tables of a study, printed one after the other; what they compare goes into the tally."""

    study: PublishedStudy
    tally: ComparisonTally
    quick: bool = False

    def print_everything(self) -> None:
        study = self.study
        marked_count = sum(bool(marks) for marks in study.marks)
        print(
            f"{study.folder}: {len(study.benchmarks)} benchmarks, {marked_count} with marks, ",
            end="",
        )
        print(f"{int(study.labels.given.sum())} with a yes/no label")
        truths, answers = self.print_ground_truth(), self.print_detectors()
        for recipe, (truth, is_clustered) in truths.items():
            self.print_distances(recipe, truth, is_clustered, answers)
        self.print_yes_no(answers)
        self.print_people()
        self.print_groups(published_figures.COMPARISON, self.answer_figures(answers, truths))
        self.print_stops()
        print_parity(study, self.tally, quick=self.quick)

    def print_group(self, only_slug: str) -> None:
        """The published figures of one group only."""
        if only_slug not in published_figures.COMPARISON:
            self.print_stops(only_slug)
            return
        silent_replication = replace(self, tally=ComparisonTally())
        with redirect_stdout(StringIO()):
            truths, answers = (
                silent_replication.print_ground_truth(),
                silent_replication.print_detectors(),
            )
        self.print_groups({only_slug}, self.answer_figures(answers, truths))

    def verdict(
        self,
        subject: str,
        figures: Mapping[str, Any],
        published_values: Mapping[str, Any],
        decimals: int | None = None,
    ) -> str:
        """A cell: "equal", or what differs, to so many decimals, else to those of the study."""
        digits = self.study.decimals if decimals is None else decimals
        shared_names = [name for name in published_values if figures.get(name) is not None]
        own_figures = {name: round(figures[name], digits) for name in shared_names}
        differences = [
            f"{name} {own_figures[name]}, published {published_values[name]}"
            for name in shared_names
            if not self.tally.hold(
                f"{subject}: {name}", own_figures[name], round(published_values[name], digits)
            )
        ]
        return "; ".join(differences) or (
            f"equal ({len(shared_names)})" if shared_names else "nothing published"
        )

    def equal(self, subject: str, computed_values: Sequence[Any], expected: Sequence[Any]) -> str:
        are_equal = [
            self.tally.hold(f"{subject}, row {row}", *pair)
            for row, pair in enumerate(zip(computed_values, expected, strict=True))
        ]
        return f"{sum(are_equal)} of {len(are_equal)} equal"

    # --- published figures ------------------------------------------------------------------------

    def answer_figures(self, answers: Mapping[str, Answers], truths: Truths) -> StoppingFigures:
        """Published figures of the comparison of KB-KSSD; none without series to compare on."""
        truth, is_clustered = truths["jagt-published"]
        labels = self.study.labels
        figures = (
            comparison_figures.comparison_figures_by_name(answers, truth, is_clustered, labels)
            if answers
            else {}
        )
        return StoppingFigures(figures)

    def print_stops(self, only_slug: str | None = None) -> None:
        """Print the published figures of stopping techniques and models."""
        slugs = {group.slug for group in published_figures.GROUPS} - published_figures.COMPARISON
        wanted_slugs = slugs if only_slug is None else {only_slug}
        if counted_slugs := wanted_slugs & stopping_figures.COUNTED:
            self.print_groups(counted_slugs, self.stopping_figures(next(iter(counted_slugs))))
        if model_slugs := wanted_slugs & published_figures.BEYOND:
            self.print_groups(model_slugs, self.figures_of_models(model_slugs))
        if simulated_slugs := wanted_slugs - stopping_figures.COUNTED - published_figures.BEYOND:
            self.print_groups(simulated_slugs, self.stopping_figures())

    def stopping_figures(self, only_slug: str | None = None) -> StoppingFigures:
        """Figures of techniques: of a group, or all; none without published stops."""
        if not self.study.stopped:
            return StoppingFigures({})
        return stopping_figures.stopping_figures_of(
            self.study.stopped, quick=self.quick, only_slug=only_slug
        )

    def figures_of_models(self, slugs: Collection[str]) -> StoppingFigures:
        """Figures of published models, as far as the groups need them; none without models."""
        study, figures, spreads = self.study, dict[str, float](), dict[str, MonteCarloSpread]()
        if "table-2" in slugs and study.stopped:
            figures |= published_models.model_figures(study.folder, study.stopped, quick=self.quick)
        with suppress(NotPublishedData):
            if "stops" in slugs and study.stopped:
                stop_figures = stopping_figures.stopping_figures_of(
                    add_model_stops(study), quick=self.quick
                )
                figures, spreads = figures | stop_figures.values, stop_figures.spreads
        return StoppingFigures(figures, spreads)

    def print_groups(self, slugs: Collection[str], own_figures: StoppingFigures) -> None:
        """Tables of published figures, each beside ours."""
        all_claims = published_figures.published_figures()
        for group in [group for group in published_figures.GROUPS if group.slug in slugs]:
            is_complete, missing_words = available_comparisons.group_availability(
                self.study, group.slug
            )
            print(f"\n{group.title}\n{group.publication}")
            if not is_complete:
                print(f"Not compared: {missing_words}.")
            claims = [claim for claim in all_claims if claim.group == group.slug]
            make_table = partial(
                figures_table, claims, own_figures.values, self.tally, spreads=own_figures.spreads
            )
            print(*make_table(is_complete=is_complete, missing_words=missing_words), sep="\n")

    # --- ground truth -----------------------------------------------------------------------------

    def print_ground_truth(self) -> dict[str, tuple[Answers, np.ndarray]]:
        study = self.study
        print("\nGround truth from the marks")
        ground_truths = {}
        for recipe in RECIPES:
            truths = [benchmark.truth(recipe) for benchmark in study.rows]
            starts = [truth.value if truth else None for truth in truths]
            together = [bool(truth and truth.agreement == "clustered") for truth in truths]
            is_clustered = np.array(together)
            ground_truths[recipe] = Answers.from_list(starts), is_clustered
            marked_starts = [
                start for start, marks in zip(starts, study.marks, strict=True) if marks
            ]
            expected = study.truths(recipe)
            verdict = self.equal(recipe, marked_starts, expected) if expected else ""
            print(f"  {recipe:15} {_counts(marked_starts, is_clustered)}  {verdict}")
        if study.totals and any(study.marks):
            marked_count, clustered_count = (
                sum(bool(marks) for marks in study.marks),
                int(is_clustered.sum()),
            )
            counts = {
                "steady_rows": marked_count,
                "clustered": clustered_count,
                "scattered": marked_count - clustered_count,
            }
            counts_verdict = self.verdict(
                "counts", counts, _chosen_figures(study.totals, list(counts)), 0
            )
            print(f"  {'counts':15} {counts_verdict}")
        return ground_truths

    # --- detectors --------------------------------------------------------------------------------

    def print_detectors(self) -> dict[str, Answers]:
        """Answers for the tables: computed here, else as published; fork 0."""
        print("\nDetectors (published index, fork 0)")
        published_answers, answers = self.study.answers, dict[str, Answers]()
        for key in ANSWERED:
            their_answers = published_answers.get(key)
            line = "as published, for the tables; computed in the last one"
            if key not in AS_PUBLISHED and any(benchmark.read for benchmark in self.study.rows):
                answers[key], line = _detect(registry()[_slug(key)](), self.study)
                if their_answers is not None:
                    line += "  " + self.equal_answers(key, answers[key], their_answers)
            elif their_answers is not None:
                answers[key] = their_answers
            print(f"  {_slug(key):15} {line if key in answers else 'not computed: no series'}")
        return answers

    def equal_answers(self, key: str, own_answers: Answers, their_answers: Answers) -> str:
        rows = np.flatnonzero(own_answers.given & their_answers.given)
        computed_answers, expected = (
            [answers.value(int(row)) for row in rows] for answers in (own_answers, their_answers)
        )
        return self.equal(_slug(key), computed_answers, expected)

    # --- tables -----------------------------------------------------------------------------------

    def print_distances(
        self, recipe: str, truth: Answers, is_clustered: np.ndarray, answers: Mapping[str, Answers]
    ) -> None:
        sets = (self.study.totals or {}).get(recipe.replace("-", "_"), {})
        for name, set_methods in comparison_figures.SETS.items():
            missing_slugs = [_slug(key) for key in set_methods if key not in answers]
            print(f"\nErrors, truth - published index; ground truth {recipe}; ", end="")
            print(f"series on which {', '.join(map(_slug, set_methods))} say steady")
            if missing_slugs:
                print(f"  left out: no answers of {', '.join(missing_slugs)}")
                continue
            comparison = compare(
                answers,
                truth,
                tolerance=comparison_figures.TOLERANCE,
                is_clustered=is_clustered,
                excluding=set_methods,
            )
            self.print_set(comparison, sets.get(name, {}), f"{recipe}, {name}")

    def print_set(
        self, comparison: Comparison, printed_figures: Mapping[str, Any], subject: str
    ) -> None:
        n = self.verdict(
            subject, {"n": comparison.n_distances}, _chosen_figures(printed_figures, ["n"])
        )
        print(f"  {comparison.n_distances} of {comparison.n_series} series  {n}")
        print(f"  {'':15}    n     sum  clust.  scatt.      mean        sd", end="")
        print("  median   mean || med. ||  published")
        for method, row_figures in comparison.rows.items():
            figures = comparison_figures.figures_by_published_name(row_figures)
            printed_row = printed_figures.get(method, {})
            verdict = self.verdict(f"{subject}, {_slug(method)}", figures, printed_row)
            print(f"  {_slug(method):15} {_line(figures)}  {verdict}")
        if (constant := comparison.constant) is not None:
            constant_figures = {"index": constant.index, "manhattan": constant.manhattan}
            verdict = self.verdict(
                f"{subject}, constant", constant_figures, printed_figures.get("best_constant", {})
            )
            words = f"always {constant.index}"
            print(f"  {words:15} {constant.n:4} {constant.manhattan:7}  {verdict}")

    def print_yes_no(self, answers: Mapping[str, Answers]) -> None:
        print("\nSteady or never, against the first-stage labels (given on a fork drawn at random,")
        print("while detectors read fork 0, as published)")
        print(f"  {'':15} agree   tp   fn   fp   tn  balanced  published")
        tolerance, labels = comparison_figures.TOLERANCE, self.study.labels
        printed_figures = (self.study.totals or {}).get("yes_no", {})
        comparison = compare(answers, labels, tolerance=tolerance, common=False)
        for method, row_figures in comparison.rows.items():
            figures = {name: row_figures[name] for name in YES_NO}
            verdict = self.verdict(
                f"yes/no, {_slug(method)}", figures, printed_figures.get(method, {})
            )
            *counts, accuracy = figures.values()
            balanced_words = "" if accuracy is None else f"{accuracy:.6f}"
            count_cells = "{:5} {:4} {:4} {:4} {:4}".format(*counts)
            print(f"  {_slug(method):15} {count_cells} {balanced_words:>9}  {verdict}")

    def print_people(self) -> None:
        marks_of_series = self.study.marks
        names = sorted({name for marks in marks_of_series for name in marks})
        people = {
            name: Answers.from_list(marks.get(name) for marks in marks_of_series)
            for name in sorted(names, key=recipes.annotator_order)
        }
        printed_rows = (self.study.totals or {}).get("humans_leave_one_out", {})
        print("\nPeople, against the median of the others")
        rows = people_rows(people, tolerance=comparison_figures.TOLERANCE)
        for person, row_figures in rows.items():
            person_figures = {key: row_figures.total(key) for key in ("mean_abs", "median_abs")}
            printed_row = _chosen_figures(printed_rows.get(person, {}), list(person_figures))
            verdict = self.verdict(f"people, {person}", person_figures, printed_row, 4)
            figures = "mean || {mean_abs:.4f}, median || {median_abs:g}".format(**person_figures)
            print(f"  {person:15} {row_figures.total('n'):4} series, {figures}  {verdict}")


def _counts(starts: Sequence[int | None], is_clustered: np.ndarray) -> str:
    agreed_starts = [start for start in starts if start is not None]
    if not agreed_starts:
        return "no marks"
    clustered_count = int(is_clustered.sum())
    return (
        f"{clustered_count} clustered, {len(agreed_starts) - clustered_count} scattered; "
        f"mean {np.mean(agreed_starts):.3f}, median {np.median(agreed_starts):g}, "
        f"{min(agreed_starts)} to {max(agreed_starts)}"
    )


def _slug(key: str) -> str:
    return key.replace("_", "-")


def _detect(detector: Detector, study: PublishedStudy) -> tuple[Answers, str]:
    index: list[int | None] = [None] * len(study.rows)
    is_steady = np.zeros(len(index), dtype=np.bool_)
    refused_count = 0
    for row, values in track_items(list(study.series()), f"{detector.slug}, series"):
        try:
            detection = detector.answer(values)
        except DetectorError:
            refused_count += 1
            continue
        printed_index = (
            detection.steady_start
            if detection.published_index is None
            else detection.published_index
        )
        index[row], is_steady[row] = printed_index, detection.steady_start != NEVER
    answer_count = sum(start is not None for start in index)
    line = f"{detector.key}: {answer_count} series"
    return Answers.from_list(index, steady_mask=is_steady), line + (
        f", {refused_count} refused" if refused_count else ""
    )


def _chosen_figures(printed_figures: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: printed_figures[name] for name in names if name in printed_figures}


def _line(figures: Mapping[str, Any]) -> str:
    if not figures["n"]:
        return "   0"
    return (
        "{n:4} {manhattan:7} {clustered:7} {scattered:7} {mean:9.3f} {sd:9.3f} {median:7} "
        "{mean_abs:9.3f} {median_abs:7}"
    ).format(**figures)


GROUPS: Final = [each.slug for each in published_figures.GROUPS]
main = study_command(
    print_replication,
    option("--quick", action="store_true", help="previews, and a sample at last"),
    option("--only", choices=GROUPS, help="one group of published figures"),
    description=STATUS,
)

if __name__ == "__main__":
    sys.exit(main())
