"""Learned stopping: measure until a model calls the last window of values stable.

The window, of 100 values unless the models were trained on others, moves on by one until a model
accepts it; its first value is then the first steady one. The models are those of a set of five
folds (`detectors.learned.crossfit`): a benchmark that was trained on is judged by the model that
has not seen it, any other by majority.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Values, draw, parameter
from detectors.learned import crossfit
from detectors.learned.crossfit import FOLDS, FoldModel, FoldSet
from detectors.learned.fitted_classifiers import ClassifierModel
from detectors.learned.windows import WINDOW, Singles, windows_from
from detectors.panel.panel_models import SHIPPED, check_name
from detectors.rules.online.loop import OnlineRule, OnlineState

AUTO, MAJORITY = "auto", "majority"
NEEDED: Final = FOLDS // 2 + 1  # models that must agree where all of them vote
AT_ONCE: Final = 16  # windows that are standardised, and by a classifier judged, together
AFTER: Final = 50  # windows behind the answer that evidence shows


class LearnedParameters(Detector.Params):
    """Parameters that the learned stopping methods have in common."""

    weights: str = parameter(
        SHIPPED,
        low=1,
        high=80,
        help="Which trained set: the one that comes with Plateau, or the name of one that the page "
        "Training or `manage.py train` has made.",
    )
    model: str = parameter(
        AUTO,
        choices=(AUTO, *(f"fold{number}" for number in range(FOLDS)), MAJORITY),
        help="auto: the model that has not seen the series' benchmark, and the majority where "
        "the benchmark was not trained on; or one model; or always the majority.",
    )
    cap: int = parameter(
        500, low=1, high=1_000_000, unit="iterations", help="The warm-up ends here at the latest."
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
    """The models that judge one series, and why these. `needed_votes` of them must accept."""

    folds: tuple[FoldModel, ...]
    needed_votes: int
    why: str
    flags: tuple[str, ...] = ()
    window: int = WINDOW

    def accepting(self, windows: Singles) -> Callable[[int], bool]:
        """Build the test that enough models accept the window of a number; most are asked only
        then.
        """
        if isinstance(self.folds[0].model, ClassifierModel):
            is_accepted = _votes(self.folds, self.scores(windows)) >= self.needed_votes
            return lambda number: bool(is_accepted[number])
        return lambda number: self._accepts(windows[number])

    def _accepts(self, window: Singles) -> bool:
        """True where enough models accept one window; asks no more models than it takes."""
        missing_votes, remaining_votes = self.needed_votes, len(self.folds)
        for fold, score in zip(self.folds, self._scores(window), strict=True):
            missing_votes -= _accepts(fold, score)
            remaining_votes -= 1
            if missing_votes == 0 or remaining_votes < missing_votes:
                break
        return missing_votes == 0

    def scores(self, windows: Singles) -> Values:
        """Scores of each window by each model, (windows, folds)."""
        columns = [
            fold.model.judged_together(windows)
            for fold in self.folds
            if isinstance(fold.model, ClassifierModel)
        ]
        if columns:
            return np.column_stack(columns)
        return np.array([list(self._scores(window)) for window in windows])

    def _scores(self, window: Singles) -> Iterator[float]:
        looks_by_function: dict[Callable[[Singles], Singles], Singles] = {}
        for fold in self.folds:
            look_at_windows = fold.model.look
            if look_at_windows not in looks_by_function:
                looks_by_function[look_at_windows] = look_at_windows(window)
            yield fold.model.judged(looks_by_function[look_at_windows])


def _accepts(fold: FoldModel, score: float) -> bool:
    return fold.model.accepts(score, fold.threshold)


@dataclass(kw_only=True)
class WindowState(OnlineState):
    """State of online reading, with the models and the last window.

    refused: a window that is equal to it is not asked about.
    """

    jury: Jury
    refused: Singles | None = None


class LearnedStopping(OnlineRule[WindowState]):
    """A window that moves on until the jury accepts it."""

    family = "Learned methods"
    uses = ("benchmark",)

    score_name: ClassVar[str]  # on the axis of the evidence

    Params = LearnedParameters
    params: LearnedParameters

    @classmethod
    def missing(cls) -> str:
        return crossfit.missing_weights(cls.slug)

    @property
    def least_length(self) -> int:
        return self.fold_set().window

    def start(self, context: Context) -> WindowState:
        return WindowState(jury=self.jury(context))

    def look(self, state: WindowState, *, end: bool) -> Detection | None:
        values, width, cap = state.values, state.jury.window, self.params.cap
        while state.position + width <= values.size:
            if state.position == cap:  # this window is measured, and not asked about
                return self._capped_answer(state.position, state.position + width, state.jury)
            last = min(values.size - width, cap - 1, state.position + AT_ONCE - 1)
            detection = self._judge(state, windows_from(values, state.position, last + 1, width))
            if detection is not None:
                return detection
        return self._capped_answer(state.position, values.size, state.jury) if end else None

    def _judge(self, state: WindowState, windows: Singles) -> Detection | None:
        """The answer where one of the next windows is accepted; else they are behind us."""
        accepts = state.jury.accepting(windows)
        for number, window in enumerate(windows):
            was_refused = state.refused is not None and np.array_equal(window, state.refused)
            if not was_refused and accepts(number):
                start, last = state.position, state.position + state.jury.window - 1
                return Detection(
                    start, published_index=start - 1, decided_at=last, flags=state.jury.flags
                )
            state.refused = window
            state.position += 1
        return None

    def _capped_answer(self, start: int, n: int, jury: Jury) -> Detection:
        """The answer where no window was accepted and `start` is the first not asked about."""
        flags, decided_at = ("capped", *jury.flags), min(start + jury.window, n) - 1
        if self.params.at_cap == "never":
            return Detection(NEVER, published_index=NEVER, decided_at=decided_at, flags=flags)
        return Detection(start, published_index=start - 1, decided_at=decided_at, flags=flags)

    def jury(self, context: Context) -> Jury:
        """Jury of a series of this benchmark; raises `NotAvailable`."""
        fold_set = self.fold_set()
        return replace(self._jury_of(fold_set, context.benchmark), window=fold_set.window)

    def _jury_of(self, fold_set: FoldSet, benchmark: str) -> Jury:
        model_choice = self.params.model
        blind_fold = fold_set.blind_to(benchmark)
        if model_choice == AUTO and blind_fold is not None:
            return Jury((blind_fold,), 1, "has not seen this benchmark", ("unseen",))
        if model_choice in {AUTO, MAJORITY}:
            reason = "chosen" if model_choice == MAJORITY else "the benchmark was not trained on"
            if blind_fold is not None:
                return Jury(
                    fold_set.folds, NEEDED, f"{reason}; most have seen it", ("majority", "seen")
                )
            return Jury(fold_set.folds, NEEDED, reason, ("majority",))
        number = int(model_choice.removeprefix("fold"))
        if blind_fold is None:
            return Jury((fold_set.folds[number],), 1, "chosen; the benchmark was not trained on")
        if blind_fold.number == number:
            return Jury((blind_fold,), 1, "chosen; has not seen this benchmark", ("unseen",))
        return Jury((fold_set.folds[number],), 1, "chosen; has seen this benchmark", ("seen",))

    def fold_set(self) -> FoldSet:
        """The trained set; raises `NotAvailable`."""
        return crossfit.set_named(self.slug, self.params.weights)

    # --- evidence -----------------------------------------------------------------------------
    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        detection = self.detect(values, context)
        jury = self.jury(context)
        is_accepted = "capped" not in detection.flags
        # Every window that was asked about, and some that come after the accepted one.
        asked_count = (
            detection.steady_start + 1
            if is_accepted
            else min(self.params.cap, values.size - jury.window + 1)
        )
        window_count = min(asked_count + AFTER, self.params.cap, values.size - jury.window + 1)
        windows = windows_from(values, 0, window_count, jury.window)
        scores = jury.scores(windows)
        flat_count = sum(not window.any() for window in windows[:asked_count])
        accepted_band = draw.decision_band(
            detection,
            "first window that is accepted",
            "The steady state begins with it; what was measured ends with it.",
        )
        return (
            self._curve(jury, scores),
            *(accepted_band if is_accepted else ()),
            self._figures(
                jury,
                detection,
                scores[asked_count - 1],
                asked_count=asked_count,
                flat_count=flat_count,
            ),
        )

    def _curve(self, jury: Jury, scores: Values) -> draw.Curve:
        if len(jury.folds) == 1:
            return draw.Curve(
                scores[:, 0],
                label=f"{self.score_name}, by its first iteration",
                threshold=jury.folds[0].threshold,
                meaning=f"A model's value for the {jury.window} values from there on; the first "
                "window above the line is the first steady one. Windows behind it were not asked "
                "about.",
            )
        return draw.Curve(
            _votes(jury.folds, scores),
            label=f"models of {len(jury.folds)} that accept the window, by its first iteration",
            threshold=float(jury.needed_votes),
            shape="steps",
            meaning=f"The first window with at least {jury.needed_votes} of them is the first "
            "steady one. Windows behind it were not asked about.",
        )

    def _figures(
        self, jury: Jury, detection: Detection, last: Values, *, asked_count: int, flat_count: int
    ) -> draw.Figures:
        first_number, last_number = jury.folds[0].number, jury.folds[-1].number
        is_single = len(jury.folds) == 1
        jury_words = f"majority of the models of folds {first_number} to {last_number}"
        rows: list[draw.Row] = [
            ("answered by", f"the model of fold {first_number}" if is_single else jury_words, ""),
            ("because", jury.why, ""),
            ("weights", self.params.weights, ""),
            ("values of a window", jury.window, ""),
            ("windows asked about", asked_count, ""),
            ("of these without any variation", flat_count, ""),
        ]
        for fold, score in zip(jury.folds, last.tolist(), strict=True):
            rows.append((f"last window, model of fold {fold.number}", score, ""))
            rows.append((f"accepted from, model of fold {fold.number}", fold.threshold, ""))
        return draw.Figures(
            tuple(rows),
            label="which models answered",
            meaning="A model of a fold was trained on the benchmarks of the four other folds.",
        )


class NetworkParameters(LearnedParameters):
    """Parameters of learned methods, and the threshold that only networks have."""

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

    Params = NetworkParameters
    params: NetworkParameters

    def fold_set(self) -> FoldSet:
        fold_set, threshold = super().fold_set(), self.params.threshold
        if not threshold:
            return fold_set
        folds = tuple(replace(fold, threshold=threshold) for fold in fold_set.folds)
        return replace(fold_set, folds=folds)


def _votes(folds: Sequence[FoldModel], scores: Values) -> Values:
    """Number of models that accept each window."""
    votes = [[_accepts(f, s) for f, s in zip(folds, row, strict=True)] for row in scores.tolist()]
    counts: Values = np.array(votes, dtype=np.float64).sum(axis=1)
    return counts
