"""The command line: `python -m detectors list|describe|detect|forks|shapes|watch|check|synth`.

Exit status 0: every series answered; 1: some have an error; 2: usage or unreadable input,
with one line that says what and where; 3: `watch --cap` gave up.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from itertools import chain, islice, starmap
from pathlib import Path
from typing import Any, BinaryIO, Literal, NoReturn, TextIO, cast

import numpy as np

import formats
from detectors import detection_rows, reference
from detectors.command import fork_groups, shape_rows
from detectors.command.checks import CHECKS, SERIES, clashes, failures, summary_lines
from detectors.command.file_series import (
    AnsweredRow,
    answers_in_order,
    measurements_in,
    series_of_measurement,
)
from detectors.command.loading import DetectorNotFound, class_at
from detectors.command.method_words import one_option_a_method
from detectors.command.online_decisions import OnlineWatch
from detectors.command.printed_values import HARNESSES, values_and_unit
from detectors.command.version import library_version
from detectors.command.watched_program import output_of, status_at_end, watched_program
from detectors.contract import (
    NEVER,
    Context,
    Decision,
    Detector,
    DetectorError,
    OnlineDetector,
    ParameterError,
    Source,
    as_series,
)
from detectors.contract.parameters import parameter_text
from detectors.detection_rows import DetectionRow, SeriesInFile
from detectors.intervals.measured_set import MeasuredSet
from detectors.kernels.jit import compile_when_hot
from detectors.methods.prepared import prepared_detector
from detectors.preparation.steps import CHOICES
from detectors.registry import (
    DEFAULT_METHOD,
    DEFAULT_WATCHING_METHOD,
    UnknownDetector,
    from_key,
    get,
    registry,
)
from detectors.simulated.synthetic import KINDS, NOISE, SyntheticSeries, simulate

ANSWERED, ERRORS, USAGE, GAVE_UP, INTERRUPTED = 0, 1, 2, 3, 130
METHODS = f"one or several; default: {DEFAULT_METHOD}"
PREPARE_HELP = "take noise, outliers or cycles off first; auto: where that helps the method"
PROGRAM = "python -m detectors"
STANDARD_INPUT = "-"
KEPT_IN_MEMORY = 64 * 2**20  # bytes of standard input; more goes to a temporary file

Say = Callable[[Decision], None]
WatchEnd = Literal["stop", "cap", "values"]
"""First of: a steady decision with `--stop`, the cap, the end of the values."""


class UsageError(Exception):
    """A person's mistake, in one line."""


class ProducerFailed(Exception):
    """A watched program ended by itself with a status other than 0."""


class Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}")


def main(
    arguments: Sequence[str] | None = None,
    program: str = PROGRAM,
    extensions: Iterable[Callable[[Any], None]] = (),
) -> int:
    """Run a command; `program` is what its messages call it, `extensions` adds commands to ours."""
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = parser(program, extensions).parse_args([*one_option_a_method(words)])
        return cast("int", options.run(options))
    except (UsageError, ParameterError, UnknownDetector) as error:
        return complain(error)
    except BrokenPipeError:
        _close_output()
        return ANSWERED
    except KeyboardInterrupt:
        return INTERRUPTED


def _close_output() -> None:
    """The reader has seen enough (`| head`); nothing is left to say, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Print what is computed already: a reader who leaves early (`| head`) changes no status."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _close_output()


def complain(error: object) -> int:
    """Say what is wrong on standard error; a closed one (`2>&1 | head`) changes no status."""
    with suppress(BrokenPipeError):
        print(error, file=sys.stderr)
    return USAGE


def parser(program: str = PROGRAM, extensions: Iterable[Callable[[Any], None]] = ()) -> Parser:
    top = Parser(prog=program, description="Where does a series become steady?")
    top.add_argument("--version", action="version", version=f"Plateau {library_version()}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    add_command(commands, "list", list_detectors)
    describe_command = add_command(commands, "describe", describe)
    describe_command.add_argument("slug", metavar="SLUG")
    for command in commands.choices.values():
        command.add_argument("--format", choices=("table", "json"), default="table")
    _add_detect(commands)
    _add_forks(commands)
    subparser = add_command(commands, "shapes", shapes)
    subparser.add_argument("files", metavar="FILE", nargs="+", help="files, folders, or -")
    subparser.add_argument("--format", choices=("table", "csv", "jsonl"), default="table")
    subparser.add_argument("--output", metavar="FILE", help="instead of standard output")
    _add_watch(commands)
    add_command(commands, "check", check).add_argument(
        "target", metavar="package.module:Class", help="or path/to/file.py:Class"
    )
    _add_synth(commands)
    for add in extensions:
        add(commands)
    return top


def add_command(commands: Any, name: str, run: Callable[[argparse.Namespace], int]) -> Parser:
    text = run.__doc__ or ""
    subparser = cast(
        "Parser", commands.add_parser(name, help=text.partition("\n")[0], description=text)
    )
    subparser.set_defaults(run=run, methods=[])
    return subparser


class AddMethod(argparse.Action):
    """`--method SLUG`: one more detector, and the one that `--param` now means."""

    def __call__(self, parser: Any, namespace: Any, value: Any, option: Any = None) -> None:
        namespace.methods = [*namespace.methods, (value, {})]


class AddParam(argparse.Action):
    """`--param NAME=VALUE`: for the method before it."""

    def __call__(self, parser: Any, namespace: Any, value: Any, option: Any = None) -> None:
        name, equals_sign, text = value.partition("=")
        if not equals_sign:
            raise UsageError(f"--param {value}: expected NAME=VALUE")
        if not namespace.methods:
            raise UsageError(f"--param {value}: there is no --method before it")
        namespace.methods[-1][1][name] = text


def _add_detect(commands: Any) -> None:
    subparser = add_command(commands, "detect", detect)
    subparser.add_argument("files", metavar="FILE", nargs="+", help="files, folders, or -")
    subparser.add_argument("--method", metavar="SLUG", action=AddMethod, help=METHODS)
    subparser.add_argument(
        "--param", metavar="NAME=VALUE", action=AddParam, help="of the method before it"
    )
    subparser.add_argument(
        "--all", action="store_true", help="every method that needs nothing more"
    )
    subparser.add_argument("--prepare", choices=CHOICES, help=PREPARE_HELP)
    subparser.add_argument("--format", choices=("table", "csv", "jsonl"), default="table")
    subparser.add_argument("--output", metavar="FILE", help="instead of standard output")
    subparser.add_argument("--workers", metavar="N", type=_count, default=1, help="processes")
    subparser.add_argument("--seed", metavar="N", help="for every method that draws random numbers")
    subparser.add_argument("--evidence", action="store_true", help="with jsonl: the evidence, too")


def _add_forks(commands: Any) -> None:
    subparser = add_command(commands, "forks", forks)
    subparser.add_argument("method", metavar="METHOD", help="a slug, or a key with parameters")
    subparser.add_argument("files", metavar="FILE", nargs="+", help="files, folders, or -")
    subparser.add_argument(
        "--against",
        metavar="FILE",
        action="append",
        default=[],
        help="earlier files of the same benchmarks: prints what changed (method barrett)",
    )
    subparser.add_argument("--format", choices=("table", "csv", "jsonl"), default="table")
    subparser.add_argument("--output", metavar="FILE", help="instead of standard output")
    subparser.add_argument("--seed", metavar="N", help="for a method that draws random numbers")


def _add_watch(commands: Any) -> None:
    subparser = add_command(commands, "watch", watch)
    subparser.add_argument(
        "--method",
        metavar="SLUG",
        action=AddMethod,
        help=f"a method that reads online; default: {DEFAULT_WATCHING_METHOD}",
    )
    subparser.add_argument("--param", metavar="NAME=VALUE", action=AddParam)
    subparser.add_argument(
        "producer",
        metavar="-- COMMAND",
        nargs="*",
        help="program to run and to end at the stop; default: values come on standard input",
    )
    subparser.add_argument(
        "--unit", help="of the values; of rates (ops/s) more is better; default: s"
    )
    for name, harness in HARNESSES.items():
        subparser.add_argument(
            f"--{name}",
            dest="harness",
            action="store_const",
            const=harness,
            help=f"read what {harness.title} prints, with its unit",
        )
    subparser.add_argument(
        "--stop", action="store_true", help="end with status 0 at the first steady answer"
    )
    subparser.add_argument(
        "--measure",
        metavar="N",
        type=_count,
        help="with --stop: after it, or after the cap, read N more values and print their mean",
    )
    subparser.add_argument(
        "--measured", metavar="FILE", help="with --measure: the file for these values, one a line"
    )
    subparser.add_argument(
        "--cap", metavar="N", type=_count, help="give up after N values: status 3"
    )
    subparser.add_argument("--format", choices=("text", "jsonl"), default="text")


def _add_synth(commands: Any) -> None:
    subparser = add_command(commands, "synth", synth)
    subparser.add_argument("--kind", choices=tuple(KINDS), help="default: one of every kind")
    subparser.add_argument("--n", metavar="N", type=_count, default=3000, help="values of a series")
    subparser.add_argument("--seed", metavar="N", type=int, default=0)
    subparser.add_argument(
        "--count", metavar="N", type=_count, default=1, help="series of each kind"
    )
    subparser.add_argument(
        "--noise", metavar="SHARE", type=float, default=NOISE, help="of the steady level"
    )
    subparser.add_argument("--output", metavar="FILE", required=True, help=".npz, .npy or .csv")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more; got {text}")
    return number


def list_detectors(options: argparse.Namespace) -> int:
    """Name every detector there is."""
    descriptions = [reference.method_description(detector) for detector in registry().values()]
    if options.format == "json":
        print(json.dumps(descriptions, indent=2, ensure_ascii=False))
        return ANSWERED
    lines = [("method", "version", "code", "title", "family", "cost", "online", "needs", "missing")]
    for description in descriptions:
        online, needs_words = (
            "online" if description["online"] else "",
            " ".join(description["needs"]),
        )
        names = (
            description[name] for name in ("slug", "version", "code", "title", "family", "cost")
        )
        lines.append((*names, online, needs_words, description["missing"]))
    print(detection_rows.aligned(lines), end="")
    return ANSWERED


def describe(options: argparse.Namespace) -> int:
    """Show one detector: its source, and its parameters with their bounds."""
    detector = get(options.slug)
    if options.format == "json":
        print(json.dumps(reference.method_description(detector), indent=2, ensure_ascii=False))
        return ANSWERED
    print(f"{detector.title} ({detector.slug}, version {detector.version}, {detector.code})")
    print(_citation(detector.source), end="\n\n")
    parameters = detector.Params.declared()
    lines = [
        ("parameter", "default", "bounds", "unit", "meaning"),
        *((d.name, parameter_text(d.default), d.bounds, d.unit, d.help) for d in parameters),
    ]
    print(
        detection_rows.aligned(lines) if len(lines) > 1 else reference.NO_PARAMETERS + "\n", end=""
    )
    return ANSWERED


def _citation(source: Source) -> str:
    parts = (source.citation, source.section, source.doi and f"doi:{source.doi}", source.url)
    return "; ".join(field for field in parts if field)


def detect(options: argparse.Namespace) -> int:
    """Ask detectors for the first steady iteration of every series in the files."""
    if options.evidence and options.format != "jsonl":
        raise UsageError("--evidence: it needs --format jsonl")
    detectors, files = _chosen_detectors(options), list(_files(options.files))
    problems: list[object] = []
    series = (
        series_of_measurement(name, measurement)
        for name in files
        for measurement in _file_series(name, problems)
    )
    answered_rows = chain.from_iterable(
        answers_in_order(detectors, series, workers=options.workers, evidence=options.evidence)
    )

    write: Callable[..., Iterator[DetectionRow]] = getattr(
        detection_rows, f"write_{options.format}"
    )
    if options.format == "jsonl":
        write = partial(write, evidence=options.evidence)
    with _output_file(options.output) as output:
        errors = sum(bool(row.error) for row in write(_count_rows(answered_rows), output))
    _progress("")
    for measurement in problems:
        complain(measurement)
    return USAGE if problems else ERRORS if errors else ANSWERED


def forks(options: argparse.Namespace) -> int:
    """Say what a method finds in the forks of each benchmark together.

    Forks are series with the same benchmark and parameters, of one recording in one file.
    """
    method = _detector_of(options.method, {}, options.seed)
    if options.against and method.slug != "barrett":
        raise UsageError(f"--against: it compares the intervals of barrett; got {method.slug}")
    problems: list[object] = []
    earlier_answers = {
        answer.benchmark.name: answer
        for answer in _fork_group_answers(method, options.against, problems)
    }
    answer_pairs = [
        (answer, earlier_answers.get(answer.benchmark.name))
        for answer in _fork_group_answers(method, options.files, problems)
    ]
    with reader_may_leave(), _output_file(options.output) as output:
        if options.format == "table":
            fork_groups.write_table(answer_pairs, output)
        else:
            write = getattr(fork_groups, f"write_{options.format}")
            write(list(starmap(fork_groups.fork_group_row, answer_pairs)), output)
    for problem in problems:
        complain(problem)
    has_problems = any(answer.problems for answer, _ in answer_pairs)
    return USAGE if problems else ERRORS if has_problems else ANSWERED


def _fork_group_answers(
    method: Detector, names: Sequence[str], problems: list[object]
) -> Iterator[fork_groups.ForkGroupAnswer]:
    for name in _files(names):
        for fork_group in _fork_groups(name, problems):
            _progress(f"{fork_group.full_name}; {name}")
            yield fork_groups.fork_group_answer(method, fork_group)
    _progress("")


def _fork_groups(name: str, problems: list[object]) -> list[fork_groups.ForkGroup]:
    """The series of a file by benchmark and recording, in the order in which they begin."""
    jobs_by_group: dict[tuple[str, fork_groups.Name], list[SeriesInFile]] = {}
    for measurement in _file_series(name, problems):
        key = (measurement.system, measurement.benchmark, measurement.params)
        jobs_by_group.setdefault((measurement.recording.label, key), []).append(
            series_of_measurement(name, measurement)
        )
    return [
        fork_groups.ForkGroup(name, recording, key, tuple(jobs))
        for (recording, key), jobs in jobs_by_group.items()
    ]


def shapes(options: argparse.Namespace) -> int:
    """Tell what shape every series in the files has, and how noisy its last half is."""
    problems: list[object] = []
    rows = (
        shape_rows.shape_row(name, measurement.label, as_series(measurement.values))
        for name in _files(options.files)
        for measurement in _file_series(name, problems)
    )
    with _output_file(options.output) as output:
        output.writelines(shape_rows.pieces(rows, options.format))
    for measurement in problems:
        complain(measurement)
    return USAGE if problems else ANSWERED


def _chosen_detectors(options: argparse.Namespace) -> list[Detector]:
    named_methods = options.methods
    if options.all:
        slugs = {slug for slug, _ in named_methods}
        named_methods = named_methods + [
            (slug, {})
            for slug, detector in registry().items()
            if slug not in slugs and not detector.needs and not detector.missing()
        ]
    detectors = [
        _detector_of(name, texts, options.seed)
        for name, texts in named_methods or [(DEFAULT_METHOD, {})]
    ]
    return [prepared_detector(detector, options.prepare) for detector in detectors]


def _detector_of(name: str, texts: dict[str, str], seed: str | None = None) -> Detector:
    """The detector of a slug or key, with `texts` over what the key says."""
    base = from_key(name)
    draws = any(parameter.name == "seed" for parameter in base.Params.declared())
    seeds = {"seed": seed} if seed is not None and draws else {}
    try:
        return type(base).parse({**base.params.texts(), **seeds, **texts})
    except ParameterError as error:
        raise ParameterError(f"{base.slug}: {error}") from None


def _files(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        folder = Path(name)
        if name == STANDARD_INPUT or not folder.is_dir():
            yield name
            continue
        try:
            yield from map(str, formats.measurement_files([folder]))
        except formats.FormatError as error:
            raise UsageError(str(error)) from None


def _file_series(name: str, problems: list[object]) -> Iterator[formats.Measurement]:
    """The series of a file; what cannot be read is noted, and the next one goes on."""
    try:
        with _input_stream(name) as stream:
            yield from measurements_in(name, problems.append, stream)
    except OSError as error:
        problems.append(f"{name}: {error.strerror or error}")
    except formats.FormatError as error:
        problems.append(error)


@contextmanager
def _input_stream(name: str) -> Iterator[BinaryIO]:
    if name != STANDARD_INPUT:
        with Path(name).open("rb") as stream:
            yield stream
        return
    # Some formats are read from their end, which a pipe cannot do.
    with tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY) as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool)
        spool.seek(0)
        yield cast("BinaryIO", spool)


def _count_rows(answered_rows: Iterable[AnsweredRow]) -> Iterator[AnsweredRow]:
    for count, answered_row in enumerate(answered_rows, start=1):
        _progress(f"{count:,} answers; {answered_row[0].file}")
        yield answered_row


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)


@contextmanager
def _output_file(name: str | None) -> Iterator[TextIO]:
    if name is None:
        with nullcontext(sys.stdout) as output:
            yield output
        return
    try:
        output = Path(name).open(  # noqa: SIM115  # closed below; only opening it may fail so
            "w", encoding="utf-8", newline=""
        )
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from None
    with output:
        yield output


def watch(options: argparse.Namespace) -> int:
    """Judge values as they come, one a line on standard input; a line per decision.

    With --stop, an input that ends without a steady decision ends with status 1.
    """
    say = _say_text if options.format == "text" else _say_json
    detector = _online_detector(options)
    _check_measure(options)
    try:
        # Nobody waits for kernels to be compiled while values come.
        with compile_when_hot(), _value_stream(options) as stream:
            values, unit = _stream_values(stream, options)
            online_watch = OnlineWatch(detector, Context(unit=unit))
            watch_end = _watch_values(values, online_watch, options, say)
    except (DetectorError, ProducerFailed) as error:
        print(error, file=sys.stderr)
        return ERRORS
    except BrokenPipeError:
        _close_output()
        return ANSWERED if online_watch.steady or not options.stop else ERRORS
    if watch_end == "cap":
        return GAVE_UP
    return ERRORS if options.stop and watch_end == "values" else ANSWERED


def _check_measure(options: argparse.Namespace) -> None:
    if options.measure and not options.stop:
        raise UsageError("--measure: found no --stop, expected it: nothing else ends the warm-up")
    if options.measured and not options.measure:
        raise UsageError("--measured: found no --measure, expected how many values to measure")


@contextmanager
def _value_stream(options: argparse.Namespace) -> Iterator[BinaryIO]:
    if not options.producer:
        yield sys.stdin.buffer
        return
    try:
        with watched_program(options.producer) as program:
            stream = output_of(program)
            yield stream
            _refuse_failure(options.producer[0], status_at_end(program))
    except (FileNotFoundError, PermissionError) as error:
        raise UsageError(f"{options.producer[0]}: {error.strerror}") from None


def _refuse_failure(name: str, status: int | None) -> None:
    """Raise where a program ended by itself, and not well; None: it still runs."""
    if status:
        raise ProducerFailed(f"{name}: ended with status {status}, so its values are not complete")


def _stream_values(stream: BinaryIO, options: argparse.Namespace) -> tuple[Iterator[float], str]:
    """Values as they come, and their unit."""
    if options.harness is None:
        return _lines(stream), options.unit or "s"
    if options.unit:
        raise UsageError("--unit: found it beside a harness, expected one of both")
    return values_and_unit(stream, options.harness, partial(print, file=sys.stderr))


def _watch_values(
    values: Iterator[float], online_watch: OnlineWatch, options: argparse.Namespace, say: Say
) -> WatchEnd:
    """Say each decision, up to the first steady one with --stop; return what came first."""
    for n, value in enumerate(values, start=1):
        if decision := online_watch.read(as_series([value])):
            say(decision)
        is_steady = options.stop and online_watch.steady
        if is_steady or n == options.cap:
            if options.measure:
                _measure(values, n, options, at_cap=not is_steady)
            return "stop" if is_steady else "cap"
    if decision := online_watch.end():
        say(decision)
    return "values"


def _measure(
    values: Iterator[float], first: int, options: argparse.Namespace, *, at_cap: bool
) -> None:
    """Read on, and hand over what is measured after the warm-up."""
    measured_set = MeasuredSet.from_values(
        list(islice(values, options.measure)), first, at_cap=at_cap
    )
    if options.measured:
        with _output_file(options.measured) as output:
            output.writelines(f"{value!r}\n" for value in measured_set.values)
    if options.format == "text":
        print(measured_set.words, flush=True)
        return
    record = {"measured": measured_set.as_record() | {"values": measured_set.values}}
    print(json.dumps(record, allow_nan=False), flush=True)


def _online_detector(options: argparse.Namespace) -> OnlineDetector[Any]:
    if len(options.methods) > 1:
        raise UsageError(f"--method: expected one; got {len(options.methods)}")
    detector = (
        _detector_of(*options.methods[0]) if options.methods else from_key(DEFAULT_WATCHING_METHOD)
    )
    if not isinstance(detector, OnlineDetector):
        online_slugs = ", ".join(
            slug for slug, detector_class in registry().items() if detector_class.online
        )
        raise UsageError(
            f"--method {detector.slug}: it does not read online; these do: {online_slugs}"
        )
    return detector


def _lines(stream: Iterable[bytes]) -> Iterator[float]:
    for number, line in enumerate(stream, start=1):
        # Bytes of another kind of file are found where they stand, and not by the decoder.
        text = line.decode(errors="replace").partition("#")[0].strip()
        if text:
            yield _finite_number(text, number)


def _finite_number(text: str, number: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        quoted_text = repr(text[:40])
        raise UsageError(
            f"standard input, line {number}: found {quoted_text}, expected a finite number"
        )
    return value


def _say_text(decision: Decision) -> None:
    if decision.detection is None:
        return
    start = decision.detection.steady_start
    answer = "never steady" if start == NEVER else f"steady from {start}"
    figures = ", ".join(f"{name} {value:g}" for name, value in decision.figures.items())
    print(f"after {decision.n}: {answer}" + (f" ({figures})" if figures else ""), flush=True)


def _say_json(decision: Decision) -> None:
    if (detection := decision.detection) is None:
        return
    record = {
        "n": decision.n,
        "steady_start": detection.steady_start,
        "published_index": detection.published_index,
        "decided_at": detection.decided_at,
        "flags": " ".join(detection.flags),
        "final": decision.final,
        **{
            name: (value if math.isfinite(value) else None)
            for name, value in decision.figures.items()
        },
    }
    print(json.dumps(record, allow_nan=False), flush=True)


def check(options: argparse.Namespace) -> int:
    """Run the contract tests on anyone's detector."""
    try:
        detector = class_at(options.target)
    except DetectorNotFound as error:
        raise UsageError(str(error)) from error
    problems = [*summary_lines(failures(detector)), *clashes(detector)]
    if problems:
        last = f"{options.target} breaks the contract; lines above: {len(problems)}"
        with reader_may_leave():
            print(*problems, last, sep="\n")
        return ERRORS
    print(f"{options.target} keeps the contract: {len(CHECKS)} checks on {len(SERIES)} series")
    return ANSWERED


def synth(options: argparse.Namespace) -> int:
    """Write simulated series; their true answers go to standard output, as CSV."""
    kinds = [options.kind] if options.kind else list(KINDS)
    seeds = range(options.seed, options.seed + options.count)
    try:
        series_by_name = {
            f"{kind}-{seed}": simulate(kind, n=options.n, seed=seed, noise=options.noise)
            for kind in kinds
            for seed in seeds
        }
    except ValueError as error:
        raise UsageError(f"synth: {error}") from None
    names = _save(series_by_name, Path(options.output))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("series", "kind", "n", "steady_start", "why"))
    for name, series in zip(names, series_by_name.values(), strict=True):
        writer.writerow((name, series.kind, series.values.size, series.steady_start, series.why))
    return ANSWERED


def _save(series_by_name: dict[str, SyntheticSeries], path: Path) -> list[str]:
    """Write the file by its ending; gives the names that reading it will show."""
    values = {name: series.values for name, series in series_by_name.items()}
    table = np.stack(list(values.values()))
    try:
        if path.suffix == ".npz":
            np.savez_compressed(path, **values)  # type: ignore[arg-type]
            return list(values)
        if path.suffix == ".npy":
            np.save(path, table)
            return [f"{path.stem}[{row}]" for row in range(len(table))]
        if path.suffix == ".csv":
            with path.open("w", encoding="utf-8", newline="") as output:
                writer = csv.writer(output, lineterminator="\n")
                writer.writerow(values)
                writer.writerows([repr(cell) for cell in row] for row in table.T.tolist())
            return list(values)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    raise UsageError(f"--output {path}: expected a name ending in .npz, .npy or .csv")


if __name__ == "__main__":
    raise SystemExit(main())
