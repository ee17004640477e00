"""Sentences of a plan's page that stand in place of a recommendation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from analysis.planner.sentences import page_sentence


@pytest.mark.parametrize(
    ("steady", "words"),
    [
        ((True, False), "1 of 2 forks never becomes steady"),
        ((False, False), "2 of 2 forks never become steady"),
    ],
)
def test_forks_that_never_become_steady_are_counted(steady: tuple[bool, ...], words: str) -> None:
    forks = [SimpleNamespace(recorded=SimpleNamespace(steady=each)) for each in steady]
    page: Any = SimpleNamespace(plan=SimpleNamespace(warm_up=None), forks=forks)

    assert page_sentence(page) == f"No recommendation: {words}; more iterations do not help."
