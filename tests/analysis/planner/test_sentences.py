"""Sentences of a plan's page that stand in place of a recommendation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from analysis.planner.savings import SuiteSavings, saving_sentence
from analysis.planner.sentences import page_sentence
from detectors.planning.suite_saving import SuiteWay


@pytest.mark.parametrize(
    ("steady", "words"),
    [
        ((True, False), "1 of 2 forks never becomes steady"),
        ((False, False), "2 of 2 forks never become steady"),
    ],
)
def test_forks_that_never_become_steady_are_counted(steady: tuple[bool, ...], words: str) -> None:
    forks = [
        SimpleNamespace(measured_fork=SimpleNamespace(steady=is_steady)) for is_steady in steady
    ]
    page: Any = SimpleNamespace(plan=SimpleNamespace(warm_up=None), forks=forks)

    assert page_sentence(page) == f"No recommendation: {words}; more iterations do not help."


@pytest.mark.parametrize(
    ("unplanned", "words"),
    [
        (1, "1 of them has no plan and stays as configured."),
        (2, "2 of them have no plan and stay as configured."),
    ],
)
def test_benchmarks_without_a_plan_are_counted(unplanned: int, words: str) -> None:
    configured_way, plan = (
        SuiteWay(way, 3, unplanned, seconds, seconds / 20, None, None, 0)
        for way, seconds in (("configured", 20.0), ("plan", 10.0))
    )

    assert saving_sentence(SuiteSavings([configured_way, plan], 3, 3)).endswith(words)
