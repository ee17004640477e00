"""The command line that prints a comparison again on the machine itself."""

from __future__ import annotations

from shlex import quote

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult


def command_line(compared: ComparisonResult) -> str:
    """The command that prints this table on the machine itself."""
    asked, yardstick = compared.asked, compared.yardstick
    campaign = yardstick.campaign.slug if yardstick.campaign else ""
    of = campaign or asked.dataset
    words = ["python manage.py comparison", "/".join(filter(None, (yardstick.study.slug, of)))]
    if yardstick.kind not in {"campaign", "known"} or not of:
        words.append(f"--yardstick {quote(yardstick.code)}")
    if campaign and asked.dataset:
        words.append(f"--dataset {quote(asked.dataset)}")
    return " ".join([*words, *_said(asked).arguments("yardstick", "dataset")])


def _said(asked: ComparisonQuery) -> ComparisonQuery:
    """Without a second setting that is the same as the first."""
    return asked if asked.other else asked.alone
