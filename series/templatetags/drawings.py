"""`{% outline series %}`: the small drawing of a series, as inline SVG of at most 1 kB."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from series import drawing
from series.models import Series

register = template.Library()


@register.simple_tag
def outline(series: Series, title: str = "", kind: str = "") -> SafeString:
    """The stored outline; `title` is its text alternative, without one it is decoration.

    `kind` is a further class of the SVG. Colours and sizes come from style sheets.
    """
    return drawn(drawing.paths(series.outline), title, kind) if series.outline else NOTHING


@register.simple_tag
def small_outline(series: Series) -> SafeString:
    """The outline in a row of a list, drawn in whole pixels: about 400 bytes.

    One of all its stretches is stretched by the style sheet, which knows their number.
    """
    if not series.outline:
        return NOTHING
    paths = drawing.paths(series.outline, drawing.LIST_HEIGHT)
    if paths.width != drawing.BUCKETS - 1:
        return drawn(paths)
    return format_html('<svg><path d="{}"/><path d="{}"/></svg>', paths.band, paths.median)


@register.simple_tag
def drawn(paths: drawing.Paths, title: str = "", kind: str = "") -> SafeString:
    named = format_html(' role="img"><title>{}</title>', title) if title else HIDDEN
    return format_html(
        '<svg class="outline{}" viewBox="0 0 {} {}" preserveAspectRatio="none"{}'
        '<path class="outline-band" d="{}"/><path class="outline-median" d="{}"/></svg>',
        f" {kind}" if kind else "",
        paths.width or 1,
        paths.height,
        named,
        paths.band,
        paths.median,
    )


NOTHING = SafeString("")
HIDDEN = SafeString(' aria-hidden="true">')
