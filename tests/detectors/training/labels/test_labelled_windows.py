"""Windows taken of labelled series: the published counts, and what holds for any label."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from detectors.contract import NEVER, as_series
from detectors.learned.crossfit import benchmark_key
from detectors.training.figures.fold_figures import as_table, figures_of
from detectors.training.labels.folds import assign_folds, split_validation
from detectors.training.labels.labelled_windows import (
    LabelledSeries,
    all_windows,
    is_usable,
    labelled_digest,
    segments_of,
    window_starts,
)
from detectors.training.panel import TooFewAnswers
from detectors.training.stopping import youden
from tests.published_data import carried_vectors, published_vectors, replication_folder


def vectors() -> dict[str, Any]:
    return carried_vectors("learned")


def test_windows_lie_where_the_published_ones_do() -> None:
    for case in vectors()["segment_starts"]:
        for starts, name in zip(
            window_starts(case["n"], case["st"] + 1), ("unstable", "stable"), strict=True
        ):
            expected = case[name]
            assert starts.size == expected["count"]
            assert starts[:5].tolist() == expected["first5"]
            assert starts[-5:].tolist() == expected["last5"]
            assert starts.sum() == expected["sum"]


def test_published_labels_give_the_published_counts() -> None:
    document = json.loads((replication_folder() / "cp_published.json").read_text("utf-8"))
    rows = csv.DictReader((replication_folder() / "index.csv").read_text("utf-8").splitlines())
    names = [benchmark_key(row["system"], row["benchmark"], row["params"]) for row in rows]
    starts = [start for name in names for start in document[name]["s"] if start != NEVER]
    counts_by_start = {
        start: [label_starts.size for label_starts in window_starts(3000, start + 1)]
        for start in starts
    }

    unstable_count, stable_count = np.array([counts_by_start[start] for start in starts]).sum(
        axis=0
    )

    assert (len(starts), stable_count, unstable_count) == (3500, 261_441, 88_559)


@given(n=st.integers(100, 4000), data=st.data())
def test_both_labels_lie_on_their_side(n: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, n - 1))

    unstable_starts, stable_starts = window_starts(n, first)

    assert (unstable_starts < first).all()
    assert (stable_starts >= first).all()
    assert unstable_starts.size + stable_starts.size <= 100
    assert not stable_starts.size or stable_starts[-1] == n - 100
    if n >= 300 and 0 < first <= n - 100:
        assert unstable_starts.size
        assert stable_starts.size


def labelled_series(first: int, n: int = 400, name: str = "s#b#") -> LabelledSeries:
    return LabelledSeries(name, as_series(np.arange(n) % 7 + 1.0), first)


def test_never_steady_series_are_not_fitted_on() -> None:
    series = [
        labelled_series(50),
        labelled_series(NEVER),
        labelled_series(301),
        labelled_series(300),
    ]

    segments = segments_of(series)

    assert [is_usable(s) for s in series] == [True, False, False, True]
    assert set(segments.series.tolist()) == {0, 3}
    assert segments.windows.shape == (200, 100)
    assert segments.stable[segments.series == 0].sum() == 50
    assert segments.windows_of(np.array([True, False, False, False])).stable.size == 100


def test_a_threshold_is_chosen_on_every_window() -> None:
    windows, labels = all_windows(labelled_series(120))
    never_windows, never_labels = all_windows(labelled_series(NEVER), step=7)

    assert (windows.shape, int(labels.sum()), bool(labels[119])) == ((301, 100), 181, False)
    assert (never_windows.shape[0], never_labels.any()) == (43, np.False_)


def test_the_digest_changes_with_a_label() -> None:
    assert labelled_digest([labelled_series(5)]) != labelled_digest([labelled_series(6)])


# --- folds --------------------------------------------------------------------------------------
def test_benchmarks_lie_in_their_published_folds() -> None:
    rows = csv.DictReader((replication_folder() / "index.csv").read_text("utf-8").splitlines())
    names = [benchmark_key(row["system"], row["benchmark"], row["params"]) for row in rows]

    fold_by_name = assign_folds(names)
    kept_names, checked_names = split_validation(
        [name for name in names if fold_by_name[name] != 0]
    )

    sizes = [list(fold_by_name.values()).count(fold) for fold in range(5)]
    assert sizes == [80, 80, 79, 79, 78]
    assert all(
        fold_by_name[name] == fold
        for name, fold in published_vectors("learned")["fold_of_first_benchmarks"]
    )
    assert (len(kept_names), len(checked_names)) == (237, 79)


@pytest.mark.parametrize("count", [15, 16, 17, 19, 20])
def test_a_system_is_dealt_as_published(count: int) -> None:
    fold_by_name = assign_folds([f"s#{number:02}#" for number in range(count)])

    fold_members = [
        [n for n in range(count) if fold_by_name[f"s#{n:02}#"] == fold] for fold in range(5)
    ]
    assert fold_members == vectors()["kfold_seed42"][str(count)]


def test_small_systems_are_dealt_together() -> None:
    names = [f"{system}#b{number}#" for system in "abcdef" for number in range(2)]

    fold_by_name = assign_folds(names)

    assert [list(fold_by_name.values()).count(fold) for fold in range(5)] == [3, 3, 2, 2, 2]
    assert assign_folds(names * 3) == fold_by_name  # forks and recordings change nothing


def test_whole_systems_can_be_held_out() -> None:
    fold_by_name = assign_folds(
        [f"{system}#b{n}#" for system in "abcdefg" for n in range(4)], "systems"
    )

    folds_by_system = {
        system: {fold_by_name[f"{system}#b{n}#"] for n in range(4)} for system in "abcdefg"
    }
    assert all(len(folds) == 1 for folds in folds_by_system.values())
    assert set.union(*folds_by_system.values()) == set(range(5))


def test_too_few_to_hold_one_out_are_refused() -> None:
    with pytest.raises(TooFewAnswers, match="found 4 benchmarks with a label, expected 5"):
        assign_folds([f"s#{n}#" for n in range(4)])
    with pytest.raises(TooFewAnswers, match="found 1 systems, expected 5"):
        assign_folds([f"s#{n}#" for n in range(9)], "systems")


def test_a_few_benchmarks_can_be_split_off() -> None:
    kept_names, checked_names = split_validation([f"{system}#b#" for system in "abcd"])

    assert (len(kept_names), len(checked_names)) == (3, 1)


# --- figures ------------------------------------------------------------------------------------
def test_the_threshold_has_the_largest_gain() -> None:
    case = vectors()["youden"]

    assert youden(np.array(case["y"], dtype=bool), np.array(case["p"])) == case["threshold"]


def test_figures_by_hand() -> None:
    is_stable = np.array([True, True, True, True, False, False])
    is_accepted = np.array([True, True, True, False, True, False])

    figures = figures_of(2, is_stable, is_accepted)

    assert (figures.precision, figures.recall, figures.f1) == (0.75, 0.75, 0.75)
    assert figures.balanced_accuracy == (0.75 + 0.5) / 2


def test_a_figure_of_nothing_is_left_open() -> None:
    figures = figures_of(0, np.ones(3, dtype=bool), np.zeros(3, dtype=bool))
    figure_fields: dict[str, Any] = {"fold": 0, "windows": 3, "f1": 0.0, "recall": 0.0}
    figure_fields |= {
        "precision": figures.precision,
        "balanced_accuracy": figures.balanced_accuracy,
    }

    assert (figures.precision, figures.balanced_accuracy) == (None, None)
    assert "| 0 | 3 |  | 0.000 | 0.000 |  |\n| **mean** | 3 |  | 0.000 | 0.000 |  |" in as_table(
        [figure_fields]
    )


def test_drawn_windows_are_some_of_all_in_their_order() -> None:
    values = as_series(np.random.default_rng(0).standard_normal(400))
    segments = segments_of([LabelledSeries("one#b#", values, 200)])

    drawn_windows = segments.sample(30, (0, 1))
    same_windows = segments.sample(30, (0, 1))

    window_indices = [
        np.flatnonzero((segments.windows == window).all(axis=1))[0]
        for window in drawn_windows.windows
    ]
    assert len(window_indices) == 30
    assert window_indices == sorted(set(window_indices))
    np.testing.assert_array_equal(drawn_windows.stable, segments.stable[window_indices])
    np.testing.assert_array_equal(same_windows.windows, drawn_windows.windows)
    assert segments.sample(None, (0,)) is segments is segments.sample(100, (0,))
