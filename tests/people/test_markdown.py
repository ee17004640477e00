"""Markdown: no HTML, and pictures of this site only."""

from __future__ import annotations

import pytest

from people.markdown import render


@pytest.mark.parametrize("source", ["/static/img/steady.svg", "pictures/steady.svg"])
def test_a_picture_of_this_site_is_shown(source: str) -> None:
    assert f'<img src="{source}" alt="a step"' in render(f"![a step]({source})")


@pytest.mark.parametrize(
    "source",
    [
        "https://example.org/x.png",
        "HTTP://example.org/x.png",
        "//example.org/x.png",
        "data:image/png;base64,AAAA",
    ],
)
def test_of_a_picture_elsewhere_only_the_words_are_shown(source: str) -> None:
    html = render(f"![a <b> step]({source})")

    assert "<img" not in html
    assert "a &lt;b&gt; step" in html


def test_html_does_not_pass() -> None:
    assert "<script" not in render("<script>alert(1)</script>")
