"""Small words of the templates of sensitivity and tuning; no figure is computed here."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from analysis.statistics.tuning_objectives import Objective
from analysis.tuning.page import figure_text
from analysis.tuning.query import ResultsChoice

register = template.Library()

register.filter("figure", figure_text)


@register.simple_tag
def weight_of(choice: ResultsChoice, objective: Objective) -> str:
    """The weight of one figure, 0 where it has none."""
    return f"{choice.weights.get(objective, 0):g}"


@register.simple_tag
def limit_of(choice: ResultsChoice) -> str:
    """The most error of the result, empty where there is no limit."""
    return "" if choice.most_error is None else f"{choice.most_error:g}"


@register.simple_tag
def head_of(heads: Mapping[str, str], name: str) -> str:
    return heads[name]
