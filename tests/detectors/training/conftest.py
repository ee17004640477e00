"""Plain series of few lengths: drawing all of them is most of what a small training takes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from detectors.training import plain

LENGTHS = (300, 420)


@pytest.fixture(scope="package", autouse=True)
def few_plain_series() -> Iterator[None]:
    """Draw one copy of each shape and noise at two lengths, instead of four at nine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "LENGTHS", LENGTHS)
        patch.setattr(plain, "COPIES", 1)
        plain.drawn_rows.cache_clear()
        yield
    plain.drawn_rows.cache_clear()
