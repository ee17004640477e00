"""The names from which methods are written, and what the contract does for all of them."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from detectors import api, methods
from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw
from detectors.contract import ParameterError, TooShort, parameter

MOST_NAMES = 8
METHODS = sorted(Path(methods.__path__[0]).glob("[a-z]*.py"))


class Pair(Detector):
    slug, version = "pair", "1"
    title, code = "Pair", "PAIR"
    source = Source("this test")

    class Params(Detector.Params):
        low: int = parameter(1, low=0, high=9, help="The lower one.")
        high: int = parameter(2, low=0, high=9, help="The higher one.")

        def check(self) -> None:
            self.require(self.low < self.high, f"low must be below high; got {self.low}")

    params: Params

    @property
    def least_length(self) -> int:
        return self.params.high

    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(int(values[self.params.high - 1]))

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        return draw.event(int(values[self.params.high - 1]), "here", "The answer.")


class Named:
    """A mix-in of a plug-in that was written when the least length was called `needed`."""

    @property
    def needed(self) -> int:
        return super().needed + 1  # type: ignore[misc]


class NamedPair(Named, Pair):
    slug, title, code = "named-pair", "Named pair", "NAME"


def test_a_plug_in_may_call_and_read_the_least_length_by_its_earlier_name() -> None:
    assert (NamedPair(high=3).least_length, Pair(high=3).needed) == (4, 3)


def test_the_facade_has_few_names() -> None:
    assert len(api.__all__) <= MOST_NAMES


@pytest.mark.parametrize("path", METHODS, ids=lambda path: path.stem)
def test_methods_take_the_names_of_the_facade_from_there(path: Path) -> None:
    imports = [n for n in ast.parse(path.read_text("utf-8")).body if isinstance(n, ast.ImportFrom)]

    facade = [n for n in imports if n.module == "detectors.api"]
    assert all(n.lineno == n.end_lineno for n in facade)
    other_names = {a.name for n in imports if n.module == "detectors.contract" for a in n.names}
    assert not other_names & set(api.__all__)


def test_fewer_values_than_needed_are_refused_before_the_method_reads_them() -> None:
    pair, two_values = Pair(high=3), np.ones(2)

    for ask in (pair.answer, lambda values: pair.explained(values, Context())):
        with pytest.raises(TooShort, match="needs at least 3 values; got 2"):
            ask(two_values)
    assert pair.answer([9.0, 0.0, 1.0]).steady_start == 1


def test_a_plug_in_of_an_earlier_version_still_says_how_many_values_it_takes() -> None:
    class EarlierPlugIn(Pair):
        needed = property(lambda _: 7)

    with pytest.raises(TooShort, match="at least 7 values; got 6"):
        EarlierPlugIn().answer(range(6))


def test_a_rule_between_parameters_is_held() -> None:
    with pytest.raises(ParameterError, match=r"^low must be below high; got 3$"):
        Pair(low=3)
    assert Pair(low=0).params.low == 0


def test_never_is_no_event_and_no_band() -> None:
    assert draw.event(NEVER, "here", "The answer.") == ()
    assert draw.event(0, "here", "The answer.")[0].at == (0,)
    assert draw.decision_band(Detection(NEVER, decided_at=4), "delay", "Waited.") == ()
    assert draw.decision_band(Detection(3), "delay", "Waited.") == ()
    (band,) = draw.decision_band(Detection(3, decided_at=4), "delay", "Waited.")
    assert band.spans == ((3, 5),)


def test_stages_without_an_iteration_are_left_out() -> None:
    bands = draw.stage_bands({"none": (0, 0), "warm-up": (0, 2), "rest": (2, 3)}, "stages", "All.")

    assert (bands.spans, bands.notes) == (((0, 2), (2, 3)), ("warm-up", "rest"))


def test_infinite_values_of_a_curve_are_not_drawn() -> None:
    curve = draw.Curve(np.array([1.0, np.inf, -np.inf]), label="far", meaning="Far.")

    assert np.isnan(curve.y).tolist() == [False, True, True]
