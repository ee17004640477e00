"""Pages of `docs/` as pages of the site: their links lead to where the site shows the same page."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from people import markdown

LINK = re.compile(
    r'<a href="(?P<target>[^":]*?\.md)(?P<place>#[^"]*)?">(?P<words>.*?)</a>', re.DOTALL
)
HEADING = re.compile(r"<h(?P<level>[23])>(?P<words>.*?)</h[23]>", re.DOTALL)
PICTURE = re.compile(r'<img src="(?P<target>[^"]*)" alt="(?P<words>[^"]*)"[^>]*>')
DRAWN = re.compile(r"<svg[^>]*>.*</svg>", re.DOTALL)
SUMMARY_END = re.compile(r"^(?:<!-- |## )", re.MULTILINE)
OWN_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)


def document_html(path: Path, *, is_summary: bool = False) -> SafeString:
    """The page at `path` as HTML for the site; `is_summary` ends before its first derived part or
    heading.

    A link to a file that the site does not show becomes its words. A drawing of ours stands in the
    page, in the page's colours; another picture, whose file the site does not serve, is left out.
    """
    source = path.read_text(encoding="utf-8")
    html: str = markdown.render(SUMMARY_END.split(source, maxsplit=1)[0] if is_summary else source)
    html = HEADING.sub(_add_anchor, html)
    html = LINK.sub(lambda link: _site_link(path, link), html)
    html = PICTURE.sub(lambda picture: _draw_picture(path, picture), html)
    return mark_safe(html)  # noqa: S308  # safe before; what was added are files of ours


def anchor(heading: str) -> str:
    """The name of a heading, of HTML or Markdown, in addresses."""
    return slugify(unescape(strip_tags(heading)).replace("`", ""))


def _add_anchor(heading: re.Match[str]) -> str:
    level, heading_text = heading["level"], heading["words"]
    return f'<h{level} id="{anchor(heading_text)}">{heading_text}</h{level}>'


def _draw_picture(path: Path, picture: re.Match[str]) -> str:
    target = (path.parent / picture["target"]).resolve()
    if target.suffix != ".svg" or not target.is_relative_to(path.parent) or not target.is_file():
        return ""
    drawing = DRAWN.search(target.read_text(encoding="utf-8"))
    return (
        OWN_STYLE.sub("", drawing[0]).replace("<svg ", "<svg data-picture ", 1) if drawing else ""
    )


def _site_link(path: Path, link: re.Match[str]) -> str:
    target = (path.parent / link["target"]).resolve()
    method_page = "method-text" if link["place"] else "method"
    route_by_folder = {"guide": "help-topic", "detectors": method_page}
    route = route_by_folder.get(target.parent.name)
    if route is None or not target.is_file():
        return link["words"]
    return (
        f'<a href="{reverse(route, args=[target.stem])}{link["place"] or ""}">{link["words"]}</a>'
    )
