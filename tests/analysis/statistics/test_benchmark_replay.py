"""The replayer on cases that can be worked out by hand: cap, decisions, never, short series."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysis.statistics.answers import Answers
from analysis.statistics.benchmark_replay import Accounting, ReplayRules, iterations_to_see, replay

NAN = float("nan")
N = 3000


def play_rule(
    answer: int | None,
    decided: float = NAN,
    n: int = N,
    *,
    accounting: Accounting = "published",
    cap: int | None = 500,
) -> tuple[int, int, bool]:
    """Start, stop, capped of one series."""
    rules = ReplayRules(accounting, cap)
    replay_result = replay(Answers.from_list([answer]), np.array([decided]), np.array([n]), rules)
    return int(replay_result.start[0]), int(replay_result.stop[0]), bool(replay_result.capped[0])


@pytest.mark.parametrize(
    ("answer", "n", "cap", "expected_play"),
    [
        (120, N, 500, (120, 220, False)),
        (0, N, 500, (0, 100, False)),
        (500, N, 500, (500, 600, False)),
        (501, N, 500, (500, 600, True)),
        (-1, N, 500, (500, 600, True)),  # never: into the cap
        (-1, N, None, (N, N, False)),
        (2950, N, None, (2950, N, False)),
        (70, 100, 500, (70, 100, False)),
        (-1, 300, 500, (300, 300, False)),
    ],
)
def test_published_accounting_ends_with_the_measurement(
    answer: int, n: int, cap: int | None, expected_play: tuple[int, int, bool]
) -> None:
    assert play_rule(answer, n=n, cap=cap) == expected_play
    assert play_rule(answer, 2900.0, n=n, cap=cap) == expected_play  # whenever it knew


@pytest.mark.parametrize(
    ("answer", "decided", "cap", "expected_play"),
    [
        (120, NAN, 500, (120, N, False)),  # had to see the whole series, and may use it
        (900, NAN, 500, (900, N, False)),
        (-1, NAN, 500, (N, N, False)),
        (-1, 2999.0, 500, (N, N, False)),
        (120, 119.0, 500, (120, 220, False)),  # knew in time
        (120, 319.0, 500, (120, 320, False)),  # knew late: measures on while it waits
        (120, 499.0, 500, (120, 500, False)),
        (120, 500.0, 500, (500, 600, True)),
        (120, 500.0, None, (120, 501, False)),
        (900, 899.0, 500, (500, 600, True)),
        (0, -1.0, 500, (0, 100, False)),
    ],
)
def test_honest_accounting_charges_what_a_method_had_to_see(
    answer: int, decided: float, cap: int | None, expected_play: tuple[int, int, bool]
) -> None:
    assert play_rule(answer, decided, accounting="honest", cap=cap) == expected_play


def test_a_missing_answer_measures_nothing() -> None:
    answers = Answers.from_list([None, 5, -1])
    lengths = np.array([50, 50, 50])
    for accounting in ("published", "honest"):
        replay_result = replay(
            answers, np.full(3, NAN), lengths, ReplayRules(accounting, cap=20, measured=10)
        )

        assert replay_result.measures.tolist() == [False, True, accounting == "published"]
        assert replay_result.never.tolist() == [False, False, True]
        assert replay_result.start[0] == replay_result.stop[0] == 50


@given(
    answer=st.one_of(st.just(-1), st.integers(0, 199)),
    late=st.one_of(st.just(NAN), st.integers(-1, 199)),
    cap=st.one_of(st.none(), st.integers(0, 300)),
    measured_count=st.integers(1, 300),
)
def test_honesty_never_costs_less(
    answer: int, late: float, cap: int | None, measured_count: int
) -> None:
    """Whatever is answered: what is measured was run, within the series, and no run is shorter."""
    answers, lengths = Answers.from_list([answer]), np.array([200])
    decisions = np.array([float(late)])

    published_replay, honest_replay = (
        replay(answers, decisions, lengths, ReplayRules(accounting, cap, measured_count))
        for accounting in ("published", "honest")
    )

    for replay_result in (published_replay, honest_replay):
        assert 0 <= replay_result.start[0] <= replay_result.stop[0] <= 200
    assert honest_replay.stop[0] >= published_replay.stop[0]
    if not honest_replay.capped[0]:
        assert honest_replay.stop[0] >= min(iterations_to_see(answers, decisions, lengths)[0], 200)


def test_a_half_of_an_iteration_is_not_measured() -> None:
    result = replay(Answers.from_list([10.5]), np.array([NAN]), np.array([100]), ReplayRules())

    assert result.start[0] == 11


@pytest.mark.parametrize(("cap", "measured_count"), [(-1, 100), (500, 0)])
def test_rules_that_cannot_be_played_are_refused(cap: int, measured_count: int) -> None:
    with pytest.raises(ValueError, match="expected a cap from 0 on"):
        ReplayRules("published", cap, measured_count)
