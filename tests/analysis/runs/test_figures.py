"""How times and speeds of runs are written."""

from __future__ import annotations

import pytest

from analysis.web.templatetags.run_figures import milliseconds, rate


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


@pytest.mark.parametrize(("value", "text"), [(None, "–"), (4.21, "4.2"), (127.4, "127")])
def test_rate(value: float | None, text: str) -> None:
    assert rate(value) == text
