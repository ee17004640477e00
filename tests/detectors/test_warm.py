"""Warming: every detector has answered once."""

from __future__ import annotations

from detectors.registry import registry
from detectors.warm import warm


def test_every_detector_that_needs_nothing_more_has_run() -> None:
    ready = {slug for slug, each in registry().items() if not each.needs and not each.missing()}

    assert ready <= set(warm())
