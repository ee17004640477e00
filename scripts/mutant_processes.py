"""Processes that run the narrow tests of mutants.

A group of mutants has the same tests, which are collected and run once without a mutant. A
process that is forked then gives the loaded functions of one mutant their changed code, and runs
the tests. What survives there, or changes what runs on import, gets a process that imports its file
as changed.
"""

from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from scripts.mutant_changes import Mutant
from scripts.mutant_subjects import ROOT, MutantSubject

if TYPE_CHECKING:
    import pytest

CPU_SECONDS: Final = 10  # of a mutant, or four times those of its tests without one
SURVIVED, KILLED, ENDLESS, WAITING = "survived", "killed", "endless", "waiting"
BROKEN: Final = 70  # exit status of a process in which pytest itself fell
UNCHANGED: Final = -1  # number of the tests that run without a mutant
THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
LIBRARIES: Final = (
    *("numpy", "scipy.stats", "hypothesis", "pytest", "pytest_django.plugin"),
    *("django.test", "django.db.models", "django.contrib.admin", "celery"),
)


@dataclass(frozen=True, slots=True)
class TestsEnded:
    """End of the tests of a subject in their process."""

    __test__ = False

    outcome: str
    cpu_seconds: float
    test: str = ""  # the first that failed


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


class MutantForks:
    """Plugin of pytest: runs the collected tests once a mutant, each time in a forked process."""

    def __init__(
        self, mutants: Sequence[Mutant], folder: Path, report: Callable[[int, TestsEnded], None]
    ) -> None:
        self.mutants, self.folder, self.report = mutants, folder, report

    def pytest_collection(self) -> None:
        """Draw examples as ever, and do not look for the smallest that fails."""
        from hypothesis import Phase, settings  # noqa: PLC0415  # imported before the fork

        parent = settings.get_profile("plateau")
        settings.register_profile("mutants", parent, phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests as they are, which loads all that they use, then once for each mutant."""
        began_at = time.process_time(), time.monotonic()
        outcome = KILLED if run_tests(session) else SURVIVED
        unchanged_end = TestsEnded(outcome, time.process_time() - began_at[0])
        self.report(UNCHANGED, unchanged_end)
        limits = cpu_limit(unchanged_end), 30 + int(5 * (time.monotonic() - began_at[1]))
        # A fork has no threads, and a library that waits for one of its own waits for ever.
        if outcome == SURVIVED and (
            self.ended(partial(run_tests, session), limits).outcome == SURVIVED
        ):
            self.run_mutants(session, limits)
        return True

    def run_mutants(self, session: pytest.Session, limits: tuple[int, int]) -> None:
        functions = loaded_functions({mutant.subject.path for mutant in self.mutants})
        caches = loaded_caches()
        gc.freeze()
        for number, mutant in enumerate(self.mutants):
            if changed := changed_functions(mutant, functions):

                def work(changed_code: Mapping[CodeType, CodeType] = changed) -> int:
                    for function in functions:
                        function.__code__ = changed_code.get(function.__code__, function.__code__)
                    for cache in caches:
                        cache.cache_clear()
                    return run_tests(session)

                self.report(number, self.ended(work, limits))

    def ended(self, work: Callable[[], int], limits: tuple[int, int]) -> TestsEnded:
        return ended_process(work, limits, self.folder / "failure")


def run_tests(session: pytest.Session) -> int:
    """Run the collected tests up to the first failure; returns an exit status."""
    from _pytest.main import pytest_runtestloop  # noqa: PLC0415  # imported before the fork

    try:
        pytest_runtestloop(session)
    except (session.Failed, session.Interrupted):
        return 1
    return int(session.testsfailed > 0)


def loaded_functions(paths: set[str]) -> list[FunctionType]:
    """Functions of the files at `paths`, wherever a decorator or a class has put them."""
    gc.unfreeze()  # `tests.conftest` hides from the collector what was imported
    functions = (function for function in gc.get_objects() if type(function) is FunctionType)
    return [
        function for function in functions if function.__code__.co_filename.endswith(tuple(paths))
    ]


def loaded_caches() -> list[Any]:
    """Functions of this project with remembered answers, which are those without a mutant."""
    caches = (cache for cache in gc.get_objects() if type(cache) is type(lru_cache(id)))
    rooms = {path.name for path in ROOT.iterdir()}
    return [cache for cache in caches if str(cache.__module__).partition(".")[0] in rooms]


def changed_functions(
    mutant: Mutant, functions: Sequence[FunctionType]
) -> dict[CodeType, CodeType]:
    """Codes of loaded functions and their changed ones; empty where more than functions change."""
    path = ROOT / mutant.subject.path
    original_codes, mutated_codes = (
        list(code_objects(compile(source, str(path), "exec", dont_inherit=True)))
        for source in (path.read_text("utf-8"), mutant.source())
    )
    if len(original_codes) != len(mutated_codes):
        return {}
    loaded_codes = {function.__code__ for function in functions}
    pairs = [
        (original_code, mutated_code)
        for original_code, mutated_code in zip(original_codes, mutated_codes, strict=True)
        if original_code != mutated_code
    ]
    changes_import = any(
        own_content(original_code) != own_content(mutated_code)
        for original_code, mutated_code in pairs
        if not original_code.co_flags & inspect.CO_OPTIMIZED
    )
    same_cells = all(
        original_code.co_freevars == mutated_code.co_freevars
        for original_code, mutated_code in pairs
    )
    mutated_by_original = {
        original_code: mutated_code
        for original_code, mutated_code in pairs
        if original_code in loaded_codes
    }
    return mutated_by_original if same_cells and not changes_import else {}


def code_objects(code: CodeType) -> Iterator[CodeType]:
    """A compiled file, and every function and class in it."""
    yield code
    for code_constant in code.co_consts:
        if isinstance(code_constant, CodeType):
            yield from code_objects(code_constant)


def own_content(code: CodeType) -> tuple[Any, ...]:
    """Instructions and constants of `code` without those of functions and classes in it."""
    constants = [
        repr(code_constant)
        for code_constant in code.co_consts
        if not isinstance(code_constant, CodeType)
    ]
    return code.co_code, code.co_names, constants


def cpu_limit(unchanged_end: TestsEnded) -> int:
    return max(CPU_SECONDS, int(4 * unchanged_end.cpu_seconds))


def ended_process(work: Callable[[], int], limits: tuple[int, int], failure: Path) -> TestsEnded:
    """Run `work` in a process of its own, which ends with the exit status that `work` returns.

    limits  CPU seconds, and seconds by the clock: a process that waits uses no processor
    """
    cpu_seconds, seconds = limits
    failure.unlink(missing_ok=True)
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
        signal.alarm(seconds)
        end_with(work)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    outcome_by_signal = {-signal.SIGXCPU: ENDLESS, -signal.SIGALRM: WAITING}
    outcome = outcome_by_signal.get(code, KILLED if code else SURVIVED)
    test = failure.read_text("utf-8") if failure.exists() else ""
    return TestsEnded(outcome, round(usage.ru_utime + usage.ru_stime, 1), test)


def end_with(work: Callable[[], int]) -> None:
    """End this process as soon as `work` is done: nothing of its parent is to be tidied away."""
    code = BROKEN
    try:
        code = work()
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def load_libraries() -> None:
    """Import what no mutant changes once, before a process a mutant is made of this one."""
    for name in THREADS:
        os.environ[name] = "1"
    for name in LIBRARIES:
        importlib.import_module(name)


def run_pytest(subject: MutantSubject, folder: Path, *plugins: object) -> int:
    """Run the tests of `subject`, whose output goes to a file; returns pytest's exit status."""
    import pytest  # noqa: PLC0415  # imported before the fork

    with (folder / "output").open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ.update(subject.settings)
    # Libraries were imported before pytest could look into them.
    ignored_warning = "ignore::pytest.PytestAssertRewriteWarning"
    options = ["-x", "-q", "--no-header", "-W", ignored_warning, f"--basetemp={folder / 'tests'}"]
    failures = FirstFailure(folder / "failure")
    return int(pytest.main([*options, *subject.tests], plugins=[failures, *plugins]))


def run_as_imported(mutant: Mutant, folder: Path) -> int:
    """Run the tests in a process that imports the file of `mutant` as changed."""
    sys.meta_path.insert(0, MutantFinder(mutant))
    return run_pytest(mutant.subject, folder)


def run_group(mutants: Sequence[Mutant], folder: Path) -> Iterator[tuple[int, TestsEnded]]:
    """Yield the number of each mutant and how its tests ended, first those that are killed first.

    Ends the program where the tests fail without any mutant.
    """
    subject = mutants[0].subject
    survivors, limit = set(range(len(mutants))), 0
    for number, tests_ended in run_in_forks(mutants, folder):
        if number != UNCHANGED and tests_ended.outcome in {KILLED, ENDLESS}:
            survivors.remove(number)
            yield number, tests_ended
        elif tests_ended.outcome == SURVIVED:
            limit = limit or cpu_limit(tests_ended) + CPU_SECONDS
    if not limit:
        print((folder / "output").read_text("utf-8"))
        sys.exit(f"{' '.join(subject.tests)} fail on unchanged code: nothing can be said.")
    for number in sorted(survivors):
        work = partial(run_as_imported, mutants[number], folder)
        yield number, ended_process(work, (limit, 60 * limit), folder / "failure")


def run_in_forks(mutants: Sequence[Mutant], folder: Path) -> Iterator[tuple[int, TestsEnded]]:
    """Yield how the tests ended without a mutant, then with those that change functions alone."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writer, "w") as file:

            def report(number: int, tests_ended: TestsEnded) -> None:
                print(json.dumps([number, asdict(tests_ended)]), file=file, flush=True)

            forks = MutantForks(mutants, folder, report)
            end_with(partial(run_pytest, mutants[0].subject, folder, forks))
    os.close(writer)
    with os.fdopen(reader) as lines:
        for line in lines:
            number, tests_ended = json.loads(line)
            yield number, TestsEnded(**tests_ended)
    os.waitpid(child, 0)
