"""The page of all methods: of today, with every method on it, and sentences that follow from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpus.asking import ALL, AskedCorpus
from corpus.levels import LEVELS
from corpus.noise import recorded_noise
from corpus.series import made, planned
from detectors.methods.fixed import Fixed
from detectors.methods.georges import Georges
from detectors.methods.rocket import RocketStopping
from docs import all_methods, all_methods_page as page, panel_figures


def test_the_page_is_of_today() -> None:
    assert all_methods.write(check=True) == 0


def test_every_method_stands_on_the_page_with_figures_or_a_reason() -> None:
    document = all_methods.kept()
    methods = list(all_methods.methods())
    rows = {each.method.slug for each in page.computed(document, methods)}
    reasons = page.missing(document, methods)

    assert len(methods) >= 31
    for each in methods:
        assert (each.slug in rows) != (f"- {each.title}: " in reasons)


def test_figures_of_another_corpus_or_other_weights_are_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    today, known = all_methods.subject(), all_methods.kept()["methods"]
    assert {"plateau", "rocket"} < {key.partition("@")[0] for key in known}
    monkeypatch.setattr(all_methods, "subject", lambda: today | {"corpus": "other"})
    assert all_methods.kept()["methods"] == {}
    other = {"weights": today["weights"] | {"plateau": "other"}}
    monkeypatch.setattr(all_methods, "subject", lambda: today | other)
    left = all_methods.kept()
    assert left["weights"] == other["weights"]
    gone = {key.partition("@")[0] for key in known.keys() - left["methods"].keys()}
    assert gone == {"plateau", "plateau-online", "plateau-result"}


def row(mean: float, balanced: float, *, answered: int = 100, never: int = 3) -> dict[str, Any]:
    figures = {
        "series": 60,
        "never": 0,
        "mean": mean,
        "median": mean / 2,
        "balanced": balanced,
        "by_series": [mean - 1, mean + 1],
        "by_system": [0, 9],
        "within": [0, 0, 0, 1],
    }
    group = {"asked": 100, "answered": answered, "never": never, "figures": figures, "outside": 1.0}
    return {"seconds": 6, "milliseconds": 2.5, "groups": {ALL: group}, "recorded": [3, -1, None]}


def test_sentences_leave_out_what_was_fitted_here_and_what_answers_too_few() -> None:
    near, far = Fixed(iteration=1), Fixed(iteration=2)
    rows = [
        page.ComputedMethod(RocketStopping(), row(5, 0.99)),
        page.ComputedMethod(Georges(), row(6, 0.98, answered=89)),
        page.ComputedMethod(near, row(70, 0.6, never=0)),
        page.ComputedMethod(far, row(90, 0.5, answered=90)),
    ]

    words = page.sentences({"constant": {ALL: {"mean": 80}}}, rows, total=7)

    assert words.startswith("Plateau comes with 7 methods. These sentences compare 2 of them")
    assert "3 have no figures below, 1 were fitted on this data (†), and 1 answer for less" in words
    assert "mean error is 70 iterations" in words
    assert "the series, is 80; 1 of the\n2 methods are not better" in words
    assert "of\n0.60. A method that never answers never has 0.50; there are 1" in words
    assert "ROCKET" not in words
    assert "Georges" not in words


def test_a_method_of_other_settings_is_not_computed() -> None:
    document = {"methods": {Fixed(iteration=7).key: row(1, 1)}}

    assert page.computed(document, [Fixed()]) == []
    assert "- Fixed iteration: not asked" in page.missing(document, [Fixed()])


def test_what_a_method_says_of_recordings_stands_beside_plateau() -> None:
    cells = page._recorded([100, -1, None, 200], [150, -1, 5, 251])

    assert cells == ["3", "1", "150", "0.67"]


def test_asking_keeps_figures_of_every_group_or_the_reason() -> None:
    noises = recorded_noise()
    series = [made(each, noises) for each in planned(noises) if each.n in {300, 3000}][::9]
    whole = AskedCorpus(series, np.zeros(len(series)))

    fixed = all_methods.asked(Fixed(iteration=10), whole)

    assert {ALL, *LEVELS} <= fixed["groups"].keys()
    assert fixed["groups"][ALL]["asked"] == len(series)
    assert fixed["recorded"] == [10] * 110
    developer = next(each for each in all_methods.methods() if each.slug == "developer")
    assert all_methods.asked(developer, whole) == {"reason": "it needs settings"}


def test_what_is_kept_is_written_a_line_a_group_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_methods, "KEPT", tmp_path / "kept.json")
    document = {**all_methods.subject(), "methods": {Fixed().key: row(1, 1), "gone": row(2, 1)}}

    all_methods.keep(document)

    assert json.loads((tmp_path / "kept.json").read_text())["methods"] == {Fixed().key: row(1, 1)}
    assert all_methods.kept()["methods"] == {Fixed().key: row(1, 1)}


def test_published_rows_are_those_that_are_kept_or_say_that_there_are_none() -> None:
    methods = list(all_methods.methods())
    known = panel_figures.kept()

    shown = page.published_table(known, methods)

    for each in methods:
        mean = known["methods"].get(each.key, {}).get("mean")
        assert mean is None or f"| {each.title} | " in shown
    assert page.published_table({"methods": {}}, methods).endswith("no packages were there.")
