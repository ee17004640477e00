"""The baseline: always the same iteration."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import NEVER, Detection
from detectors.methods.fixed import Fixed


@pytest.mark.parametrize(
    ("iteration", "n", "expected"),
    [
        (0, 3, Detection(0, -1, -1)),
        (2, 3, Detection(2, 1, 1)),
        (3, 3, Detection(NEVER, NEVER, NEVER)),
        (500, 3, Detection(NEVER, NEVER, NEVER)),
        (500, 3000, Detection(500, 499, 499)),
    ],
)
def test_so_many_values_are_discarded(iteration: int, n: int, expected: Detection) -> None:
    assert Fixed(iteration=iteration).answer(np.ones(n)) == expected
