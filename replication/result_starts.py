"""Machine time and error of the result, by where methods begin.

    python -m replication.result_starts [FOLDER]

Each method answers fork 0 of every marked series, and the test is run again on paper: warm up until
its answer (never: the `CAP` of the cost page), measure `MEASURED` iterations. The error is how far
their mean is from that of everything which the panel calls steady. Then the same with a measurement
that lasts until its 95 % interval is as narrow as the tolerance; and at last each answer for one
fork of a benchmark on its other forks, against their published steady starts. Learned methods
answer by models that have not seen a series' system. Intervals resample systems.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.answers import Floats, Indices
from analysis.statistics.replay import CAP, MEASURED
from detectors.contract import NEVER, Context, Detector, Values
from detectors.methods.fixed import Fixed
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.plateau import Plateau
from detectors.methods.plateau_result import PlateauResult
from detectors.steady_interval import span_precisions
from detectors.training.method_figures import interval, name_of
from detectors.training.published import of_folder
from formats.markdown import head, row
from replication.published_files import study_command
from replication.published_study import PublishedStudy

TOLERANCE: Final = 0.01
WITHIN: Final = (0.01, 0.02, 0.05)
STEP: Final = 10  # iterations
METHODS: Final[tuple[Detector, ...]] = (
    PlateauResult(chance=0.0, error=0.05),
    PlateauResult(chance=0.0, error=0.02),
    PlateauResult(chance=0.0),
    PlateauResult(),
    Plateau(chance=0.0),
    Plateau(),
    KbKssd(),
    *(Fixed(iteration=start) for start in (100, 200, 300, 500, 1000)),
)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedFork:
    """A fork whose steady mean is known. values: (n,) in any unit, `steady` in the same."""

    benchmark: str
    values: Values
    steady: float

    @property
    def system(self) -> str:
        return self.benchmark.partition("#")[0]

    def error(self, start: int, measured: int) -> float:
        """How far the mean of so many iterations from `start` on is from the steady one."""
        begin = min(start, self.values.size - 1)
        return abs(float(self.values[begin : begin + measured].mean()) / self.steady - 1)


def _told(study: PublishedStudy, _: Namespace) -> int:
    panel = of_folder(study.folder)
    marked = [
        JudgedFork(each.group, each.values, float(each.values[each.start :].mean()))
        for each in panel.marked
    ]
    constants = np.array([_errors(marked, start) for start in range(0, 2001, STEP)])
    truth = np.array([each.start for each in panel.marked])
    answers = [(name_of(method), starts_of(method, marked)) for method in METHODS]
    print(f"Measured: {MEASURED} iterations, on the fork that was answered\n")
    _table(marked, [*answers, ("where the panel says", truth)], constants)
    print(f"\nMeasured until the 95 % interval is ±{TOLERANCE:.0%}, at least {MEASURED}\n")
    _until_narrow(marked, [*answers, ("where the panel says", truth)])
    print(f"\nMeasured: {MEASURED} iterations, on other forks of the benchmark\n")
    _transferred(study)
    return 0


def starts_of(method: Detector, forks: Sequence[JudgedFork]) -> Indices:
    """Where the measurement begins in each."""
    return np.array([_start(method, each) for each in forks], np.int64)


def _start(method: Detector, fork: JudgedFork) -> int:
    found = method.answer(fork.values, Context(benchmark=fork.benchmark)).steady_start
    return CAP if found == NEVER else found


def _errors(forks: Sequence[JudgedFork], start: int) -> Floats:
    return np.array([each.error(start, MEASURED) for each in forks])


def same_share(errors: Floats, share: float) -> int | None:
    """The least multiple of 10 at which a constant is as often within the tolerance, or None.

    errors: (constants, series).
    """
    reached = (errors <= TOLERANCE).mean(axis=1) >= share
    return STEP * int(reached.argmax()) if reached.any() else None


def _table(
    forks: Sequence[JudgedFork], answers: Sequence[tuple[str, Indices]], constants: Floats
) -> None:
    systems = np.array([each.system for each in forks])
    columns = ("start, mean", "error, median %", *(f"within {each:.0%}" for each in WITHIN))
    print(head("method", *columns, "constant"))
    for name, starts in answers:
        errors = np.array(
            [each.error(at, MEASURED) for each, at in zip(forks, starts.tolist(), strict=True)]
        )
        shares = [_mean((errors <= each).astype(float), systems, ".2f") for each in WITHIN]
        constant = same_share(constants, float((errors <= TOLERANCE).mean()))
        median = f"{100 * np.median(errors):.2f}"
        print(row(name, _mean(starts, systems, ".0f"), median, *shares, constant or "none"))


def narrow_after(values: Values, start: int) -> int:
    """Iterations that are measured until the interval of their mean is as narrow as asked.

    All that are left where it never is.
    """
    stops = np.arange(start + MEASURED, values.size + 1, STEP)
    precise = span_precisions(values, np.full_like(stops, start), stops) <= TOLERANCE
    return int(stops[precise.argmax()]) - start if precise.any() else values.size - start


def _until_narrow(forks: Sequence[JudgedFork], answers: Sequence[tuple[str, Indices]]) -> None:
    systems = np.array([each.system for each in forks])
    columns = ("start, mean", "measured, mean", "both, mean", "error, median %", "within 1%")
    print(head("method", *columns))
    for name, starts in answers:
        count = np.array(
            [narrow_after(f.values, at) for f, at in zip(forks, starts.tolist(), strict=True)]
        )
        pairs = zip(forks, starts.tolist(), count.tolist(), strict=True)
        errors = np.array([fork.error(at, measured) for fork, at, measured in pairs])
        share = _mean((errors <= TOLERANCE).astype(float), systems, ".2f")
        both = _mean(starts + count, systems, ".0f")
        median = f"{100 * np.median(errors):.2f}"
        print(row(name, f"{starts.mean():.0f}", f"{count.mean():.0f}", both, median, share))


def sisters(study: PublishedStudy) -> Iterator[list[JudgedFork | None]]:
    """The forks of each benchmark that has all at hand; None for one that is never steady."""
    for each in study.measured:
        if len(each.steady) < 2 or len(each.forks) < len(each.steady):
            continue
        yield [
            None if last < 0 else JudgedFork(each.name, fork, float(fork[last + 1 :].mean()))
            for fork, last in zip(each.forks, each.steady, strict=True)
        ]


def _transferred(study: PublishedStudy) -> None:
    every = [[fork for fork in forks if fork is not None] for forks in sisters(study)]
    pairs = [(a, b) for forks in every for a in forks for b in forks if a is not b]
    systems = np.array([fork.system for fork, _ in pairs])
    columns = ("start, mean", "error, median %", *(f"within {each:.0%}" for each in WITHIN))
    print(head("method", *columns))
    for method in METHODS:
        starts = {id(fork): _start(method, fork) for forks in every for fork in forks}
        at = np.array([starts[id(fork)] for fork, _ in pairs])
        errors = np.array([other.error(starts[id(fork)], MEASURED) for fork, other in pairs])
        shares = [_mean((errors <= each).astype(float), systems, ".2f") for each in WITHIN]
        median = f"{100 * np.median(errors):.2f}"
        print(row(name_of(method), _mean(at, systems, ".0f"), median, *shares))


def _mean(values: Floats | Indices, systems: NDArray[np.str_], form: str) -> str:
    low, high = interval(values.astype(float), systems)
    return f"{values.mean():{form}} [{low:{form}}, {high:{form}}]"


main = study_command(_told)

if __name__ == "__main__":
    raise SystemExit(main())
