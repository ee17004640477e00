"""Answers of methods beside those that were published: so many equal, and why not the rest.

    python -m evidence.replication.parity [FOLDER] [--quick]

FOLDER (else PLATEAU_REPLICATION, else ../shared/replication) holds published measurements with the
answers of other programs for them. CP-SSD takes most of the time, 36 to 84 ms of a core for a fork;
the error output says how far each method is. --quick takes one benchmark of 198.
`python -m evidence.replication` prints the same table behind the published comparison.
"""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from detectors.contract import NEVER, Context, Values
from detectors.methods.cp_ssd import CpSsd
from detectors.methods.developer import Developer
from detectors.methods.georges import Georges
from detectors.methods.jmh_default import JmhDefault
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.laaber_cov import LaaberCov
from detectors.methods.laaber_kld import LaaberKld
from detectors.methods.laaber_rciw import LaaberRciw
from detectors.planning.fork_stopping import enough_forks
from detectors.rules.harnesses.configured import ConfiguredWarmUp
from detectors.rules.online.stopping import StoppingRule, StoppingState
from detectors.rules.segments.benchmark_classes import class_of_starts
from evidence.replication.available_comparisons import missing_part_words
from evidence.replication.comparison_tally import STATUS, ComparisonTally
from evidence.replication.monte_carlo import MOST_Z
from evidence.replication.progress import track_items
from evidence.replication.published_files import option, study_command
from evidence.replication.published_study import PublishedBenchmark, PublishedStudy
from formats.markdown import head, row

EVERY_QUICK: Final = 198
ONE_OPERATION: Final = 0.1  # s; iterations of 0.1 s whose values are all longer hold one each
LETTERS: Final = {"steady": "S", "inconsistent": "I", "never": "N"}
RUNS: Final = 10  # with other random numbers, of each answer that hangs on them
MEANS: Final = (
    "put beside only: a value is the mean of many operations; the published rule saw each"
)
SEEDLESS: Final = "another seed may give the published one (flag `ambiguous`)"
TWO: Final = "some of their iterations hold two operations, which means cannot show"


@dataclass(slots=True)
class AnswerCount:
    """Number of answers of a method that were compared, and that are equal.

    beside     why they are only put beside one another, if they are
    why        reason of differences that were found to be explained, one by one
    explained  so many differ for that reason
    odds       of answers that hang on random numbers: how likely another run differs from ours
    """

    method: str
    what: str
    beside: str = ""
    why: str = ""
    equal: int = 0
    explained: int = 0
    of: int = 0
    odds: list[float] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)

    def add(
        self, subject: str, own_answer: object, their_answer: object, *, is_explained: bool = False
    ) -> None:
        self.of += 1
        self.equal += own_answer == their_answer
        self.explained += own_answer != their_answer and is_explained
        if own_answer != their_answer and not is_explained:
            self.unlike.append(
                f"{self.method}, {self.what}, {subject}: {own_answer}, published {their_answer}"
            )

    def settle(self, tally: ComparisonTally) -> str:
        """Take it into the tally; what is said of answers that are not equal."""
        if self.beside:
            tally.beside += self.of
            return self.beside
        tally.compared += self.of
        words = f"{self.explained}: {self.why}" if self.explained else ""
        if self.odds:
            expected = sum(self.odds)
            sd = math.sqrt(sum(q * (1 - q) for q in self.odds))
            z = (len(self.unlike) - expected) / sd
            words = f"by chance {expected:.1f} would, sd {sd:.1f} (n {RUNS} runs): z {z:.1f}"
            if z <= MOST_Z:
                self.explained, self.unlike = len(self.unlike), []
        tally.explained += self.explained
        tally.differing += self.unlike
        return words


Known = Sequence[PublishedBenchmark]


class AnswerCheck(NamedTuple):
    """Counts of one method, and what of a study they need."""

    method: str
    needs: tuple[str, ...]
    counts: Callable[[Known], Iterator[AnswerCount]]


def print_parity_table(study: PublishedStudy, options: Namespace) -> int:
    """Print the table; the exit status."""
    tally = ComparisonTally()
    print_parity(study, tally, quick=options.quick)
    print("", *tally.summary(), sep="\n")
    return tally.status


def print_parity(study: PublishedStudy, tally: ComparisonTally, *, quick: bool) -> None:
    """The table, a row a count; a row that says why for a method without published answers."""
    print("\nAnswers beside published ones (the tests hold other methods against other programs)")
    print(head("method", "compared", "equal", "of", "the rest"), flush=True)
    measured_benchmarks = study.measured[:: EVERY_QUICK if quick else 1]
    for check in CHECKS:
        if missing_words := missing_part_words(study, check.needs):
            print(row(check.method, "answers", "", "", tally.miss(check.method, missing_words)))
        else:
            for count in check.counts(measured_benchmarks):
                if count.of:
                    remark = count.settle(tally)
                    print(row(count.method, count.what, count.equal, count.of, remark), flush=True)
    due_count = sum(len(benchmark.steady) for benchmark in study.benchmarks)
    if missing_count := due_count - sum(
        min(len(benchmark.forks), len(benchmark.steady)) for benchmark in measured_benchmarks
    ):
        is_sampled = quick and study.measured
        missing_words = (
            f"--quick takes one benchmark of {EVERY_QUICK}" if is_sampled else "no series of them"
        )
        tally.miss("forks with published answers", missing_words, missing_count)


def known_forks(
    benchmarks: Known, method: str
) -> Iterator[tuple[PublishedBenchmark, int, str, Values]]:
    """Every fork with measurements: its benchmark, number, name and values."""
    for benchmark in track_items(benchmarks, f"{method}, benchmarks"):
        for number, values in enumerate(benchmark.forks):
            yield benchmark, number, f"{benchmark.name}, fork {number}", values


# --- CP-SSD and KB-KSSD ---------------------------------------------------------------------------


def cp_ssd_counts(benchmarks: Known) -> Iterator[AnswerCount]:
    changes = AnswerCount("cp-ssd", "change points of a fork")
    starts = AnswerCount("cp-ssd", "published index of a fork", why=SEEDLESS)
    classes = AnswerCount("cp-ssd", "class of a benchmark with all its forks")
    detector = CpSsd()
    starts_of_benchmarks: dict[str, list[int]] = {}
    for benchmark, number, place, values in known_forks(benchmarks, "cp-ssd"):
        if number >= min(len(benchmark.changes), len(benchmark.steady)):
            continue
        cut_series = detector.cut(values)
        answer = detector.concluded(
            cut_series, list(detector.walk(values, cut_series.ends)), values.size
        )
        starts_of_benchmarks.setdefault(benchmark.name, []).append(answer.steady_start)
        changes.add(place, list(cut_series.ends), list(benchmark.changes[number]))
        own_answer, their_answer = answer.published_index, benchmark.steady[number]
        may_be_explained = own_answer != their_answer and "ambiguous" in answer.flags
        is_explained = may_be_explained and their_answer in detector.possible(
            values, cut_series.ends
        )
        starts.add(place, own_answer, their_answer, is_explained=is_explained)
    for benchmark in benchmarks:
        if (
            benchmark.verdict
            and len(starts_of_benchmarks.get(benchmark.name, ())) == len(benchmark.steady) > 1
        ):
            classes.add(
                benchmark.name,
                LETTERS[class_of_starts(starts_of_benchmarks[benchmark.name])],
                benchmark.verdict,
            )
    yield from (changes, starts, classes)


def counts_of_kb_kssd(benchmarks: Known) -> Iterator[AnswerCount]:
    count, detector = AnswerCount("kb-kssd", "published index of a fork"), KbKssd()
    for benchmark, number, place, values in known_forks(benchmarks, "kb-kssd"):
        their_answers = benchmark.answers.get("kb_kssd", ())
        if number < len(their_answers):
            count.add(place, detector.answer(values).published_index, their_answers[number])
    yield count


# --- rules of practice ----------------------------------------------------------------------------


def configured_counts(
    detector: ConfiguredWarmUp, technique: str, benchmarks: Known
) -> Iterator[AnswerCount]:
    count = AnswerCount(detector.slug, "last warm-up and last measurement iteration of a fork")
    for benchmark, number, place, values in known_forks(benchmarks, detector.slug):
        their_answers = benchmark.stops.get(technique, ())
        if number < len(their_answers):
            warmup, measurement = detector.windows(
                values, Context(settings=dict(benchmark.settings))
            )
            count.add(place, (warmup - 1, warmup + measurement - 1), their_answers[number])
    yield count


def georges_counts(benchmarks: Known) -> Iterator[AnswerCount]:
    detector, k = Georges(window="blocks"), 30
    single_count = AnswerCount("georges", "blocks, forks of one operation an iteration", why=TWO)
    means = AnswerCount("georges", "blocks, other forks (`adapted`)", beside=MEANS)
    for benchmark, number, place, values in known_forks(benchmarks, "georges"):
        their_answers = benchmark.stops.get("georges", ())
        if number >= len(their_answers):
            continue
        detection = detector.answer(values)
        first, is_never = detection.published_index, detection.steady_start == NEVER
        own_answer = (-1, -1) if is_never or first is None else (first, first + k)
        if values.min() >= ONE_OPERATION:
            single_count.add(
                place,
                own_answer,
                their_answers[number],
                is_explained=_is_quiet(values, their_answers[number], k),
            )
        else:
            means.add(place, own_answer, their_answers[number])
    yield from (single_count, means)


def _is_quiet(values: Values, pair: tuple[int, int], k: int) -> bool:
    """True where a published block is quiet in the means as well, if some of them hold two
    operations.

    A mean hides how its operations differ: what is quiet by operations is quiet by means.
    """
    begin = max(pair[0], 0)
    blocks = (values[begin : begin + size] for size in range(k // 2, k + 1))
    return pair[1] == -1 or any(block.std() < 0.02 * block.mean() for block in blocks)


class SampledCov(LaaberCov):
    """The rule on draws from each step, as published; ours judges all that was measured."""

    generator = np.random.default_rng(0)
    drawn = 1000  # sample size of the published rule

    def _step_values(
        self, state: StoppingState, values: Values, begin: int, stop: int
    ) -> tuple[Values, Values]:
        operations, weights = super()._step_values(state, values, begin, stop)
        sample = self.generator.choice(operations, self.drawn, p=weights / weights.sum())
        return sample, np.ones(self.drawn)


class RuleWithRuns(NamedTuple):
    """One of Laaber et al.'s rules, and runs of it with other random numbers."""

    technique: str
    ours: StoppingRule
    runs: tuple[StoppingRule, ...]


RULES: Final = (
    RuleWithRuns("CV", LaaberCov(), (SampledCov(),) * RUNS),
    RuleWithRuns("RCIW", LaaberRciw(), tuple(LaaberRciw(seed=seed) for seed in range(1, RUNS + 1))),
    RuleWithRuns("KLD", LaaberKld(), tuple(LaaberKld(seed=seed) for seed in range(1, RUNS + 1))),
)


def rule_counts(rule: RuleWithRuns, benchmarks: Known) -> Iterator[AnswerCount]:
    slug = rule.ours.slug
    single_count = AnswerCount(slug, "last warm-up iteration, forks of one operation an iteration")
    means = AnswerCount(slug, "the same of other forks (`adapted`)", beside=MEANS)
    numbers = AnswerCount(slug, "number of forks, one operation an iteration")
    adapted_count = AnswerCount(slug, "number of forks of others (`adapted`)", beside=MEANS)
    for benchmark, number, place, values in known_forks(benchmarks, slug):
        their_answers = benchmark.stops.get(rule.technique, ())
        if number < len(their_answers):
            is_single_operation = values.min() >= ONE_OPERATION
            _compare_rule(
                single_count if is_single_operation else means,
                place,
                rule,
                _warmup_asker(values),
                their_answers[number][0],
            )
    for benchmark in track_items(benchmarks, f"{slug}, numbers of forks, benchmarks"):
        their_answers = benchmark.stops.get(rule.technique, ())
        if their_answers and len(benchmark.forks) > 1:
            is_single_operation = (
                min(float(fork.min()) for fork in benchmark.forks) >= ONE_OPERATION
            )
            _compare_rule(
                numbers if is_single_operation else adapted_count,
                benchmark.name,
                rule,
                _forks(benchmark.forks),
                len(their_answers),
            )
    yield from (single_count, means, numbers, adapted_count)


Asked = Callable[[StoppingRule], int | None]


def _warmup_asker(values: Values) -> Asked:
    return lambda rule: rule.answer(values).published_index


def _forks(forks: Sequence[Values]) -> Asked:
    return lambda rule: enough_forks(rule, forks).forks


def _compare_rule(
    count: AnswerCount, place: str, rule: RuleWithRuns, ask_rule: Asked, their_answer: int
) -> None:
    """Compare, and ask the runs, too, where chance is to be judged.

    The odds are Jeffreys': never 0 or 1 after a finite number of runs.
    """
    own_answer = ask_rule(rule.ours)
    count.add(place, own_answer, their_answer)
    if not count.beside:
        other_runs = sum(ask_rule(run) != own_answer for run in rule.runs)
        count.odds.append((other_runs + 0.5) / (RUNS + 1))


# The slowest one is the last: what the others give is seen before.
CHECKS: Final = (
    AnswerCheck("kb-kssd", ("series", "kb_kssd"), counts_of_kb_kssd),
    AnswerCheck(
        "developer", ("series", "SOP", "settings"), partial(configured_counts, Developer(), "SOP")
    ),
    AnswerCheck(
        "jmh-default", ("series", "default"), partial(configured_counts, JmhDefault(), "default")
    ),
    AnswerCheck("georges", ("series", "georges"), georges_counts),
    *(
        AnswerCheck(rule.ours.slug, ("series", rule.technique), partial(rule_counts, rule))
        for rule in RULES
    ),
    AnswerCheck("cp-ssd", ("series", "answers", "changes"), cp_ssd_counts),
)


main = study_command(
    print_parity_table,
    option("--quick", action="store_true", help="a few benchmarks only"),
    description=STATUS,
)

if __name__ == "__main__":
    sys.exit(main())
