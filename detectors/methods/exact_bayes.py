"""Exact Bayesian inference of change points: is the present line level by now?

The series is a row of lines; of where the present one began, m possibilities are kept alive. The
answer is the first iteration at which the line is level with a probability above `alpha`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from detectors.api import NEVER, Context, Detector, Source, Values, draw, parameter
from detectors.contract import seed_parameter
from detectors.kernels.exact_bayes import COLUMNS, first_level_iteration
from detectors.rules.online.batches import BatchReader, batch_parameter
from detectors.rules.online.loop import OnlineState

DRAWN = 100_000  # random numbers that are drawn together


@dataclass(kw_only=True)
class ExactBayesState(OnlineState):
    """State of online reading, with the lines alive and the random numbers."""

    pieces: Values
    random: np.random.Generator
    alive: int = 0


class ExactBayes(BatchReader[ExactBayesState]):
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

    class Params(Detector.Params):
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

    @property
    def least_length(self) -> int:
        return 2

    def start(self, context: Context) -> ExactBayesState:
        return ExactBayesState(
            pieces=np.zeros((self.params.m, COLUMNS)),
            random=np.random.default_rng(self.params.seed),
        )

    def first_passing_start(self, state: ExactBayesState, due_at: int, *, end: bool) -> int:
        for start, probabilities in self._read(state, due_at, self.params.alpha):
            state.figures = {"probability": float(probabilities[-1])}
            if start != NEVER:
                return start
        return NEVER

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        state = self.start(context)
        state.buffer.append(values)
        parts = [chances for _, chances in self._read(state, values.size, alpha=np.inf)]
        curve = draw.Curve(
            np.concatenate(parts),
            label="probability that the line is level",
            threshold=self.params.alpha,
            meaning="Steady from the first iteration whose probability passes the line.",
        )
        return curve, *draw.event(
            self.detect(values, context).steady_start,
            "first that passes",
            "The first iteration whose probability passes.",
        )

    def _read(
        self, state: ExactBayesState, due_at: int, alpha: float
    ) -> Iterator[tuple[int, Values]]:
        """(the iteration that passed or `NEVER`, the probabilities up to it), piece by piece."""
        p = self.params
        settings = np.array([p.nu, p.gamma, 1 / p.sigma, p.p, p.s_0])
        values = state.buffer.first(due_at)
        rows = max(DRAWN // p.m, 1)
        while state.position < due_at:
            stop = min(state.position + rows, due_at)
            draws = state.random.standard_exponential((stop - state.position, p.m))
            chances = np.zeros(stop - state.position)
            start, state.alive = first_level_iteration(
                values[:stop],
                state.position,
                state.pieces,
                state.alive,
                draws,
                settings,
                alpha,
                chances,
            )
            read_count = (start + 1 if start != NEVER else stop) - state.position
            state.position = stop
            yield start, chances[:read_count]
