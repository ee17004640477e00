"""How times and speeds of runs are written."""

from __future__ import annotations

import pytest

from analysis.web.templatetags.run_figures import lasting_range, milliseconds


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.061, "0.06 ms"),
        (0.16, "0.2 ms"),
        (9.96, "10 ms"),
        (88.2, "88 ms"),
        (999.6, "1.0 s"),
        (12_340.0, "12 s"),
    ],
)
def test_milliseconds(value: float | None, text: str) -> None:
    assert milliseconds(value).replace("\u00a0", " ") == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "–"), ((12.2, 12.4), "about 12 s"), ((180.0, 7500.0), "3 min to 2 h 5 min")],
)
def test_lasting_range(seconds: tuple[float, float] | None, text: str) -> None:
    assert lasting_range(seconds).replace("\u00a0", " ") == text
