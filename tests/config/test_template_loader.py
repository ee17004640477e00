"""Tests of how templates reach a page: without their line breaks."""

from __future__ import annotations

import pytest
from django.template import engines

from config import wsgi
from config.template_loader import on_one_line


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", ""),
        ("a  b", "a  b"),
        ("a\n  b", "a b"),
        ("a\n\n b\n", "a b "),
        ("<b>a</b>\n  <i>b</i>", "<b>a</b> <i>b</i>"),
        ('<a\n  href="x">a</a>', '<a href="x">a</a>'),
        ("<tr>\n  <td>\n    a\n  </td>\n</tr>", "<tr><td>a</td></tr>"),
        ('<p class="soft">\n  a\n</p>', '<p class="soft">a</p>'),
        ("<link>\n<picture>", "<link> <picture>"),
        ("<pre>\n a\n</pre>\n b", "<pre>\n a\n</pre> b"),
        ("a\n<script>\n x\n</script>", "a <script>\n x\n</script>"),
        ("<textarea>\n</textarea>\n<pre>\n</pre>", "<textarea>\n</textarea> <pre>\n</pre>"),
    ],
)
def test_a_line_break_is_one_blank_and_none_beside_a_block(source: str, expected: str) -> None:
    assert on_one_line(source) == expected


def test_all_templates_are_compiled_before_a_page_needs_them() -> None:
    wsgi.load_templates()

    (cached_loader,) = engines["django"].engine.template_loaders  # type: ignore[attr-defined]
    assert "base.html" in cached_loader.get_template_cache
    assert "analysis/comparison/compare.html" in cached_loader.get_template_cache
