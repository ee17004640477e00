"""Exact Bayesian inference of change points: is the present line level by now?

The series is a row of lines; of where the present one began, m possibilities are kept alive. The
answer is the first iteration at which the line is level with a probability above `alpha`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from detectors.arrays.buffer import Buffer
from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Decision,
    Detection,
    Events,
    Evidence,
    OnlineDetector,
    Parameters,
    Source,
    TooShort,
    Values,
    parameter,
    seed_parameter,
)
from detectors.kernels.exact_bayes import COLUMNS, first_level_iteration
from detectors.rules.batches import batch_parameter

SHORTEST = 2
DRAWN = 100_000  # random numbers that are drawn together


@dataclass
class ExactBayesState:
    """The state of online reading: values so far, the lines alive, the random numbers."""

    pieces: Values
    random: np.random.Generator
    buffer: Buffer = field(default_factory=Buffer)
    at: int = 0
    alive: int = 0
    probability: float = float("nan")
    found: Detection | None = None

    def decision(self) -> Decision:
        figures = {} if np.isnan(self.probability) else {"probability": self.probability}
        return Decision(self.buffer.n, self.found, self.found is not None, figures)


class ExactBayes(OnlineDetector[ExactBayesState]):
    slug, version = "exact-bayes", "1"
    title = "Exact Bayes"
    code, slot = "EB", 11
    source = Source(
        "Wu, Chen & Zhou 2016, Online detection of steady-state operation using a "
        "multiple-change-point model and exact Bayesian inference, IIE Transactions 48(7); "
        "as package ossdem computes it",
        url="https://github.com/cepalium/online-steady-state-detection",
    )
    family = "Published detectors"
    cost = "quick"

    class Params(Parameters):
        s_0: float = parameter(
            1e-8,
            low=1e-300,
            high=1e6,
            unit="series units an iteration",
            help="A line is level when its slope is smaller.",
        )
        alpha: float = parameter(
            0.9, low=1e-6, high=0.999999, help="The probability of a level line must be larger."
        )
        m: int = parameter(
            20, low=2, high=2_000, help="Number of possible beginnings of the line that are kept."
        )
        p: float = parameter(
            0.2, low=1e-6, high=0.999999, help="Prior probability of a change at an iteration."
        )
        nu: float = parameter(
            20.0, low=2.0, high=1e6, help="Prior degrees of freedom of the noise."
        )
        gamma: float = parameter(
            0.2, low=1e-12, high=1e12, unit="series units²", help="Prior scale of the noise."
        )
        sigma: float = parameter(
            10_000.0, low=1e-6, high=1e12, help="Prior variance of slope and intercept."
        )
        batch: int = batch_parameter()
        seed: int = seed_parameter()

    params: Params

    def start(self, context: Context) -> ExactBayesState:
        return ExactBayesState(
            np.zeros((self.params.m, COLUMNS)), np.random.default_rng(self.params.seed)
        )

    def update(self, state: ExactBayesState, batch: Values) -> Decision:
        state.buffer.append(batch)
        if state.found is None:
            due = state.buffer.n - state.buffer.n % self.params.batch
            state.found = self._judge(state, due)
        return state.decision()

    def finish(self, state: ExactBayesState) -> Decision:
        n = state.buffer.n
        if n < SHORTEST:
            raise TooShort(needed=SHORTEST, got=n)
        if state.found is None:
            state.found = self._judge(state, n) or Detection(NEVER, published_index=NEVER)
        return state.decision()

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        detection = self.detect(values, context)
        state = self.start(context)
        state.buffer.append(values)
        parts = [out for _, out in self._read(state, values.size, alpha=np.inf)]
        curve = Curve(
            np.concatenate(parts),
            label="probability that the line is level",
            threshold=self.params.alpha,
            meaning="Steady from the first iteration whose probability passes the line.",
        )
        if detection.steady_start == NEVER:
            return (curve,)
        return curve, Events(
            (detection.steady_start,),
            label="first that passes",
            meaning="The first iteration whose probability passes.",
        )

    def _judge(self, state: ExactBayesState, due: int) -> Detection | None:
        """Read up to `due`; the first iteration that passes, known at the end of its batch."""
        batch = self.params.batch
        for start, out in self._read(state, due, self.params.alpha):
            state.probability = float(out[-1])
            if start != NEVER:
                decided_at = min((start // batch + 1) * batch, due) - 1
                return Detection(start, published_index=start, decided_at=decided_at)
        return None

    def _read(self, state: ExactBayesState, due: int, alpha: float) -> Iterator[tuple[int, Values]]:
        """(the iteration that passed or `NEVER`, the probabilities up to it), piece by piece."""
        p = self.params
        settings = np.array([p.nu, p.gamma, 1 / p.sigma, p.p, p.s_0])
        values = state.buffer.first(due)
        rows = max(DRAWN // p.m, 1)
        while state.at < due:
            stop = min(state.at + rows, due)
            draws = state.random.standard_exponential((stop - state.at, p.m))
            out = np.zeros(stop - state.at)
            start, state.alive = first_level_iteration(
                values[:stop], state.at, state.pieces, state.alive, draws, settings, alpha, out
            )
            values_read = (start + 1 if start != NEVER else stop) - state.at
            state.at = stop
            yield start, out[:values_read]
