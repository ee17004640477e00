"""`{% outline series %}`: the small drawing of a series, as inline SVG of at most 1 kB."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from series.drawings import outlines
from series.models import Series

register = template.Library()


@register.simple_tag
def outline(
    series: Series,
    title: str = "",
    kind: str = "",
    mark: int | None = None,
    marks: Sequence[int] | None = None,
) -> SafeString:
    """The stored outline; `title` is its text alternative, without one it is decoration.

    `kind` is a further class of the SVG. Colours and sizes come from style sheets. `mark` and
    each of `marks` is an iteration at which a vertical line stands; there is none for never (-1)
    and for nothing.
    """
    if not series.outline:
        return NOTHING
    paths = outlines.paths(series.outline)
    iterations = [*([] if mark is None else [mark]), *(marks or [])]
    shares = [iteration / max(series.n - 1, 1) for iteration in iterations if iteration >= 0]
    return drawn(paths, title, kind, *shares)


@register.simple_tag
def small_outline(series: Series) -> SafeString:
    """The outline in a row of a list, drawn in whole pixels: about 400 bytes.

    One of all its stretches is stretched by the style sheet, which knows their number.
    """
    if not series.outline:
        return NOTHING
    paths = outlines.paths(series.outline, outlines.LIST_HEIGHT)
    if paths.width != outlines.BUCKETS - 1:
        return drawn(paths)
    return format_html('<svg><path d="{}"/><path d="{}"/></svg>', paths.band, paths.median)


@register.simple_tag
def drawn(
    paths: outlines.OutlinePaths, title: str = "", kind: str = "", *marks: float
) -> SafeString:
    """The outline's SVG; each of `marks` is a share of its width at which a line stands."""
    mark_positions = ((f"{mark * paths.width:.4g}", paths.height) for mark in marks)
    mark_lines = format_html_join("", MARK, mark_positions)
    title_html = format_html(' role="img"><title>{}</title>', title) if title else HIDDEN
    return format_html(
        '<svg class="outline{}" viewBox="0 0 {} {}" preserveAspectRatio="none"{}'
        '<path class="outline-band" d="{}"/><path class="outline-median" d="{}"/>{}</svg>',
        f" {kind}" if kind else "",
        paths.width or 1,
        paths.height,
        title_html,
        paths.band,
        paths.median,
        mark_lines,
    )


MARK = '<path class="outline-mark" d="M{} 0v{}"/>'
NOTHING = SafeString("")
HIDDEN = SafeString(' aria-hidden="true">')
