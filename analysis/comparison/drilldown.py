"""The series behind a number: each figure of the leaderboard, and each pair, as a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.comparison.inputs import ComparedSeries, ComparisonInputs
from analysis.comparison.query import DrilldownCell
from analysis.comparison.table import TRUTH, ComparisonResult, person_of
from analysis.statistics.answer_spread import Disagreement, disagreements
from analysis.statistics.answers import Answers, Bools, Number, as_integer, errors
from analysis.statistics.comparison import RULES
from analysis.statistics.leaderboard_figures import FIGURES, MeasuredAnswers
from analysis.statistics.pairwise_agreement import agreements
from analysis.statistics.verdicts import NO_VERDICT, VERDICTS
from analysis.web.series_columns import NAMING
from formats.tables import Cell as FileCell, attribute_row

COLUMNS: Final = (*NAMING, "yardstick", "truth", "method", "answer", "error", "verdict")


EXCLUDED: Final = "excluded"
"""The list of series that a review took out; the last column of every list's file, too."""


class UnknownCell(LookupError):
    """No such figure; the sentence says which there are."""


@dataclass(frozen=True, slots=True)
class DrilldownRow:
    """One series behind a number: answers in iterations, NEVER or None; error predicted − truth.

    `exclusion_reason` is the reason of a review decision; only the list of excluded series has any.
    """

    line: ComparedSeries
    truth: Number | None
    answer: Number | None
    error: Number | None
    verdict: str
    exclusion_reason: str = ""


@dataclass(frozen=True, slots=True)
class Drilldown:
    """The list behind a number; `truth_head` says whose the first answer is."""

    cell: DrilldownCell
    sentence: str
    rows: tuple[DrilldownRow, ...]
    truth_head: str = "Yardstick"


ROW_LISTS: Final[Mapping[str, tuple[str, Callable[[MeasuredAnswers], Bools]]]] = {
    **{
        figure.list_name: (figure.listed, figure.series)
        for figure in FIGURES.values()
        if figure.listed
    },
    "under": ("both say steady, it is earlier", lambda s: s.distances & (s.delta < 0)),
    "exact": ("both say steady from the same iteration", lambda s: s.distances & (s.delta == 0)),
    "over": ("both say steady, it is later", lambda s: s.distances & (s.delta > 0)),
    "unanswered": ("it has no answer", lambda s: s.truth.given & ~s.predicted.given),
}
"""Sentence and series of each list of one row, by name."""


def drilldown_for(comparison: ComparisonResult, cell: DrilldownCell) -> Drilldown:
    """The series behind a number, in the order of the comparison, widest errors first.

    Raises UnknownCell.
    """
    if cell.figure in RULES:
        return _left_out_series(comparison, cell)
    if cell.figure == EXCLUDED:
        return _excluded_series(comparison, cell)
    if cell.figure == "differ":
        return _differing_series(comparison, cell)
    if cell.figure in JOINT:
        return _joint_series(comparison, cell)
    if RANGE in cell.figure:
        return _series_of_bin(comparison, cell)
    answers = _row_answers(comparison, cell)
    if cell.figure not in ROW_LISTS:
        figures = ", ".join([*ROW_LISTS, "differ", *JOINT, *RANGES, EXCLUDED, *RULES])
        raise UnknownCell(f"no figure {cell.figure!r}; there are: {figures}")
    words, mask_of = ROW_LISTS[cell.figure]
    title = comparison.entry(cell.row).title
    return Drilldown(cell, f"{title}: {words}", _rows(comparison, mask_of(answers), answers))


def _row_answers(comparison: ComparisonResult, cell: DrilldownCell) -> MeasuredAnswers:
    measured_answers = comparison.measured(cell.row)
    if measured_answers is None:
        row_names = ", ".join(entry.name for entry in comparison.entries)
        raise UnknownCell(f"no row {cell.row!r}; there are: {row_names or 'none'}")
    return measured_answers


def _measured_answers(
    comparison: ComparisonResult, answers: Answers, truth: Answers
) -> MeasuredAnswers:
    return MeasuredAnswers(answers, replace(comparison.result.scope, truth=truth))


def _left_out_series(comparison: ComparisonResult, cell: DrilldownCell) -> Drilldown:
    """Series whose error does not count, by the rule that left them out."""
    rule = next(rule for rule in RULES if rule == cell.figure)
    mask = np.zeros(len(comparison.lines), np.bool_)
    mask[list(comparison.result.left_out[rule])] = True
    measured_pair = _measured_answers(comparison, Answers.nothing(mask.size), comparison.truth)
    if cell.row:
        measured_pair = _row_answers(comparison, cell)
        own_mask = (
            ~measured_pair.predicted.given
            if cell.figure == "no-answer"
            else measured_pair.predicted.never
        )
        mask = (
            comparison.truth.steady & own_mask
            if cell.figure in {"no-answer", "says-never"}
            else mask
        )
    return Drilldown(cell, RULES[rule], _rows(comparison, mask, measured_pair))


def _excluded_series(comparison: ComparisonResult, cell: DrilldownCell) -> Drilldown:
    """Series that a review took out: they have no answers here, but a reason."""
    rows = tuple(
        DrilldownRow(excluded_series.line, None, None, None, "", excluded_series.reason)
        for excluded_series in comparison.inputs.excluded
    )
    return Drilldown(cell, "Left out by a decision", rows)


def _differing_series(comparison: ComparisonResult, cell: DrilldownCell) -> Drilldown:
    """Series on which two sources differ: one cell of the heat map."""
    first_answers, second_answers = (
        comparison.truth if name == TRUTH else comparison.answers(name)
        for name in (cell.row, cell.other)
    )
    if first_answers is None or second_answers is None:
        raise UnknownCell(f"no pair {cell.row!r} and {cell.other!r}")
    is_apart = ~agreements(first_answers, second_answers, comparison.inputs.tolerance)
    words = f"{title_of(comparison, cell.row)} and {title_of(comparison, cell.other)} differ"
    measured_pair = _measured_answers(comparison, first_answers, second_answers)
    rows = _rows(comparison, first_answers.given & second_answers.given & is_apart, measured_pair)
    return Drilldown(cell, words, rows, title_of(comparison, cell.other))


# --- two methods against the yardstick --------------------------------------------------------
JOINT: Final[Mapping[str, str]] = {
    "both-right": "both right about steady or never",
    "first-right": "only the first right about steady or never",
    "second-right": "only the second right about steady or never",
    "both-wrong": "both wrong about steady or never",
}
RANGE: Final = "~"
RANGES: Final[Mapping[str, str]] = {
    "error": "error from {low} up to {high}",
    "sooner": "answer minus the other's from {low} up to {high}",
    "closer": "|Δ| minus the other's from {low} up to {high}",
    "within": "|Δ| from {low} to {high}, both included",
}
"""Bins of histograms: `error~-50~0` of a method; `sooner~…` and `closer~…` of two. `within~0~50`
is what a distribution says at 50: a yardstick between iterations makes errors of halves."""


def bin_figure(figure: str, low: int, high: int) -> str:
    """The figure of a cell that lists a bin of a histogram: low included, high not."""
    return f"{figure}{RANGE}{low}{RANGE}{high}"


@dataclass(frozen=True, slots=True)
class MethodPair:
    """Two methods, and the series on which they are compared."""

    first_answers: Answers
    second_answers: Answers
    distances: Bools
    yes_no: Bools


def method_pair(comparison: ComparisonResult, first_name: str, second_name: str) -> MethodPair:
    """Two rows that are measured against the same yardstick. Raises UnknownCell."""
    answers = [comparison.answers(name) for name in (first_name, second_name)]
    if answers[0] is None or answers[1] is None:
        raise UnknownCell(f"no pair {first_name!r} and {second_name!r}")
    first_answers, second_answers = answers[0], answers[1]
    scope, truth = comparison.result.scope, comparison.truth
    return MethodPair(
        first_answers,
        second_answers,
        scope.distances & truth.steady & first_answers.steady & second_answers.steady,
        scope.yes_no & truth.given & first_answers.given & second_answers.given,
    )


def _both_titles(comparison: ComparisonResult, cell: DrilldownCell) -> str:
    return f"{comparison.entry(cell.row).title} and {comparison.entry(cell.other).title}"


def _joint_series(comparison: ComparisonResult, cell: DrilldownCell) -> Drilldown:
    """Series on which both, one or none of two methods is right: a part of an agreement bar."""
    pair = method_pair(comparison, cell.row, cell.other)
    mask = joint_masks(comparison, pair)[cell.figure]
    measured_pair = _measured_answers(comparison, pair.first_answers, comparison.truth)
    words = f"{_both_titles(comparison, cell)}: {JOINT[cell.figure]}"
    return Drilldown(cell, words, _rows(comparison, mask, measured_pair))


def joint_masks(comparison: ComparisonResult, pair: MethodPair) -> dict[str, Bools]:
    """Series on which both are right about steady or never, one alone, or none; as in JOINT."""
    first_right_mask, second_right_mask = (
        answers.steady == comparison.truth.steady
        for answers in (pair.first_answers, pair.second_answers)
    )
    outcome_masks = (
        first_right_mask & second_right_mask,
        first_right_mask & ~second_right_mask,
        second_right_mask & ~first_right_mask,
        ~first_right_mask & ~second_right_mask,
    )
    return {name: pair.yes_no & mask for name, mask in zip(JOINT, outcome_masks, strict=True)}


def _series_of_bin(comparison: ComparisonResult, cell: DrilldownCell) -> Drilldown:
    """One bin of a histogram."""
    range_kind, low, high = _parse_range(cell.figure)
    words = RANGES[range_kind].format(low=low, high=high)
    if range_kind in {"error", "within"}:
        measured_pair = _row_answers(comparison, cell)
        if range_kind == "error":
            is_inside = _inside_mask(measured_pair.delta, low, high)
        else:
            is_inside = _inside_mask(measured_pair.size, low, np.nextafter(high, np.inf))
        mask = measured_pair.distances & is_inside
        return Drilldown(
            cell,
            f"{comparison.entry(cell.row).title}: {words}",
            _rows(comparison, mask, measured_pair),
        )
    pair = method_pair(comparison, cell.row, cell.other)
    mask = pair.distances & _inside_mask(
        paired_differences(comparison, pair, range_kind), low, high
    )
    measured_pair = _measured_answers(comparison, pair.first_answers, pair.second_answers)
    titles, head = _both_titles(comparison, cell), title_of(comparison, cell.other)
    return Drilldown(cell, f"{titles}: {words}", _rows(comparison, mask, measured_pair), head)


def paired_differences(comparison: ComparisonResult, pair: MethodPair, figure: str) -> np.ndarray:
    """first - second, float64 (n,): of answers for `sooner`, of |error| for `closer`; or NaN."""
    first_errors, second_errors = (
        errors(answers, comparison.truth) for answers in (pair.first_answers, pair.second_answers)
    )
    if figure == "closer":
        first_errors, second_errors = np.abs(first_errors), np.abs(second_errors)
    return np.where(pair.distances, first_errors - second_errors, np.nan)


def _parse_range(text: str) -> tuple[str, int, int]:
    range_kind, _, bounds_text = text.partition(RANGE)
    low, _, high = bounds_text.partition(RANGE)
    try:
        named_range = range_kind, int(low), int(high)
    except ValueError as error:
        raise UnknownCell(f"no range {text!r}; expected one like error~-50~0") from error
    if range_kind not in RANGES:
        raise UnknownCell(f"no range of {range_kind!r}; there are: {', '.join(RANGES)}")
    return named_range


def _inside_mask(values: np.ndarray, low: float, high: float) -> Bools:
    with np.errstate(invalid="ignore"):
        is_inside: Bools = (values >= low) & (values < high)
    return is_inside


def title_of(comparison: ComparisonResult, name: str) -> str:
    if name == TRUTH:
        return comparison.yardstick.line
    return person_of(name).upper() or comparison.looks[name].label


def _rows(
    comparison: ComparisonResult, mask: Bools, measured_pair: MeasuredAnswers
) -> tuple[DrilldownRow, ...]:
    verdicts, delta = measured_pair.verdicts, measured_pair.delta
    rows = [
        DrilldownRow(
            comparison.lines[line_index],
            measured_pair.truth.value(line_index),
            measured_pair.predicted.value(line_index),
            None if np.isnan(delta[line_index]) else as_integer(float(delta[line_index])),
            "" if verdicts[line_index] == NO_VERDICT else VERDICTS[verdicts[line_index]],
        )
        for line_index in np.flatnonzero(mask).tolist()
    ]
    # The sort is stable: equal errors keep the order of the comparison.
    return tuple(sorted(rows, key=lambda row: -abs(row.error or 0)))


def drilldown_cells(
    comparison: ComparisonResult, drilldown: Drilldown, row: DrilldownRow
) -> tuple[FileCell, ...]:
    """One row of the file of a list."""
    code = drilldown.cell.other if drilldown.cell.figure == "differ" else comparison.yardstick.code
    return attribute_row(COLUMNS, row, row.line, yardstick=code, method=drilldown.cell.row or None)


# --- the queue of disagreements ---------------------------------------------------------------
QUEUE_COLUMNS: Final = (
    *NAMING,
    "yardstick",
    "truth",
    "spread",
    "differing",
    "answered",
    "never",
    "split",
)


def disagreement_queue(comparison: ComparisonResult) -> tuple[Disagreement, ...]:
    """Series by the spread between methods that look and the yardstick, widest first."""
    return queue_of_disagreements(comparison.inputs)


def queue_of_disagreements(inputs: ComparisonInputs) -> tuple[Disagreement, ...]:
    """Queue of disagreements from a comparison's inputs."""
    return disagreements(
        inputs.looking, inputs.truth.answers, lengths=inputs.lengths, tolerance=inputs.tolerance
    )


def queue_cells(comparison: ComparisonResult, disagreement: Disagreement) -> tuple[FileCell, ...]:
    """One row of the file of the queue."""
    line, code = comparison.lines[disagreement.series], comparison.yardstick.code
    truth = comparison.truth.value(disagreement.series)
    return attribute_row(QUEUE_COLUMNS, disagreement, line, yardstick=code, truth=truth)
