"""Markdown that people or our own docs write, as safe HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

OWN_TITLE = re.compile(r"\A# .*\n")
# A wide table scrolls by itself, by keyboard too; the page never does.
TABLE = '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table class="table">'
# Without a scheme and without a host.
SITE_PATH = re.compile(r"(?![a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


@cache
def _markdown() -> MarkdownIt:
    # No HTML passes through, and only links and addresses of safe kinds do.
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    parser.add_render_rule("image", _image)
    return parser


def _image(
    self: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
) -> str:
    """A picture of this site; of any other address its words, since loading it would tell there
    who reads, and when."""
    if SITE_PATH.match(str(tokens[idx].attrs.get("src", ""))):
        return self.image(tokens, idx, options, env)
    return escape(self.renderInlineAsText(tokens[idx].children, options, env))


def render(text: str) -> SafeString:
    """HTML of `text` without its first heading, which the page shows as its own."""
    clean_text = COMMENT.sub("", OWN_TITLE.sub("", text))
    html = _markdown().render(clean_text)
    html = html.replace("<table>", TABLE).replace("</table>", "</table></div>")
    # The renderer escapes whatever was not Markdown, so its result is safe as it is.
    return mark_safe(html)  # noqa: S308
