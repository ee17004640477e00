"""Counts of answers beside published ones: equal, explained, by chance, or only put beside."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import as_series
from detectors.methods.laaber_cov import LaaberCov
from evidence.replication import parity
from evidence.replication.comparison_tally import ComparisonTally
from evidence.replication.parity import (
    RUNS,
    AnswerCount,
    RuleWithRuns,
    counts_of_kb_kssd,
    cp_ssd_counts,
    georges_counts,
    rule_counts,
)
from evidence.replication.published_study import PublishedBenchmark, PublishedStudy

FALLING = as_series([0.4] * 10 + [0.2] * 110)  # seconds an operation: one operation an iteration


def words_and_tally(count: AnswerCount) -> tuple[str, ComparisonTally]:
    tally = ComparisonTally()
    return count.settle(tally), tally


def test_what_differs_without_a_reason_is_named() -> None:
    count = AnswerCount("m", "index", why="no seed")
    for own_answer, their_answer, is_explained in ((1, 1, False), (1, 2, True), (1, 3, False)):
        count.add(f"fork {their_answer}", own_answer, their_answer, is_explained=is_explained)

    words, tally = words_and_tally(count)

    assert words == "1: no seed"
    assert (tally.compared, tally.explained) == (3, 1)
    assert tally.differing == ["m, index, fork 3: 1, published 3"]


@pytest.mark.parametrize(
    ("unlike_count", "differing_count"),
    [(1, 0), (4, 0), (6, 6)],  # by chance 1 would, sd 0.95: z is 4 at 4.8
)
def test_chance_explains_as_many_as_other_runs_differ(
    unlike_count: int, differing_count: int
) -> None:
    count = AnswerCount("m", "index", odds=[0.1] * 10)
    for number in range(10):
        count.add(str(number), number, number + (number < unlike_count))

    words, tally = words_and_tally(count)

    assert words.startswith("by chance 1.0 would, sd 0.9 (n 10 runs): z ")
    assert len(tally.differing) == differing_count
    assert tally.explained == (unlike_count if not differing_count else 0)


def test_what_is_only_put_beside_is_no_comparison() -> None:
    count = AnswerCount("m", "index", beside="means")
    count.add("fork 0", 1, 2)

    words, tally = words_and_tally(count)

    assert words == "means"
    assert (tally.compared, tally.beside, tally.differing) == (0, 1, [])


def test_a_rule_is_asked_again_only_where_chance_is_judged() -> None:
    benchmark = PublishedBenchmark("a#b#", read=lambda: [FALLING], stops={"CV": ((999, 1099),)})
    rule = LaaberCov()
    stop = rule.answer(FALLING).published_index

    index_count, *other_counts = rule_counts(RuleWithRuns("CV", rule, (rule,) * RUNS), [benchmark])

    fork_words = (
        "laaber-cov, last warm-up iteration, forks of one operation an iteration, a#b#, fork 0"
    )
    assert index_count.unlike == [f"{fork_words}: {stop}, published 999"]
    assert index_count.odds == [pytest.approx(0.5 / (RUNS + 1))]
    assert [count.of for count in other_counts] == [0, 0, 0]


def test_a_published_block_that_is_not_quiet_is_not_explained() -> None:
    noisy_values = as_series(0.2 + 0.05 * (np.arange(120) % 2))

    def count_pair(pair: tuple[int, int], values: np.ndarray) -> AnswerCount:
        published_benchmark = PublishedBenchmark(
            "a#b#", read=lambda: [values], stops={"georges": (pair,)}
        )
        return next(iter(georges_counts([published_benchmark])))

    assert count_pair((-1, 29), FALLING).unlike  # the first block holds the fall
    assert count_pair((27, 57), FALLING).explained == 1  # shorter blocks, and quiet
    assert count_pair((27, 57), noisy_values).unlike
    assert count_pair((30, 60), FALLING).equal == 1


def test_only_forks_with_published_answers_are_counted() -> None:
    values = as_series(np.linspace(1, 2, 900))
    benchmark = PublishedBenchmark(
        "a#b#", read=lambda: [values, values], answers={"kb_kssd": (7,), "cp_ssd": (0,)}
    )

    assert next(iter(counts_of_kb_kssd([benchmark]))).of == 1
    assert [count.of for count in cp_ssd_counts([benchmark])] == [0, 0, 0]


def test_forks_without_series_are_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(parity, "CHECKS", ())
    benchmarks = [
        PublishedBenchmark("a#b#", read=lambda: [FALLING], answers={"cp_ssd": (0, 0, 0)}),
        PublishedBenchmark("a#c#", answers={"cp_ssd": (0,)}),
    ]
    tally = ComparisonTally()

    parity.print_parity(PublishedStudy(tmp_path, benchmarks), tally, quick=False)  # type: ignore[arg-type]

    assert tally.missing == [("forks with published answers", 3, "no series of them")]
