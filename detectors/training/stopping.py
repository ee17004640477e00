"""Training of the learned stopping methods, from labelled series to five models and their card.

Each fold is stored as soon as it is fitted, in a folder named by everything that decides the
result: the same command goes on where it was stopped, and ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.learned.crossfit import FOLDS, as_bytes, canonical_bytes
from detectors.learned.fitted_classifiers import HALF
from detectors.learned.rocket import RandomKernels
from detectors.learned.windows import WINDOW, Singles
from detectors.panel.panel_models import DIGITS, content_digest as sha256, name_for
from detectors.training.figures.fold_figures import figures_of
from detectors.training.fitting import rocket
from detectors.training.fitting.classifiers import fitted_classifier
from detectors.training.labels.folds import Unseen, assign_folds, split_validation
from detectors.training.labels.labelled_windows import (
    Chosen,
    LabelledSeries,
    LabelledWindows,
    Labels,
    all_windows,
    is_usable,
    labelled_digest,
    segments_of,
)
from detectors.training.panel import TooFewAnswers
from detectors.training.whole_files import write_whole

NETWORKS: Final = ("fcn", "oscnn")
OWN: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(NETWORKS, ("every", "epochs", "batch", "most")),
    "rocket": ("kernels",),
    "classifier": ("target",),
}
"""Settings that matter to one method only."""
MOST_BYTES: Final = 30_000_000  # of the file of one model
Progress = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class StoppingSettings:
    """Settings that a training depends on beside its series.

    target: of `classifier`, its class. window: values of one. size: benchmarks that a model may
    learn from, None for all. every: a network's threshold is chosen on each so-many-th window of
    the validation series.
    epochs, batch: of networks. most: windows that a network is fitted on, and is judged by, drawn
    at random; it is checked on a quarter as many; None for all. kernels: of ROCKET.
    device: where PyTorch computes; no part of the result's name.
    """

    slug: str
    seed: int = 0
    unseen: Unseen = "benchmarks"
    target: str = ""
    window: int = WINDOW
    size: int | None = None
    every: int = 1
    epochs: int = 500
    batch: int = 1024
    most: int | None = None
    device: str = "cpu"
    kernels: int = rocket.KERNELS

    def as_document(self) -> dict[str, Any]:
        """Settings for the card; those without effect on the method are left out."""
        relevant_names = {"slug", "seed", "unseen", *OWN.get(self.slug, ())}
        # Older cards do not have them.
        default_values = {"window": WINDOW, "size": None, "most": None}
        return {
            key: value
            for key, value in asdict(self).items()
            if key in relevant_names or default_values.get(key, value) != value
        }


@dataclass(frozen=True, slots=True)
class TrainedModels:
    """Five models as files, and their card."""

    slug: str
    files: tuple[bytes, ...]
    card: dict[str, Any]

    def write(self, folder: Path, name: str) -> Path:
        """Write all of it under `name`; the card last, since with it the set is there."""
        folder.mkdir(parents=True, exist_ok=True)
        card = folder / f"{self.slug}-{name}.json"
        for number, content in enumerate(self.files):
            write_whole(card.with_name(f"{card.stem}-fold{number}.npz"), content)
        text = json.dumps({"model": name} | self.card, indent=1) + "\n"
        write_whole(card, text.encode())
        return card

    def name(self, words: str) -> str:
        return name_for(words, canonical_bytes(self.card["answers"]))


class ModelTooLarge(ValueError):
    """A model that would be too large to keep; the sentence says how large."""


class StoppingTraining:
    """Labelled series and settings: the same two always give the same weights."""

    def __init__(
        self,
        series: Sequence[LabelledSeries],
        settings: StoppingSettings,
        *,
        folder: Path,
        progress: Progress = str,
    ) -> None:
        """`folder` is where the folder of unfinished work is made. Raises `TooFewAnswers`."""
        self.series, self.settings, self.progress = list(series), settings, progress
        self.work = folder / f".{settings.slug}-{self._digest()[:DIGITS]}"
        self.folds = assign_folds(
            [labelled_series.benchmark for labelled_series in self.series], settings.unseen
        )

    @cached_property
    def segments(self) -> LabelledWindows:
        return segments_of(self.series, self.settings.window)

    @cached_property
    def _fold_of_series(self) -> NDArray[np.int64]:
        return np.array([self.folds[labelled_series.benchmark] for labelled_series in self.series])

    @cached_property
    def _kernels(self) -> RandomKernels:
        return rocket.draw_kernels(self.settings.seed, self.settings.kernels, self.settings.window)

    @cached_property
    def _features(self) -> Singles:
        """Features of every window; no fold has others."""
        return rocket.window_features(self._kernels, self.segments.windows, self.progress)

    def run(self, source: str, labels: str) -> TrainedModels:
        """All folds, from the files of those that are done. Raises `TooFewAnswers`."""
        fold_results = [self._fold(number) for number in range(FOLDS)]
        files = tuple(content for content, _ in fold_results)
        documents = [document for _, document in fold_results]
        return self.together(files, documents, source=source, labels=labels)

    def together(
        self,
        files: Sequence[bytes],
        documents: Sequence[dict[str, Any]],
        *,
        source: str,
        labels: str,
    ) -> TrainedModels:
        """The models of all folds as a set, from what `fitted` gave for each."""
        card = self._card(source, labels, files, documents)
        return TrainedModels(self.settings.slug, tuple(files), card)

    def finish(self) -> None:
        """Remove the unfinished work, once its result is written elsewhere."""
        shutil.rmtree(self.work, ignore_errors=True)

    def _fold(self, number: int) -> tuple[bytes, dict[str, Any]]:
        """The model's file, and its threshold and figures."""
        self.work.mkdir(parents=True, exist_ok=True)
        weights, document = self.work / f"fold{number}.npz", self.work / f"fold{number}.json"
        # Without its weights where an earlier process was killed while it removed both.
        if not (document.is_file() and weights.is_file()):
            content, fold_document = self.fitted(number)
            write_whole(weights, content)
            write_whole(document, json.dumps(fold_document).encode())
        stored_document: dict[str, Any] = json.loads(document.read_text("utf-8"))
        return weights.read_bytes(), stored_document

    def fitted(self, number: int) -> tuple[bytes, dict[str, Any]]:
        """The model of a fold as a file, its threshold, and how it does on windows not seen.

        Raises `TooFewAnswers`, and `ModelTooLarge` for a model that no file may hold.
        """

        def say(text: str) -> None:
            self.progress(f"fold {number + 1} of {FOLDS}: {text}")

        say("fitting")
        held_mask = self._fold_of_series == number
        tested_windows, training_windows = (
            self._draw_windows(held_mask, number),
            self.segments.windows_of(self._training_mask(held_mask, number)),
        )
        self._require_both(training_windows.stable, number)
        arrays, threshold, is_accepted, card_figures = self._model(number, held_mask, say)
        content = as_bytes(arrays)
        if len(content) > MOST_BYTES:
            raise ModelTooLarge(
                f"found a model of {len(content) / 1e6:,.0f} MB, expected at most "
                f"{MOST_BYTES / 1e6:,.0f} MB: learn from fewer benchmarks, or with another class"
            )
        figures = figures_of(number, tested_windows.stable, is_accepted)
        return content, {"threshold": threshold, "figures": asdict(figures), **card_figures}

    def _training_mask(self, held_mask: Chosen, number: int) -> Chosen:
        """The series that the model of a fold may learn from, of at most `size` benchmarks."""
        names = np.array([labelled_series.benchmark for labelled_series in self.series])
        usable_flags = [
            is_usable(labelled_series, self.settings.window) for labelled_series in self.series
        ]
        benchmarks = np.unique(names[~held_mask & usable_flags])
        if self.settings.size is None or benchmarks.size <= self.settings.size:
            return ~held_mask
        random = np.random.default_rng([self.settings.seed, number])
        return ~held_mask & np.isin(
            names, random.choice(benchmarks, self.settings.size, replace=False)
        )

    def _model(
        self, number: int, held_mask: Chosen, say: Progress
    ) -> tuple[Mapping[str, NDArray[Any]], float, Labels, dict[str, Any]]:
        """Arrays, threshold, which windows of the fold are accepted, and more for the card."""
        slug, training_mask = self.settings.slug, self._training_mask(held_mask, number)
        if slug in NETWORKS:
            arrays, threshold, score = self._network(number, held_mask, training_mask, say)
            return arrays, threshold, score >= threshold, {}
        if slug == "classifier":
            fitted_model = fitted_classifier(
                self.settings.target, self.segments.windows_of(training_mask), self.settings.seed
            )
            windows = self.segments.windows_of(held_mask).windows
            score = fitted_model.judged_together(windows) if windows.size else np.empty(0)
            return fitted_model.as_arrays(), HALF, score > HALF, {}
        rows, tested_mask = training_mask[self.segments.series], held_mask[self.segments.series]
        model, penalty = rocket.fit_rocket(
            self._kernels, self._features[rows], self.segments.stable[rows]
        )
        is_accepted = rocket.decision_values(model, self._features[tested_mask]) > 0
        return model.as_arrays(), 0.0, is_accepted, {"penalty": penalty}

    def _require_both(self, is_stable: Labels, number: int) -> None:
        if is_stable.all() or not is_stable.any():
            raise TooFewAnswers(
                f"found only one label among the {is_stable.size} windows outside of fold "
                f"{number}, "
                "expected stable and unstable ones: more benchmarks, or labels that differ"
            )

    def _network(
        self, number: int, held_mask: Chosen, training_mask: Chosen, say: Progress
    ) -> tuple[Mapping[str, NDArray[Any]], float, NDArray[np.float64]]:
        """Arrays, threshold, and scores of the windows that the network has not seen."""
        # PyTorch is needed here and nowhere else.
        from detectors.training.fitting import networks  # noqa: PLC0415

        s = self.settings
        options = networks.NetworkOptions(epochs=s.epochs, batch=s.batch, device=s.device)
        fit_mask, check_mask = self._split(training_mask)
        arrays = networks.train_network(
            s.slug,
            self._draw_windows(fit_mask, number),
            self._draw_windows(check_mask, number, parts=4),
            options=options,
            seed=s.seed,
            fold=number,
            state=self.work / f"fold{number}.state",
            progress=say,
        )
        score: list[NDArray[np.float64]] = []
        label_parts: list[Labels] = []
        for series_index in np.flatnonzero(check_mask).tolist():
            say("choosing the threshold")
            windows, labels = all_windows(self.series[series_index], s.every, s.window)
            score.append(networks.scores(arrays, windows, options))
            label_parts.append(labels)
        threshold = youden(np.concatenate(label_parts), np.concatenate(score))
        tested_windows = self._draw_windows(held_mask, number)
        return arrays, threshold, networks.scores(arrays, tested_windows.windows, options)

    def _draw_windows(self, is_chosen: Chosen, number: int, parts: int = 1) -> LabelledWindows:
        """Windows of the chosen series: of a network one in `parts` of `most`, at most."""
        most_windows = self.settings.most if self.settings.slug in NETWORKS else None
        share = None if most_windows is None else max(most_windows // parts, 1)
        return self.segments.windows_of(is_chosen).sample(share, (self.settings.seed, number))

    def _split(self, training_mask: Chosen) -> tuple[Chosen, Chosen]:
        """Series that a network is fitted on, and those on which it is checked."""
        names = np.array([labelled_series.benchmark for labelled_series in self.series])
        fitted_names, checked_names = split_validation(names[training_mask].tolist())
        return np.isin(names, fitted_names), np.isin(names, checked_names)

    def _digest(self) -> str:
        settings_text = json.dumps(self.settings.as_document(), sort_keys=True)
        return hashlib.sha256((settings_text + labelled_digest(self.series)).encode()).hexdigest()

    def _card(
        self, source: str, labels: str, files: Sequence[bytes], documents: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        """No date, so that equal input is equal bytes."""
        folds = [
            {"sha256": sha256(content), "threshold": document["threshold"]}
            for content, document in zip(files, documents, strict=True)
        ]
        window = self.settings.window
        usable_count = sum(is_usable(labelled_series, window) for labelled_series in self.series)
        answers: dict[str, Any] = {"folds": folds, "benchmarks": self.folds}
        if window != WINDOW:  # older sets do not say it
            answers["window"] = window
        return {
            "answers": answers,
            "fitted_on": source,
            "labels": labels,
            "series": len(self.series),
            "steady_series": usable_count,
            "systems": len({labelled_series.system for labelled_series in self.series}),
            "windows": int(self.segments.stable.size),
            "stable_windows": int(self.segments.stable.sum()),
            "values_sha256": labelled_digest(self.series),
            "settings": self.settings.as_document(),
            "penalties": [document["penalty"] for document in documents if "penalty" in document],
            "cross_validation": [document["figures"] for document in documents],
        }


def youden(is_stable: Labels, score: NDArray[np.float64]) -> float:
    """The score with the largest share of true minus share of false acceptances.

    The first such among the distinct scores from the largest down; accepted is score >= threshold.
    """
    distinct_scores, score_indices = np.unique(-score, return_inverse=True)
    n = distinct_scores.size
    true_counts = np.bincount(score_indices, weights=is_stable, minlength=n).cumsum()
    false_counts = np.bincount(score_indices, weights=~is_stable, minlength=n).cumsum()
    gain = true_counts / max(true_counts[-1], 1) - false_counts / max(false_counts[-1], 1)
    return float(-distinct_scores[int(gain.argmax())])
