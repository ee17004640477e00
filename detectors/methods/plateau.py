"""plateau: what a panel of people would answer, learned from panels that have answered.

For each of 64 positions a forest estimates, from robust features of the series, the probability
that the panel's answer lies at or before it. The median of that distribution is the answer, as no
other has a smaller expected error; where a clear step lies nearby, the answer is that step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Detection,
    Detector,
    Events,
    Evidence,
    Figures,
    Levels,
    ParameterError,
    Parameters,
    Source,
    TooShort,
    Values,
    parameter,
)
from detectors.kernels.plateau import (
    HALF,
    features,
    moved,
    normalised,
    places,
    quantile_of,
    reach,
    risen,
    strengths,
    usual_strength,
)
from detectors.panel import (
    GRID,
    MAKES,
    NAME,
    SHIPPED,
    PanelModel,
    model_named,
    path_of,
    summary_row,
)

SHORTEST = 100  # values: 150 blocks need not be of more than one
RUNNERS_UP = 3
APART = 40  # iterations: two places of one step are not two steps


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """All that is seen of one series on the way to its answer.

    chance: that the panel calls the series steady. median: the answer before it moves to a step.
    """

    rows: Values
    cdf: Values
    chance: float
    median: float
    interval: tuple[int, int]
    strength: Values
    start: int

    @property
    def moved(self) -> bool:
        return self.start != int(self.median)


class Plateau(Detector):
    slug, version = "plateau", "1"
    title = "Plateau"
    code, slot = "PL", 26
    source = Source("Plateau, this project", section="docs/detectors/plateau.md")
    family = "Learned methods"
    cost = "quick"

    class Params(Parameters):
        model: str = parameter(
            SHIPPED,
            low=1,
            high=80,
            help="Whose answers were learned: the model that ships, or the name of one that "
            "`manage.py train plateau` has written.",
        )
        chance: float = parameter(
            0.5,
            low=0.0,
            high=1.0,
            help="Never steady, unless the panel would call it steady with more than this "
            "probability; 0 always gives an iteration.",
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

        def check(self) -> None:
            if not NAME.fullmatch(self.model):
                raise ParameterError(
                    f"model must be lower-case words and digits joined by -; got {self.model}"
                )

    params: Params

    @classmethod
    def missing(cls) -> str:
        return "" if path_of(SHIPPED) else f"weights not installed; {MAKES}"

    def detect(self, values: Values, context: Context) -> Detection:
        seen = self._read(values)
        if seen.chance <= self.params.chance:
            return Detection(NEVER, published_index=NEVER)
        flags = ("snapped",) if seen.moved else ()
        return Detection(seen.start, published_index=seen.start, flags=flags)

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        seen = self._read(values)
        return (
            _distribution(seen),
            _steps(seen),
            _levels(values, seen),
            _interval(seen),
            *_runners_up(seen),
            _figures(seen),
        )

    def stepped(self, strength: Values, median: float) -> int:
        """The answer `median`, moved to a step if there is a clear one nearby."""
        p = self.params
        return moved(strength, int(median), p.snap, p.clear, p.fade)

    def _read(self, values: Values) -> Reading:
        if values.size < SHORTEST:
            raise TooShort(needed=SHORTEST, got=values.size)
        model, sc = model_named(self.params.model), values.size / 3000
        y = normalised(values)
        rows = features(y, GRID)
        cdf = risen(model.starts.sums(rows))
        median = sc * quantile_of(cdf, GRID, 0.5)
        strength = strengths(y)
        low, high = (int(sc * quantile_of(cdf, GRID, q)) for q in model.levels)
        return Reading(
            rows=rows,
            cdf=cdf,
            chance=_chance(model, rows),
            median=median,
            interval=(low, high),
            strength=strength,
            start=self.stepped(strength, median),
        )


def _chance(model: PanelModel, rows: Values) -> float:
    """Probability of "steady"; 1 where nobody of the panel ever said never."""
    if model.steady is None:
        return 1.0
    odds = float(model.steady.sums(summary_row(rows)[None])[0])
    return float(1 / (1 + np.exp(-odds)))


def _distribution(seen: Reading) -> Curve:
    at = places(GRID, seen.strength.size)
    kept = np.r_[True, np.diff(at) > 0]  # in a short series two positions can be one
    return Curve(
        np.clip(seen.cdf[kept], 0, 1),
        label="probability that the panel's answer lies here or before",
        x=at[kept],
        threshold=0.5,
        meaning="The answer, before it moves to a step, is where the curve crosses one half.",
    )


def _steps(seen: Reading) -> Curve:
    return Curve(
        seen.strength,
        label=f"strength of a step, {HALF} values before against {HALF} from here on",
        meaning="Distance of the logarithms of the two medians; the answer moves to the highest "
        "place within its reach, if that is well above the usual strength.",
    )


def _levels(values: Values, seen: Reading) -> Levels:
    """Levels of the windows whose medians make the step."""
    before, after = values[max(0, seen.start - HALF) : seen.start], values[seen.start :][:HALF]
    pieces = [(seen.start, seen.start + after.size, float(np.median(after)))]
    if before.size:
        pieces.insert(0, (seen.start - before.size, seen.start, float(np.median(before))))
    return Levels(
        tuple(pieces),
        label="levels before and after the answer",
        meaning=f"Medians of up to {HALF} values on either side.",
    )


def _interval(seen: Reading) -> Bands:
    low, high = seen.interval
    return Bands(
        ((low, high + 1),),
        label="80 % interval",
        notes=(f"{low} to {high}",),
        meaning="Four of five answers of panels lay within theirs. It is right on average, and "
        "says nothing about how sure this one answer is.",
    )


def _runners_up(seen: Reading) -> tuple[Events, ...]:
    """The other clear steps within reach, strongest first."""
    others = runners_up(seen)
    if not others:
        return ()
    notes = tuple(f"strength {seen.strength[at]:.3g}" for at in others)
    return (
        Events(
            tuple(others),
            label="other steps nearby",
            notes=notes,
            meaning="The next strongest steps within reach of the answer, apart from it.",
        ),
    )


def runners_up(seen: Reading) -> list[int]:
    """At most three other steps about the answer, each a local maximum, strongest first."""
    first, last = reach(seen.strength.size, int(seen.median), 0.5)
    left = seen.strength[first : last + 1].copy()
    found: list[int] = []
    _clear(left, seen.start - first)
    while left.size and len(found) < RUNNERS_UP and left.max() > usual_strength(seen.strength):
        best = int(left.argmax())
        found.append(first + best)
        _clear(left, best)
    return found


def _clear(left: Values, at: int) -> None:
    left[max(0, at - APART) : max(0, at + APART + 1)] = -1.0


def _figures(seen: Reading) -> Figures:
    at = int(np.abs(places(GRID, seen.strength.size) - seen.start).argmin())
    row, n = seen.rows[at], seen.strength.size
    usual = usual_strength(seen.strength)
    rows: tuple[tuple[str, float | int | str, str], ...] = (
        ("probability that the panel calls it steady", seen.chance, ""),
        ("median of the distribution", int(seen.median), "iterations"),
        ("answer", seen.start, "iterations"),
        ("moved to a step", "yes" if seen.moved else "no", ""),
        ("strength of the step there", float(seen.strength[min(seen.start, n - 1)]), ""),
        ("usual strength", usual if np.isfinite(usual) else "too short to say", ""),
        ("values before, above the rest", 100 * float(row[40]), "% of the plot"),
        ("largest spike that remains", 100 * float(row[8]), "% of the plot"),
        ("largest step that remains", 100 * float(row[47]), "% of 96 % of the values"),
    )
    return Figures(rows, label="what decided", meaning="Features that weigh most in the forest.")
