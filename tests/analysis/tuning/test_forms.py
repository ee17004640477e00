"""What the form of an exploration begins with can be sent as it is."""

from __future__ import annotations

import pytest

from analysis.statistics.parameter_space import numeric_parameters
from analysis.tuning.forms import USUAL_LEVELS, ExplorationForm, tunable_methods
from analysis.tuning.query import Kind, checked_range, even_range
from detectors.contract import Detector
from people.models import Study

ALL = tunable_methods(Kind.GRID)


@pytest.mark.parametrize("method", ALL, ids=lambda each: each.slug)
def test_every_range_that_is_offered_is_allowed(study: Study, method: type[Detector]) -> None:
    form = ExplorationForm(study, Kind.GRID, method)

    for declared_parameter in numeric_parameters(method.Params):
        low = float(form[f"low.{declared_parameter.name}"].value())
        high = float(form[f"high.{declared_parameter.name}"].value())
        assert checked_range(method, declared_parameter.name, low, high).least <= high
        assert len(even_range(method, declared_parameter.name, low, high, USUAL_LEVELS).levels) >= 2


def test_sensitivity_offers_methods_with_two_numbers_or_more() -> None:
    offered_methods = tunable_methods(Kind.SENSITIVITY)

    assert {method for method in ALL if method not in offered_methods} == {
        method for method in ALL if len(numeric_parameters(method.Params)) < 2
    }
    assert len(offered_methods) < len(ALL)
