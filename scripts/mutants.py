"""Mutants of the code whose faults nobody sees, and whether its tests kill them: `make mutants`.

Cosmic Ray's operators change one place of one file in memory; a process of its own imports that
file as changed and runs the narrow tests of `mutant_subjects`. A mutant that no test notices
survives, and is listed: a test is missing, or the change makes no difference.
"""

from __future__ import annotations

import argparse
import ast
import csv
import difflib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator

from scripts.mutant_subjects import ROOT, MutantSubject, mutant_subjects

COUNT: Final = 500
RESULTS: Final = ROOT / "build" / "mutants.csv"
# Neighbours of each operator: what a person writes by mistake. `is` for `==` and shifts for sums
# are not mistakes that anybody makes, and would be most of all mutants.
OPERATORS: Final = (
    *(
        f"core/ReplaceComparisonOperator_{pair}"
        for pair in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")
    ),
    *(
        f"core/ReplaceComparisonOperator_{pair}"
        for pair in ("Lt_GtE", "LtE_Gt", "Gt_LtE", "GtE_Lt")
    ),
    *(f"core/ReplaceComparisonOperator_{pair}" for pair in ("Eq_NotEq", "NotEq_Eq")),
    *(f"core/ReplaceComparisonOperator_{pair}" for pair in ("Is_IsNot", "IsNot_Is")),
    *(
        f"core/ReplaceBinaryOperator_{pair}"
        for pair in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul")
    ),
    *(f"core/ReplaceBinaryOperator_{pair}" for pair in ("FloorDiv_Mul", "Mod_Mul", "Pow_Mul")),
    *(f"core/ReplaceBinaryOperator_{pair}" for pair in ("BitAnd_BitOr", "BitOr_BitAnd")),
    *("core/ReplaceUnaryOperator_Delete_USub", "core/ReplaceUnaryOperator_Delete_Not"),
    *("core/ReplaceUnaryOperator_Delete_Invert", "core/AddNot", "core/NumberReplacer"),
    *("core/ReplaceTrueWithFalse", "core/ReplaceFalseWithTrue"),
    *("core/ReplaceAndWithOr", "core/ReplaceOrWithAnd"),
    *("core/ReplaceBreakWithContinue", "core/ReplaceContinueWithBreak"),
    *("core/ExceptionReplacer", "core/ZeroIterationForLoop"),
)
CONDITIONS: Final = ("filter", "exclude")
CPU_SECONDS: Final = 60  # of a mutant, or eight times those of its tests without one
SURVIVED, KILLED, ENDLESS = "survived", "killed", "endless"
BROKEN: Final = 70  # exit status of a process in which pytest itself fell
THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class QueryConditionRemover(Operator):
    """Removes `.filter(…)` or `.exclude(…)`: rows are read that were not meant."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        # All before the first is used: `mutate` removes children while Cosmic Ray still counts.
        parts = node.children if self._calls(node) else ()
        return iter([(parts[at].start_pos, parts[at + 1].end_pos) for at in self._calls(node)])

    def mutate(self, node: Any, index: int) -> Any:
        first = self._calls(node)[index]
        del node.children[first : first + 2]
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()

    @staticmethod
    def _calls(node: Any) -> list[int]:
        """Where among the children a condition's name stands, with its brackets behind it."""
        if node.type not in {"atom_expr", "power"}:
            return []
        words = [child.get_code().strip() for child in node.children]
        return [
            at
            for at, (name, call) in enumerate(pairwise(words))
            if name.removeprefix(".") in CONDITIONS and name[0] == "." and call[0] == "("
        ]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the `occurrence`-th place at which the operator applies."""

    subject: MutantSubject
    operator: str
    occurrence: int
    line: int

    def source(self) -> str:
        code = (ROOT / self.subject.path).read_text("utf-8")
        return str(mutate_code(code, operator_named(self.operator), self.occurrence))

    def change(self) -> str:
        """Changed lines, as a diff writes them."""
        before = (ROOT / self.subject.path).read_text("utf-8").splitlines()
        lines = list(difflib.unified_diff(before, self.source().splitlines(), n=0, lineterm=""))[2:]
        return "\n".join(line for line in lines if not line.startswith("@@"))


@dataclass(frozen=True, slots=True)
class MutantResult:
    """How the tests ended on one mutant: a row of the file of results."""

    area: str
    path: str
    line: int
    operator: str
    outcome: str
    cpu_seconds: float
    test: str  # the first that failed
    change: str


def operator_named(name: str) -> Any:
    return (
        QueryConditionRemover() if name == QueryConditionRemover.__name__ else get_operator(name)()
    )


def mutants_of(subject: MutantSubject) -> Iterator[Mutant]:
    """Every change of a file, less those of annotations, which nothing reads."""
    code = (ROOT / subject.path).read_text("utf-8")
    parts, annotations = list(nodes(get_ast(code))), list(annotation_ranges(code))
    for name in (*OPERATORS, QueryConditionRemover.__name__):
        operator = operator_named(name)
        places = ((*place, node) for node in parts for place in operator.mutation_positions(node))
        for occurrence, (start, end, node) in enumerate(places):
            if not is_star(node) and not any(
                first <= start and end <= last for first, last in annotations
            ):
                yield Mutant(subject, name, occurrence, start[0])


def nodes(node: Any) -> Iterator[Any]:
    """A tree in the order in which Cosmic Ray walks it."""
    yield node
    for child in getattr(node, "children", ()):
        yield from nodes(child)


def is_star(node: Any) -> bool:
    """Whether `node` is the `*` of a signature or a call, which multiplies nothing."""
    star = node.type == "operator" and node.value in {"*", "**"}
    return star and node.parent.type not in {"term", "power"}


def annotation_ranges(code: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(line, column) of the beginning and end of every annotation."""
    for node in ast.walk(ast.parse(code)):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if isinstance(part, ast.expr) and part.end_lineno and part.end_col_offset:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)


def sample(areas: dict[str, list[Mutant]], count: int, seed: int) -> list[Mutant]:
    """Mutants of every area in turn: a shorter sample is the beginning of a longer one."""
    generator = random.Random(seed)  # noqa: S311  # no secret
    for mutants in areas.values():
        generator.shuffle(mutants)
    turns = chain.from_iterable(zip_longest(*areas.values()))
    return [mutant for mutant in turns if mutant is not None][:count]


class MutantLoader(importlib.machinery.SourceFileLoader):
    """Loads one module from other source than its file has."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


class MutantFinder(importlib.abc.MetaPathFinder):
    """Finds the mutant in place of its module."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.path = mutant.subject.module, str(ROOT / mutant.subject.path)
        self.source = mutant.source()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = MutantLoader(fullname, self.path, self.source)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


class FirstFailure:
    """Plugin of pytest: writes which test, or which file of tests, fell first."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.note(report)

    def pytest_collectreport(self, report: Any) -> None:
        self.note(report)

    def note(self, report: Any) -> None:
        if report.failed and not self.path.exists():
            self.path.write_text(report.nodeid, "utf-8")


@dataclass(frozen=True, slots=True)
class TestsEnded:
    """How the tests of a subject ended in their process."""

    __test__ = False

    outcome: str
    cpu_seconds: float
    test: str
    output: str


def run_narrow_tests(
    subject: MutantSubject, mutant: Mutant | None, cpu_seconds: int, folder: Path
) -> TestsEnded:
    """Run the tests of `subject` in a process of its own; `mutant` stands for its file there."""
    failure, output = folder / "failure", folder / "output"
    failure.unlink(missing_ok=True)
    child = os.fork()
    if not child:
        code = BROKEN
        try:
            code = _tests_of_child(subject, mutant, cpu_seconds, failure, output)
        finally:  # nothing of this process is to be tidied away by its child
            os._exit(code)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    outcome = ENDLESS if code == -signal.SIGXCPU else KILLED if code else SURVIVED
    test = failure.read_text("utf-8") if failure.exists() else ""
    return TestsEnded(outcome, usage.ru_utime + usage.ru_stime, test, output.read_text("utf-8"))


def _tests_of_child(
    subject: MutantSubject, mutant: Mutant | None, cpu_seconds: int, failure: Path, output: Path
) -> int:
    """Exit status of pytest, whose words go to `output`."""
    import pytest  # noqa: PLC0415  # imported before the fork

    with output.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ.update(subject.settings)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
    try:
        if mutant:
            sys.meta_path.insert(0, MutantFinder(mutant))
        # Libraries were imported before pytest could look into them.
        warned = "ignore::pytest.PytestAssertRewriteWarning"
        arguments = ["-x", "-q", "--no-header", "-W", warned, *subject.tests]
        return int(pytest.main(arguments, plugins=[FirstFailure(failure)]))
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def load_libraries() -> None:
    """Import what no mutant changes once, before a process a mutant is made of this one."""
    for name in THREADS:
        os.environ[name] = "1"
    libraries = ("numpy", "scipy.stats", "hypothesis", "pytest", "django.test", "django.db.models")
    for name in (*libraries, "django.contrib.admin", "celery", "pytest_django.plugin"):
        importlib.import_module(name)


class MutantRun:
    """A sample of mutants, one after the other; results are written as they are known."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.limits: dict[tuple[str, ...], int] = {}

    def limit(self, subject: MutantSubject) -> int:
        """CPU seconds for a mutant. Ends the program where the tests fail without any."""
        if subject.tests not in self.limits:
            unchanged = run_narrow_tests(subject, None, 600, self.folder)
            if unchanged.outcome != SURVIVED:
                print(unchanged.output)
                sys.exit(f"{' '.join(subject.tests)} fail on unchanged code: nothing can be said.")
            self.limits[subject.tests] = max(CPU_SECONDS, int(8 * unchanged.cpu_seconds))
        return self.limits[subject.tests]

    def result(self, mutant: Mutant) -> MutantResult:
        limit = self.limit(mutant.subject)
        ended = run_narrow_tests(mutant.subject, mutant, limit, self.folder)
        return MutantResult(
            mutant.subject.area,
            mutant.subject.path,
            mutant.line,
            mutant.operator.removeprefix("core/"),
            ended.outcome,
            round(ended.cpu_seconds, 1),
            ended.test,
            mutant.change(),
        )


def print_result(result: MutantResult, number: int, count: int) -> None:
    place = f"{result.path}:{result.line}"
    print(f"{number:4} of {count}  {result.outcome:<8}  {place}  {result.operator}", flush=True)


def print_summary(results: Sequence[MutantResult], cpu_seconds: float) -> None:
    survivors = [result for result in results if result.outcome == SURVIVED]
    print("\nSurvivors")
    for result in survivors:
        print(f"{result.path}:{result.line}  {result.operator}\n{result.change}\n")
    total, survived = (Counter(one.area for one in some) for some in (results, survivors))
    print("Killed")
    for area, count in total.items():
        print(f"  {area:<11} {count - survived[area]:4} of {count}")
    killed = len(results) - len(survivors)
    share = 100 * killed / max(len(results), 1)
    print(f"  {'all':<11} {killed:4} of {len(results)}: {share:.0f} %")
    print(f"{cpu_seconds:.0f} CPU seconds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="how many mutants of the sample")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--area", action="append", help="of these areas alone")
    parser.add_argument("--skip", type=int, default=0, help="how many of the sample to leave out")
    parser.add_argument("--only", metavar="PATH[:LINE]", help="of this file, or line of it, alone")
    parser.add_argument("--results", type=Path, default=RESULTS, help="CSV file, a row a mutant")
    options = parser.parse_args()
    areas: dict[str, list[Mutant]] = {}
    path, _, line = (options.only or "").partition(":")
    for subject in mutant_subjects():
        if (options.area and subject.area not in options.area) or path not in {"", subject.path}:
            continue
        mutants = (mutant for mutant in mutants_of(subject) if line in {"", str(mutant.line)})
        areas.setdefault(subject.area, []).extend(mutants)
    chosen = sample(areas, options.skip + options.count, options.seed)[options.skip :]
    print(f"{len(chosen)} of {sum(map(len, areas.values()))} mutants, seed {options.seed}")
    load_libraries()
    results = []
    options.results.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, options.results.open("w", newline="") as file:
        os.environ.setdefault("PLATEAU_MODE", "development")
        os.environ["PLATEAU_DATA"] = f"{folder}/data"
        os.environ["PLATEAU_TEST_TEMPLATE"] = f"{folder}/migrated.sqlite3"
        rows = csv.DictWriter(file, [field.name for field in fields(MutantResult)])
        rows.writeheader()
        run = MutantRun(Path(folder))
        for number, mutant in enumerate(chosen, 1):
            results.append(run.result(mutant))
            rows.writerow(asdict(results[-1]))
            file.flush()
            print_result(results[-1], number, len(chosen))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print_summary(results, used.ru_utime + used.ru_stime + time.process_time())
    print(f"Results: {options.results}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
