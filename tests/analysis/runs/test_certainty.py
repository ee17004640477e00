"""Words of a stated certainty."""

from __future__ import annotations

from analysis.runs.certainty import StatedCertainty
from detectors.contract import NEVER, Certainty


def test_an_answer_of_never_states_no_place() -> None:
    certainty = Certainty(0.02, 0, 20, 0.96)

    steady, never = (StatedCertainty(start, 1000, certainty) for start in (7, NEVER))

    assert steady.words.startswith("Four of five answers of people lie from 0 to 20; ")
    assert never.words == "98 % that people say never steady".replace(" %", "\N{NO-BREAK SPACE}%")
    assert (never.percent, never.interval) == (steady.percent.replace("96", "98"), "never")
