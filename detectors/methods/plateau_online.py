"""plateau-online: whether a panel of people would say that the steady state has begun, as it runs.

The values so far are looked at whenever they have become a quarter more. One forest says with what
probability the steady state has begun, another with what probability the panel calls the series
steady at all; the first look that is sure enough of both ends the warm-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from detectors.arrays.buffer import Buffer
from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Decision,
    Detection,
    Evidence,
    Figures,
    NotAvailable,
    OnlineDetector,
    Source,
    TooShort,
    Values,
    parameter,
)
from detectors.panel.panel_models import (
    BY_PEOPLE,
    PEOPLE_FROM,
    PLAIN,
    SHORTEST,
    ModelParams,
    PanelJudge,
    PanelModels,
    makes,
    models_named,
    outweighs,
    shipped_missing,
)
from detectors.panel.prefix_estimates import (
    FIRST,
    PrefixEstimate,
    next_prefix_length,
    prefix_estimate,
    snapped_to_step,
)
from detectors.stories.story_words import story_sentence

RUNNING = 0.95  # probability of plain, from which on a story answers before the end
FOLLOWED = 2  # times as many values as the warm-up and 100 more, from which on a story decides
EVEN = 0.5  # at the end there is nothing to wait for: more likely than not is enough


@dataclass
class PlateauOnlineState:
    """The state: values so far, every look at them, and the answer once there.

    judge: who looks, by the first `judged_at` values.
    """

    models: PanelModels
    benchmark: str
    judge: PanelJudge | None = None
    judged_at: int = 0
    buffer: Buffer = field(default_factory=Buffer)
    next: int = FIRST
    looks: list[PrefixEstimate] = field(default_factory=list)
    found: Detection | None = None

    def decision(self) -> Decision:
        figures = {"chance": self.looks[-1].chance} if self.looks else {}
        return Decision(self.buffer.n, self.found, self.found is not None, figures)


class PlateauOnline(OnlineDetector[PlateauOnlineState]):
    slug, version = "plateau-online", "9"
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
        chance: float = parameter(
            0.5,
            low=0.0,
            high=1.0,
            help="The probability that the panel would call the whole series steady must be "
            "higher than this, too; 0 switches this off.",
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
            help="A step at the greatest distance counts exp(−fade) times as much as one at the "
            "answer itself; 0: all count the same.",
        )

    params: Params

    @classmethod
    def missing(cls) -> str:
        return shipped_missing()

    def start(self, context: Context) -> PlateauOnlineState:
        models = models_named(self.params.model)
        if models.whole.steady is not None and models.whole.online_steady is None:
            raise NotAvailable(
                f"weights {self.params.model!r} are of an older version, which does not say of a "
                f"running series whether it is steady at all; {makes('plateau')}"
            )
        return PlateauOnlineState(models, context.benchmark)

    def update(self, state: PlateauOnlineState, batch: Values) -> Decision:
        state.buffer.append(batch)
        while state.found is None and state.next <= state.buffer.n:
            self._look(state, state.next, end=False)
            state.next = next_prefix_length(state.next)
        return state.decision()

    def finish(self, state: PlateauOnlineState) -> Decision:
        n = state.buffer.n
        if state.found is None:
            if n < SHORTEST:
                raise TooShort(needed=SHORTEST, got=n)
            self._look(state, n, end=True)
        if state.found is None:
            state.found = self._never(state.looks[-1], _judged(state, n))
        return state.decision()

    def decides(self, look: PrefixEstimate, *, end: bool) -> bool:
        """True where a look ends the warm-up; at the end of the series less is asked of it."""
        p = self.params
        if self.is_told(look, end=end):
            start = look.story.start
            return start != NEVER and (end or look.n >= FOLLOWED * (start + FIRST))
        enough = min(EVEN, p.confidence) if end else p.confidence
        return look.chance >= enough and look.steady > p.chance

    def is_told(self, look: PrefixEstimate, *, end: bool) -> bool:
        """True where the plain story of the values so far answers."""
        p = self.params
        if p.chance == 0 and look.story.start == NEVER:
            return False
        if look.n < PEOPLE_FROM or p.plain >= 1:
            return end and look.n < PEOPLE_FROM
        if look.plain <= (p.plain if end else max(p.plain, RUNNING)):
            return False
        return outweighs(look.plain, look.story, look.steady, p.chance)

    def judged(self, looks: Sequence[PrefixEstimate], judge: PanelJudge) -> Detection:
        """The answer for a series, from all looks at it by `judge`; the last one is at its end."""
        sure = (look for look in looks if self.decides(look, end=look is looks[-1]))
        deciding_look = next(sure, None)
        if deciding_look is None:
            return self._never(looks[-1], judge)
        return self._found(deciding_look, judge, end=deciding_look is looks[-1])

    def _found(self, look: PrefixEstimate, judge: PanelJudge, *, end: bool) -> Detection:
        """The answer by the look that decided."""
        flags, reason = self._why(look, judge, end=end)
        start = self.start_of(look, end=end)
        return Detection(
            start, published_index=start, decided_at=look.n - 1, flags=flags, reason=reason
        )

    def _never(self, last: PrefixEstimate, judge: PanelJudge) -> Detection:
        """The answer where no look decided."""
        flags, reason = self._why(last, judge, end=True)
        return Detection(NEVER, published_index=NEVER, flags=flags, reason=reason)

    def _why(
        self, look: PrefixEstimate, judge: PanelJudge, *, end: bool
    ) -> tuple[tuple[str, ...], str]:
        """Flags of an answer and its sentence."""
        if self.is_told(look, end=end):
            return (PLAIN, *judge.flags), story_sentence(look.story)
        # without a probability: those of a running series come true too seldom to be shown
        steady = look.steady > self.params.chance
        if end and steady and not self.decides(look, end=True):
            return judge.flags, f"{BY_PEOPLE} that the steady state has not begun"
        return judge.flags, f"{BY_PEOPLE} {'steady' if steady else 'never'}"

    def start_of(self, look: PrefixEstimate, *, end: bool) -> int:
        """The answer of a look: the median, moved to a step if there is a clear one nearby."""
        if self.is_told(look, end=end):
            return look.story.start
        p, size = self.params, look.size
        return size * snapped_to_step(
            look.strength, int(look.median) // size, p.snap, p.clear, p.fade
        )

    def _look(self, state: PlateauOnlineState, n: int, *, end: bool) -> None:
        if not state.looks or state.looks[-1].n < n:
            state.looks.append(prefix_estimate(state.buffer.first(n), _judged(state, n).model))
        look = state.looks[-1]
        if self.decides(look, end=end):
            state.found = self._found(look, _judged(state, n), end=end)

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        state = self.start(context)
        self.update(state, values)
        detection = self.finish(state).detection
        p = self.params
        return (
            _chances(state, p.confidence),
            _steady(state, p.chance),
            *_waited(detection),
            _figures(state, detection),
        )


def _judged(state: PlateauOnlineState, n: int) -> PanelJudge:
    """Judge of the first n values, which says whether the series was trained on.

    A trimmed copy may be known only after more of them than the first look has.
    """
    if state.judge is None or not (state.judge.blind or n == state.judged_at):
        state.judge = state.models.judge(state.buffer.first(n), state.benchmark)
        state.judged_at = n
    return state.judge


def _chances(state: PlateauOnlineState, confidence: float) -> Curve:
    return Curve(
        np.array([look.chance for look in state.looks]),
        label="probability that the steady state has begun",
        x=np.array([look.n - 1 for look in state.looks], dtype=np.int64),
        threshold=confidence,
        meaning="One value per look; a look sees the iterations before it only. The first one at "
        "the line or above ends the warm-up.",
    )


def _steady(state: PlateauOnlineState, chance: float) -> Curve:
    return Curve(
        np.array([look.steady for look in state.looks]),
        label="probability that the panel calls it steady",
        x=np.array([look.n - 1 for look in state.looks], dtype=np.int64),
        threshold=chance,
        meaning="One value per look: what people who see the whole series are expected to say. The "
        "warm-up ends above the line only.",
    )


def _waited(detection: Detection | None) -> tuple[Bands, ...]:
    if detection is None or detection.decided_at is None:
        return ()
    return (
        Bands(
            ((detection.steady_start, detection.decided_at + 1),),
            label="from the answer to the decision",
            meaning="Iterations that were already steady at the time of the decision: its delay.",
        ),
    )


def _figures(state: PlateauOnlineState, detection: Detection | None) -> Figures:
    last = state.looks[-1]
    rows: tuple[tuple[str, float | int | str, str], ...] = (
        ("story", detection.reason if detection else "", ""),
        ("answered by", _judged(state, last.n).words, ""),
        ("looks", len(state.looks), ""),
        ("values at the last look", last.n, "iterations"),
        ("probability at the last look", last.chance, ""),
        ("probability then that the panel calls it steady", last.steady, ""),
        ("median of the distribution then", int(last.median), "iterations"),
    )
    return Figures(rows, label="what decided", meaning="The look that ended the warm-up.")
