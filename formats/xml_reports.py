"""Reports in XML: Phoronix Test Suite, Catch2, times of JUnit tests.

Sources: phoronix-test-suite/phoronix-test-suite: `pts-core/objects/pts_result_file_writer.php`;
catchorg/Catch2: `src/catch2/reporters/catch_reporter_xml.cpp`; junit-team: junit-report.xsd.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from formats.harness_series import HarnessSeries, measurement, parse_numbers
from formats.measurement import NOTHING_SAID, Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.summaries import ONE_FIGURE, left_out_note
from formats.xml_text import XmlTag, begins_with_element, xml_tags

PHORONIX_REMEDY: Final = "run with FORCE_TIMES_TO_RUN=100"
CATCH_REMEDY: Final = "measure with nanobench or Google Benchmark, whose JSON has every repetition"
JUNIT_REMEDY: Final = "measure with a harness that repeats a test, such as JMH or pytest-benchmark"

Made = Iterator[Callable[[], HarnessSeries]]


def _phoronix(source: InputSource) -> Made:
    """A series for each result and system: the value of every run, else their mean."""
    texts: dict[str, dict[str, str]] = {"Generated": {}, "System": {}, "Result": {}, "Entry": {}}
    times: dict[str, str] = {}  # time stamps by the identifier of their system
    for tag in xml_tags(source):
        parent = tag.path[-1] if tag.path else ""
        if tag.opens and tag.name in texts:
            texts[tag.name] = {}
        elif not tag.opens and parent in texts:
            texts[parent].setdefault(tag.name, tag.text)
        if not tag.opens and tag.name == "System":
            system = texts["System"]
            times[system.get("Identifier", "")] = system.get("TimeStamp", "")
        if not tag.opens and tag.name == "Entry" and texts["Entry"].get("Value"):
            recording = RecordingHint(
                label=texts["Generated"].get("Title", ""),
                measured_at=times.get(texts["Entry"].get("Identifier", ""), ""),
            )
            result, entry = dict(texts["Result"]), dict(texts["Entry"])
            yield partial(_phoronix_series, source, result, entry, recording, tag.line)


def _phoronix_series(
    source: InputSource,
    result: dict[str, str],
    entry: dict[str, str],
    recording: RecordingHint,
    line: int,
) -> HarnessSeries:
    runs = [text for text in entry.get("RawString", "").split(":") if text]
    texts = runs or [entry["Value"]]
    params = {"test": result.get("Description", ""), "on": entry.get("Identifier", "")}
    return HarnessSeries(
        benchmark=result.get("Title", "") or result.get("Identifier", ""),
        params={name: text for name, text in params.items() if text},
        values=parse_numbers(source, texts, lambda run: f"line {line}, run {run}"),
        unit=result.get("Scale", ""),
        recording=recording,
        notes=() if runs else (ONE_FIGURE,),
        remedy=PHORONIX_REMEDY,
    )


def _catch2(source: InputSource) -> Made:
    """A series of one value, the mean, for each benchmark of a test case."""
    names: list[str] = []
    forks: Counter[str] = Counter()
    for tag in xml_tags(source):
        if tag.name in {"TestCase", "Section", "BenchmarkResults"}:
            if tag.opens:
                names.append(tag.attributes.get("name", ""))
            else:
                names.pop()
        elif tag.opens and tag.name == "mean" and tag.path[-1:] == ("BenchmarkResults",):
            name = " > ".join(filter(None, names))
            text, line = tag.attributes.get("value", ""), tag.line
            yield partial(
                _figure,
                source,
                name,
                (text, "ns/op"),
                f"line {line}, mean",
                CATCH_REMEDY,
                fork=forks[name],
            )
            forks[name] += 1


NOT_PASSED: Final = frozenset({"failure", "error", "skipped"})
_LIBTEST: Final = "benchmark::"  # rust-lang/rust: library/test/src/formatters/junit.rs


class _Test(NamedTuple):
    """A testcase of JUnit; `seconds` as in the file, empty where it names none."""

    name: str
    seconds: str
    line: int
    passed: bool


def _junit(source: InputSource) -> Made:
    """A series of one value, its time, for each test; a test that ran again is the next fork.

    Tests that failed, ended with an error or were skipped are left out, and named by the last.
    """
    forks: Counter[str] = Counter()
    left_out_names: list[str] = []
    make_last: Callable[..., HarnessSeries] | None = None
    for test in _tests(source):
        if not test.passed:
            left_out_names.append(test.name)
        elif test.seconds:
            if make_last is not None:
                yield make_last
            figure, where, fork = (test.seconds, "s"), f"line {test.line}, time", forks[test.name]
            make_last = partial(_figure, source, test.name, figure, where, JUNIT_REMEDY, fork=fork)
            forks[test.name] += 1
    if make_last is not None:
        yield partial(make_last, notes=left_out_note("tests that did not pass", left_out_names))
    elif left_out_names:
        expected = "a test with a time that passed"
        raise source.problem("the whole file", found="no test that passed", expected=expected)


def _tests(source: InputSource) -> Iterator[_Test]:
    has_passed, line = True, 0
    for tag in xml_tags(source):
        if tag.name in NOT_PASSED:
            has_passed = False
        elif tag.name == "testcase" and tag.opens:
            has_passed, line = True, tag.line
        elif tag.name == "testcase":
            yield _Test(_test_name(source, tag), tag.attributes.get("time", ""), line, has_passed)


def _test_name(source: InputSource, test: XmlTag) -> str:
    """Class and name of a test. Raises for a sum of samples, which cargo bench calls a time."""
    words = (test.attributes.get("classname", ""), test.attributes.get("name", ""))
    if words[0].startswith(_LIBTEST):
        raise source.problem(
            f"line {test.line}, testcase {words[1]}",
            found="the sum of cargo bench's samples in ns",
            expected="the time of a test in s",
            hint="give what cargo bench prints without --format junit",
        )
    return ".".join(filter(None, words))


def _figure(  # what one figure is made of
    source: InputSource,
    name: str,
    figure: tuple[str, str],
    where: str,
    remedy: str,
    *,
    fork: int,
    notes: tuple[str, ...] = (),
) -> HarnessSeries:
    text, unit = figure
    return HarnessSeries(
        benchmark=name,
        values=parse_numbers(source, [text], lambda _index: where),
        unit=unit,
        fork=fork,
        recording=NOTHING_SAID,
        notes=(ONE_FIGURE, *notes),
        remedy=remedy,
    )


def _read(
    series: Callable[[InputSource], Made], expected: str, source: InputSource
) -> Iterator[Measurement]:
    has_series = False
    for make in series(source):
        has_series = True
        made_measurement = source.attempt(lambda make=make: measurement(source, make()))  # type: ignore[misc]
        if made_measurement is not None:
            yield made_measurement
    if not has_series:
        raise source.problem("the whole file", found="no such element", expected=expected)


def _recognise(
    elements: tuple[str, ...], inner_marks: tuple[str, ...], title: str, start: FileStart
) -> str:
    """Reason for a file whose first element is known, or that has all of `inner_marks`."""
    is_report = begins_with_element(start.text, *elements) or (
        inner_marks and all(mark in start.text for mark in inner_marks)
    )
    return f"an element {elements[0]}: {title}" if is_report and start.text[:1] == "<" else ""


def _reader(  # what one reader is made of
    name: str,
    title: str,
    elements: tuple[str, ...],
    series: Callable[[InputSource], Made],
    expected: str,
    *,
    inner_marks: tuple[str, ...] = (),
) -> FileReader:
    return FileReader(
        name=name,
        title=title,
        endings=(".xml",),
        recognise=partial(_recognise, elements, inner_marks, title),
        read=partial(_read, series, expected),
        options=("system",),
        named_values=True,
    )


PHORONIX: Final = _reader(
    "phoronix", "composite.xml of Phoronix", ("PhoronixTestSuite",), _phoronix, "a Result with data"
)
CATCH2: Final = _reader(
    "catch2", "XML of Catch2", ("Catch2TestRun", "Catch"), _catch2, "BenchmarkResults with a mean"
)
JUNIT: Final = _reader(
    "junit",
    "times of JUnit tests",
    ("testsuites", "testsuite"),
    _junit,
    "a testcase with a time",
    inner_marks=("<testsuite", "<testcase "),
)
