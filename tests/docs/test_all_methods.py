"""The page of all methods: of today, with every method on it, and sentences that follow from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detectors.methods.fixed import Fixed
from detectors.methods.georges import Georges
from detectors.methods.rocket import RocketStopping
from docs import all_methods, all_methods_page as page, panel_figures
from evidence.corpus.asking import ALL, AskedCorpus
from evidence.corpus.levels import LEVELS
from evidence.corpus.noise import recorded_noise
from evidence.corpus.series import planned_series, planted_series

METHOD_PAGES = Path(all_methods.__file__).parent / "detectors"


def test_the_page_is_of_today() -> None:
    assert all_methods.write_all_methods(check=True) == 0


def test_every_method_stands_on_the_page_with_figures_or_a_reason() -> None:
    document = all_methods.current_figures()
    methods = list(all_methods.documented_methods())
    listed_slugs = {method.method.slug for method in page.methods_by_distance(document, methods)}
    reasons = page.missing_rows(document, methods)

    assert len(methods) >= 31
    for method in methods:
        assert (method.slug in listed_slugs) != (f"- {method.title}: " in reasons)


def test_a_page_says_why_its_method_misses_most_flat_series() -> None:
    for key, row in all_methods.current_figures()["methods"].items():
        if "plain" not in row:
            continue
        kinds = row["plain"]["shape"]["flat"]
        text = (METHOD_PAGES / f"{key.partition('@')[0]}.md").read_text("utf-8")

        assert kinds.get("right", 0) >= sum(kinds.values()) / 2 or "**Why flat series" in text, key


def test_figures_of_another_corpus_or_other_weights_are_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subject_of_today, figures_of_today = (
        all_methods.subject(),
        all_methods.current_figures()["methods"],
    )
    assert {"plateau", "rocket"} < {key.partition("@")[0] for key in figures_of_today}
    monkeypatch.setattr(all_methods, "subject", lambda: subject_of_today | {"corpus": "other"})
    assert {name for row in all_methods.current_figures()["methods"].values() for name in row} == {
        "plain",
        "plain_seconds",
    }
    monkeypatch.setattr(all_methods, "subject", lambda: subject_of_today | {"plain": "other"})
    assert all_methods.current_figures()["methods"].keys() == figures_of_today.keys()
    assert not any("plain" in row for row in all_methods.current_figures()["methods"].values())
    other_weights = {"weights": subject_of_today["weights"] | {"plateau": "other"}}
    monkeypatch.setattr(all_methods, "subject", lambda: subject_of_today | other_weights)
    current_figures = all_methods.current_figures()
    assert current_figures["weights"] == other_weights["weights"]
    removed_slugs = {
        key.partition("@")[0] for key in figures_of_today.keys() - current_figures["methods"].keys()
    }
    assert removed_slugs == {
        slug
        for slug in (key.partition("@")[0] for key in figures_of_today)
        if slug.startswith("plateau")
    }


def row(
    mean: float, balanced_accuracy: float, *, answered_count: int = 100, never_count: int = 3
) -> dict[str, Any]:
    figures = {
        "series": 60,
        "never": 0,
        "mean": mean,
        "median": mean / 2,
        "balanced": balanced_accuracy,
        "by_series": [mean - 1, mean + 1],
        "by_system": [0, 9],
        "within": [0, 0, 0, 1],
    }
    group = {
        "asked": 100,
        "answered": answered_count,
        "never": never_count,
        "figures": figures,
        "relative": 0.1,
    }
    group |= {"cost": 1.0}
    return {"seconds": 6, "milliseconds": 2.5, "groups": {ALL: group}, "recorded": [3, -1, None]}


def test_sentences_leave_out_what_was_fitted_here_and_what_answers_too_few() -> None:
    near_method, far_method = Fixed(iteration=1), Fixed(iteration=2)
    rows = [
        page.ComputedMethod(RocketStopping(), row(5, 0.99)),
        page.ComputedMethod(Georges(), row(6, 0.98, answered_count=89)),
        page.ComputedMethod(near_method, row(70, 0.6, never_count=0)),
        page.ComputedMethod(far_method, row(90, 0.5, answered_count=90)),
    ]

    words = " ".join(
        page.sentences({"constant": {ALL: {"mean": 80}}}, rows, total=7).replace("**", "").split()
    )

    assert words.startswith("Of the 7 methods, 2 are compared here")
    assert "3 have no figures, 1 were fitted on this data (†), and 1 answer for less" in words
    assert "mean error is 70 iterations" in words
    assert "the series, has 80; 1 of the 2 methods are not better" in words
    assert "0.60. A method that never answers never has 0.50; 1 do" in words
    assert "ROCKET" not in words
    assert "Georges" not in words


def test_a_method_of_other_settings_is_not_computed() -> None:
    document = {"methods": {Fixed(iteration=7).key: row(1, 1)}}

    assert page.methods_by_distance(document, [Fixed()]) == []
    assert "- Fixed iteration: not asked" in page.missing_rows(document, [Fixed()])


def test_what_a_method_says_of_recordings_stands_beside_plateau() -> None:
    cells = page._recorded_cells([100, -1, None, 200], [150, -1, 5, 251])

    assert cells == ["3", "1", "150", "0.67"]


def test_asking_keeps_figures_of_every_group_or_the_reason() -> None:
    noises = recorded_noise()
    series = [
        planted_series(plan, noises) for plan in planned_series(noises) if plan.n in {100, 3000}
    ][::9]
    assert {s.plan.n for s in series} == {100, 3000}
    corpus = AskedCorpus(series, np.zeros(len(series)))

    fixed_row = all_methods.method_row(Fixed(iteration=10), corpus)

    assert {ALL, *LEVELS} <= fixed_row["groups"].keys()
    assert fixed_row["groups"][ALL]["asked"] == len(series)
    assert fixed_row["recorded"] == [10] * 110
    developer = next(
        documented_method
        for documented_method in all_methods.documented_methods()
        if documented_method.slug == "developer"
    )
    assert all_methods.method_row(developer, corpus) == {"reason": "it needs settings"}


def test_what_is_kept_is_written_a_line_a_group_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_methods, "KEPT", tmp_path / "kept.json")
    document = {**all_methods.subject(), "methods": {Fixed().key: row(1, 1), "gone": row(2, 1)}}

    all_methods.keep_method_figures(document)

    assert json.loads((tmp_path / "kept.json").read_text())["methods"] == {Fixed().key: row(1, 1)}
    assert all_methods.current_figures()["methods"] == {Fixed().key: row(1, 1)}


def test_published_rows_are_those_that_are_kept_or_say_that_there_are_none() -> None:
    methods = list(all_methods.documented_methods())
    kept_figures = panel_figures.kept_figures()

    shown_table = page.published_table(kept_figures, methods)

    for method in methods:
        mean = kept_figures["methods"].get(method.key, {}).get("mean")
        assert mean is None or f"| {method.title} | " in shown_table
    assert page.published_table({"methods": {}}, methods).endswith("no packages were there.")


def test_one_method_is_asked_anew_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = all_methods.compared_series()[::60]
    suite = [s for s in all_methods.compared_suite() if s.values.size == 500]
    monkeypatch.setattr(all_methods, "KEPT", tmp_path / "kept.json")
    monkeypatch.setattr(all_methods, "compared_series", lambda: series)
    monkeypatch.setattr(all_methods, "compared_suite", lambda: suite)
    monkeypatch.delenv(all_methods.PUBLISHED, raising=False)

    all_methods.ask_methods(["mser"], only_own=True)
    all_methods.ask_methods(["fixed"], only_own=True)

    rows = all_methods.current_figures()["methods"]
    assert [key.partition("@")[0] for key in rows] == ["fixed", "mser"]
    assert all({"groups", "plain", "recorded"} <= row.keys() for row in rows.values())


def test_long_series_are_fewer_and_none_is_too_small_to_see() -> None:
    series = all_methods.compared_series()
    long_series = [s for s in series if s.plan.n > all_methods.LONG]

    assert all(s.is_seen for s in series)
    assert len(long_series) == 61
    assert {s.plan.shape for s in long_series} == set(LEVELS)
