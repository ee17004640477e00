"""Weights of the learned stopping methods: five models a set, each blind to a fifth.

Benchmarks are dealt into five folds, and the model of a fold has seen all benchmarks but those
of its own. So there is a model for each benchmark of the training data that has never seen it,
and for any other the five vote. A set is `SLUG-NAME.json`, which says which benchmark lies in
which fold, and `SLUG-NAME-fold0.npz` to `fold4`. Names are as those of
`detectors.panel.panel_models`. An application may keep sets elsewhere than in files: it registers
where.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NotAvailable
from detectors.learned.fitted_classifiers import ClassifierModel
from detectors.learned.networks import Network
from detectors.learned.rocket import RocketModel
from detectors.learned.windows import WINDOW, Singles
from detectors.panel import panel_models
from detectors.panel.panel_models import DIGITS, SHIPPED, content_digest, makes

FOLDS: Final = 5
Arrays = Mapping[str, NDArray[Any]]


class WindowModel(Protocol):
    """Model that judges one standardised window, by what it sees of it.

    Models that look alike have equal `look`s, so that it has to be taken once.
    """

    @property
    def look(self) -> Callable[[Singles], Singles]: ...
    def judged(self, window_look: Singles) -> float: ...
    def accepts(self, score: float, threshold: float) -> bool: ...


READERS: Final[Mapping[str, Callable[[Arrays], WindowModel]]] = {
    "classifier": ClassifierModel.of_arrays,
    "fcn": Network.of_arrays,
    "oscnn": Network.of_arrays,
    "rocket": RocketModel.of_arrays,
}


@dataclass(frozen=True, slots=True, eq=False)
class FoldModel:
    """The model that has not seen the benchmarks of fold `number`."""

    number: int
    model: WindowModel
    threshold: float


@dataclass(frozen=True, slots=True, eq=False)
class FoldSet:
    """All models of one training.

    seen: the fold of each benchmark, as `benchmark_key` names it. window: values that they look at.
    """

    folds: tuple[FoldModel, ...]
    seen: Mapping[str, int]
    window: int = WINDOW

    def __post_init__(self) -> None:
        if len(self.folds) != FOLDS:
            raise ValueError(f"{len(self.folds)} folds instead of {FOLDS}")

    def blind_to(self, benchmark: str) -> FoldModel | None:
        """The model that has not seen the benchmark; None where none has."""
        number = self.seen.get(benchmark) if benchmark else None
        return None if number is None else self.folds[number]


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A set as its models and what decides their answers, which its card has."""

    answers: Mapping[str, Any]
    files: Iterable[bytes]


class WeightStore(Protocol):
    """Store of weight sets of an application; equal only to itself."""

    def __hash__(self) -> int: ...
    def has(self, slug: str, name: str) -> bool: ...
    def card(self, slug: str, name: str) -> dict[str, Any]: ...
    def load(self, slug: str, name: str) -> StoredSet: ...


_stores: list[WeightStore] = []


def register_weight_store(store: WeightStore) -> None:
    """Look into `store` for sets that are in no folder."""
    _stores.append(store)


def missing_weights(slug: str) -> str:
    """Why the method has nothing to work with here, or nothing."""
    return "" if installed_set_names(slug) else f"weights not installed; {makes(slug)}"


def installed_set_names(slug: str) -> list[str]:
    """The sets that are installed, the one that ships first."""
    installed_names = {
        path.stem.removeprefix(f"{slug}-")
        for folder in panel_models.folders()
        for path in folder.glob(f"{slug}-*.json")
    }
    complete_names = {name for name in installed_names if card_path(slug, name) is not None}
    return sorted(complete_names, key=lambda name: (name != SHIPPED, name))


def card_path(slug: str, name: str) -> Path | None:
    """The card of a set; None if there is none."""
    searched_folders = (panel_models.PACKAGED,) if name == SHIPPED else panel_models.folders()
    paths = (folder / f"{slug}-{name}.json" for folder in searched_folders)
    return next((path for path in paths if path.is_file()), None)


def fold_path(card: Path, number: int) -> Path:
    """The file of one model beside its card."""
    return card.with_name(f"{card.stem}-fold{number}.npz")


def card_of(slug: str, name: str) -> dict[str, Any]:
    """Card of the models: what they were fitted on, and their figures; empty where there is no
    such set.
    """
    if path := card_path(slug, name):
        card: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return card
    store = _store_with(slug, name)
    return store.card(slug, name) if store else {}


def _store_with(slug: str, name: str) -> WeightStore | None:
    return next((store for store in _stores if store.has(slug, name)), None)


def set_named(slug: str, name: str) -> FoldSet:
    """Raises `NotAvailable` where the set is not installed, or not what its name says."""
    path = card_path(slug, name)
    if path is not None:
        return _read(slug, path, path.stat().st_mtime_ns)
    if store := _store_with(slug, name):
        return _load_set(slug, name, store)
    names = installed_set_names(slug)
    if not names:
        raise NotAvailable(f"weights not installed; {makes(slug)}")
    raise NotAvailable(
        f"weights not installed under the name {name}; there are: {', '.join(names)}"
    )


@lru_cache(maxsize=8)
def _read(slug: str, card: Path, changed_at: int) -> FoldSet:  # noqa: ARG001  # a new file is read anew
    try:
        answers = json.loads(card.read_text("utf-8"))["answers"]
        numbers = range(len(answers["folds"]))
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise _unreadable_error(slug, card.stem, error) from error
    files = (fold_path(card, number).read_bytes() for number in numbers)
    return _make_set(slug, card.stem, StoredSet(answers, files))


@lru_cache(maxsize=8)
def _load_set(slug: str, name: str, store: WeightStore) -> FoldSet:
    """A name ends in the digest of its content: the same name is the same set for ever."""
    return _make_set(slug, f"{slug}-{name}", store.load(slug, name))


def _make_set(slug: str, stem: str, stored_set: StoredSet) -> FoldSet:
    """stem: slug and name, which ends in the digest of the content."""
    answers = stored_set.answers
    try:
        _check(stem, content_digest(canonical_bytes(answers)), stem.rpartition("-")[2], slug)
        folds = tuple(
            _fold(slug, f"{stem}-fold{number}", content, number, fold_answers)
            for number, (content, fold_answers) in enumerate(
                zip(stored_set.files, answers["folds"], strict=True)
            )
        )
        window = int(answers.get("window", WINDOW))
        return FoldSet(folds, dict(answers["benchmarks"]), window)
    except (KeyError, TypeError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise _unreadable_error(slug, stem, error) from error


def _unreadable_error(slug: str, stem: str, error: Exception) -> NotAvailable:
    return NotAvailable(f"weights {stem} cannot be read: {error}; {makes(slug)}")


def _fold(
    slug: str, name: str, content: bytes, number: int, fold_answers: Mapping[str, Any]
) -> FoldModel:
    _check(name, content_digest(content), fold_answers["sha256"][:DIGITS], slug)
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return FoldModel(number, READERS[slug](arrays), float(fold_answers["threshold"]))


def _check(name: str, digest: str, expected: str, slug: str) -> None:
    if expected not in {SHIPPED, digest[:DIGITS]}:
        raise NotAvailable(
            f"weights {name}: found the digest {digest[:DIGITS]}, expected {expected}; "
            f"the file was changed or renamed; {makes(slug)}"
        )


def canonical_bytes(answers: Mapping[str, Any]) -> bytes:
    """Bytes of what decides answers (files, thresholds, folds); they give a set its name."""
    return json.dumps(answers, sort_keys=True, separators=(",", ":")).encode()


def as_bytes(arrays: Arrays) -> bytes:
    """The file of one model: the same numbers are the same bytes."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def benchmark_key(system: str, name: str, params: str) -> str:
    """Key of a fold's members: ``system#name#params``, whatever the fork and the recording."""
    return f"{system}#{name}#{params}"
