"""Where a recorded iteration stands among iterations of equal length."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import NEVER
from detectors.planning.equal_iterations import EqualIterations


@pytest.mark.parametrize(
    ("share", "indices"), [(0.5, [0, 1, 2, 2, 3]), (2.0, [0, 2, 4, 6, 7]), (0.4, [0, 2, 2, 2, 3])]
)
def test_a_start_is_the_first_equal_iteration_that_begins_no_earlier(
    share: float, indices: list[int]
) -> None:
    """Of three warm-up iterations; a fork that is steady from its first one stays so."""
    iterations = EqualIterations(3, share)

    assert [iterations.index(iteration) for iteration in range(5)] == indices
    assert iterations.index(NEVER) == NEVER
    assert iterations.values(np.arange(5.0)).size == 2 + iterations.count
