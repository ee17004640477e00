"""plateau-online: whether a panel of people would say that the steady state has begun, as it runs.

The values so far are looked at whenever they have become a quarter more. A forest says with what
probability the steady state has begun; the first look that is sure enough ends the warm-up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

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
    Source,
    TooShort,
    Values,
    parameter,
)
from detectors.kernels.plateau import moved
from detectors.panel import Judge, ModelParams, PanelModels, models_named, shipped_missing
from detectors.prefixes import FIRST, Look, after, looked

EVEN = 0.5  # at the end there is nothing to wait for: more likely than not is enough


@dataclass
class Watched:
    """The state: values so far, every look at them, and the answer once there.

    judge: who looks, by the first `judged_at` values.
    """

    models: PanelModels
    benchmark: str
    judge: Judge | None = None
    judged_at: int = 0
    buffer: Buffer = field(default_factory=Buffer)
    next: int = FIRST
    looks: list[Look] = field(default_factory=list)
    found: Detection | None = None

    def decision(self) -> Decision:
        figures = {"chance": self.looks[-1].chance} if self.looks else {}
        return Decision(self.buffer.n, self.found, self.found is not None, figures)


class PlateauOnline(OnlineDetector[Watched]):
    slug, version = "plateau-online", "3"
    title = "Plateau, online"
    code, slot = "PO", 30
    source = Source("Plateau, this project", section="docs/detectors/plateau-online.md")
    family = "Learned methods"
    cost = "quick"
    uses = ("benchmark",)

    class Params(ModelParams):
        confidence: float = parameter(
            0.8,
            low=0.0,
            high=1.0,
            help="The warm-up ends when the steady state has begun with at least this "
            "probability; higher waits longer.",
        )
        snap: float = parameter(
            0.2,
            low=0.0,
            high=1.0,
            help="How far the answer may move to a step, as a share of the iteration.",
        )
        clear: float = parameter(
            3.0,
            low=0.0,
            high=1e6,
            help="A step counts if it is more than so many times the usual one; the greatest "
            "number keeps the answer where it is.",
        )
        fade: float = parameter(
            1.0,
            low=0.0,
            high=100.0,
            help="A step at the end of that way counts exp(−fade) times as much as one at hand; 0: "
            "all count alike.",
        )

    params: Params

    @classmethod
    def missing(cls) -> str:
        return shipped_missing()

    def start(self, context: Context) -> Watched:
        return Watched(models_named(self.params.model), context.benchmark)

    def update(self, state: Watched, batch: Values) -> Decision:
        state.buffer.append(batch)
        while state.found is None and state.next <= state.buffer.n:
            self._look(state, state.next, self.params.confidence)
            state.next = after(state.next)
        return state.decision()

    def finish(self, state: Watched) -> Decision:
        n = state.buffer.n
        if state.found is None:
            if n < FIRST:
                raise TooShort(needed=FIRST, got=n)
            self._look(state, n, min(EVEN, self.params.confidence))
        if state.found is None:
            state.found = Detection(NEVER, published_index=NEVER, flags=_judged(state, n).flags)
        return state.decision()

    def start_of(self, look: Look) -> int:
        """The answer of a look: the median, moved to a step if there is a clear one nearby."""
        p = self.params
        return moved(look.strength, int(look.median), p.snap, p.clear, p.fade)

    def _look(self, state: Watched, n: int, enough: float) -> None:
        if not state.looks or state.looks[-1].n < n:
            state.looks.append(looked(state.buffer.first(n), _judged(state, n).model.online))
        look = state.looks[-1]
        if look.chance >= enough:
            start = self.start_of(look)
            state.found = Detection(
                start, published_index=start, decided_at=n - 1, flags=_judged(state, n).flags
            )

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        state = self.start(context)
        self.update(state, values)
        found = self.finish(state).detection
        return (_chances(state, self.params.confidence), *_waited(found), _figures(state))


def _judged(state: Watched, n: int) -> Judge:
    """Who looks at the first n values: they say whether the series was trained on.

    A trimmed copy may be known only after more of them than the first look has.
    """
    if state.judge is None or not (state.judge.blind or n == state.judged_at):
        state.judge = state.models.judge(state.buffer.first(n), state.benchmark)
        state.judged_at = n
    return state.judge


def _chances(state: Watched, confidence: float) -> Curve:
    return Curve(
        np.array([look.chance for look in state.looks]),
        label="probability that the steady state has begun",
        x=np.array([look.n - 1 for look in state.looks], dtype=np.int64),
        threshold=confidence,
        meaning="One value a look; a look sees the iterations before it only. The first one at the "
        "line or above ends the warm-up.",
    )


def _waited(found: Detection | None) -> tuple[Bands, ...]:
    if found is None or found.decided_at is None:
        return ()
    return (
        Bands(
            ((found.steady_start, found.decided_at + 1),),
            label="from the answer to the decision",
            meaning="Iterations that were steady already when the decision fell: what it cost to "
            "be sure.",
        ),
    )


def _figures(state: Watched) -> Figures:
    last = state.looks[-1]
    rows: tuple[tuple[str, float | int | str, str], ...] = (
        ("answered by", _judged(state, last.n).words, ""),
        ("looks", len(state.looks), ""),
        ("values at the last look", last.n, "iterations"),
        ("probability at the last look", last.chance, ""),
        ("median of the distribution then", int(last.median), "iterations"),
    )
    return Figures(rows, label="what decided", meaning="The look that ended the warm-up.")
