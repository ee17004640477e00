"""Answers for plain series: kinds of mistakes, the typical one, and what is kept of them."""

from __future__ import annotations

import numpy as np

from detectors.contract import NEVER
from detectors.methods.barrett import Barrett
from detectors.methods.fixed import Fixed
from detectors.simulated.plain_series import (
    EVALUATION,
    NOISES,
    PlainSeries,
    PlainShape,
    plain_series,
)
from evidence.corpus.plain_mistakes import (
    LONG,
    LONG_NOISES,
    PlainAnswer,
    compared_suite,
    plain_answers,
    plain_document,
    suite_digest,
    typical_mistake,
)


def draw_series(shape: PlainShape, n: int = 500, noise: str = "normal") -> PlainSeries:
    return plain_series(shape, noise, n, 0, EVALUATION, NOISES[noise])


def test_a_mistake_has_a_kind() -> None:
    step, drift = draw_series("step-down"), draw_series("drift")
    kinds = [
        PlainAnswer(series, answer).kind
        for series, answer in (
            (step, step.low),
            (step, step.low - 1),
            (step, step.high + 1),
            (step, NEVER),
            (step, None),
            (drift, NEVER),
            (drift, 0),
        )
    ]

    expected = ["right", "too early", "too late", "never", "no answer", "right", "a start"]
    assert kinds == expected


def test_the_typical_mistake_is_the_commonest_one_and_no_answer_only_alone() -> None:
    flat_series = [draw_series("flat", n) for n in (30, 100, 500, 3000)]
    drift = draw_series("drift")
    answers = [
        PlainAnswer(series, answer)
        for series, answer in zip(flat_series, (5, 7, 9, None), strict=True)
    ]

    mistake = typical_mistake([*answers, PlainAnswer(drift, 0), PlainAnswer(drift, NEVER)])
    mistake_of_refusals = typical_mistake([PlainAnswer(series, None) for series in flat_series])

    assert mistake is not None
    assert (mistake.shape, mistake.kind, mistake.count, mistake.series) == (
        "flat",
        "too late",
        3,
        4,
    )
    assert (mistake.example.n, mistake.example.answer) == (500, 9)
    assert np.array_equal(mistake.drawn().values, flat_series[2].values)
    assert mistake_of_refusals is not None
    assert mistake_of_refusals.kind == "no answer"
    assert typical_mistake([PlainAnswer(drift, NEVER)]) is None


def test_what_is_kept_counts_every_series_once() -> None:
    suite = [series for series in compared_suite() if series.values.size in {50, 500}]

    document = plain_document(plain_answers(Fixed(iteration=0), suite))

    series_count = sum(sum(counts.values()) for counts in document["shape"].values())
    assert document["series"] == series_count == len(suite)
    assert document["shape"]["flat"] == {"right": 18}
    assert set(document["length"]) == {"50", "500"}
    assert set(document["pictured"].values()) == {0}
    assert plain_document(plain_answers(Barrett(), suite))["right"] == 0  # too short for it


def test_the_suite_has_every_shape_and_few_long_series() -> None:
    suite = compared_suite()
    long_series = [series for series in suite if series.values.size == LONG]

    assert {series.noise for series in long_series} == set(LONG_NOISES)
    assert len({series.shape for series in suite}) == 12
    assert suite_digest() == suite_digest()
