"""Shared parts of the stopping rules of Laaber et al.: steps of a second, a cap, and what follows
it.

The values are cut into steps of about `step_time`. After each step a statistic is judged together
with those of the steps before; the first step at which the rule holds ends the warm-up.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from detectors.api import NEVER, Context, Detection, Detector, Values, draw, parameter
from detectors.contract import BadSeries, TooShort
from detectors.kernels.laaber import (
    Words,
    end_of_step,
    inliers,
    iteration_seconds,
    operations,
    uniforms,
    values_at_shares,
)
from detectors.rules.harnesses.configured import iteration_length
from detectors.rules.online.loop import OnlineRule, OnlineState

MANY = 10**15  # a length that nobody has: more than can be said of a series that hardly moves
ROUNDING = 1e-12  # a whole number of steps is not one more
MASK = (1 << 64) - 1
OF_A_STEP, OF_THE_POOL, OF_THE_BOOTSTRAP = range(3)  # purposes of random words
Indices = NDArray[np.int64]
TIMES = ("", "s", "s/op")  # units in which an operation's time can be read


class StopParameters(Detector.Params):
    """Parameters that the three rules have in common."""

    step_time: float = parameter(
        1.0, low=1e-9, high=1e6, unit="s", help="Least length of a step, after which is judged."
    )
    iteration_time: float = parameter(
        0.1,
        low=0.0,
        high=1e6,
        unit="s",
        help="Intended length of an iteration, where the series does not say; says how many "
        "operations a value is the mean of. 0: of one.",
    )
    max_steps: int = parameter(
        50, low=2, high=100_000, unit="steps", help="The warm-up ends here at the latest."
    )
    history: int = parameter(
        5, low=2, high=1000, unit="steps", help="Steps that are judged together."
    )
    outlier_factor: float = parameter(
        10.0,
        low=1.001,
        high=1e6,
        help="Values more than so many times above or below their step's median are left out.",
    )
    sample_size: int = parameter(
        1000, low=2, high=10_000, unit="values", help="Drawn from each step, with replacement."
    )
    measurement_steps: int = parameter(
        10,
        low=1,
        high=100_000,
        unit="steps",
        help="Measured after the stop: shown as evidence, no part of the answer.",
    )


def min_steps_parameter(steps: int) -> Any:
    return parameter(
        steps, low=2, high=100_000, unit="steps", help="The first step at which the rule may hold."
    )


def check_steps(params: Any, first: int = 1) -> None:
    """Raise unless as many statistics exist when the rule is first asked; `first` has one."""
    least_step = params.history + first - 1
    params.require(
        least_step <= params.min_steps <= params.max_steps,
        f"min_steps must be from {least_step} (so many steps are judged) to max_steps "
        f"({params.max_steps}); got {params.min_steps}",
    )


def stream(*numbers: int) -> Words:
    """A stream of random words: of a seed, a purpose, a step; apart from others by a hash."""
    z = 0
    for number in numbers:
        z = (z + number + 0x9E3779B97F4A7C15) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
    return np.array([z], dtype=np.uint64)


class StepStatistic(ABC):
    """Statistic of the steps so far; steps count from 1."""

    @abstractmethod
    def add(self, values: Values, weights: Values) -> None:
        """Take the next step."""

    @abstractmethod
    def holds(self, step: int) -> bool:
        """True where the rule holds at `step`; computes no more than that takes."""

    @abstractmethod
    def figure_at(self, step: int) -> float:
        """The statistic of the step; NaN where there is none."""

    @abstractmethod
    def judged(self, step: int) -> float:
        """The number that the rule compares with its threshold; NaN where there is none."""

    @abstractmethod
    def enough(self, forks: int) -> bool:
        """True where so many forks are enough, if the steps are the measurements of forks."""


class DrawPool:
    """Draws from each step, and from all of them together; equal for equal seeds."""

    def __init__(self, params: Any) -> None:
        self.params = params
        self.draws: list[Values] = []

    def add(self, values: Values, weights: Values) -> None:
        p = self.params
        x, weight_sums = inliers(values, weights, p.outlier_factor)
        random_words = stream(p.seed, OF_A_STEP, len(self.draws))
        self.draws.append(values_at_shares(x, weight_sums, uniforms(random_words, p.sample_size)))

    def sample(self, step: int) -> tuple[Values, Indices]:
        """Sample as many values as one step has, from steps 1 to `step`; the step of each, from
        0.
        """
        size = self.params.sample_size
        shares = uniforms(stream(self.params.seed, OF_THE_POOL, step), size)
        value_indices = (shares * (size * step)).astype(np.int64)
        pool = np.concatenate(self.draws[:step])
        return pool[value_indices], value_indices // size


@dataclass(kw_only=True)
class StoppingState(OnlineState):
    """State of online reading, with the ends of the steps so far, and the stop.

    seconds: of an iteration, where its values are no times; else 0. length: intended, of an
    iteration whose value is a mean time; 0 for one operation. elapsed: seconds of the step that is
    not complete.
    """

    context: Context
    statistic: StepStatistic
    seconds: float
    length: float
    ends: list[int] = field(default_factory=list)
    elapsed: float = 0.0
    stopped: bool = False
    capped: bool = False


class StoppingRule(OnlineRule[StoppingState]):
    """A rule about steps: steady from the iteration after the step at which it holds."""

    label: ClassVar[str]  # of the statistic, on the axis of the evidence
    judged: ClassVar[str]  # of the number that is compared with the threshold
    params: Any  # the rules' own Params, each with all that StopParameters declares

    @abstractmethod
    def statistic(self) -> StepStatistic:
        """Before the first step."""

    def start(self, context: Context) -> StoppingState:
        p = self.params
        length = iteration_length(context, p.iteration_time)
        seconds = 0.0 if context.unit in TIMES else length or p.step_time
        return StoppingState(
            context=context, statistic=self.statistic(), seconds=seconds, length=length
        )

    def look(self, state: StoppingState, *, end: bool) -> Detection | None:
        while not state.stopped and self._step(state):
            pass
        n, steps = state.buffer.n, len(state.ends)
        state.figures = {"steps": float(steps)}
        if end and steps < self.params.min_steps:
            raise TooShort(needed=self._needed_length(state), got=n)
        flags = ("adapted",) if state.context.samples is None else ()
        if state.stopped and state.ends[-1] + 1 < n:
            last, flags = state.ends[-1], (*flags, *(("capped",) if state.capped else ()))
            return Detection(last + 1, published_index=last, decided_at=last, flags=flags)
        return Detection(NEVER, published_index=NEVER, flags=flags) if end else None

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        state, _ = self.read_to_end(values, context)
        step_ends = np.array(state.ends, dtype=np.int64)
        steps = range(1, step_ends.size + 1)
        curves = (
            draw.Curve(
                np.array([state.statistic.figure_at(step) for step in steps]),
                label=self.label,
                x=step_ends,
                meaning="One value per step of the warm-up, at the step's last iteration.",
            ),
            draw.Curve(
                np.array([state.statistic.judged(step) for step in steps]),
                label=self.judged,
                x=step_ends,
                threshold=self.params.threshold,
                meaning="What the rule compares with the line, step by step.",
            ),
        )
        if not state.stopped:
            return curves
        note = "the cap" if state.capped else "the rule holds"
        reason = f"of {note}" if state.capped else note
        begin, stop = self._measured_span(state)
        return (
            *curves,
            draw.Events(
                (state.ends[-1],),
                "last of the warm-up",
                (note,),
                meaning=f"Where the warm-up stops, because {reason}.",
            ),
            draw.Bands(
                ((begin, stop),) if stop > begin else (),
                label=f"measured: the next {self.params.measurement_steps} steps",
                meaning="What would be measured after the stop; no part of the answer.",
            ),
        )

    def _step(self, state: StoppingState) -> bool:
        """Read one more step and judge it; False if the values end before."""
        p = self.params
        values = state.values
        end, state.elapsed = end_of_step(
            values, state.position, state.elapsed, state.length, state.seconds, p.step_time
        )
        if end < -1:
            index = -2 - end
            raise BadSeries(
                "values must be positive, because their spread is judged by their mean; "
                f"value {index} is {values[index]:g}"
            )
        if end < 0:
            state.position = values.size
            return False
        begin = state.ends[-1] + 1 if state.ends else 0
        state.statistic.add(*self._step_values(state, values, begin, end + 1))
        state.ends.append(end)
        state.position = end + 1
        step = len(state.ends)
        is_steady = step >= p.min_steps and state.statistic.holds(step)
        state.stopped = is_steady or step == p.max_steps
        state.capped = state.stopped and not is_steady
        return True

    def _step_values(
        self, state: StoppingState, values: Values, begin: int, stop: int
    ) -> tuple[Values, Values]:
        """Values of the iterations of a step, and how often each counts: raw, if there are."""
        raw_samples = state.context.samples
        if (
            raw_samples is not None
            and stop < raw_samples.offsets.size
            and raw_samples.offsets[begin] < raw_samples.offsets[stop]
        ):
            pairs = slice(int(raw_samples.offsets[begin]), int(raw_samples.offsets[stop]))
            return raw_samples.values[pairs], raw_samples.counts[pairs].astype(np.float64)
        means = values[begin:stop]
        if state.seconds:
            return means, np.ones(means.size)
        return means, operations(means, state.length)

    def _needed_length(self, state: StoppingState) -> int:
        """Values that the least number of steps takes, if more came as they have so far."""
        p, n = self.params, state.buffer.n
        missing_steps: int = p.min_steps - len(state.ends)
        seconds_of_value = state.seconds if n else state.length or p.step_time
        if n and not state.seconds:  # no sum beyond the range
            durations = (iteration_seconds(x, state.length) for x in state.values.tolist())
            seconds_of_value = sum(seconds / n for seconds in durations)
        likely_steps = (
            p.min_steps * p.step_time / seconds_of_value if seconds_of_value > 0 else math.inf
        )
        return max(n + missing_steps, math.ceil(min(likely_steps, MANY) * (1 - ROUNDING)))

    def measurement(self, values: Values, context: Context) -> tuple[Values, Values]:
        """Values measured of a fork after its stop, and how often each counts.

        Empty where the values end before that.
        """
        state = self.start(context)
        self.update(state, values)
        begin, stop = self._measured_span(state) if state.stopped else (0, 0)
        return self._step_values(state, values, begin, stop)

    def _measured_span(self, state: StoppingState) -> tuple[int, int]:
        """Begin and end of the measured iterations; as many whole steps as there are."""
        p = self.params
        values = state.values
        begin = step_begin = state.ends[-1] + 1
        for _ in range(p.measurement_steps):
            end, _ = end_of_step(values, step_begin, 0.0, state.length, state.seconds, p.step_time)
            if end < 0:
                break
            step_begin = end + 1
        return begin, step_begin
