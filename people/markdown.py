"""Markdown that people or our own docs write, as safe HTML."""

from __future__ import annotations

import re
from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

OWN_TITLE = re.compile(r"\A# .*\n")
# A wide table scrolls by itself, by keyboard too; the page never does.
TABLE = '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table class="table">'
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


@cache
def _markdown() -> MarkdownIt:
    # No HTML passes through, and only links and addresses of safe kinds do.
    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


def render(text: str) -> SafeString:
    """HTML of `text` without its first heading, which the page shows as its own."""
    clean = COMMENT.sub("", OWN_TITLE.sub("", text))
    html = _markdown().render(clean)
    html = html.replace("<table>", TABLE).replace("</table>", "</table></div>")
    # The renderer escapes whatever was not Markdown, so its result is safe as it is.
    return mark_safe(html)  # noqa: S308
