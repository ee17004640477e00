"""Parts that many pages share: what stands for an empty list, a notice, the head of a table.

Block tags, because a sentence may be longer than a line and Django's `include` may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import template
from django.template.loader import render_to_string
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from people.undo import undo_action

register = template.Library()
register.filter("undo", undo_action)

SEPARATOR: Final = re.compile(r"\s\|\s+")
HEAD_BY_PREFIX: Final = {
    "": '<th scope="col">{}</th>',
    "#": '<th scope="col" class="number">{}</th>',
    "↓": '<th scope="col" class="number" aria-sort="descending">{}</th>',
    "~": '<th scope="col" class="group">{}</th>',
    "-": '<th scope="col"><span class="visually-hidden">{}</span></th>',
}
"""Heads of columns by their first character."""


@register.simple_block_tag
def empty_state(content: str, url: str = "", action: str = "", help_url: str = "") -> SafeString:
    """Render what stands for an empty list: a sentence, one button (`action` at `url`), a link
    to help.
    """
    template_context = {
        "sentence": one_line(content),
        "url": url,
        "action": action,
        "help_url": help_url,
    }
    return render_to_string("_empty.html", template_context)


@register.simple_block_tag
def notice(content: str, kind: str = "", url: str = "", action: str = "") -> SafeString:
    """One sentence with what to do; `kind` is good, warn, bad or nothing."""
    template_context = {"sentence": one_line(content), "kind": kind, "url": url, "action": action}
    return render_to_string("_notice.html", template_context)


@register.simple_block_tag
def captured(content: str) -> str:
    """Content for a variable: `{% captured as name %}`."""
    return content


@register.simple_tag
def table_head(*columns: str) -> SafeString:
    """`<thead>` of one row; "#n" is a column of figures, "↓n" one by which rows fall, "~Words"
    stands apart from figures before it, "-Actions" has a head that is read aloud alone.
    """
    cells = format_html_join("", "{}", ((_cell(column),) for column in columns))
    return format_html("<thead><tr>{}</tr></thead>", cells)


@register.simple_block_tag
def columns(content: str) -> SafeString:
    """Render the heads between blanks and bars, `Method | #n`, as `table_head` does."""
    heads = SEPARATOR.split(content.strip())
    return table_head(*(mark_safe(head) for head in heads))  # noqa: S308  # escaped by the template


@register.simple_tag
def options(
    choices: Mapping[Any, Any] | Iterable[Any],
    selection: object = None,
    value: str = "",
    label: str = "",
) -> SafeString:
    """Options of a select: pairs of value and label, or objects with attributes of these names."""
    rows = choices.items() if isinstance(choices, Mapping) else choices
    pairs = [(getattr(row, value), getattr(row, label)) for row in rows] if value else rows
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((code, mark_safe(" selected") if code == selection else "", text) for code, text in pairs),
    )


@register.simple_block_tag
def plain_table(content: str, *columns: str, kind: str = "") -> SafeString:
    """Render a table from its rows.

    columns  as `table_head` takes them; none where the content begins with a head
    kind     further classes of the table
    """
    first, end, body_and_foot = content.partition("</thead>")
    head, rows = (first + end, body_and_foot) if end else (table_head(*columns), content)
    return format_html(
        '<table class="table {}">{}<tbody>{}</tbody></table>',
        kind,
        mark_safe(head),  # noqa: S308  # escaped by the template
        mark_safe(rows),  # noqa: S308
    )


@register.simple_block_tag
def scrolled_table(content: str, label: str, *columns: str, kind: str = "") -> SafeString:
    """Render a `plain_table` that scrolls sideways where it is wider than the page.

    label  of the region, read aloud
    """
    return format_html(
        '<div class="scroll" role="region" tabindex="0" aria-label="{}">{}</div>',
        label,
        plain_table(content, *columns, kind=kind),
    )


def _cell(column: str) -> SafeString:
    text = conditional_escape(column)
    prefix = text[:1] if text[:1] in HEAD_BY_PREFIX else ""
    return format_html(HEAD_BY_PREFIX[prefix], mark_safe(text[len(prefix) :]))  # noqa: S308


def one_line(content: str) -> SafeString:
    """Put single blanks into what the template engine has written and escaped already."""
    return mark_safe(" ".join(content.split()))  # noqa: S308


@register.simple_tag
def sorted_by(order: str, column: str) -> SafeString:
    """The attribute of a column's head that says how the table is sorted by it, or nothing."""
    directions = {column: "ascending", f"-{column}": "descending"}
    direction = directions.get(order)
    return format_html(' aria-sort="{}"', direction) if direction else SafeString()
