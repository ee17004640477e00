"""Trends for continuous integration: a JUnit file, and a comment in Markdown."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # written here, never parsed
from typing import Final

from analysis.trend.exports import plain_cells, regression_text
from analysis.trend.table import BenchmarkTrend, DatasetTrends

MOST_LISTED: Final = 50  # rows of a comment: more than anybody reads, and it has a limit of length
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|~@&]")
HEAD: Final = ("benchmark", "trend", "change", "against best", "state")


def junit(found: DatasetTrends) -> str:
    """A test suite with a test for each benchmark: a new regression fails, no trend is skipped.

    Source: testmoapp/junitxml: README.md, the format as build servers read it.
    """
    counts = {
        "tests": len(found.rows),
        "failures": len(found.regressions),
        "skipped": sum(row.trend is None for row in found.rows),
        "errors": 0,
    }
    said = {name: str(count) for name, count in counts.items()}
    suites = ET.Element("testsuites", said)
    suite = ET.SubElement(suites, "testsuite", {"name": _xml(str(found.dataset)), **said})
    for row in found.rows:
        _add_case(suite, row)
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ET.Element, row: BenchmarkTrend) -> None:
    one = row.benchmark
    name = " ".join(filter(None, (one.name, one.params)))
    case = ET.SubElement(
        suite, "testcase", {"classname": _xml(one.system or "benchmark"), "name": _xml(name)}
    )
    if row.state == "regression":
        message = _xml(regression_text(row))
        ET.SubElement(case, "failure", {"message": message, "type": "regression"}).text = message
    elif row.trend is None:
        ET.SubElement(case, "skipped", {"message": row.problem})


def _xml(text: str) -> str:
    """What XML has no character for is marked: names of benchmarks come from files."""
    return _NOT_XML.sub("\ufffd", text)


def markdown(found: DatasetTrends) -> str:
    """A comment: a sentence, each new regression, and the rest of what changed folded."""
    news = [row for row in found.rows if row.state in {"below", "progression"}]
    lines = [f"**{_escaped(str(found.dataset))}**: {_summary(found)}", ""]
    if found.regressions:
        lines += [*_table(found.regressions), ""]
    if news:
        summary = f"{len(news)} below their best, or better"
        lines += [f"<details><summary>{summary}</summary>", "", *_table(news), "", "</details>", ""]
    return "\n".join(lines)


def _summary(found: DatasetTrends) -> str:
    count, tests = len(found.regressions), len(found.rows)
    said = "no new regression" if not count else f"{count} new regression{'s' if count > 1 else ''}"
    return (
        f"{said} in {tests} benchmark{'' if tests == 1 else 's'} over {found.recordings} "
        f"recordings (steady from: {_escaped(found.start.title)})"
    )


def _table(rows: tuple[BenchmarkTrend, ...] | list[BenchmarkTrend]) -> list[str]:
    cells = [_cells(row) for row in rows[:MOST_LISTED]]
    lines = [f"| {' | '.join(each)} |" for each in (HEAD, ["---"] * len(HEAD), *cells)]
    left = len(rows) - MOST_LISTED
    return [*lines, "", f"… and {left} more"] if left > 0 else lines


def _cells(row: BenchmarkTrend) -> list[str]:
    name, _, level, _, change, best, word = plain_cells(row)
    return [_escaped(each) for each in (name, level, change, best, word)]


def _escaped(text: str) -> str:
    """Text of files is text in a comment: no markup, no mention, no end of a cell."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", " ".join(text.split()))
