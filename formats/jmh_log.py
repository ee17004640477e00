"""JMH's text log: the only place where it keeps the values of warm-up iterations.

A series is a fork: its warm-up values, then its measured ones. `settings["warmup_values"]` says
how many are warm-up. The log prints few digits (three after the point), so JSON is the better
record of what it holds. Before a line may stand what a build tool or a CI service adds.

A fork with a value that JMH rounded away (``≈ 10⁻⁹``) is left out, a fork that failed ends where it
failed, and a note of the series that are read names both.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from formats.checks import A_NUMBER, bad_value, check_count, read_only_values
from formats.errors import FormatError
from formats.harness_series import FAILED
from formats.iterations import SINGLE_SHOT
from formats.jmh_names import ModeNames, place, series_label
from formats.measurement import Measurement, RecordingHint, Setting
from formats.numbers import parse_number
from formats.params import canonical
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.units import Unit, seconds, storage_unit

_PREFIX_PATTERN = r"(?:\d{4}-\d\d-\d\dT[\d:.]+Z )?(?:\[info\] )?"  # of GitHub's log, of sbt
_ADDED_PREFIX = re.compile(_PREFIX_PATTERN)
_LOG_LINE = re.compile(
    rf"^{_PREFIX_PATTERN}"
    r"(# (JMH version|VM version|VM invoker|Warmup Iteration|Benchmark mode|Run progress)\b"
    r"|Iteration +\d+: ).*$",
    re.MULTILINE,
)
_ITERATION = re.compile(r"(?P<warmup># Warmup )?Iteration +(?P<number>\d+): *(?P<rest>.*)")
_FORK = re.compile(r"# (?P<warmup>Warmup )?Fork: (?P<fork>\d+|N/A)(?: of (?P<forks>\d+))?.*")
_HEADER = re.compile(r"# (?P<name>[A-Z][A-Za-z ]*): (?P<text>.*)")
_SCORE = re.compile(r"(?:n = .*?mean = )?(?P<value>\S+)(?: ±\S* \S+)? (?P<unit>[^\s,]+)(?:,.*)?")
_UNIT_PATTERN = r"(?:ops/\w+|\w+/op)"
_BARE_OUTCOME = re.compile(
    rf"(?:[\d.,]{{1,40}}|≈ \S{{1,40}})(?: ±\S* \S+)? {_UNIT_PATTERN}|<(?:failure|error)>.*"
)
_MANY = re.compile(r"(?P<count>\d{1,9}) iterations?(?:, (?P<length>\d+ \w+) each)?.*")
_DIGITS = 9  # of a fork's number
_ROUNDED_SIGN, _FAILURE_WORDS = "≈", ("<failure>", "<error>")
_MOST_PROBLEMS = 5  # of what is left out
_MODES = {
    "Throughput": "thrpt",
    "Average time": "avgt",
    "Sampling time": "sample",
    "Single shot invocation time": "ss",
}


@dataclass(slots=True)
class _Fork:
    """One fork while its lines come in."""

    benchmark: str
    params: str
    mode: str
    number: int
    settings: dict[str, Setting]
    runtime: str
    values: array[float] = field(default_factory=lambda: array("d"))
    warmup: int = 0
    unit: Unit | None = None
    broken: bool = False
    has_failed: bool = False
    has_header: bool = False

    def place(self) -> str:
        return place(self.benchmark, self.params, self.number)


class _Log:
    """State of the log after the lines so far, and the fork that they are in."""

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self._names = ModeNames()
        self._benchmark = ""
        self._params = ""
        self._mode = ""
        self._runtime = ""
        self._settings: dict[str, Setting] = {}
        self._fork: _Fork | None = None
        self._skipping = False
        self.left_out: list[FormatError] = []
        self.has_fork = False
        self._headers: dict[str, Callable[[str], None]] = {
            "JMH version": partial(self._keep, "jmh_version"),
            "VM version": self._vm_version,
            "VM invoker": partial(self._keep, "jvm"),
            "VM options": partial(self._keep, "jvm_args"),
            "Warmup": partial(self._set_iteration_time, "warmup"),
            "Measurement": partial(self._set_iteration_time, "measurement"),
            "Threads": self._threads,
            "Benchmark mode": self._named_mode,
            "Benchmark": self._named_benchmark,
            "Parameters": self._named_params,
        }

    def finished(self) -> Iterator[_Fork]:
        """The forks of the log, each as soon as its last line is read."""
        for row, line in self._completed_lines():
            if self._ends_fork(line) and self._fork is not None:
                yield self._fork
                self._fork = None
            self._take(row, line)
        if self._fork is not None:
            yield self._fork

    def _completed_lines(self) -> Iterator[tuple[int, str]]:
        """Lines with their numbers; a score on a line of its own stands behind its iteration.

        A benchmark that prints something parts them. A file may end before the score, or in it.
        """
        open_iteration: tuple[int, str, str] | None = None  # row, label, and what stands behind it
        for row, printed_line in enumerate(self._source.lines(), start=1):
            prefix = _ADDED_PREFIX.match(printed_line)
            line = (printed_line[prefix.end() :] if prefix else printed_line).rstrip()
            iteration = _ITERATION.match(line)
            if open_iteration is not None and _BARE_OUTCOME.fullmatch(line):
                row_of_label, label, _ = open_iteration
                yield row_of_label, label + line
                open_iteration = None
                continue
            if open_iteration is not None and (iteration or line.startswith(("#", "Result"))):
                row_of_label, label, text = open_iteration
                yield row_of_label, label + text
                open_iteration = None
            if iteration and not _has_outcome(iteration["rest"].strip()):
                text_start = iteration.start("rest")
                open_iteration = (row, line[:text_start], line[text_start:])
            else:
                yield row, line
        if open_iteration is None:
            return
        row_of_label, label, text = open_iteration
        unit = _unit_of(text)
        if self._fork is None or (unit is not None and unit == self._fork.unit):
            yield row_of_label, label + text
        else:
            place = self._place_of_value(row_of_label, self._fork)
            self.left_out.append(self._no_score(place, ""))

    def readable_forks(self) -> Iterator[_Fork]:
        """The forks that have values; what others lack is in `left_out`."""
        for fork in self.finished():
            self.has_fork = True
            if not (fork.values or fork.has_failed or fork.broken):
                problem = self._source.problem(fork.place(), found="no value", expected=A_NUMBER)
                self.left_out.append(problem)
            elif fork.values and not fork.broken:
                yield fork

    def _ends_fork(self, line: str) -> bool:
        return line.startswith(("# Fork:", "# Warmup Fork:", "# Benchmark:", "# JMH version:"))

    def _take(self, row: int, line: str) -> None:
        if match := _ITERATION.match(line):
            self._iteration(row, match)
        elif match := _FORK.match(line):
            self._start(row, match)
        elif match := _HEADER.match(line):
            self._headers.get(match["name"], _ignore)(match["text"])

    def _keep(self, setting: str, text: str) -> None:
        if text != "<none>":
            self._settings[setting] = text

    def _vm_version(self, text: str) -> None:
        self._runtime = text
        self._settings["vm_version"] = text

    def _set_iteration_time(self, kind: str, text: str) -> None:
        match = _MANY.match(text)
        count = int(match["count"]) if match else 0
        self._settings[f"{kind}_iterations"] = count
        self._settings.pop(f"{kind}_seconds", None)
        if match and (length := seconds(match["length"] or "")) is not None:
            self._settings[f"{kind}_seconds"] = length

    def _threads(self, text: str) -> None:
        count = text.partition(" ")[0]
        if count.isdecimal() and len(count) < 10:
            self._settings["threads"] = int(count)

    def _named_mode(self, text: str) -> None:
        title = text.partition(",")[0]
        self._mode = _MODES.get(title, title)

    def _named_benchmark(self, text: str) -> None:
        self._benchmark, self._params = text.strip(), ""

    def _named_params(self, text: str) -> None:
        pairs_text = text.strip().removeprefix("(").removesuffix(")")
        pairs = [
            assignment.partition(" = ") for assignment in re.split(r", (?=\w+ = )", pairs_text)
        ]
        self._params = canonical({name: value for name, _, value in pairs})

    def _start(self, row: int, match: re.Match[str]) -> None:
        """A new fork; forks that only warm the machine up are read over."""
        if any(len(digits or "") > _DIGITS for digits in match.group("fork", "forks")):
            shown_text = repr(match[0][:60])
            raise self._source.problem(f"line {row}", found=shown_text, expected="a fork's number")
        self._skipping = match["warmup"] is not None
        if match["forks"] and not self._skipping:
            self._settings["forks"] = int(match["forks"])
        fork = 0 if match["fork"] == "N/A" else int(match["fork"]) - 1
        self._fork = None if self._skipping else replace(self._new_fork(fork), has_header=True)

    def _new_fork(self, fork: int) -> _Fork:
        benchmark = self._benchmark or self._source.options.benchmark or self._source.stem
        settings = dict(self._settings)
        if "measurement_seconds" in settings and self._mode != SINGLE_SHOT:
            settings["seconds_per_iteration"] = settings["measurement_seconds"]
        name = self._names.name(benchmark, self._params, self._mode)
        return _Fork(name, self._params, self._mode, max(fork, 0), settings, self._runtime)

    def _iteration(self, row: int, match: re.Match[str]) -> None:
        if self._skipping:
            return
        if self._fork is None:
            self._fork = self._new_fork(0)
        fork, text = self._fork, match["rest"].strip()
        if fork.broken or fork.has_failed:
            return
        is_warmup = match["warmup"] is not None
        known_count = fork.warmup if is_warmup else len(fork.values) - fork.warmup
        if known_count < int(match["number"][:_DIGITS]) - 1 and fork.has_header:
            fork.broken = True
            self.left_out.append(self._no_score(self._place_of_value(row, fork), ""))
            return
        if text.startswith(_FAILURE_WORDS):
            fork.has_failed = True
            self.left_out.append(self._no_score(self._place_of_value(row, fork), text))
            return
        try:
            fork.values.append(self._score(row, fork, text))
            fork.warmup += is_warmup
        except FormatError as problem:
            fork.broken = True
            if text.startswith(_ROUNDED_SIGN):
                self.left_out.append(problem)
            else:
                self._source.report(problem)

    def _place_of_value(self, row: int, fork: _Fork) -> str:
        return f"line {row}, {fork.place()}, iteration {len(fork.values)}"

    def _score(self, row: int, fork: _Fork, text: str) -> float:
        where = self._place_of_value(row, fork)
        score = _SCORE.fullmatch(text)
        # JMH prints with the decimal sign of its machine, and never separates thousands.
        value = parse_number(score["value"].replace(",", "."), ".") if score else None
        if score is None or value is None:
            raise self._no_score(where, text)
        unit = storage_unit(score["unit"])
        fork.unit = fork.unit or unit
        if unit != fork.unit:
            expected = f"the unit of the values before, {fork.unit.name}"
            raise self._source.problem(where, found=repr(score["unit"]), expected=expected)
        if expected := bad_value(value, unit):
            raise self._source.problem(where, found=repr(score["value"]), expected=expected)
        if len(fork.values) >= self._source.options.limits.points_per_series:
            check_count(self._source, where, len(fork.values) + 1)
        return unit.convert(value)

    def _no_score(self, where: str, printed_text: str) -> FormatError:
        is_rounded = printed_text.startswith(_ROUNDED_SIGN)
        return self._source.problem(
            where,
            found=repr(printed_text[:40]) if printed_text else "no value",
            expected=A_NUMBER,
            hint="JMH rounded the value away: log in a finer unit (-tu ns)" if is_rounded else "",
        )


def read(source: InputSource) -> Iterator[Measurement]:
    """Every fork of every benchmark in the log, in its order.

    Each is given when the next one is read: the last says what was left out.
    """
    log = _Log(source)
    previous_measurement: Measurement | None = None
    for fork in log.readable_forks():
        if (measurement := source.attempt(partial(_measurement, source, fork))) is not None:
            if previous_measurement is not None:
                yield previous_measurement
            previous_measurement = measurement
    if previous_measurement is not None:
        yield replace(
            previous_measurement,
            notes=(*previous_measurement.notes, *_left_out_notes(log.left_out)),
        )
    elif log.left_out:
        source.report(log.left_out[0])
    if not log.has_fork:
        expected = "lines such as 'Iteration   1: 12.345 ns/op'"
        raise source.problem("end of file", found="no iteration", expected=expected)


def _left_out_notes(problems: Sequence[FormatError]) -> tuple[str, ...]:
    """Note on forks that were left out or that failed; none where all were read."""
    if not problems:
        return ()
    problem_list = "; ".join(
        f"{problem.where}: {problem.found}" for problem in problems[:_MOST_PROBLEMS]
    )
    more_words = (
        "" if len(problems) <= _MOST_PROBLEMS else f"; and {len(problems) - _MOST_PROBLEMS} more"
    )
    remedy = next((f"; {problem.hint}" for problem in problems if problem.hint), "")
    return (f"forks left out, or read up to their failure: {problem_list}{more_words}{remedy}",)


def _measurement(source: InputSource, fork: _Fork) -> Measurement:
    check_count(source, fork.place(), len(fork.values))
    fork.settings["warmup_values"] = fork.warmup
    return Measurement(
        benchmark=fork.benchmark,
        system=source.options.system,
        params=fork.params,
        fork=fork.number,
        values=read_only_values(np.array(fork.values, dtype=np.float64)),
        label=series_label(fork.benchmark, fork.params, fork.number),
        unit=fork.unit.name if fork.unit else "",
        mode=fork.mode,
        settings=fork.settings,
        recording=RecordingHint(runtime=fork.runtime),
        notes=_notes(fork),
    )


def _notes(fork: _Fork) -> tuple[str, ...]:
    failed_notes = (FAILED,) if fork.has_failed else ()
    if not fork.warmup:
        return failed_notes
    value_words = "value is a" if fork.warmup == 1 else f"{fork.warmup} values are"
    iterations = "iteration" if fork.warmup == 1 else "iterations"
    rounding = "the log rounds every value as JMH prints it"
    return (f"the first {value_words} warm-up {iterations}; {rounding}", *failed_notes)


def _unit_of(text: str) -> Unit | None:
    """The unit of a score, whether JMH's or not; None for another text."""
    score = _SCORE.fullmatch(text)
    return storage_unit(score["unit"]) if score else None


def _has_outcome(text: str) -> bool:
    """Return whether a text behind a label is a score or says why there is none.

    A benchmark may print `42 items` there, which has no unit of JMH.
    """
    score = _SCORE.fullmatch(text)
    is_score = score is not None and re.fullmatch(_UNIT_PATTERN, score["unit"]) is not None
    return is_score or text.startswith((*_FAILURE_WORDS, _ROUNDED_SIGN))


def _ignore(text: str) -> None:
    """A header line that says nothing about the series."""


def _recognise(start: FileStart) -> str:
    if (match := _LOG_LINE.search(start.text)) is None:
        return ""
    line = match[0]
    return f"{line if len(line) <= 40 else f'{line[:40]}…'!r} found: JMH's text log"


READER = FileReader(
    name="jmh-log",
    title="JMH text log",
    endings=(".log", ".txt"),
    recognise=_recognise,
    read=read,
    options=("system", "benchmark"),
    named_values=True,
)
