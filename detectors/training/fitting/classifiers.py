"""Any time-series classifier, fitted on windows as the learned stopping methods are.

A classifier is a class with `fit(X, y)` and `predict(X)`, as those of scikit-learn (X: windows,
width) and of aeon (X: windows, 1, width): the future work of Traini, Di Menna & Cortellessa 2024,
section 7.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Final, Protocol

from detectors.learned.fitted_classifiers import ClassifierModel, shape_windows
from detectors.training.labels.labelled_windows import LabelledWindows

SEEDED: Final = ("random_state", "seed")


class WindowClassifier(Protocol):
    """Methods that a user's own class must have."""

    def fit(self, x: Any, y: Any) -> Any: ...
    def predict(self, x: Any) -> Any: ...


class NoClassifier(LookupError):
    """No class of that name, or one that is no classifier; the sentence says what was found."""


def classifier_at(target: str) -> type[Any]:
    """The class of ``package.module:Class``. Raises NoClassifier."""
    module_name, _, name = target.partition(":")
    if not (module_name and name):
        raise NoClassifier(f"found {target!r}, expected package.module:Class")
    try:
        classifier_class = getattr(importlib.import_module(module_name), name)
    except (ImportError, AttributeError) as error:
        raise NoClassifier(f"{target}: {error}") from error
    missing_methods = [
        method
        for method in ("fit", "predict")
        if not callable(getattr(classifier_class, method, None))
    ]
    if missing_methods or not inspect.isclass(classifier_class):
        raise NoClassifier(f"{target}: found no class with fit and predict")
    return classifier_class


def fitted_classifier(target: str, training_windows: LabelledWindows, seed: int) -> ClassifierModel:
    """The class, fitted on these windows. Raises NoClassifier."""
    classifier_class = classifier_at(target)
    parameters = inspect.signature(classifier_class).parameters
    seeds: dict[str, int] = {name: seed for name in SEEDED if name in parameters}
    model: WindowClassifier = classifier_class(**seeds)
    model.fit(shape_windows(target, training_windows.windows), training_windows.stable.astype(int))
    return ClassifierModel(target, model)
