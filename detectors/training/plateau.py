"""Training of `plateau`, from a panel's answers to weights and their card."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from detectors.contract import Detector
from detectors.panel.copies import sketch
from detectors.panel.panel_grid import NEARNESS_REACH
from detectors.panel.panel_models import PanelModels, fingerprint
from detectors.training.beginnings import ONLINE_OPTIONS, ONLINE_SEEDS, ONLINE_STEADY_OPTIONS
from detectors.training.figures.method_figures import MethodAnswers, ask_method, method_name
from detectors.training.figures.panel_figures import (
    CONSTANT,
    PanelFigures,
    as_document,
    chosen_words,
    heading,
)
from detectors.training.figures.validation import (
    RUNNING,
    WHOLE,
    ChosenChance,
    HeldOutModel,
    constants,
    held_out_models,
    out_of_fold_answers,
)
from detectors.training.labels.panel_answers import SHOWN_WEIGHT, KnownSeries, PanelAnswers
from detectors.training.panel import (
    KNOWN_WEIGHT,
    LEVELS,
    NEAR_OPTIONS,
    SEEDS,
    START_OPTIONS,
    STEADY_OPTIONS,
    PanelFeatures,
    fit_panel_model,
)
from detectors.training.plain import PLAIN_OPTIONS

Said = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class PlateauValidation:
    """One way to hold systems out.

    inside: share of answers in the 80 % interval. chosen: of Plateau and of Plateau, online.
    """

    heading: str
    figures: PanelFigures
    inside: float
    chosen: tuple[ChosenChance | None, ChosenChance | None]

    def document(self, order: int) -> dict[str, Any]:
        """Figures for the card: the methods that are trained, and the constant."""
        names = {method_name(method) for method in (*WHOLE, *RUNNING)} | {CONSTANT}
        rows = [as_document(row) for row in self.figures.rows if row.name in names]
        return {"order": order, "methods": rows, "inside_80": round(self.inside, 3)} | {
            f"chance_chosen_{name}": None if chance is None else asdict(chance)
            for name, chance in zip(("whole", "running"), self.chosen, strict=True)
        }

    @property
    def text(self) -> str:
        """Markdown report of the validation."""
        people = self.figures.people_table()
        return (
            self.heading
            + self.figures.table()
            + f"\nThe 80 % interval holds the panel's answer in {100 * self.inside:.1f} % of the "
            + "series.\n"
            + (f"\nAgainst the median of the other people's marks:\n\n{people}" if people else "")
            + f"\nReading online:\n\n{self.figures.waiting_table()}"
            + "".join(
                chosen_words(name, None if chance is None else asdict(chance))
                for name, chance in zip(("Plateau", "Plateau, online"), self.chosen, strict=True)
            )
        )


def digest_of_known(known_series: Iterable[KnownSeries]) -> str:
    """SHA-256 of all values and answers of simulated series."""
    digest = hashlib.sha256()
    for series in known_series:
        digest.update(series.values.tobytes() + str(series.start).encode())
    return digest.hexdigest()


class PlateauTraining:
    """One panel and one seed: the same two always give the same weights."""

    def __init__(self, panel: PanelAnswers, seed: int, *, progress: Said = str) -> None:
        self.panel, self.seed, self.progress = panel, seed, progress

    @cached_property
    def features(self) -> PanelFeatures:
        return PanelFeatures.from_panel(
            self.panel, lambda count: self.progress(f"features of series {count}")
        )

    @cached_property
    def held(self) -> list[HeldOutModel]:
        """The models that each have not seen some groups: those of folding 0."""
        return list(held_out_models(self.features, seed=self.seed, progress=self._fold_of(0)))

    def models(self) -> PanelModels:
        """The model of all series, and those that have not seen some."""
        self.progress("fitting on every series")
        features = self.features
        full_model = fit_panel_model(features, features.all_groups, self.seed)
        groups = {
            name: blind_index
            for blind_index, held_model in enumerate(self.held)
            for name in held_model.groups
        }
        answered_series = [
            (panel_series.values, panel_series.group) for panel_series in features.panel.marked
        ]
        answered_series += [
            (panel_series.values, panel_series.group) for panel_series in features.panel.shown
        ]
        simulated_series = [
            (panel_series.values, panel_series.group) for panel_series in features.panel.known
        ]
        series = {
            fingerprint(values): groups[group]
            for values, group in (*answered_series, *simulated_series)
        }
        sketches = {fingerprint(values): sketch(values) for values, _ in answered_series}
        blind_models = tuple(held_model.model for held_model in self.held)
        return PanelModels(full_model, blind_models, groups, series, tuple(sketches.values()))

    def _fold_of(self, order: int) -> Callable[[int], object]:
        return lambda count: self.progress(f"folding {order}, fold {count}")

    def card(self, source: str) -> dict[str, Any]:
        """Card of the weights: data and settings; no date, so that equal input is equal bytes."""
        features = self.features
        return {
            "fitted_on": source,
            "marked_series": len(features.panel.marked),
            "shown_series": len(features.panel.shown),
            "known_series": len(features.panel.known),
            "drawn_plain_series": int((features.plain.groups == "").sum()),
            f"{features.panel.group}s": len({*features.groups, *features.shown_groups}),
            "values_sha256": self.digest(),
            "known_answers_sha256": digest_of_known(features.panel.known),
            "seed": self.seed,
            "forests": {
                "starts": 2 * SEEDS,
                "near": SEEDS,
                "online": ONLINE_SEEDS,
                "online_steady": ONLINE_SEEDS,
            },
            "options": {
                "starts": START_OPTIONS,
                "near": NEAR_OPTIONS,
                "steady": STEADY_OPTIONS,
                "online": ONLINE_OPTIONS,
                "online_steady": ONLINE_STEADY_OPTIONS,
                "plain": PLAIN_OPTIONS,
            },
            "nearness_is_1_over_e_after": NEARNESS_REACH,
            "weight_of_single_marks": SHOWN_WEIGHT,
            "weight_of_known_answers": KNOWN_WEIGHT,
            "interval": list(LEVELS),
            "cross_validation": [],
        }

    def digest(self) -> str:
        """SHA-256 of all values, answers and labels of people."""
        digest = hashlib.sha256()
        for marked_series in self.panel.marked:
            digest.update(marked_series.values.tobytes() + str(marked_series.start).encode())
        for shown_series in self.panel.shown:
            digest.update(
                shown_series.values.tobytes()
                + repr((shown_series.marks, shown_series.steady)).encode()
            )
        return digest.hexdigest()

    def validate(self, order: int, other_methods: Sequence[Detector]) -> PlateauValidation:
        """Out-of-fold figures beside other methods and people on the same series."""
        self.progress(f"folding {order}")
        parts = self.held if order == 0 else self._shuffled_models(order)
        fold_answers = out_of_fold_answers(self.features, parts)
        answers = [*fold_answers.whole, *fold_answers.running, *self._other_answers(other_methods)]
        return PlateauValidation(
            heading(order, self.panel.group),
            PanelFigures.from_panel(self.panel, constants(self.panel, order or None), answers),
            float(fold_answers.inside.mean()),
            fold_answers.chosen,
        )

    def _other_answers(self, other_methods: Sequence[Detector]) -> Iterator[MethodAnswers]:
        """Other methods on the same series, but those that need what an array does not hold."""
        for detector in other_methods:
            self.progress(detector.title)
            method_answers = ask_method(detector, self.panel)
            if any(answer is not None for answer in method_answers.marked):
                yield method_answers

    def _shuffled_models(self, order: int) -> Iterator[HeldOutModel]:
        progress = self._fold_of(order)
        return held_out_models(self.features, seed=self.seed, order=order, progress=progress)
