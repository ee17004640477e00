"""Reasons why a series is worth a look: each as a mask over the series, and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.result_changes import LargestChange
from analysis.statistics.answers import Answers, Bools, Indices
from analysis.statistics.pairwise_agreement import agreements
from analysis.web.templatetags.results import percent_signed
from detectors.trends.trend_groups import MATTERS
from people.templatetags.writing import grouped


@dataclass(frozen=True, slots=True, eq=False)
class ReviewInputs:
    """Everything that a reason looks at, aligned with `inputs.lines`.

    spreads                int64 (n,): largest − smallest steady mark; 0 without marks
    yes_counts, no_counts  int64 (n,): people who say steady, and never
    unsure_words …         what was said, by index of the series
    second_words      who answered otherwise when asked again, by index
    forks                  indices of the forks of each benchmark in each recording
    methods                methods that count: the chosen one, or all that look at the values
    asks_every             all of these must differ; else one is enough
    changes                by index; only where they were asked for
    """

    inputs: ComparisonInputs
    spreads: Indices
    yes_counts: Indices
    no_counts: Indices
    unsure_words: Mapping[int, str]
    unclear_words: Mapping[int, str]
    problems: Mapping[int, str]
    second_words: Mapping[int, str]
    forks: Mapping[tuple[str, ...], Sequence[int]]
    methods: MethodDisagreements
    asks_every: bool
    pair: tuple[str, str]
    changes: Mapping[int, LargestChange]

    @property
    def truth(self) -> Answers:
        return self.inputs.truth.answers

    @property
    def size(self) -> int:
        return len(self.inputs.lines)

    def code_of(self, name: str) -> str:
        return next((look.code for look in self.inputs.looks if look.name == name), name)

    def codes(self, names: Sequence[str]) -> list[str]:
        return [self.code_of(name) for name in names]


def _agreement_mask(facts: ReviewInputs, word: str) -> Bools:
    agreements = facts.inputs.truth.words
    return np.array([agreement == word for agreement in agreements], dtype=np.bool_)


def _distance_words(facts: ReviewInputs, series_index: int) -> str:
    return f"marks {grouped(int(facts.spreads[series_index]))} apart"


def _far_mask(facts: ReviewInputs) -> Bools:
    return _agreement_mask(facts, "clustered") & (facts.spreads > facts.inputs.tolerance)


def _mask_at(series_indices: Mapping[int, object], size: int) -> Bools:
    mask = np.zeros(size, np.bool_)
    mask[list(series_indices)] = True
    return mask


@dataclass(frozen=True, slots=True, eq=False)
class MethodDisagreements:
    """Methods against the yardstick, bool (methods, n), where both have an answer.

    is_given     the method has one
    differs      by more than the tolerance, or in yes/no
    opposes      in yes/no
    """

    names: tuple[str, ...]
    is_given: Bools
    differs: Bools
    opposes: Bools

    def names_in(self, table: Bools, series_index: int) -> list[str]:
        return [
            name
            for name, is_marked in zip(self.names, table[:, series_index], strict=True)
            if is_marked
        ]


def method_disagreements(
    inputs: ComparisonInputs, methods: Mapping[str, Answers]
) -> MethodDisagreements:
    """Once for all series: a queue asks of hundreds, and its words of each that is shown."""
    truth, rows = inputs.truth.answers, list(methods.values())
    shape = (len(rows), len(inputs.lines))
    is_given = np.array([method_answers.given for method_answers in rows], np.bool_).reshape(shape)
    agreeing_masks = [
        agreements(method_answers, truth, inputs.tolerance) for method_answers in rows
    ]
    contrary_masks = [method_answers.steady != truth.steady for method_answers in rows]
    given_mask = is_given & truth.given
    return MethodDisagreements(
        tuple(methods),
        is_given,
        given_mask & ~np.array(agreeing_masks, np.bool_).reshape(shape),
        given_mask & np.array(contrary_masks, np.bool_).reshape(shape),
    )


def _apart_mask(facts: ReviewInputs, differing_mask: Bools) -> Bools:
    """Series on which every method that answers is apart, or any of them."""
    is_given = facts.methods.is_given
    differs_anywhere: Bools = np.any(differing_mask, axis=0)
    differs_everywhere: Bools = np.all(differing_mask | ~is_given, axis=0)
    return differs_anywhere & differs_everywhere if facts.asks_every else differs_anywhere


def _against_truth_words(facts: ReviewInputs, series_index: int) -> str:
    codes = facts.codes(facts.methods.names_in(facts.methods.differs, series_index))
    answer_count = int(facts.methods.is_given[:, series_index].sum())
    if len(facts.methods.names) == 1 or len(codes) <= 3:
        tolerance = grouped(int(facts.inputs.tolerance[series_index]))
        return f"{_joined_codes(codes)} further than ±{tolerance}"
    return f"{len(codes)} of {answer_count} methods differ"


def _joined_codes(codes: Sequence[str]) -> str:
    return " and ".join([", ".join(codes[:-1]), codes[-1]] if len(codes) > 1 else codes)


def _yes_no_words(facts: ReviewInputs, series_index: int) -> str:
    verdict = "never" if facts.truth.steady[series_index] else "steady"
    codes = facts.codes(facts.methods.names_in(facts.methods.opposes, series_index))
    names_text = _joined_codes(codes) if len(codes) <= 3 else f"{len(codes)} methods"
    return f"{names_text} {'says' if len(codes) == 1 else 'say'} {verdict}, the yardstick not"


def _pair_mask(facts: ReviewInputs) -> Bools:
    first_answers, second_answers = (facts.inputs.methods.get(name) for name in facts.pair)
    if first_answers is None or second_answers is None:
        return np.zeros(facts.size, np.bool_)
    return (
        first_answers.given
        & second_answers.given
        & ~agreements(first_answers, second_answers, facts.inputs.tolerance)
    )


def _pair_words(facts: ReviewInputs, series_index: int) -> str:
    parts = []
    for name in facts.pair:
        value = facts.inputs.methods[name].value(series_index)
        answer_words = "never" if value is None or value < 0 else grouped(value)
        parts.append(f"{facts.code_of(name)} {answer_words}")
    return ", ".join(parts)


def _forks_mask(facts: ReviewInputs) -> Bools:
    """Forks that say otherwise than most of theirs, or lie further off than the tolerance.

    Of an even split both halves are shown; the middle is the lower of two, an answer that exists.
    """
    mask = np.zeros(facts.size, np.bool_)
    for fork_indices in facts.forks.values():
        answered_indices = np.array(
            [fork_index for fork_index in fork_indices if facts.truth.given[fork_index]],
            dtype=np.int64,
        )
        mask[_inconsistent_forks(facts, answered_indices)] = True
    return mask


def _inconsistent_forks(facts: ReviewInputs, fork_indices: Indices) -> Indices:
    steady_mask = facts.truth.steady[fork_indices]
    steady_forks, never_forks = fork_indices[steady_mask], fork_indices[~steady_mask]
    if not steady_forks.size:
        return steady_forks
    starts = np.sort(facts.truth.index[steady_forks])
    median = starts[(starts.size - 1) // 2]
    distant_forks = steady_forks[
        np.abs(facts.truth.index[steady_forks] - median) > facts.inputs.tolerance[steady_forks]
    ]
    if not never_forks.size:
        return distant_forks
    minority_groups = [
        forks
        for forks, opposite_forks in ((steady_forks, never_forks), (never_forks, steady_forks))
        if forks.size <= opposite_forks.size
    ]
    return np.unique(np.concatenate([distant_forks, *minority_groups]))


def _forks_words(facts: ReviewInputs, own_index: int) -> str:
    fork_indices = facts.forks[facts.inputs.lines[own_index].recorded_benchmark]
    other_indices = [
        fork_index
        for fork_index in fork_indices
        if fork_index != own_index and facts.truth.given[fork_index]
    ]
    starts = [
        int(facts.truth.index[other_index])
        for other_index in other_indices
        if facts.truth.steady[other_index]
    ]
    never_count = len(other_indices) - len(starts)
    parts = [f"others {_span(starts)}"] if starts else []
    return ", ".join([*parts, *([f"{never_count} never"] if never_count else [])])


def _span(starts: Sequence[int]) -> str:
    low, high = min(starts), max(starts)
    return grouped(low) if low == high else f"{grouped(low)} to {grouped(high)}"


def _change_mask(facts: ReviewInputs) -> Bools:
    large_changes = {
        series_index: largest_change
        for series_index, largest_change in facts.changes.items()
        if abs(largest_change.change.share) >= MATTERS
    }
    return _mask_at(large_changes, facts.size)


def _change_words(facts: ReviewInputs, series_index: int) -> str:
    largest_change = facts.changes[series_index]
    return f"{facts.code_of(largest_change.method)} {percent_signed(largest_change.change.share)}"


# --- the reasons ------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ReviewReason:
    """One box of the form: the series that it holds for, and what it says of each of them.

    needs_people  it is about marks, so only a campaign has it
    """

    code: str
    title: str
    mask: Callable[[ReviewInputs], Bools]
    words: Callable[[ReviewInputs, int], str]
    needs_people: bool = False
    is_default: bool = False


def _reported_reason(
    code: str,
    title: str,
    words_of: Callable[[ReviewInputs], Mapping[int, str]],
    *,
    is_default: bool = True,
) -> ReviewReason:
    """A reason that people gave in words."""

    def mask(facts: ReviewInputs) -> Bools:
        return _mask_at(words_of(facts), facts.size)

    return ReviewReason(
        code, title, mask, lambda f, i: words_of(f)[i], needs_people=True, is_default=is_default
    )


REASONS: Final = (
    ReviewReason(
        "scattered",
        "answers scattered",
        lambda f: _agreement_mask(f, "scattered"),
        lambda f, at: f"no cluster, {_distance_words(f, at)}",
        needs_people=True,
        is_default=True,
    ),
    ReviewReason(
        "split",
        "yes/no split",
        lambda f: (f.yes_counts > 0) & (f.no_counts > 0),
        lambda f, at: f"{f.yes_counts[at]} say steady, {f.no_counts[at]} never",
        needs_people=True,
        is_default=True,
    ),
    ReviewReason(
        "far",
        "a mark far from the cluster",
        _far_mask,
        lambda f, at: f"a cluster, and {_distance_words(f, at)}",
        needs_people=True,
    ),
    _reported_reason("unsure", "flagged unsure", lambda f: f.unsure_words),
    _reported_reason("unclear", "called unclear", lambda f: f.unclear_words),
    _reported_reason("problem", "problem reported", lambda f: f.problems),
    _reported_reason("second", "second pass differs", lambda f: f.second_words, is_default=False),
    ReviewReason(
        "truth",
        "method against ground truth",
        lambda f: _apart_mask(f, f.methods.differs),
        _against_truth_words,
    ),
    ReviewReason(
        "never", "never against steady", lambda f: _apart_mask(f, f.methods.opposes), _yes_no_words
    ),
    ReviewReason("pair", "two methods differ", _pair_mask, _pair_words),
    ReviewReason("forks", "forks inconsistent", _forks_mask, _forks_words),
    ReviewReason("change", "result changes by 1 % or more", _change_mask, _change_words),
)
BY_CODE: Final = {reason.code: reason for reason in REASONS}
CODES: Final = tuple(BY_CODE)
USUAL: Final = tuple(reason.code for reason in REASONS if reason.is_default)
USUAL_WITHOUT_PEOPLE: Final = ("truth", "never")
