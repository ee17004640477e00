"""Methods that give every change of level: which they are, and what they say of plain levels."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.registry import registry

GIVERS = sorted(slug for slug, method in registry().items() if method.gives_changes)


def test_who_gives_changes() -> None:
    ruptures = {f"ruptures-{name}" for name in ("binseg", "bottomup", "kernel", "pelt", "window")}

    assert set(GIVERS) == {"cp-ssd", "jumpavg", *ruptures}


@pytest.mark.parametrize("slug", GIVERS)
def test_three_levels_have_two_changes(slug: str) -> None:
    """Each at the first iteration of its level; bottom up merges coarse pieces."""
    noise = np.random.default_rng(5).normal(0, 0.01, 1500)
    values = np.repeat([3.0, 2.0, 1.0], 500) + noise

    changes = registry()[slug]().answer(values).changes

    assert changes is not None
    assert [round(change, -2) for change in changes] == [500, 1000]
    assert np.abs(np.array(changes) - [500, 1000]).max() <= 50


@pytest.mark.parametrize("slug", GIVERS)
def test_a_level_that_stays_has_none(slug: str) -> None:
    values = 2 + np.random.default_rng(7).normal(0, 0.01, 1200)

    assert registry()[slug]().answer(values).changes == ()
