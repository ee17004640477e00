"""Fitted classifiers of scikit-learn and its like as models of windows, and as files.

A file holds the object as skops writes it: numbers, and the names of types. It is no program, as a
pickle would be: of types only those of scikit-learn and of the class's own package are made, and
whoever reads it says which classes may be read at all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NotAvailable, Values
from detectors.learned.windows import Singles

VARIABLE: Final = "PLATEAU_CLASSIFIERS"
USUAL: Final = (
    "sklearn.linear_model:RidgeClassifierCV",
    "sklearn.linear_model:LogisticRegression",
    "sklearn.ensemble:RandomForestClassifier",
    "sklearn.ensemble:ExtraTreesClassifier",
    "sklearn.ensemble:HistGradientBoostingClassifier",
    "sklearn.neighbors:KNeighborsClassifier",
    "aeon.classification.convolution_based:MiniRocketClassifier",
    "aeon.classification.convolution_based:MultiRocketHydraClassifier",
)
"""Classes that may be fitted and read where nobody says otherwise."""
CHANNELS: Final = "aeon"  # takes series of channels, of which there is one here
HALF: Final = 0.5


def allowed_classes() -> tuple[str, ...]:
    """Classes that this installation allows, ``package.module:Class``."""
    listed_targets = os.environ.get(VARIABLE, "").replace(",", " ").split()
    return tuple(listed_targets) or USUAL


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierModel:
    """One fitted classifier. target: its class, ``package.module:Class``."""

    target: str
    classifier: Any

    @staticmethod
    def look(window: Singles) -> Singles:
        """Part of a window that the model sees: all of it."""
        return window

    def judged(self, window: Singles) -> float:
        """Certainty that a standardised window is stable, 0 to 1; above 0.5 it is."""
        return float(self.judged_together(window[None])[0])

    def judged_together(self, windows: Singles) -> Values:
        """Certainty for many windows, (windows, width), which costs little more than for one.

        Its probability of "stable", or its bare answer, 1 or 0, where it gives no probability.
        """
        shaped_windows = shape_windows(self.target, windows)
        if not hasattr(self.classifier, "predict_proba"):
            bare_answers: Values = (np.asarray(self.classifier.predict(shaped_windows)) > 0).astype(
                np.float64
            )
            return bare_answers
        stable_index = list(self.classifier.classes_).index(1)
        chances: Values = np.asarray(self.classifier.predict_proba(shaped_windows), np.float64)[
            :, stable_index
        ]
        return chances

    @staticmethod
    def accepts(score: float, threshold: float) -> bool:
        return score > threshold

    def as_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Arrays for a file. Raises NotAvailable without skops, and for what it cannot write."""
        io = _skops()
        try:
            classifier_bytes = io.dumps(self.classifier, compression=8)
        except Exception as error:  # of an object that is no data, each in its own way
            raise NotAvailable(f"{self.target} cannot be kept in a file: {error}") from error
        content = np.frombuffer(classifier_bytes, np.uint8)
        return {"target": np.array(self.target), "classifier": content}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the model that `as_arrays` wrote. Raises NotAvailable for a class not allowed
        here.
        """
        target = str(arrays["target"])
        if target not in allowed_classes():
            raise NotAvailable(
                f"its class is {target}, which this installation does not allow ({VARIABLE})"
            )
        io, content = _skops(), arrays["classifier"].tobytes()
        try:
            classifier = io.loads(
                content, trusted=_trusted_types(target, io.get_untrusted_types(data=content))
            )
        except Exception as error:  # skops raises many kinds for a file that is none
            raise NotAvailable(f"a classifier that cannot be read: {error}") from error
        return cls(target, classifier)


def shape_windows(target: str, windows: Singles) -> Singles:
    """Windows as the class takes them: (windows, width), of aeon (windows, 1, width)."""
    return windows[:, None, :] if target.partition(".")[0] == CHANNELS else windows


def _trusted_types(target: str, types: list[str]) -> list[str]:
    """Types in a file that belong to scikit-learn or to the class's own package."""
    packages = {"sklearn", target.partition(":")[0].partition(".")[0]}
    return [name for name in types if name.partition(".")[0] in packages]


def _skops() -> Any:
    try:
        import skops.io  # noqa: PLC0415  # only classifiers need it; the wheel does without
    except ImportError as error:
        raise NotAvailable("skops is not installed, which reads and writes classifiers") from error
    return skops.io
