"""plateau-online: whether a panel of people would say that the steady state has begun, as it runs.

The values so far are looked at whenever they have become a quarter more. One forest says with what
probability the steady state has begun, another with what probability the panel calls the series
steady at all; the first look that is sure enough of both ends the warm-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from detectors.api import NEVER, Context, Detection, Source, Values, draw, parameter
from detectors.contract import NotAvailable
from detectors.panel import panel_models as panel
from detectors.panel.prefix_estimates import (
    FIRST,
    PrefixEstimate,
    next_prefix_length,
    prefix_estimate,
    snap_to_step,
)
from detectors.rules.online.loop import OnlineRule, OnlineState
from detectors.stories.story_words import story_sentence

RUNNING = 0.997  # probability of plain, from which on a story answers before the end
FOLLOWED = 2  # times as many values as the warm-up and 100 more, from which on a story decides
EVEN = 0.5  # at the end there is nothing to wait for: more likely than not is enough


@dataclass(kw_only=True)
class PlateauOnlineState(OnlineState):
    """State of online reading, with every look at the values.

    judge: who looks, by the first `judged_at` values. next: values at the next look.
    """

    models: panel.PanelModels
    benchmark: str
    judge: panel.PanelJudge | None = None
    judged_at: int = 0
    next: int = FIRST
    looks: list[PrefixEstimate] = field(default_factory=list)


class PlateauOnline(OnlineRule[PlateauOnlineState]):
    slug, version = "plateau-online", "13"
    title = "Plateau, online"
    code, slot = "PO", 30
    source = Source("Plateau, this project", section="docs/detectors/plateau-online.md")
    family = "Learned methods"
    cost = "quick"
    uses = ("benchmark",)

    class Params(panel.ModelParams):
        plain: float = parameter(
            0.5,
            low=0.0,
            high=1.0,
            help="At the end of a series its plain story answers if the series is plain with more "
            f"than this probability; 1: never, of {panel.PEOPLE_FROM} values or more. Before the "
            f"end it takes {RUNNING:g}.",
        )
        confidence: float = parameter(
            0.8,
            low=0.0,
            high=1.0,
            help="The warm-up ends when the steady state has begun with at least this "
            "probability; higher waits longer.",
        )
        chance: float = parameter(
            panel.STEADY_FROM,
            low=0.0,
            high=1.0,
            help="The probability that the panel would call the whole series steady must be "
            "higher than this, too; 0 switches this off.",
        )
        soon: float = parameter(
            1.0,
            low=0.0,
            high=1.0,
            help=f"Before {panel.PEOPLE_FROM} values a story of one level or of steps decides if "
            "the series is plain with more than this probability, once twice as many values have "
            "come as before its last step; 1: never.",
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
        return panel.shipped_missing()

    def start(self, context: Context) -> PlateauOnlineState:
        models = panel.models_named(self.params.model)
        if models.whole.steady is not None and models.whole.online_steady is None:
            raise NotAvailable(
                f"weights {self.params.model!r} are of an older version, which does not say of a "
                f"running series whether it is steady at all; {panel.makes('plateau')}"
            )
        return PlateauOnlineState(models=models, benchmark=context.benchmark)

    @property
    def least_length(self) -> int:
        return panel.SHORTEST

    def check_least_length(self, n: int) -> None:
        panel.models_named(self.params.model)  # without weights no length is enough
        super().check_least_length(n)

    def look(self, state: PlateauOnlineState, *, end: bool) -> Detection | None:
        n = state.buffer.n
        while state.next <= n:
            detection = self._look_at_prefix(state, state.next, end=False)
            state.next = next_prefix_length(state.next)
            if detection is not None:
                return detection
        if not end:
            return None
        return self._look_at_prefix(state, n, end=True) or self._undecided_answer(
            state.looks[-1], _judge_of(state, n)
        )

    def decides(self, estimate: PrefixEstimate, *, end: bool) -> bool:
        """True where a look ends the warm-up; at the end of the series less is asked of it."""
        p = self.params
        if self.is_told(estimate, end=end):
            start = estimate.story.start
            is_followed = (
                end or self.decides_soon(estimate) or estimate.n >= FOLLOWED * (start + FIRST)
            )
            return start != NEVER and is_followed
        enough_chance = min(EVEN, p.confidence) if end else p.confidence
        return estimate.chance >= enough_chance and estimate.steady > p.chance

    def is_told(self, estimate: PrefixEstimate, *, end: bool) -> bool:
        """True where the plain story of the values so far answers."""
        p = self.params
        if p.chance == 0 and estimate.story.start == NEVER:
            return False
        if estimate.n < panel.PEOPLE_FROM or p.plain >= 1:
            return estimate.n < panel.PEOPLE_FROM and (end or self.decides_soon(estimate))
        least_chance = p.plain if end else max(p.plain, RUNNING)
        if estimate.plain <= least_chance or not panel.is_marked_length(estimate.n):
            return estimate.plain > least_chance
        return panel.outweighs(estimate.plain, estimate.story, estimate.steady, p.chance)

    def decides_soon(self, estimate: PrefixEstimate) -> bool:
        """True where the story of few values decides: a level that is there since half of them."""
        return (
            estimate.n < panel.PEOPLE_FROM
            and estimate.plain > self.params.soon
            and estimate.story.kind in {"flat", "steps"}
            and estimate.n >= FOLLOWED * estimate.story.start
        )

    def judged(self, estimates: Sequence[PrefixEstimate], judge: panel.PanelJudge) -> Detection:
        """The answer for a series, from all looks at it by `judge`; the last one is at its end."""
        sure_estimates = (
            estimate
            for estimate in estimates
            if self.decides(estimate, end=estimate is estimates[-1])
        )
        sure_estimate = next(sure_estimates, None)
        if sure_estimate is None:
            return self._undecided_answer(estimates[-1], judge)
        return self._decided_answer(sure_estimate, judge, end=sure_estimate is estimates[-1])

    def _decided_answer(
        self, estimate: PrefixEstimate, judge: panel.PanelJudge, *, end: bool
    ) -> Detection:
        """The answer by the look that decided."""
        flags, reason = self._flags_and_reason(estimate, judge, end=end)
        start = self.start_of(estimate, end=end)
        return Detection(
            start, published_index=start, decided_at=estimate.n - 1, flags=flags, reason=reason
        )

    def _undecided_answer(self, last: PrefixEstimate, judge: panel.PanelJudge) -> Detection:
        """The answer where no look decided."""
        flags, reason = self._flags_and_reason(last, judge, end=True)
        return Detection(NEVER, published_index=NEVER, flags=flags, reason=reason)

    def _flags_and_reason(
        self, estimate: PrefixEstimate, judge: panel.PanelJudge, *, end: bool
    ) -> tuple[tuple[str, ...], str]:
        """Flags of an answer and its sentence, which says of how many values it is."""
        if self.is_told(estimate, end=end):
            seen_words = "" if end else f"in the first {estimate.n} values, "
            return (panel.PLAIN, *judge.flags), f"{seen_words}{story_sentence(estimate.story)}"
        # without a probability: those of a running series come true too seldom to be shown
        is_steady = estimate.steady > self.params.chance
        if end and is_steady and not self.decides(estimate, end=True):
            return judge.flags, f"{panel.BY_PEOPLE} that the steady state has not begun"
        return judge.flags, f"{panel.BY_PEOPLE} {'steady' if is_steady else 'never'}"

    def start_of(self, estimate: PrefixEstimate, *, end: bool) -> int:
        """The answer of a look: the median, moved to a step if there is a clear one nearby."""
        if self.is_told(estimate, end=end):
            return estimate.story.start
        p, size = self.params, estimate.size
        return size * snap_to_step(
            estimate.strength, int(estimate.median) // size, p.snap, p.clear, p.fade
        )

    def _look_at_prefix(self, state: PlateauOnlineState, n: int, *, end: bool) -> Detection | None:
        """Look at the first n values; the answer, if this look decides."""
        if not state.looks or state.looks[-1].n < n:
            judge = _judge_of(state, n)
            state.looks.append(prefix_estimate(state.buffer.first(n), judge.model))
        newest_estimate = state.looks[-1]
        is_plain = self.is_told(newest_estimate, end=end)
        state.figures = (
            {"plain": newest_estimate.plain} if is_plain else {"chance": newest_estimate.chance}
        )
        if not self.decides(newest_estimate, end=end):
            return None
        return self._decided_answer(newest_estimate, _judge_of(state, n), end=end)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        state, detection = self.read_to_end(values, context)
        last_estimate, x = (
            state.looks[-1],
            np.array([estimate.n - 1 for estimate in state.looks], dtype=np.int64),
        )
        rows: tuple[draw.Row, ...] = (
            ("story", detection.reason, ""),
            ("answered by", _judge_of(state, last_estimate.n).words, ""),
            ("looks", len(state.looks), ""),
            ("values at the last look", last_estimate.n, "iterations"),
            ("probability at the last look", last_estimate.chance, ""),
            ("probability then that the panel calls it steady", last_estimate.steady, ""),
            ("median of the distribution then", int(last_estimate.median), "iterations"),
        )
        return (
            draw.Curve(
                np.array([estimate.chance for estimate in state.looks]),
                label="probability that the steady state has begun",
                x=x,
                threshold=self.params.confidence,
                meaning="One value per look; a look sees the iterations before it only. The first "
                "one at the line or above ends the warm-up.",
            ),
            draw.Curve(
                np.array([estimate.steady for estimate in state.looks]),
                label="probability that the panel calls it steady",
                x=x,
                threshold=self.params.chance,
                meaning="One value per look: what people who see the whole series are expected to "
                "say. The warm-up ends above the line only.",
            ),
            *draw.decision_band(
                detection,
                "from the answer to the decision",
                "Iterations that were already steady at the time of the decision: its delay.",
            ),
            draw.Figures(rows, "what decided", meaning="The look that ended the warm-up."),
        )


def _judge_of(state: PlateauOnlineState, n: int) -> panel.PanelJudge:
    """Judge of the first n values, which says whether the series was trained on.

    A trimmed copy may be known only after more of them than the first look has.
    """
    if state.judge is None or not (state.judge.blind or n == state.judged_at):
        state.judge = state.models.judge(state.buffer.first(n), state.benchmark)
        state.judged_at = n
    return state.judge
