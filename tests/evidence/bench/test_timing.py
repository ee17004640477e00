"""A kernel beside another way to the same numbers: what counts as missed."""

from __future__ import annotations

import numpy as np
import pytest

from evidence.bench import timing
from evidence.bench.timing import Peer, print_peers


@pytest.fixture(autouse=True)
def times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours takes 2 ms, every other 20 ms."""
    monkeypatch.setattr(
        timing, "fastest_ms", lambda work, _=0: 2.0 if work is own_numbers else 20.0
    )


def own_numbers() -> list[float]:
    return [1.0, np.nan]


@pytest.mark.parametrize("their_numbers", [[1.0, np.nan], [1.0 + 1e-9, np.nan]])
def test_the_same_numbers_and_ratio_are_kept(
    their_numbers: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert not print_peers([Peer("k", 2, own_numbers, lambda: their_numbers, least=10)], "oracle")
    row = capsys.readouterr().out.splitlines()[2]
    assert row == "| k | 2 | 2.000 | 20.00 | 10 | yes, at least 10 times |"


@pytest.mark.parametrize("their_numbers", [[1.1, np.nan], [1.0, 2.0], [1.0]])
def test_other_numbers_are_missed(
    their_numbers: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    good_peer = Peer("good", 2, own_numbers, own_numbers)

    assert print_peers([Peer("k", 2, own_numbers, lambda: their_numbers), good_peer], "oracle")
    assert "| NO |" in capsys.readouterr().out.splitlines()[2]


def test_too_small_a_ratio_is_missed() -> None:
    assert print_peers([Peer("k", 2, own_numbers, lambda: [1.0, np.nan], least=11)], "oracle")


def test_nothing_compared_is_nothing_missed() -> None:
    assert not print_peers([], "oracle")
