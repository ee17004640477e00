"""The fewest values that each method can judge, as it says itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from detectors.contract import Detector, DetectorError, TooShort
from detectors.registry import registry


class MethodCount(NamedTuple):
    """So many methods `of` all."""

    methods: int
    of: int


@cache
def least_lengths() -> Mapping[str, int]:
    """Least length of a series by slug, with default parameters; 1 where a method judges a single
    value, or lacks something.

    Methods that cannot run here (their packages are missing) are left out.
    """
    ready_methods = ((slug, method) for slug, method in registry().items() if not method.missing())
    return MappingProxyType({slug: _least_length(method()) for slug, method in ready_methods})


def _least_length(method: Detector) -> int:
    """Length that `TooShort` names for one value: the check comes before any kernel."""
    try:
        method.answer(np.ones(1))
    except TooShort as short:
        return short.needed
    except DetectorError:
        return 1
    return 1


def too_short_for(n: int) -> MethodCount:
    """Number of methods that cannot judge a series of `n` values."""
    lengths = least_lengths().values()
    return MethodCount(sum(length > n for length in lengths), len(lengths))
