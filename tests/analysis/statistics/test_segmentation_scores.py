"""Covering and F1 with a margin, against documented answers and definitions written with sets."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.segmentation_scores import (
    MarginScore,
    f1_with_margin,
    matched_count,
    segment_cover,
)


@pytest.mark.parametrize(
    ("annotations", "predictions", "f1", "cover"),
    [
        ([[10, 20], [11, 20], [10], [0, 5]], [10, 20], 1.0, None),
        ([[], [10], [50]], [10], 0.9090909090909091, None),
        ([[], [10], [50]], [], 0.8, None),
        ([[10, 20], [10], [0, 5]], [10, 20], None, 0.7962962962962963),
        ([[], [10], [40]], [10], None, 0.7954144620811286),
        ([[], [10], [40]], [], None, 0.8189300411522634),
    ],
)
def test_documented_answers(
    annotations: list[list[int]], predictions: list[int], f1: float | None, cover: float | None
) -> None:
    """Answers that the documentation of TCPDBench's `metrics.py` gives, of 45 values."""
    if f1 is not None:
        assert f1_with_margin(annotations, predictions).f1 == pytest.approx(f1, abs=1e-15)
    if cover is not None:
        assert segment_cover(annotations, predictions, 45) == pytest.approx(cover, abs=1e-15)


USD_ISK = [[115, 120], [35, 86, 106, 120], [120], [30, 40, 120], [117, 123]]
GDP_IRAN = [[15], [], [16, 22, 31], [17, 22], [16, 21]]
MANY = [1, 15, 19, 26, 39, 41, 47, 58, 69, 75, 79, 85, 90, 96, 99, 104, 107, 109, 112, 115, 119]
MANY += [138, 154, 170, 179, 187, 191, 206, 211, 219, 232, 236]


@pytest.mark.parametrize(
    ("predictions", "f1", "precision", "recall", "cover"),
    [
        ([], 0.48866498740554154, 1.0, 0.3233333333333333, 0.43629300594994175),
        ([58], 0.39271255060728744, 0.5, 0.3233333333333333, 0.5474883738392131),
        ([116], 0.7854251012145749, 1.0, 0.6466666666666666, 0.8527794314919734),
        ([119], 0.7854251012145749, 1.0, 0.6466666666666666, 0.8645950599174581),
        ([58, 116], 0.6565143824027072, 2 / 3, 0.6466666666666666, 0.7347653721190944),
        ([20, 49, 116, 120, 217], 0.609375, 0.5, 0.78, 0.6716572567006793),
        ([1, 2, 117, 122], 0.6782608695652174, 0.6, 0.78, 0.866448682173545),
        ([30, 60, 117, 211], 0.6613466334164588, 0.6, 0.7366666666666667, 0.6160593821788403),
        (
            *([19, 47, 69, 109, 116, 119, 191, 199, 211, 236], 0.5038402457757296),
            *(0.36363636363636365, 0.82, 0.48011495083863504),
        ),
        (MANY, 0.3902439024390244, 0.24242424242424243, 1.0, 0.16304945054945055),
    ],
)
def test_published_answers_and_scores_of_usd_isk(
    predictions: list[int], f1: float, precision: float, recall: float, cover: float
) -> None:
    """Answers of its methods with TCPDBench's scores: `analysis/output/summaries`, version 2."""
    score = f1_with_margin(USD_ISK, predictions)

    assert score == pytest.approx(MarginScore(f1, precision, recall), abs=1e-15)
    assert segment_cover(USD_ISK, predictions, 247) == pytest.approx(cover, abs=1e-15)


@pytest.mark.parametrize(
    ("predictions", "f1", "precision", "recall", "cover"),
    [
        ([], 0.651685393258427, 1.0, 0.4833333333333334, 0.582639714625446),
        ([41], 0.4915254237288136, 0.5, 0.4833333333333334, 0.4840462863606043),
        ([46], 0.4915254237288136, 0.5, 0.4833333333333334, 0.475042651088249),
    ],
)
def test_published_scores_where_one_person_marks_nothing(
    predictions: list[int], f1: float, precision: float, recall: float, cover: float
) -> None:
    """Answers for `gdp_iran`, where the second person saw no change."""
    score = f1_with_margin(GDP_IRAN, predictions)

    assert score == pytest.approx(MarginScore(f1, precision, recall), abs=1e-15)
    assert segment_cover(GDP_IRAN, predictions, 58) == pytest.approx(cover, abs=1e-15)


@pytest.mark.parametrize(
    ("truth", "predictions", "margin", "count"),
    [
        ([], [1, 2, 3], 5, 0),
        ([1, 10, 20, 23], [3, 8, 20], 5, 3),  # 20 is taken: 23 finds none
        ([10, 13], [6, 11], 5, 1),  # 10 takes the nearer 11
        ([10], [4, 16], 5, 0),
        ([10], [5, 15], 5, 1),
        ([10, 11], [10], 0, 1),
    ],
)
def test_each_prediction_matches_once(
    truth: list[int], predictions: list[int], margin: int, count: int
) -> None:
    assert matched_count(truth, predictions, margin) == count


def test_precision_counts_everybody_and_recall_each() -> None:
    """Of 0, 30, 75 two are somebody's; one annotator has both, the other one of two."""
    f1 = 2 / 3 * 0.75 * 2 / (2 / 3 + 0.75)

    assert f1_with_margin([[30], [60]], [30, 75]) == MarginScore(f1, 2 / 3, 0.75)


def test_covering_equals_its_definition_with_sets() -> None:
    rng = np.random.default_rng(33)
    for n in (1, 2, 9, 60):
        for _ in range(25):
            annotations = [rng.integers(0, n, rng.integers(0, 6)).tolist() for _ in range(3)]
            predictions = rng.integers(0, n, rng.integers(0, 8)).tolist()
            expected = np.mean(
                [_cover_of_sets(annotation, predictions, n) for annotation in annotations]
            )

            assert segment_cover(annotations, predictions, n) == pytest.approx(expected, abs=1e-12)


def _cover_of_sets(truth: list[int], predictions: list[int], n: int) -> float:
    segments, guesses = ([*map(set, _segments(starts, n))] for starts in (truth, predictions))
    best_overlaps = [
        max(len(segment & guess) / len(segment | guess) for guess in guesses)
        for segment in segments
    ]
    return (
        sum(
            len(segment) * overlap for segment, overlap in zip(segments, best_overlaps, strict=True)
        )
        / n
    )


def _segments(starts: list[int], n: int) -> list[list[int]]:
    labels = [sum(start <= i for start in set(starts) - {0}) for i in range(n)]
    return [[i for i in range(n) if labels[i] == label] for label in sorted(set(labels))]


@pytest.mark.parametrize("positions", [[-1], [5]])
def test_positions_outside_the_series_are_refused(positions: list[int]) -> None:
    with pytest.raises(ValueError, match="0 to 4"):
        segment_cover([[]], positions, 5)


def test_without_annotators_there_is_no_score() -> None:
    with pytest.raises(ValueError, match="one annotator"):
        f1_with_margin([], [3])
    with pytest.raises(ValueError, match="one annotator"):
        segment_cover([], [3], 5)
