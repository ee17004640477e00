"""Short titles of methods: none is that of another method."""

from __future__ import annotations

from analysis.methods.short_titles import short_titles
from detectors.registry import registry


def test_brackets_and_explanations_go() -> None:
    titles = short_titles()

    assert titles["ruptures-pelt"] == "PELT"
    assert titles["spc"] == "SPC"


def test_what_tells_methods_apart_stays() -> None:
    titles = short_titles()

    assert titles["plateau-online"] == "Plateau, online"
    assert len(set(titles.values())) == len(registry())
