"""Anybody's classifier on windows of any length, fold by fold and seed by seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from detectors.contract import NEVER, as_series
from detectors.training.classifiers import (
    ClassifierSettings,
    NoClassifier,
    classifier_at,
    spread_table,
    validated,
)
from detectors.training.labelled_windows import LabelledSeries
from detectors.training.panel import TooFewAnswers
from detectors.training.stopping import FoldFigures


class Falls:
    """Stable where the first values are not above the last ones; remembers what it was shown."""

    made: list[Falls] = []

    def __init__(self, random_state: int = 0) -> None:
        self.seed, self.rows = random_state, 0
        Falls.made.append(self)

    def fit(self, x: np.ndarray, y: np.ndarray) -> None:
        self.rows, self.width = x.shape

    def predict(self, x: np.ndarray) -> Any:
        return (x[:, :5].mean(axis=1) <= x[:, -5:].mean(axis=1) + 0.5).astype(int)


@pytest.fixture
def series() -> list[LabelledSeries]:
    """Ten benchmarks that fall up to 100 and are level from there on."""
    made = []
    for number in range(10):
        noise = np.random.default_rng(number).standard_normal(200)
        level = np.where(np.arange(200) < 100, 300 - 2.0 * np.arange(200), 100.0)
        made.append(LabelledSeries(f"s#b{number}#", as_series(level + 0.1 * noise), 100))
    return made


def test_each_seed_judges_every_fold_and_gets_windows_of_that_length(
    series: list[LabelledSeries],
) -> None:
    Falls.made = []

    found = list(validated(Falls, series, ClassifierSettings(window=40, seeds=2)))

    assert [[each.fold for each in folds] for folds in found] == [[0, 1, 2, 3, 4]] * 2
    assert [model.seed for model in Falls.made] == [0] * 5 + [1] * 5
    assert {model.width for model in Falls.made} == {40}
    assert {model.rows for model in Falls.made} == {800}  # eight benchmarks of a hundred windows
    assert all((each.balanced_accuracy or 0) > 0.6 for folds in found for each in folds)


def test_the_size_is_of_benchmarks_that_are_learned_from(series: list[LabelledSeries]) -> None:
    Falls.made = []

    list(validated(Falls, series, ClassifierSettings(window=40, size=3, seeds=1)))

    assert {model.rows for model in Falls.made} == {300}


def test_one_label_is_too_few(series: list[LabelledSeries]) -> None:
    level = [LabelledSeries(each.benchmark, each.values, 0) for each in series]
    never = [LabelledSeries(each.benchmark, each.values, NEVER) for each in series]

    for labelled in (level, never):
        with pytest.raises(TooFewAnswers, match="only one label"):
            list(validated(Falls, labelled, ClassifierSettings(seeds=1)))


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("sklearn", "found 'sklearn', expected package.module:Class"),
        ("nowhere.at.all:Class", "No module named 'nowhere'"),
        ("sklearn.ensemble:Nothing", "has no attribute 'Nothing'"),
        ("collections:OrderedDict", "found no class with fit and predict"),
    ],
)
def test_what_is_no_classifier_is_said(target: str, sentence: str) -> None:
    with pytest.raises(NoClassifier, match=sentence):
        classifier_at(target)


def test_a_class_of_scikit_learn_is_one() -> None:
    assert classifier_at("sklearn.neighbors:KNeighborsClassifier").__name__.startswith("KNeigh")


def test_the_spread_over_seeds_is_printed() -> None:
    def of(balanced: float | None) -> list[FoldFigures]:
        return [FoldFigures(0, 10, 0.5, 1.0, None, balanced)]

    *_, second, last = spread_table([of(0.6), of(0.8)]).splitlines()

    assert second == "| 1 | 0.500 | 1.000 |  | 0.800 |"
    assert last == "| **mean ± sd** | 0.500 ± 0.000 | 1.000 ± 0.000 |  | 0.700 ± 0.141 |"
    assert "±" not in spread_table([of(0.6)]).splitlines()[-1].partition("sd")[2]
