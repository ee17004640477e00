"""Training of `rocket`, `fcn` and `oscnn`, from labelled series to five models and their card.

Each fold is stored as soon as it is fitted, in a folder named by everything that decides the
result: the same command goes on where it was stopped, and ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.crossfit import FOLDS, as_bytes, canonical
from detectors.panel import DIGITS, digest_of as sha256, name_for
from detectors.rocket import RandomKernels
from detectors.training import rocket
from detectors.training.folds import Unseen, assign_folds, split_off
from detectors.training.labelled_windows import (
    Chosen,
    LabelledSeries,
    LabelledWindows,
    Labels,
    digest_of,
    every_window,
    is_usable,
    segments_of,
)
from detectors.training.panel import TooFewAnswers
from detectors.windows import Singles

NETWORKS: Final = ("fcn", "oscnn")
Progress = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class StoppingSettings:
    """What a training depends on beside its series.

    every: a network's threshold is chosen on each so-many-th window of the validation series.
    epochs, batch: of networks. kernels: of ROCKET. device: where PyTorch computes; no part of
    the result's name.
    """

    slug: str
    seed: int = 0
    unseen: Unseen = "benchmarks"
    every: int = 1
    epochs: int = 500
    batch: int = 1024
    device: str = "cpu"
    kernels: int = rocket.KERNELS

    def as_document(self) -> dict[str, Any]:
        """For the card; what does not matter to the method is left out."""
        own = {"every", "epochs", "batch"} if self.slug in NETWORKS else {"kernels"}
        kept = {"slug", "seed", "unseen"} | own
        return {key: value for key, value in asdict(self).items() if key in kept}


@dataclass(frozen=True, slots=True)
class FoldFigures:
    """How the model of a fold does on the windows of the benchmarks that it has not seen.

    "Positive" is stable. None where a figure has nothing to be taken of.
    """

    fold: int
    windows: int
    precision: float | None
    recall: float | None
    f1: float | None
    balanced_accuracy: float | None


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
            card.with_name(f"{card.stem}-fold{number}.npz").write_bytes(content)
        card.write_text(json.dumps({"model": name} | self.card, indent=1) + "\n", "utf-8")
        return card

    def name(self, words: str) -> str:
        return name_for(words, canonical(self.card["answers"]))


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
        self.folds = assign_folds([each.benchmark for each in self.series], settings.unseen)

    @cached_property
    def segments(self) -> LabelledWindows:
        return segments_of(self.series)

    @cached_property
    def _fold_of_series(self) -> NDArray[np.int64]:
        return np.array([self.folds[each.benchmark] for each in self.series])

    @cached_property
    def _kernels(self) -> RandomKernels:
        return rocket.drawn(self.settings.seed, self.settings.kernels)

    @cached_property
    def _features(self) -> Singles:
        """Of every window; no fold has others."""
        return rocket.transformed(self._kernels, self.segments.windows, self.progress)

    def run(self, source: str, labels: str) -> TrainedModels:
        """All folds, from the files of those that are done. Raises `TooFewAnswers`."""
        done = [self._fold(number) for number in range(FOLDS)]
        files = tuple(content for content, _ in done)
        said = [document for _, document in done]
        return TrainedModels(self.settings.slug, files, self._card(source, labels, files, said))

    def finish(self) -> None:
        """Remove the unfinished work, once its result is written elsewhere."""
        shutil.rmtree(self.work, ignore_errors=True)

    def _fold(self, number: int) -> tuple[bytes, dict[str, Any]]:
        """The model's file, and its threshold and figures."""
        self.work.mkdir(parents=True, exist_ok=True)
        weights, document = self.work / f"fold{number}.npz", self.work / f"fold{number}.json"
        if not document.is_file():
            content, said = self._fitted(number)
            weights.write_bytes(content)
            document.write_text(json.dumps(said), "utf-8")
        found: dict[str, Any] = json.loads(document.read_text("utf-8"))
        return weights.read_bytes(), found

    def _fitted(self, number: int) -> tuple[bytes, dict[str, Any]]:
        say = self._say(number)
        say("fitting")
        held = self._fold_of_series == number
        tested = held[self.segments.series]
        self._require_both(~tested, number)
        if self.settings.slug in NETWORKS:
            arrays, threshold, score = self._network(number, held, say)
            accepted, more = score >= threshold, {}
        else:
            seen = self.segments.stable[~tested]
            model, penalty = rocket.fitted(self._kernels, self._features[~tested], seen)
            value = rocket.decided(model, self._features[tested])
            arrays, threshold, accepted = model.as_arrays(), 0.0, value > 0
            more = {"penalty": penalty}
        figures = figures_of(number, self.segments.stable[tested], accepted)
        return as_bytes(arrays), {"threshold": threshold, "figures": asdict(figures), **more}

    def _require_both(self, kept: Labels, number: int) -> None:
        stable = self.segments.stable[kept]
        if stable.all() or not stable.any():
            raise TooFewAnswers(
                f"found only one label among the {stable.size} windows outside of fold {number}, "
                "expected stable and unstable ones: more series, or labels that differ"
            )

    def _say(self, number: int) -> Progress:
        return lambda text: self.progress(f"fold {number + 1} of {FOLDS}: {text}")

    def _network(
        self, number: int, held: Chosen, say: Progress
    ) -> tuple[Mapping[str, NDArray[Any]], float, NDArray[np.float64]]:
        """Arrays, threshold, and scores of the windows that the network has not seen."""
        # PyTorch is needed here and nowhere else.
        from detectors.training import networks  # noqa: PLC0415

        s = self.settings
        options = networks.NetworkOptions(epochs=s.epochs, batch=s.batch, device=s.device)
        fit, check = self._split(held)
        arrays = networks.trained(
            s.slug,
            self.segments.of(fit),
            self.segments.of(check),
            options=options,
            seed=s.seed,
            fold=number,
            state=self.work / f"fold{number}.state",
            progress=say,
        )
        score: list[NDArray[np.float64]] = []
        stable: list[Labels] = []
        for at in np.flatnonzero(check).tolist():
            say("choosing the threshold")
            windows, labels = every_window(self.series[at], s.every)
            score.append(networks.scores(arrays, windows, options))
            stable.append(labels)
        threshold = youden(np.concatenate(stable), np.concatenate(score))
        unseen = self.segments.of(held)
        return arrays, threshold, networks.scores(arrays, unseen.windows, options)

    def _split(self, held: Chosen) -> tuple[Chosen, Chosen]:
        """Series that a network is fitted on, and those on which it is checked."""
        names = [each.benchmark for each in self.series]
        kept, checked = split_off([name for name, out in zip(names, held, strict=True) if not out])
        return np.isin(names, kept), np.isin(names, checked)

    def _digest(self) -> str:
        said = json.dumps(self.settings.as_document(), sort_keys=True)
        return hashlib.sha256((said + digest_of(self.series)).encode()).hexdigest()

    def _card(
        self, source: str, labels: str, files: Sequence[bytes], said: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        """No date, so that equal input is equal bytes."""
        folds = [
            {"sha256": sha256(content), "threshold": each["threshold"]}
            for content, each in zip(files, said, strict=True)
        ]
        usable = sum(map(is_usable, self.series))
        return {
            "answers": {"folds": folds, "benchmarks": self.folds},
            "fitted_on": source,
            "labels": labels,
            "series": len(self.series),
            "steady_series": usable,
            "systems": len({each.system for each in self.series}),
            "windows": int(self.segments.stable.size),
            "stable_windows": int(self.segments.stable.sum()),
            "values_sha256": digest_of(self.series),
            "settings": self.settings.as_document(),
            "penalties": [each["penalty"] for each in said if "penalty" in each],
            "cross_validation": [each["figures"] for each in said],
        }


def youden(stable: Labels, score: NDArray[np.float64]) -> float:
    """The score with the largest share of true minus share of false acceptances.

    The first such among the distinct scores from the largest down; accepted is score >= threshold.
    """
    distinct, place = np.unique(-score, return_inverse=True)
    true = np.bincount(place, weights=stable, minlength=distinct.size).cumsum()
    false = np.bincount(place, weights=~stable, minlength=distinct.size).cumsum()
    gain = true / max(true[-1], 1) - false / max(false[-1], 1)
    return float(-distinct[int(gain.argmax())])


def figures_of(fold: int, stable: Labels, accepted: Labels) -> FoldFigures:
    both = int((stable & accepted).sum())
    precision = _share(both, int(accepted.sum()))
    recall = _share(both, int(stable.sum()))
    specificity = _share(int((~stable & ~accepted).sum()), int((~stable).sum()))
    f1 = _share(2 * both, int(accepted.sum()) + int(stable.sum()))
    balanced = None if recall is None or specificity is None else (recall + specificity) / 2
    return FoldFigures(fold, int(stable.size), precision, recall, f1, balanced)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def as_table(figures: Sequence[Mapping[str, Any]]) -> str:
    """Markdown, one line a fold, and their mean."""
    names = [each.name for each in fields(FoldFigures)][2:]
    heads = " | ".join(name.replace("_", " ") for name in names)
    lines = [f"| fold | windows | {heads} |", "|---" * (len(names) + 2) + "|"]
    lines += [
        _row(str(each["fold"]), each["windows"], [each[n] for n in names]) for each in figures
    ]
    means = [_mean([each[name] for each in figures]) for name in names]
    lines.append(_row("**mean**", sum(each["windows"] for each in figures), means))
    return "\n".join(lines) + "\n"


def _row(name: str, windows: int, cells: Sequence[float | None]) -> str:
    shown = " | ".join("" if cell is None else f"{cell:.3f}" for cell in cells)
    return f"| {name} | {windows:,} | {shown} |"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
