"""Record the demo measurements: ``python -m demo.record``.

Runs every workload of the catalogue in fresh processes, one after another, and writes one file
a workload and the data card. A file is replaced whole, when all forks of its workload are done.
With --stop, a detector reads along, and a fork ends some iterations after it is found steady.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from demo import card, layout, machine, runtimes, stopping
from demo.catalogue import CATALOGUE, DATA_CARD, RECORDINGS, STOPPED, Workload, workload_named
from demo.runtimes import RecordedFork, RecordingError
from demo.stopping import FURTHER, ForkStopRule

FORKS = 5
ITERATIONS = 3_000
UNHARMED = "Files written so far are complete; the others are as before."
INTERRUPTED = 128 + 2  # what a shell reports of a program that Ctrl-C ended


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingSession:
    """One call of the recorder: when it began, how much it records and where."""

    started: str
    forks: int
    iterations: int
    output: Path
    built: Path  # compiled workloads
    rule: ForkStopRule | None = None  # ends forks; None: each does all its iterations


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        chosen_workloads = _chosen_workloads(options.only)
        options.rule = stopping.rule(options.stop, options.further) if options.stop else None
    except RecordingError as error:
        return _print_refusal(str(error))
    options.output = options.output or (STOPPED if options.rule else RECORDINGS)
    complaints = sorted({c for w in chosen_workloads if (c := runtimes.missing_runtime(w.runtime))})
    if options.dry_run:
        return _show_workloads(chosen_workloads, options, complaints)
    if complaints:
        return _print_refusal("\n".join(complaints))
    try:
        _record_all(chosen_workloads, options)
    except (RecordingError, OSError) as error:
        return _print_refusal(f"{error}. {UNHARMED}")
    except KeyboardInterrupt:
        _print_refusal(f"Stopped. {UNHARMED}")
        return INTERRUPTED
    return 0


def _chosen_workloads(names: Sequence[str]) -> list[Workload]:
    try:
        return [workload_named(name) for name in names] or list(CATALOGUE)
    except KeyError as error:
        raise RecordingError(error.args[0]) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m demo.record", description=__doc__)
    add_argument = parser.add_argument
    add_argument(
        "--only", action="append", default=[], metavar="NAME", help="this workload; may repeat"
    )
    add_argument(
        "--forks", type=_integer, default=FORKS, help="fresh processes a workload (%(default)s)"
    )
    add_argument(
        "--iterations", type=_integer_from_two, default=ITERATIONS, help="a fork (%(default)s)"
    )
    add_argument(
        "--stop", metavar="METHOD", help="end a fork that this method finds steady as it runs"
    )
    add_argument(
        "--further", type=_integer, default=FURTHER, help="iterations after that (%(default)s)"
    )
    add_argument("--output", type=Path, metavar="FOLDER", help="where the files go")
    add_argument("--dry-run", action="store_true", help="show what would run, and what is missing")
    return parser


def _integer(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number from 1 on")
    return int(text)


def _integer_from_two(text: str) -> int:
    """One value has no spread, and the layout asks for one."""
    if _integer(text) < 2:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number from 2 on")
    return int(text)


def _print_refusal(complaint: str) -> int:
    print(complaint, file=sys.stderr)
    return 2


def _show_workloads(
    workloads: Sequence[Workload], options: argparse.Namespace, complaints: list[str]
) -> int:
    for workload in workloads:
        inputs = " ".join(f"{name}={value}" for name, value in workload.params.items())
        size = f"{options.forks} forks of {options.iterations} iterations"
        size += f", {options.rule}" if options.rule else ""
        print(f"{workload.name}: {size}, {inputs} -> {options.output / workload.file}")
    return _print_refusal("\n".join(complaints)) if complaints else 0


def _record_all(workloads: Sequence[Workload], options: argparse.Namespace) -> None:
    start_time = monotonic()
    with tempfile.TemporaryDirectory(prefix="plateau-record-") as scratch:
        session = RecordingSession(
            started=machine.time_stamp(),
            forks=options.forks,
            iterations=options.iterations,
            output=options.output,
            built=Path(scratch),
            rule=options.rule,
        )
        if session.rule:
            stopping.warm_up(session.rule)
        for name in sorted({workload.runtime for workload in workloads}):
            runtimes.prepare_runtime(name, session.built)
        _record_each(workloads, session)
    print(f"{len(workloads)} workloads in {monotonic() - start_time:.0f} s -> {options.output}")


def _record_each(workloads: Sequence[Workload], session: RecordingSession) -> None:
    """One workload after another; whatever ends it, the card then says what the files say."""
    earlier_stamps = _stamps(session.output)
    try:
        for workload in workloads:
            _record(workload, session)
    finally:
        # Asked of the folder, not counted here: a signal falls between any two lines.
        if _stamps(session.output) != earlier_stamps:
            is_own_folder = session.output.resolve() == RECORDINGS
            card_path = DATA_CARD if is_own_folder else session.output / DATA_CARD.name
            layout.replace(card_path, card.recordings_card(session.output).encode())


def _stamps(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.json.gz")}


def _record(workload: Workload, session: RecordingSession) -> None:
    load_before = machine.LoadMoment.current()
    forks: list[RecordedFork] = []
    seconds: list[float] = []
    for _ in range(session.forks):
        began_at = monotonic()
        forks.append(_fork(workload, session))
        seconds.append(round(monotonic() - began_at, 2))
    _check_same_work(workload, forks)
    recording = layout.recording(
        workload,
        forks,
        measured_at=session.started,
        load_before=load_before,
        load_after=machine.LoadMoment.current(),
        seconds=seconds,
        rule=session.rule,
    )
    layout.write_recording(
        session.output / workload.file, [layout.benchmark(workload, forks, recording)]
    )
    iteration_words = f", iterations {' '.join(str(len(f.nanoseconds)) for f in forks)}"
    lengths_text = iteration_words if session.rule else ""
    print(f"{workload.name}: {' '.join(f'{s:.1f}' for s in seconds)} s{lengths_text}", flush=True)


def _fork(workload: Workload, session: RecordingSession) -> RecordedFork:
    if session.rule is None:
        return runtimes.fork(workload, session.iterations, session.built)
    return stopping.fork(workload, session.iterations, session.built, session.rule)


def _check_same_work(workload: Workload, forks: Sequence[RecordedFork]) -> None:
    shared_length = min(len(fork.nanoseconds) for fork in forks)
    checks = sorted({fork.check_after(shared_length) for fork in forks})
    if len(checks) > 1:
        raise RecordingError(
            f"{workload.name}: forks gave {', '.join(checks)}, expected one and the same result"
        )


if __name__ == "__main__":
    sys.exit(main())
