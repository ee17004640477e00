"""Every detector keeps the contract on every series; and the checks notice when one does not."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable

import numpy as np
import pytest

from detectors.command.checks import (
    CHECKS,
    SERIES,
    broken_lines,
    check_answer_is_in_range,
    check_evidence_agrees_with_the_answer,
    check_evidence_can_be_drawn,
    check_ignores_where_the_values_lie,
    check_key_names_the_answer,
    check_leaves_the_values_alone,
    check_same_values_same_answer,
    check_threads_agree,
    failures,
    summary_lines,
)
from detectors.contract import (
    NEVER,
    Context,
    Decision,
    Detection,
    Detector,
    Events,
    Evidence,
    NotAvailable,
    OnlineDetector,
    Parameters,
    Source,
    TooShort,
    Values,
    parameter,
)
from detectors.registry import registry
from tests.every_case import EVERY_CASE

# Uncompiled a kernel that reaches beyond its arrays is found on the first series of any shape, and
# by the checks that call every kernel of a method; the others say nothing of kernels.
UNCOMPILED = ("step", "few-digits", "giant", "two", "one", "none")
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
TESTED_SERIES = SERIES if COMPILED else {name: SERIES[name] for name in UNCOMPILED}
TESTED_CHECKS = CHECKS if COMPILED else (check_answer_is_in_range, check_evidence_can_be_drawn)


# Checks that ask for an answer again, and most of all calls: what a method keeps, shares or writes
# does not hang on how large its values are. `make test-every` asks them on every series.
REPEATING_CHECKS = {
    *(check_key_names_the_answer, check_same_values_same_answer, check_leaves_the_values_alone),
    *(check_ignores_where_the_values_lie, check_threads_agree),
    check_evidence_agrees_with_the_answer,
}
REPEATED_SERIES = (
    {*TESTED_SERIES} if EVERY_CASE else {"step", "drift", "few-digits", "giant", "two", "none"}
)


@pytest.mark.parametrize("detector", registry().values(), ids=registry())
def test_contract(detector: type[Detector]) -> None:
    for check, (name, values) in itertools.product(TESTED_CHECKS, TESTED_SERIES.items()):
        if check in REPEATING_CHECKS and name not in REPEATED_SERIES:
            continue
        try:
            check(detector(), values)
        except Exception as error:
            error.add_note(f"{check.__name__} on the series “{name}”")
            raise


class Good(Detector):
    slug, version = "good", "1"
    title, code = "Good", "GOOD"
    source = Source("this test")

    class Params(Parameters):
        k: int = parameter(2, low=1, high=100, unit="iterations", help="Least length.")

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        if values.size < self.params.k:
            raise TooShort(needed=self.params.k, got=values.size)
        return Detection(0)


class Shouts(Good):
    code = "Go"


class BeyondTheEnd(Good):
    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(values.size)


class NumpyAnswer(Good):
    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(np.argmin(np.r_[values, 0.0]) * 0)  # type: ignore[arg-type]


class BareNumber(Good):
    def detect(self, values: Values, context: Context) -> Detection:
        return int(values.size > 1)  # type: ignore[return-value]


class Remembers(Good):
    calls = 0

    def detect(self, values: Values, context: Context) -> Detection:
        type(self).calls += 1
        return Detection(NEVER, decided_at=None, flags=("odd",) if self.calls % 2 else ())


class Writes(Good):
    def detect(self, values: Values, context: Context) -> Detection:
        values.flags.writeable = True
        return Detection(NEVER)


class Crashes(Good):
    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(int(values[0] * 0))


class WrongLength(Good):
    def detect(self, values: Values, context: Context) -> Detection:
        raise TooShort(needed=1, got=values.size)


class NeedsSilently(Good):
    def detect(self, values: Values, context: Context) -> Detection:
        raise NotAvailable("weights not installed")


class DrawsBeside(Good):
    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        return (Events((values.size + 1,), label="beside"),)


class Forgets(OnlineDetector[list[int]]):
    """Judges the last batch only."""

    slug, version = "forgets", "1"
    title, code = "Forgets", "FO"
    source = Source("this test")

    def start(self, context: Context) -> list[int]:
        return [0]

    def update(self, state: list[int], batch: Values) -> Decision:
        state[0] = batch.size
        return Decision(0)

    def finish(self, state: list[int]) -> Decision:
        return Decision(state[0], Detection(0 if state[0] > 1 else NEVER))


def test_a_good_detector_has_nothing_broken() -> None:
    assert list(broken_lines(Good)) == []


@pytest.mark.parametrize(
    ("detector", "sentence"),
    [
        (Shouts, "code must be two to four capitals; got Go"),
        (BeyondTheEnd, "steady_start is 600 for a series of 600 values"),
        (NumpyAnswer, "steady_start must be an int; got int64"),
        (BareNumber, "detect gave back int, expected a Detection; write `return Detection("),
        (Remembers, "the same values gave two answers"),
        (Writes, "cannot set WRITEABLE flag"),
        (Crashes, "IndexError"),
        (WrongLength, "TooShort needs 1, which there are"),
        (NeedsSilently, "but the class declares no `needs`"),
        (DrawsBeside, "evidence 'beside' lies at 601 of 600 values"),
        (Forgets, "in batches of 1 it ends with"),
    ],
)
def test_the_checks_notice(detector: type[Detector], sentence: str) -> None:
    assert any(sentence in line for line in broken_lines(detector)), list(broken_lines(detector))


def test_one_cause_is_one_line() -> None:
    lines = [line for line in summary_lines(failures(Crashes)) if "IndexError" in line]

    assert len(lines) == 1
    assert " other checks (" in lines[0]


def test_bounds_that_are_not_kept_are_noticed() -> None:
    class Careless(Good):
        def __init__(self, **parameters: object) -> None:
            self.params = self.Params()

    assert any("took k=0, beyond the bound it declares" in line for line in broken_lines(Careless))


def test_every_check_says_what_it_is_about() -> None:
    names: list[Callable[..., None]] = list(CHECKS)

    assert all(check.__name__.startswith("check_") for check in names)
    assert len({check.__name__ for check in names}) == len(names)
