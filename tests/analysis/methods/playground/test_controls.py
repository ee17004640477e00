"""A control for every parameter of every method."""

from __future__ import annotations

import pytest

from analysis.methods.playground.controls import controls
from analysis.methods.playground.query import playground_command, short_key
from detectors.registry import from_key, registry


@pytest.mark.parametrize("slug", registry())
def test_a_slider_gives_nothing_that_the_method_refuses(slug: str) -> None:
    for control in controls(registry()[slug]()):
        if control.slider is None:
            continue
        for end in (control.slider.low, control.slider.high):
            control.parameter.parse(repr(round(end) if control.slider.is_whole else end))
        if control.slider.is_log:
            assert control.slider.low > 0


@pytest.mark.parametrize("slug", registry())
def test_an_address_names_the_very_detector(slug: str) -> None:
    detector = registry()[slug]()

    assert short_key(detector) == f"{slug}@{detector.version}"
    assert from_key(short_key(detector)) == detector


def test_differing_parameters_travel() -> None:
    detector = registry()["ensemble"](members=("sdm", "kelly@1?prob_window=9"))

    assert from_key(short_key(detector)) == detector
    assert playground_command(detector, "x.csv").startswith(
        "python -m detectors detect x.csv --method ensem"
    )
