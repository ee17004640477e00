"""Trends as text, as a JUnit file, and as a comment in Markdown: of a data set, or of files."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # written here, never parsed
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from detectors.trends.trend import State

HEAD: Final = ("benchmark", "recordings", "trend", "last group", "change", "against best", "state")
REGRESSION_STATUS: Final = 1  # of a command that ends because of a new regression
NO_RESULT_STATUS: Final = 4  # of one whose newest recording has no result
NO_RESULT: Final = "Their series are never steady there, or the method has not answered them."
MOST_NAMED: Final = 5  # benchmarks of a sentence
MOST_LISTED: Final = 50  # rows of a comment: more than anybody reads, and it has a limit of length
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|~@&]")
_IN_COMMENT: Final = (0, 2, 4, 5, 6)  # columns of `HEAD`


@dataclass(frozen=True, slots=True)
class ReportedTrend:
    """The trend of a benchmark, in words.

    cells       below `HEAD`
    regression  by how much since when; empty where no regression is new
    accepted    why a new regression fails no build; empty where it does
    problem     why there is no trend; empty where there is one
    has_newest  whether the newest recording gave a result; None where it did not measure this one
    """

    system: str
    name: str
    params: str
    cells: tuple[str, ...]
    state: State
    regression: str = ""
    accepted: str = ""
    problem: str = ""
    has_newest: bool | None = None

    @property
    def fails(self) -> bool:
        return bool(self.regression) and not self.accepted


@dataclass(frozen=True, slots=True)
class TrendReport:
    """The trends of some benchmarks, what needs a look first; `facts` say what they rest on.

    newest       name of the newest recording; empty without any
    is_complete  False where a filter left benchmarks out on purpose
    """

    name: str
    recordings: int
    start: str
    rows: tuple[ReportedTrend, ...]
    facts: tuple[str, ...] = ()
    newest: str = ""
    is_complete: bool = True

    @property
    def failing(self) -> tuple[ReportedTrend, ...]:
        """New regressions that fail a build."""
        return tuple(row for row in self.rows if row.fails)

    @property
    def accepted(self) -> tuple[ReportedTrend, ...]:
        """New regressions that somebody explained or ignores."""
        return tuple(row for row in self.rows if row.accepted)

    @property
    def compares_nothing(self) -> bool:
        """True where the newest recording has no result at all, so that nothing of it was
        compared.
        """
        return self.is_complete and not any(row.has_newest for row in self.rows)

    @property
    def missing_results(self) -> str:
        """Sentence on the benchmarks without a result in the newest recording; empty if none."""
        measured_rows = [row for row in self.rows if row.has_newest is not None]
        if not measured_rows and self.is_complete:
            return f"{self.name}: no benchmark has a recording, so nothing was compared."
        missing_names = [row.cells[0] for row in measured_rows if not row.has_newest]
        if not missing_names or not self.is_complete:
            return ""
        names = ", ".join(missing_names[:MOST_NAMED]) + (
            ", …" if len(missing_names) > MOST_NAMED else ""
        )
        share = f"{len(missing_names)} of {len(measured_rows)} benchmarks"
        return f"No result in {self.newest} for {share}: {names}. {NO_RESULT}"


def report_lines(report: TrendReport) -> Iterator[str]:
    """Heading, aligned columns, and each new regression with the recording that it came with."""
    yield " · ".join((report.name, *report.facts, f"steady from: {report.start}")) + "\n"
    # The first column begins, the others end under one another
    rows = [HEAD, *(row.cells for row in report.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        aligned_cells = (text.rjust(width) for text, width in zip(cells, widths[1:], strict=True))
        yield "  ".join((name.ljust(widths[0]), *aligned_cells)).rstrip() + "\n"
    for row in report.failing:
        yield f"regression: {row.cells[0]}, {row.regression}\n"
    for row in report.accepted:
        yield f"fails no build: {row.cells[0]}, {row.regression}: {row.accepted}\n"
    if not (report.failing or report.accepted):
        yield "no regression appeared within the last week\n"


# --- JUnit ------------------------------------------------------------------------------------
def junit(report: TrendReport) -> str:
    """A test suite with a test for each benchmark: a new regression fails, no trend is skipped.

    One that somebody explained or ignores is skipped, too, with the reason. A further test with an
    error says that the newest recording has no result.
    Source: testmoapp/junitxml: README.md, the format as build servers read it.
    """
    errors = [report.missing_results] if report.compares_nothing else []
    counts = {
        "tests": len(report.rows) + len(errors),
        "failures": len(report.failing),
        "skipped": len(report.accepted) + sum(bool(row.problem) for row in report.rows),
        "errors": len(errors),
    }
    attributes = {name: str(count) for name, count in counts.items()}
    suites = ET.Element("testsuites", attributes)
    suite = ET.SubElement(suites, "testsuite", {"name": _xml(report.name), **attributes})
    for row in report.rows:
        _add_case(suite, row)
    for message in map(_xml, errors):
        case = ET.SubElement(
            suite, "testcase", {"classname": "plateau", "name": "newest recording"}
        )
        ET.SubElement(case, "error", {"message": message, "type": "no-result"}).text = message
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ET.Element, row: ReportedTrend) -> None:
    name = " ".join(filter(None, (row.name, row.params)))
    case = ET.SubElement(
        suite, "testcase", {"classname": _xml(row.system or "benchmark"), "name": _xml(name)}
    )
    message = _xml(row.regression)
    if row.fails:
        ET.SubElement(case, "failure", {"message": message, "type": "regression"}).text = message
    elif row.accepted:
        ET.SubElement(case, "skipped", {"message": f"{message}: {_xml(row.accepted)}"})
    elif row.problem:
        ET.SubElement(case, "skipped", {"message": _xml(row.problem)})


def _xml(text: str) -> str:
    """Mark characters that XML does not have: names of benchmarks come from files."""
    return _NOT_XML.sub("\ufffd", text)


# --- Markdown ---------------------------------------------------------------------------------
def markdown(report: TrendReport) -> str:
    """A comment: a sentence, each new regression, and the rest of what changed folded."""
    lines = [f"**{_escape(report.name)}**: {_summary(report)}", ""]
    if report.missing_results:
        lines += [_escape(report.missing_results), ""]
    if report.failing:
        lines += [*_table(report.failing), ""]
    if report.accepted:
        for row in report.accepted[:MOST_LISTED]:
            line = f"{row.cells[0]}: {row.regression}, fails no build: {row.accepted}"
            lines.append(f"- {_escape(line)}")
        lines += ["", *_rest_lines(report.accepted)]
    news = [row for row in report.rows if row.state in {"below", "progression"}]
    if news:
        summary = f"{len(news)} below their best, or better"
        lines += [f"<details><summary>{summary}</summary>", "", *_table(news), "", "</details>", ""]
    return "\n".join(lines)


def _summary(report: TrendReport) -> str:
    count, tests, excused_count = len(report.failing), len(report.rows), len(report.accepted)
    words = f"{count or 'no'} new regression{'' if count == 1 or not count else 's'}"
    more_words = f", {excused_count} more explained or ignored," if excused_count else ""
    return (
        f"{words}{more_words} in {tests} benchmark{'' if tests == 1 else 's'} over "
        f"{report.recordings} "
        f"recording{'' if report.recordings == 1 else 's'} (steady from: {_escape(report.start)})"
    )


def _table(rows: Sequence[ReportedTrend]) -> list[str]:
    cells = [[_escape(row.cells[column]) for column in _IN_COMMENT] for row in rows[:MOST_LISTED]]
    head = [HEAD[column] for column in _IN_COMMENT]
    table = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *cells)]
    return [*table, *_rest_lines(rows)]


def _rest_lines(rows: Sequence[ReportedTrend]) -> list[str]:
    unlisted_count = len(rows) - MOST_LISTED
    return ["", f"… and {unlisted_count} more"] if unlisted_count > 0 else []


def _escape(text: str) -> str:
    """Text of files is text in a comment: no markup, no mention, no end of a cell."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", " ".join(text.split()))
