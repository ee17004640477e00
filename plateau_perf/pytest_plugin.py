"""pytest plug-in: with `--plateau` the rounds of pytest-benchmark end when the series is steady.

Rounds before the first steady one are left out of the statistics. The summary names the first
steady round of each benchmark, or says that it was never steady. `benchmark.pedantic`, whose rounds
are given, stays as it is. Needs `plateau-perf[pytest]`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import pytest

if TYPE_CHECKING:
    from detectors.contract import OnlineDetector

FIXTURE: Final = "benchmark"
SUMMARIES: Final = pytest.StashKey[list[str]]()


class SteadyRounds(NamedTuple):
    """Rounds that a benchmark measured.

    start: the first steady round; None for never, and for too few rounds to tell.
    """

    seconds: list[float]
    start: int | None
    sentence: str


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--plateau`."""
    parser.getgroup("benchmark").addoption(
        "--plateau",
        action="store_true",
        help="end the rounds of a benchmark when they are steady, leave warm-up rounds out",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse `--plateau` without a pytest-benchmark that can be stopped."""
    config.stash[SUMMARIES] = []
    if config.getoption("--plateau") and not _rounds_can_be_ended():
        raise pytest.UsageError(
            "--plateau: found no pytest-benchmark of version 5.3 or later; "
            "`pip install plateau-perf[pytest]`"
        )


def _rounds_can_be_ended() -> bool:
    try:
        from pytest_benchmark.fixture import BenchmarkFixture  # noqa: PLC0415  # an extra
    except ModuleNotFoundError:
        return False
    return hasattr(BenchmarkFixture, "_run_until_precise")


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """Give the fixture `benchmark` rounds that end when they are steady."""
    fixture = yield
    if fixturedef.argname == FIXTURE and request.config.getoption("--plateau"):
        _end_when_steady(fixture, request.config.stash[SUMMARIES])
    return fixture


def _end_when_steady(benchmark: Any, summaries: list[str]) -> None:
    # pytest-benchmark asks this method for rounds where a precision is wished for.
    benchmark._precision, benchmark._confidence = 0.0, 0.0  # noqa: SLF001  # no public way
    benchmark._warmup = False  # noqa: SLF001  # every round counts from the first

    def run_rounds(
        runner: Callable[[range], float], loops_range: range, stats: Any, most_rounds: int
    ) -> None:
        rounds = measure_until_steady(
            partial(runner, loops_range),
            most_rounds,
            benchmark._min_rounds,  # noqa: SLF001  # as above
        )
        for seconds in rounds.seconds[rounds.start or 0 :]:
            stats.update(seconds)
        benchmark.extra_info["plateau"] = {
            "steady_from": rounds.start,
            "rounds": len(rounds.seconds),
            "sentence": rounds.sentence,
        }
        summaries.append(f"{benchmark.name}: {rounds.sentence}")

    benchmark._run_until_precise = run_rounds  # noqa: SLF001  # as above


def measure_until_steady(
    seconds_of_round: Callable[[], float], most_rounds: int, steady_count: int
) -> SteadyRounds:
    """Measure rounds until an online method finds them steady and `steady_count` of them are.

    After `most_rounds` the default method, which sees all rounds, says where they became steady.
    """
    # Late: pytest loads this module in every session.
    from detectors.command.online_decisions import OnlineWatch  # noqa: PLC0415
    from detectors.contract import Context, TooShort, as_series  # noqa: PLC0415
    from detectors.kernels.jit import compile_when_hot  # noqa: PLC0415
    from detectors.registry import DEFAULT_ONLINE_METHOD, from_key  # noqa: PLC0415
    from plateau_perf.answer import detect  # noqa: PLC0415

    method = cast("OnlineDetector[Any]", from_key(DEFAULT_ONLINE_METHOD))
    online_watch = OnlineWatch(method, Context())
    seconds: list[float] = []
    with compile_when_hot():
        while len(seconds) < most_rounds:
            seconds.append(seconds_of_round())
            online_watch.read(as_series(seconds[-1:]))
            start = online_watch.start
            if online_watch.steady and start is not None and len(seconds) >= start + steady_count:
                return _steady_rounds(seconds, start)
    try:
        answer = detect(seconds)
    except TooShort as error:
        sentence = f"{error.got} rounds are too few, {error.needed} are needed"
        return SteadyRounds(seconds, None, f"{sentence}: raise --benchmark-max-time")
    if answer.start is not None:
        return _steady_rounds(seconds, answer.start)
    sentence = f"never steady in {len(seconds)} rounds, and the statistics are of all of them"
    return SteadyRounds(seconds, None, f"{sentence} ({answer.reason})")


def _steady_rounds(seconds: list[float], start: int) -> SteadyRounds:
    warm_up_words = f"; {start} warm-up rounds are left out" if start else ""
    sentence = f"steady from round {start} of {len(seconds)}{warm_up_words}"
    return SteadyRounds(seconds, start, sentence)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the first steady round of each benchmark."""
    if summaries := terminalreporter.config.stash[SUMMARIES]:
        terminalreporter.section("plateau")
        for line in summaries:
            terminalreporter.write_line(line)
