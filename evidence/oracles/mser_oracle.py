"""MSER by its formula, d by d."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values


def mser_by_definition(means: Values, least: int) -> Values:
    """The oracle: every rest summed anew."""
    rests = [means[d:] for d in range(means.size - least + 1)]
    return np.array(
        [((remaining - remaining.mean()) ** 2).sum() / remaining.size**2 for remaining in rests]
    )
