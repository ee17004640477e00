"""Filters below a data set's table; no figure is computed here."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from analysis.series_page.list_columns import VisibleAnswers
from annotate.models import Campaign
from annotate.queries import campaign_to_continue
from people.models import Study, User

register = template.Library()


@register.simple_tag
def hidden_rows(cells: Mapping[int, VisibleAnswers]) -> int:
    """How many rows of a table the reader has yet to answer."""
    return sum(cell.hidden for cell in cells.values())


@register.simple_tag
def next_open_campaign(study: Study, reader: User) -> Campaign | None:
    return campaign_to_continue(study, reader)


@register.filter
def any_answer(cells: Mapping[int, VisibleAnswers]) -> bool:
    """Whether a method has answered any of the rows that the reader may see."""
    return any(cell.spread is not None for cell in cells.values())
