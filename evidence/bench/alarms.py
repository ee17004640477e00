"""False alarms and delays of trends on generated histories, beside Apache Otava's defaults.

    python -m evidence.bench.alarms [--otava PYTHON] [--seed N ...]

A history has 60 to 120 nights and one of eight courses; each night is judged as if it were the
last. An alarm is a change of 1 % or more, within 7 nights of none that was told before. Otava runs
in an environment of its own, whose interpreter is `PYTHON` (`pip install apache-otava` there).
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import numpy as np

from detectors.contract import Values
from detectors.trends.trend_groups import MATTERS, USUAL, TrendPrecision, groups_over_time
from formats.markdown import head, row

HISTORIES: Final = 200
NEAR: Final = 7  # nights
CONFIRMED: Final = 3  # nights in a row on which a change is seen
NOISES: Final = ("normal", "heavy tails", "dependent", "outliers")
COURSES: Final = ("level", "+5 %", "+2 %", "-3 %", "drift", "level", "+4 % and back", "+3 % twice")
DRIFT: Final = 0.003  # a night
OTAVA: Final = """
import json, sys
from otava.analysis import compute_change_points
nights_of_histories = []
for values in json.load(sys.stdin):
    nights = []
    for stop in range(2, len(values) + 1):
        points, _ = compute_change_points(values[:stop], window_len=50, max_pvalue=0.001)
        nights.append([[int(p.index), p.stats.mean_2 / p.stats.mean_1 - 1] for p in points])
    nights_of_histories.append(nights)
json.dump(nights_of_histories, sys.stdout)
"""


class SeenChange(NamedTuple):
    """A change of level on one night: the first night of the new level, and by which share."""

    at: int
    share: float


Nights = Sequence[Sequence[SeenChange]]  # from the second night on


class PlantedStep(NamedTuple):
    at: int
    sign: Literal[-1, 1]
    is_drift: bool = False

    def is_seen_as(self, change: SeenChange) -> bool:
        is_near = change.at >= self.at - NEAR and (self.is_drift or change.at <= self.at + NEAR)
        return is_near and (change.share > 0) == (self.sign > 0)


@dataclass(frozen=True, slots=True)
class NightlyHistory:
    """Results of a benchmark, one a night, and the changes that were planted."""

    values: Values
    planted: tuple[PlantedStep, ...]
    returns: bool = False


@dataclass(slots=True)
class AlarmScore:
    """Counts over histories. lost: changes seen three nights in a row, and not on a later one."""

    nights: int = 0
    false_alarms: int = 0
    confirmed: int = 0
    lost: int = 0
    missed: int = 0
    invented_at_end: int = 0
    delays: list[int] = field(default_factory=list)
    drift_delays: list[int] = field(default_factory=list)


def generate_history(seed: int, number: int) -> NightlyHistory:
    """The history of a seed and number: the same each time."""
    random = np.random.default_rng([seed, number])
    n, spread = int(random.integers(60, 121)), float(random.choice([0.002, 0.005, 0.01]))
    noise = _noise(NOISES[number % 4], n, random)
    course = COURSES[number // 4 % 8]
    step_build = int(random.integers(20, n - 20))
    level = np.ones(n)
    if course == "drift":
        level *= 1 + DRIFT * np.clip(np.arange(n) - step_build, 0, None)
        planted_steps: tuple[PlantedStep, ...] = (PlantedStep(step_build, 1, is_drift=True),)
    elif course == "+4 % and back":
        level[step_build : step_build + 12] *= 1.04
        planted_steps = (PlantedStep(step_build, 1), PlantedStep(step_build + 12, -1))
    elif course == "+3 % twice":
        second_build = min(step_build + 15, n - 8)
        level[step_build:] *= 1.03
        level[second_build:] *= 1.03
        planted_steps = (PlantedStep(step_build, 1), PlantedStep(second_build, 1))
    elif course == "level":
        planted_steps = ()
    else:
        share = float(course.removesuffix(" %")) / 100
        level[step_build:] *= 1 + share
        planted_steps = (PlantedStep(step_build, 1 if share > 0 else -1),)
    values = level * (1 + spread * noise)
    return NightlyHistory(values, planted_steps, returns=course == "+4 % and back")


def _noise(kind: str, n: int, random: np.random.Generator) -> Values:
    noise: Values = random.normal(0, 1, n)
    if kind == "heavy tails":
        noise = random.standard_t(4, n) / np.sqrt(2)
    elif kind == "dependent":
        for night in range(1, n):
            noise[night] = 0.4 * noise[night - 1] + np.sqrt(0.84) * noise[night]
    elif kind == "outliers":
        is_far = random.random(n) < 0.03
        noise = noise + np.where(is_far, random.choice([-1, 1], n) * random.uniform(4, 8, n), 0)
    return noise


def nights_of_trend(values: Values, precision: TrendPrecision) -> Nights:
    """Changes that the trend shows on each night."""
    nights = []
    for groups in list(groups_over_time(values, precision))[1:]:
        changes = groups.changes(higher_is_better=True) if groups else {}
        nights.append([SeenChange(build, share) for build, (_, share) in changes.items()])
    return nights


def nights_of_otava(python: str, histories: Sequence[NightlyHistory]) -> list[Nights]:
    """Changes that Apache Otava finds on each night, by its defaults."""
    asked_histories = json.dumps([history.values.tolist() for history in histories])
    finished_process = subprocess.run(  # the environment that was named
        [python, "-c", OTAVA], input=asked_histories, capture_output=True, text=True, check=True
    )
    return [
        [[SeenChange(*change) for change in changes] for changes in nights]
        for nights in json.loads(finished_process.stdout)
    ]


def add_to_score(score: AlarmScore, history: NightlyHistory, nights: Nights) -> None:
    """Count what one history adds; a change that is seen before it was planted is a false alarm."""
    score.nights += history.values.size
    alarm_nights = list(_alarms(nights))
    earlier_changes: list[SeenChange] = []
    first_nights: dict[PlantedStep, int] = {}
    for night_count, changes in enumerate(alarm_nights, start=1):
        for change in changes:
            past_steps = [step for step in history.planted if step.at <= night_count]
            seen_steps = [step for step in past_steps if step.is_seen_as(change)]
            for planted in seen_steps[-1:]:
                first_nights.setdefault(planted, night_count)
            if not any(_is_same(change, earlier_change) for earlier_change in earlier_changes):
                earlier_changes.append(change)
                score.false_alarms += not seen_steps
    for step in history.planted:
        if step not in first_nights:
            score.missed += 1
            continue
        delay = first_nights[step] - step.at
        score.delays.append(delay)
        if step.is_drift:
            score.drift_delays.append(delay)
        else:
            _count_lost(score, history, step, alarm_nights)
    score.invented_at_end += sum(
        not any(step.is_seen_as(change) for step in history.planted) for change in alarm_nights[-1]
    )


def _alarms(nights: Nights) -> Iterator[list[SeenChange]]:
    """Changes of 1 % or more, and those that were so on the night before while above .5 %."""
    alarms = list[SeenChange]()
    for changes in nights:
        earlier_alarms = {(alarm.at, alarm.share > 0) for alarm in alarms}
        alarms = [
            change
            for change in changes
            if abs(change.share)
            >= MATTERS / (1 + ((change.at, change.share > 0) in earlier_alarms))
        ]
        yield alarms


def _is_same(change: SeenChange, earlier_change: SeenChange) -> bool:
    return abs(change.at - earlier_change.at) <= NEAR and (change.share > 0) == (
        earlier_change.share > 0
    )


def _count_lost(
    score: AlarmScore, history: NightlyHistory, step: PlantedStep, nights: Nights
) -> None:
    return_builds = [
        later_step.at
        for later_step in history.planted
        if history.returns and later_step.at > step.at
    ]
    stop = min(return_builds, default=history.values.size) - 1
    known_nights = nights[step.at - 1 : stop]
    is_seen_by_night = [
        any(step.is_seen_as(change) for change in changes) for changes in known_nights
    ]
    streak, is_confirmed, is_lost = 0, False, False
    for is_seen in is_seen_by_night:
        streak = streak + 1 if is_seen else 0
        is_confirmed = is_confirmed or streak >= CONFIRMED
        is_lost = is_lost or (is_confirmed and not is_seen)
    score.confirmed += is_confirmed
    score.lost += is_lost


def score_row(name: str, seed: int, score: AlarmScore) -> str:
    """A row of the table of `docs/design/trends.md`."""
    return row(
        name,
        str(seed),
        f"{1000 * score.false_alarms / score.nights:.1f}",
        f"{np.mean(score.delays):.2f}",
        f"{np.mean(score.drift_delays):.1f}, {max(score.drift_delays)}",
        str(score.missed),
        f"{score.lost} of {score.confirmed}",
        str(score.invented_at_end),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--otava", metavar="PYTHON", help="interpreter with apache-otava")
    parser.add_argument("--seed", metavar="N", type=int, nargs="+", default=[0, 1, 2])
    options = parser.parse_args(arguments)
    print(
        head(
            "trend",
            "seed",
            "false alarms in 1,000 nights",
            "mean delay, nights",
            "delay of drifts, mean and longest",
            "missed",
            "lost",
            "invented in the end",
        )
    )
    for seed in options.seed:
        histories = [generate_history(seed, number) for number in range(HISTORIES)]
        tables = {
            "t test (default)": [nights_of_trend(history.values, USUAL) for history in histories],
            "`jumpavg`": [
                nights_of_trend(history.values, TrendPrecision(12.0)) for history in histories
            ],
        }
        if options.otava:
            tables["Apache Otava 0.8, defaults"] = nights_of_otava(options.otava, histories)
        for name, nights_of_histories in tables.items():
            score = AlarmScore()
            for history, nights in zip(histories, nights_of_histories, strict=True):
                add_to_score(score, history, nights)
            print(score_row(name, seed, score))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
