"""The comparison: one object that page, CSV, JSON and command line render."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from itertools import groupby, islice
from operator import attrgetter
from typing import Final, Literal

import numpy as np

from analysis.comparison import inputs as reading
from analysis.comparison.inputs import ComparedSeries, ComparisonInputs, MissingAnswers
from analysis.comparison.kept_results import keep_results
from analysis.comparison.query import ComparisonQuery, DrilldownCell
from analysis.comparison.training_overlap import NOTHING, TrainingOverlap
from analysis.methods.method_style import MethodStyle
from analysis.references import yardsticks
from analysis.references.iteration_seconds import seconds_until
from analysis.references.yardsticks import Yardstick
from analysis.statistics.answers import Answers, Floats, Indices
from analysis.statistics.comparison import (
    CONSTANT,
    RULES,
    Comparison,
    Rule,
    compare as measured_against,
)
from analysis.statistics.coverage import has_enough_series
from analysis.statistics.error_distributions import Ecdf, ErrorQuantiles, ecdf, error_quantiles
from analysis.statistics.error_seconds import seconds_of_errors
from analysis.statistics.leaderboard_figures import FIGURES, Cell, MeasuredAnswers, RowFigures
from analysis.statistics.multiple_comparisons import LEAST_SERIES, NoRankTest, RankTest, rank_test
from analysis.statistics.pairwise_agreement import AgreementMatrix, agreement_matrix
from analysis.statistics.people_consensus import consensus
from annotate.blind import Reader
from people.models import Study
from series.values.read_ahead import read_arrays

TRUTH: Final = "truth"
"""The yardstick among the sources of the heat map."""
PERSON: Final = "person:"
"""What the names of rows of people begin with."""

UNTOLD: Final = "Cannot be computed: only series that had already been called steady were shown"

MISSING_COLUMNS: Final = tuple(field.name for field in fields(MissingAnswers))
YES_NO_FIGURES: Final = ("agreement", "balanced_accuracy", "kappa")
"""Figures of people that series which were shown as steady cannot have."""

VALUES_AT_ONCE: Final = 100_000  # values whose seconds are computed together
Kind = Literal["method", "baseline", "constant", "person"]


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One row of the leaderboard. `name` is the cell `method` of files, and names it in addresses.

    answered  series with an answer of it, of those that the yardstick has answered
    without   of a method, series of the comparison that it did not answer, and why
    untold    of a person, why yes/no has no figure
    rank      from 1, among methods that are no baseline; None for others, for one that had seen
              the series, and for one with too few of them
    unranked  why a method that could be ranked is not: it is listed below those that are
    overlap   what a method knew of the series before it was asked
    """

    kind: Kind
    name: str
    title: str
    figures: RowFigures
    answered: int
    look: MethodStyle | None = None
    rank: int | None = None
    unranked: str = ""
    without: MissingAnswers | None = None
    untold: str = ""
    overlap: TrainingOverlap = NOTHING

    @property
    def grey(self) -> bool:
        return self.kind != "method"

    @property
    def may_rank(self) -> bool:
        """True for a method whose answers are its own, on series that are new to it."""
        return self.kind == "method" and not self.overlap.in_sample

    def cell(self, column: str) -> Cell:
        """The cell of one column; None of a column that there is not."""
        return self.figures[column] if column in FIGURES else self.cells().get(column)

    def cells(self) -> dict[str, Cell]:
        """Every figure by the name of its column."""
        look = self.look
        first_cells: dict[str, Cell] = {
            "method": look.slug if look else self.name,
            "version": look.version if look else None,
            "params": look.key.partition("?")[2] if look else None,
            "kind": self.kind,
        }
        last_cells: dict[str, Cell] = {
            "answered": self.answered,
            **{name: getattr(self.without, name, None) for name in MISSING_COLUMNS},
            "held_out": self.overlap.held_out_count,
            "in_sample": max(self.overlap.seen_count, self.overlap.tuned_count),
            "rank": self.rank,
            "unranked": self.unranked or None,
        }
        return {**first_cells, **self.figures, **last_cells}


@dataclass(frozen=True, eq=False)
class ComparisonResult:
    """A comparison, ready to be shown: figures, and the arrays behind every figure.

    other  the same methods by the second setting, where one is asked for
    cell   number whose series are listed
    """

    asked: ComparisonQuery
    inputs: ComparisonInputs
    other: ComparisonResult | None = None
    cell: DrilldownCell = field(default_factory=DrilldownCell)

    @cached_property
    def result(self) -> Comparison:
        """The statistics, computed where they are looked at: costs need the arrays alone."""
        return comparison_statistics(self.inputs)

    @cached_property
    def entries(self) -> tuple[LeaderboardRow, ...]:
        """The rows of the leaderboard, in order."""
        return _entries(self.inputs, self.result, self.asked)

    @property
    def yardstick(self) -> Yardstick:
        return self.inputs.yardstick

    @property
    def lines(self) -> tuple[ComparedSeries, ...]:
        return self.inputs.lines

    @property
    def truth(self) -> Answers:
        return self.inputs.truth.answers

    @property
    def looks(self) -> Mapping[str, MethodStyle]:
        """The chosen methods' looks by name."""
        chosen_names = {*self.inputs.methods, *self.inputs.silent}
        return {look.name: look for look in self.inputs.looks if look.name in chosen_names}

    @property
    def with_errors(self) -> list[LeaderboardRow]:
        """Rows that say steady on a series that the yardstick calls steady."""
        return [row for row in self.entries if row.figures.total("n")]

    def entry(self, name: str) -> LeaderboardRow:
        """A row by name; KeyError with the names there are."""
        for row in self.entries:
            if row.name == name:
                return row
        raise KeyError(f"no row {name!r}; there are: {', '.join(e.name for e in self.entries)}")

    def answers(self, name: str) -> Answers | None:
        """The answers behind a row of the leaderboard."""
        return row_answers(self.inputs, name)

    def truth_for(self, name: str) -> Answers:
        """Answers that a row is measured against: for a person, the consensus of the others."""
        person = person_of(name)
        return consensus_without(self.inputs, person) if person else self.truth

    def measured(self, name: str) -> MeasuredAnswers | None:
        """Both, with the series that may count."""
        return measured_row(self.inputs, name)

    @property
    def left_out(self) -> list[tuple[Rule, str, int]]:
        """Rules that keep errors from counting: name, sentence, and number of series."""
        return [(rule, RULES[rule], len(series)) for rule, series in self.result.left_out.items()]

    @property
    def one_tolerance(self) -> int | None:
        """The tolerance in iterations if it is the same for every series."""
        tolerances = np.unique(self.inputs.tolerance)
        return int(tolerances[0]) if tolerances.size == 1 else None


def compare_stored(
    study: Study, reader: Reader, query: ComparisonQuery, subset: Collection[int] | None = None
) -> ComparisonResult | None:
    """Compare stored detections with a yardstick, for what `reader` may see.

    among  primary keys of the series that are compared; None: all that `query` leaves

    None where the study has no yardstick yet. Raises UnknownYardstick and UnknownMethod, whose
    sentences say what there is.
    """
    first_inputs = inputs_of(study, reader, query, subset)
    if first_inputs is None:
        return None
    second_query = query.second_setting
    second_result = None if second_query is None else _alternative(study, reader, second_query)
    return ComparisonResult(query, first_inputs, second_result)


def inputs_of(
    study: Study, reader: Reader, query: ComparisonQuery, subset: Collection[int] | None = None
) -> ComparisonInputs | None:
    """Inputs of the figures of `compare`; None and errors as there."""
    yardstick = yardsticks.yardstick(study, query.yardstick)
    return (
        None if yardstick is None else reading.read_inputs(yardstick, reader, query, subset=subset)
    )


def _alternative(study: Study, reader: Reader, query: ComparisonQuery) -> ComparisonResult | None:
    """The second setting; where it has none of the chosen methods, by all that it has."""
    try:
        return compare_stored(study, reader, query)
    except reading.UnknownMethod:
        return compare_stored(study, reader, query.changed(methods=(), excluding=()))


@keep_results
def comparison_statistics(inputs: ComparisonInputs) -> Comparison:
    """The statistics; the same inputs are computed once, so a second look costs nothing."""
    return measured_against(
        inputs.methods,
        inputs.truth.answers,
        tolerance=inputs.tolerance,
        is_clustered=inputs.truth.clustered,
        common=inputs.common,
        excluding=inputs.deciding,
        seconds={name: partial(_seconds_of, inputs, name) for name in inputs.methods},
    )


def _seconds_of(inputs: ComparisonInputs, name: str) -> Floats | None:
    """Signed errors of one row in seconds; None where unknown."""
    return (signed_seconds(inputs) or {}).get(name)


@keep_results
def error_curves(inputs: ComparisonInputs) -> dict[str, tuple[Ecdf, ErrorQuantiles]]:
    """Distribution functions and quantiles of each chosen method, on the table's own series."""
    result, truth = comparison_statistics(inputs), inputs.truth.answers
    is_counted = result.scope.yes_no & truth.steady
    own_masks = {name: is_counted & answers.given for name, answers in inputs.methods.items()}
    return {
        name: (
            ecdf(answers, truth, own_masks[name]),
            error_quantiles(answers, truth, own_masks[name]),
        )
        for name, answers in inputs.methods.items()
    }


@keep_results
def _figures_by_person(inputs: ComparisonInputs) -> dict[str, RowFigures]:
    """Figures of each person against the consensus of the others, on the series of the table."""
    scope = comparison_statistics(inputs).scope
    # People who were shown the steady alone agree in yes and no by construction.
    undefined_figures = () if inputs.yes_no_told else YES_NO_FIGURES
    return {
        name: RowFigures(
            MeasuredAnswers(answers, replace(scope, truth=consensus_without(inputs, name))),
            undefined_figures,
        )
        for name, answers in inputs.people.items()
    }


def consensus_without(inputs: ComparisonInputs, person: str) -> Answers:
    """Consensus of all people but one, against which that person is measured."""
    if inputs.yardstick.kind == "others":
        return inputs.truth.answers
    further_answers = [answers for name, answers in inputs.people.items() if name != person]
    return consensus(further_answers, len(inputs.lines))


def person_of(name: str) -> str:
    """The pseudonym of the person whose row has this name; empty for another row."""
    return name.removeprefix(PERSON) if name.startswith(PERSON) else ""


def row_answers(inputs: ComparisonInputs, name: str) -> Answers | None:
    """The answers behind a row of the leaderboard, by its name."""
    constant_answers = comparison_statistics(inputs).constant
    if name == CONSTANT and constant_answers is not None:
        return Answers.constant(len(inputs.lines), constant_answers.index)
    if name in inputs.silent:
        return Answers.nothing(len(inputs.lines))
    return inputs.methods.get(name) or inputs.people.get(person_of(name))


def measured_row(inputs: ComparisonInputs, name: str) -> MeasuredAnswers | None:
    """The answers behind a row beside those that it is measured against."""
    answers, person = row_answers(inputs, name), person_of(name)
    if answers is None:
        return None
    scope = comparison_statistics(inputs).scope
    if person:
        scope = replace(scope, truth=consensus_without(inputs, person))
    return MeasuredAnswers(answers, scope, partial(_seconds_of, inputs, name))


@keep_results
def agreements(inputs: ComparisonInputs) -> AgreementMatrix:
    """Yardstick, chosen methods and people, every pair, on all series that both have answered."""
    sources = {TRUTH: inputs.truth.answers, **inputs.methods}
    sources |= {f"{PERSON}{name}": answers for name, answers in inputs.people.items()}
    return agreement_matrix(sources, inputs.tolerance)


@keep_results
def rank_pairs(inputs: ComparisonInputs, alpha: float) -> RankTest | NoRankTest:
    """The rank test of the chosen methods that are ranked, on the series that all have answered.

    Without those that have answered too few: with them hardly a series would be left.
    """
    return rank_test(covered_methods(inputs), inputs.truth.answers, alpha=alpha)


def covered_methods(inputs: ComparisonInputs) -> Mapping[str, Answers]:
    """Ranked methods that have answered enough of the steady series, with their answers.

    All of them where nobody has: then it is not for one method that a test has too few series.
    """
    truth, ranked_answers = inputs.truth.answers, inputs.ranked
    counts = [
        int((truth.steady & method_answers.given).sum())
        for method_answers in ranked_answers.values()
    ]
    are_enough = has_enough_series(np.array(counts, np.int64))
    covered_answers = {
        name: method_answers
        for (name, method_answers), is_enough in zip(
            ranked_answers.items(), are_enough, strict=True
        )
        if is_enough
    }
    return covered_answers or ranked_answers


# --- seconds ----------------------------------------------------------------------------------
@keep_results
def signed_seconds(inputs: ComparisonInputs) -> dict[str, Floats] | None:
    """Signed errors in seconds by method; None where no iteration's length is known."""
    truth = inputs.truth.answers
    has_length = np.array([line.length is not None for line in inputs.lines], np.bool_)
    timed_indices = np.flatnonzero(has_length & truth.steady)
    if not inputs.methods or not timed_indices.size:
        return None
    return seconds_of_errors(_elapsed_seconds(inputs.lines, timed_indices), inputs.methods, truth)


def _elapsed_seconds(
    lines: Sequence[ComparedSeries], timed_indices: Indices
) -> Iterator[tuple[Indices, Floats]]:
    """Elapsed seconds of the series at `timed_indices`; of neighbours alike in length, unit and
    iteration at once.

    Values of a few series are in memory together.
    """
    timed_lines = [lines[line_index] for line_index in timed_indices]
    arrays = read_arrays([line.pk for line in timed_lines], max(line.n for line in timed_lines))
    line_count = 0
    for (n, unit, length), line_group in groupby(timed_lines, attrgetter("n", "unit", "length")):
        while count := sum(1 for _ in islice(line_group, max(VALUES_AT_ONCE // n, 1))):
            totals = seconds_until(np.stack(list(islice(arrays, count))), unit, length)
            assert totals is not None  # noqa: S101  # the lines have a length
            yield timed_indices[line_count : line_count + count], totals
            line_count += count


# --- the leaderboard --------------------------------------------------------------------------
DEFAULT_SORT = "median_abs"


def _entries(
    inputs: ComparisonInputs, result: Comparison, query: ComparisonQuery
) -> tuple[LeaderboardRow, ...]:
    looks = {look.name: look for look in inputs.looks}
    empty_answers = Answers.nothing(len(inputs.lines))
    silent_figures = RowFigures(MeasuredAnswers(empty_answers, result.scope))
    rows = [
        LeaderboardRow(
            "baseline" if looks[name].baseline else "method",
            name,
            looks[name].label,
            figures,
            _answered_count(inputs, name),
            looks[name],
            without=inputs.without[name],
            overlap=inputs.known.get(name, NOTHING),
        )
        for name, figures in {**result.rows, **dict.fromkeys(inputs.silent, silent_figures)}.items()
    ]
    if result.constant is not None and result.constant_row is not None:
        title = f"Best constant, {result.constant.index}"
        n = int(inputs.truth.answers.given.sum())
        rows.append(LeaderboardRow("constant", CONSTANT, title, result.constant_row, n))
    rows += [
        LeaderboardRow(
            "person",
            f"{PERSON}{name}",
            f"{name.upper()} against the others",
            figures,
            int(figures.total("n_yes_no")),
            untold="" if inputs.yes_no_told else UNTOLD,
        )
        for name, figures in _figures_by_person(inputs).items()
        if figures.total("n_yes_no")  # nobody else has answered what this person has
    ]
    return _sorted_rows(rows, query.sort or DEFAULT_SORT)


def _answered_count(inputs: ComparisonInputs, method: str) -> int:
    """Series that both the method and the yardstick have answered."""
    answers = inputs.methods.get(method)
    return 0 if answers is None else int((answers.given & inputs.truth.answers.given).sum())


def _sorted_rows(entries: Sequence[LeaderboardRow], sort: str) -> tuple[LeaderboardRow, ...]:
    """Sorted by a column (`-` before it: greatest first), methods numbered; nothing comes last.

    Methods with too few series stand below all others. Ties share the better rank, as in the
    scenarios of What if.
    """
    column = sort.removeprefix("-")

    def key(entry: LeaderboardRow) -> tuple[bool, float | str, str]:
        cell = entry.title if column == "title" else entry.cell(column)
        if isinstance(cell, str):
            return False, cell.casefold(), entry.name
        if cell is None:
            return True, 0.0, entry.name
        return False, -cell if sort.startswith("-") else cell, entry.name

    numeric = column != "title"
    ordered_entries = sorted(entries, key=key, reverse=not numeric and sort.startswith("-"))
    sorted_rows = sorted(
        _rows_with_reasons(ordered_entries, column), key=lambda entry: bool(entry.unranked)
    )
    position, rank, last_figure, ranked_rows = 0, 0, None, []
    for entry in sorted_rows:
        is_counted = entry.may_rank and not entry.unranked
        figure = key(entry)[:2]
        if is_counted:
            position += 1
            rank = rank if figure == last_figure else position
            last_figure = figure
        ranked_rows.append(replace(entry, rank=rank if is_counted else None))
    return tuple(ranked_rows)


def _rows_with_reasons(entries: Sequence[LeaderboardRow], column: str) -> list[LeaderboardRow]:
    """Rows with the reason of each method that has too few series behind its figure of `column`."""
    count_column = FIGURES[column].behind if column in FIGURES else "n"
    n = np.array(
        [row.figures.total(count_column) if row.may_rank else 0 for row in entries], np.int64
    )
    largest_n = int(n.max(initial=0))
    return [
        replace(entry, unranked=_too_few_reason(int(count), largest_n))
        if entry.may_rank and not is_enough
        else entry
        for entry, count, is_enough in zip(entries, n, has_enough_series(n), strict=True)
    ]


def _too_few_reason(n: int, largest_n: int) -> str:
    if n < LEAST_SERIES:
        return f"{n} series, fewer than {LEAST_SERIES}"
    return f"{n} series, less than half of {largest_n}"
