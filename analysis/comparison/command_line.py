"""The command line that prints a comparison again on the machine itself."""

from __future__ import annotations

from shlex import quote

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult
from analysis.statistics.ranks import ALPHA


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
    words += [f"--method {quote(name)}" for name in asked.methods]
    words += [f"--excluding {quote(name)}" for name in asked.excluding]
    words += _options(asked)
    return " ".join(words)


def _options(asked: ComparisonQuery) -> list[str]:
    found = [f"--{name} {quote(value)}" for name, value in _narrowing(asked).items() if value]
    if asked.index == "published_index":
        found.append("--index published_index")
    if asked.tolerance is not None:
        found.append(f"--tolerance {asked.tolerance}")
    if asked.common:
        found.append("--common")
    if asked.alpha != ALPHA:
        found.append(f"--alpha {asked.alpha:g}")
    if asked.group:
        found.append(f"--by {asked.group}")
    if asked.other is not None:
        found += _against(asked)
    return found


def _narrowing(asked: ComparisonQuery) -> dict[str, str]:
    return {"recording": asked.recording, "system": asked.system, "text": asked.text}


def _against(asked: ComparisonQuery) -> list[str]:
    """The second setting, in the words of the command."""
    options = {
        "yardstick": asked.other_yardstick,
        "index": asked.other_index,
        "tolerance": "" if asked.other_tolerance is None else asked.other_tolerance,
        "series": {None: "", True: "common", False: "own"}[asked.other_common],
    }
    given = {name: str(value) for name, value in options.items() if value != ""}
    return [f"--against-{name} {quote(value)}" for name, value in given.items()]
