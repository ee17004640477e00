"""Learned stopping: measure until a model calls the last 100 values stable.

The window of 100 values moves on by one until a model accepts it; its first value is then the
first steady one. The models are those of a set of five folds (`detectors.crossfit`): a benchmark
that was trained on is judged by the model that has not seen it, any other by majority.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

import numpy as np

from detectors import crossfit
from detectors.buffer import Buffer
from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Decision,
    Detection,
    Evidence,
    Figures,
    OnlineDetector,
    Parameters,
    TooShort,
    Values,
    parameter,
)
from detectors.crossfit import FOLDS, FoldModel, FoldSet
from detectors.panel import SHIPPED, check_name
from detectors.windows import WINDOW, Singles, windows_from

AUTO, MAJORITY = "auto", "majority"
NEEDED: Final = FOLDS // 2 + 1  # models that must agree where all of them vote
AT_ONCE: Final = 16  # windows that are standardised together
AFTER: Final = 50  # windows behind the answer that evidence shows


class LearnedParameters(Parameters):
    """Parameters that the learned stopping methods have in common."""

    weights: str = parameter(
        SHIPPED,
        low=1,
        high=80,
        help="Which trained set: the one that comes with Plateau, or the name of one that "
        "`manage.py train` has written.",
    )
    model: str = parameter(
        AUTO,
        choices=(AUTO, *(f"fold{number}" for number in range(FOLDS)), MAJORITY),
        help="auto: the model that has not seen the series' benchmark, and the majority where "
        "the benchmark was not trained on; or one model; or always the majority.",
    )
    cap: int = parameter(
        500, low=1, high=1_000_000, unit="iterations", help="The warm-up ends here even so."
    )
    at_cap: str = parameter(
        "steady",
        choices=("steady", "never"),
        help="What the answer is at the cap: steady from there on, as published, or never.",
    )

    def check(self) -> None:
        check_name("weights", self.weights)


@dataclass(frozen=True, slots=True)
class Jury:
    """The models that judge one series, and why these. `needed` of them must accept."""

    folds: tuple[FoldModel, ...]
    needed: int
    why: str
    flags: tuple[str, ...] = ()

    def accepts(self, window: Singles) -> bool:
        """Whether enough models accept; asks no more of them than it takes."""
        left, more = self.needed, len(self.folds)
        for fold, score in zip(self.folds, self._scored(window), strict=True):
            left -= _accepts(fold, score)
            more -= 1
            if left == 0 or more < left:
                break
        return left == 0

    def scores(self, window: Singles) -> list[float]:
        return list(self._scored(window))

    def _scored(self, window: Singles) -> Iterator[float]:
        seen: dict[Callable[[Singles], Singles], Singles] = {}
        for fold in self.folds:
            look = fold.model.look
            if look not in seen:
                seen[look] = look(window)
            yield fold.model.judged(seen[look])


def _accepts(fold: FoldModel, score: float) -> bool:
    return fold.model.accepts(score, fold.threshold)


@dataclass
class WindowState:
    """The state of online reading: values so far, the next window, and the answer once there."""

    jury: Jury
    buffer: Buffer = field(default_factory=Buffer)
    at: int = 0
    refused: Singles | None = None  # the last window: one that is equal to it is not asked about
    found: Detection | None = None

    def decision(self) -> Decision:
        return Decision(self.buffer.n, self.found, self.found is not None)


class LearnedStopping(OnlineDetector[WindowState]):
    """A window that moves on until the jury accepts it."""

    family = "Learned methods"
    uses = ("benchmark",)

    score_name: ClassVar[str]  # on the axis of the evidence
    params: LearnedParameters

    @classmethod
    def missing(cls) -> str:
        return crossfit.missing(cls.slug)

    def start(self, context: Context) -> WindowState:
        return WindowState(self.jury(context))

    def update(self, state: WindowState, batch: Values) -> Decision:
        state.buffer.append(batch)
        values = state.buffer.first(state.buffer.n)
        while state.found is None and state.at + WINDOW <= values.size:
            last = min(values.size - WINDOW, self.params.cap, state.at + AT_ONCE - 1)
            for window in windows_from(values, state.at, last + 1):
                state.found = self._judged(state, window)
                if state.found is not None:
                    break
                state.at += 1
        return state.decision()

    def _judged(self, state: WindowState, window: Singles) -> Detection | None:
        """The answer after the next window, or none yet."""
        start = state.at
        if start == self.params.cap:  # this window is measured, and not asked about
            return self._capped(start, start + WINDOW, state.jury)
        if state.refused is not None and np.array_equal(window, state.refused):
            return None
        if not state.jury.accepts(window):
            state.refused = window
            return None
        last = start + WINDOW - 1
        return Detection(start, published_index=start - 1, decided_at=last, flags=state.jury.flags)

    def finish(self, state: WindowState) -> Decision:
        n = state.buffer.n
        if n < WINDOW:
            raise TooShort(needed=WINDOW, got=n)
        if state.found is None:
            state.found = self._capped(state.at, n, state.jury)
        return state.decision()

    def _capped(self, start: int, n: int, jury: Jury) -> Detection:
        """The answer where no window was accepted and `start` is the first not asked about."""
        flags, decided = ("capped", *jury.flags), min(start + WINDOW, n) - 1
        if self.params.at_cap == "never":
            return Detection(NEVER, published_index=NEVER, decided_at=decided, flags=flags)
        return Detection(start, published_index=start - 1, decided_at=decided, flags=flags)

    def jury(self, context: Context) -> Jury:
        """Who judges a series of this benchmark; raises `NotAvailable`."""
        known = self.known()
        chosen = self.params.model
        blind = known.blind_to(context.benchmark)
        if chosen == AUTO and blind is not None:
            return Jury((blind,), 1, "has not seen this benchmark", ("unseen",))
        if chosen in {AUTO, MAJORITY}:
            why = "chosen" if chosen == MAJORITY else "the benchmark was not trained on"
            if blind is not None:
                return Jury(known.folds, NEEDED, f"{why}; most have seen it", ("majority", "seen"))
            return Jury(known.folds, NEEDED, why, ("majority",))
        number = int(chosen.removeprefix("fold"))
        if blind is None:
            return Jury((known.folds[number],), 1, "chosen; the benchmark was not trained on")
        if blind.number == number:
            return Jury((blind,), 1, "chosen; has not seen this benchmark", ("unseen",))
        return Jury((known.folds[number],), 1, "chosen; has seen this benchmark", ("seen",))

    def known(self) -> FoldSet:
        """The trained set; raises `NotAvailable`."""
        return crossfit.set_named(self.slug, self.params.weights)

    # --- evidence -----------------------------------------------------------------------------
    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        found = self.detect(values, context)
        jury = self.jury(context)
        # Every window that was asked about, and some that come after the accepted one.
        asked = _asked(found, values.size, self.params.cap)
        shown = min(asked + AFTER, self.params.cap, values.size - WINDOW + 1)
        windows = windows_from(values, 0, shown)
        scores = np.array([jury.scores(window) for window in windows])
        flat = sum(not window.any() for window in windows[:asked])
        return (
            self._curve(jury, scores),
            *_accepted(found),
            self._figures(jury, found, scores[asked - 1], asked=asked, flat=flat),
        )

    def _curve(self, jury: Jury, scores: Values) -> Curve:
        if len(jury.folds) == 1:
            return Curve(
                scores[:, 0],
                label=f"{self.score_name}, by its first iteration",
                threshold=jury.folds[0].threshold,
                meaning=f"A model's word on the {WINDOW} values from there on; the first window "
                "above the line is the first steady one. Windows behind it were not asked about.",
            )
        return Curve(
            _votes(jury.folds, scores),
            label=f"models of {len(jury.folds)} that accept the window, by its first iteration",
            threshold=float(jury.needed),
            shape="steps",
            meaning=f"The first window with at least {jury.needed} of them is the first steady "
            "one. Windows behind it were not asked about.",
        )

    def _figures(
        self, jury: Jury, found: Detection, last: Values, *, asked: int, flat: int
    ) -> Figures:
        rows: list[tuple[str, float | int | str, str]] = [
            ("answered by", _names(jury.folds), ""),
            ("because", jury.why, ""),
            ("weights", self.params.weights, ""),
            ("windows asked about", asked, ""),
            ("of these without any variation", flat, ""),
        ]
        for fold, score in zip(jury.folds, last.tolist(), strict=True):
            rows.append((f"last window, model of fold {fold.number}", score, ""))
            rows.append((f"accepted from, model of fold {fold.number}", fold.threshold, ""))
        return Figures(
            tuple(rows),
            label="which models answered",
            meaning="A model of a fold was trained on the benchmarks of the four other folds.",
        )


class NetworkParameters(LearnedParameters):
    """Those, and the threshold that only networks have."""

    threshold: float = parameter(
        0.0,
        low=0.0,
        high=1.0,
        help="A window is accepted from this score on; 0: each model's own, chosen when it was "
        "trained.",
    )


class NetworkStopping(LearnedStopping):
    """A network as the model."""

    cost = "slow"
    score_name = "score of the network"
    params: NetworkParameters

    def known(self) -> FoldSet:
        found, threshold = super().known(), self.params.threshold
        if not threshold:
            return found
        folds = tuple(replace(fold, threshold=threshold) for fold in found.folds)
        return replace(found, folds=folds)


def _names(folds: Sequence[FoldModel]) -> str:
    if len(folds) == 1:
        return f"the model of fold {folds[0].number}"
    return f"majority of the models of folds {folds[0].number} to {folds[-1].number}"


def _votes(folds: Sequence[FoldModel], scores: Values) -> Values:
    """How many models accept each window."""
    votes = [[_accepts(f, s) for f, s in zip(folds, row, strict=True)] for row in scores.tolist()]
    counts: Values = np.array(votes, dtype=np.float64).sum(axis=1)
    return counts


def _asked(found: Detection, n: int, cap: int) -> int:
    """How many windows were asked about."""
    if "capped" in found.flags:
        return min(cap, n - WINDOW + 1)
    return found.steady_start + 1


def _accepted(found: Detection) -> tuple[Bands, ...]:
    if "capped" in found.flags:
        return ()
    span = (found.steady_start, found.steady_start + WINDOW)
    return (
        Bands(
            (span,),
            label="first window that is accepted",
            meaning="The steady state begins with it; what was measured ends with it.",
        ),
    )
