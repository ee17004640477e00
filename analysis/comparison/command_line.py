"""The command line that prints a comparison again on the machine itself."""

from __future__ import annotations

from shlex import quote

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult


def command_line(comparison: ComparisonResult, command: str = "comparison", file: str = "") -> str:
    """Line of a command about this comparison, such as the one that prints its tables.

    file: an argument behind the scope, as it stands on the line.
    """
    query, yardstick = comparison.asked, comparison.yardstick
    campaign = yardstick.campaign.slug if yardstick.campaign else ""
    campaign_or_dataset = campaign or query.dataset
    words = [
        f"python manage.py {command}",
        "/".join(filter(None, (yardstick.study.slug, campaign_or_dataset))),
        *filter(None, [file]),
    ]
    if yardstick.kind not in {"campaign", "known"} or not campaign_or_dataset:
        words.append(f"--yardstick {quote(yardstick.code)}")
    if campaign and query.dataset:
        words.append(f"--dataset {quote(query.dataset)}")
    return " ".join([*words, *_without_equal_setting(query).arguments("yardstick", "dataset")])


def _without_equal_setting(query: ComparisonQuery) -> ComparisonQuery:
    """Return the query without a second setting that equals the first."""
    return query if query.second_setting else query.alone
