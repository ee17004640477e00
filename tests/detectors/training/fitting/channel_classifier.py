"""A classifier that takes series as those of aeon do, in a package of that name: aeon is none of
the project's own dependencies."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from detectors.learned import fitted_classifiers

MODULES: Final = ("aeon", "aeon.classification", "aeon.classification.channels")
TARGET: Final = "aeon.classification.channels:FlatnessClassifier"
SOURCE: Final = '''
import numpy as np

def spread(X):
    if not (isinstance(X, np.ndarray) and X.ndim == 3 and X.shape[1] == 1):
        raise ValueError(f"expected (windows, 1, width), found {np.shape(X)}")
    return np.abs(X[:, 0, -5:].mean(axis=1) - X[:, 0, :5].mean(axis=1))

class FlatnessClassifier:
    """Stable where both ends are alike: nearer to the mean of the stable than of the others."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        ends = spread(X)
        self.classes_ = np.unique(y)
        self.level_ = (ends[y == 1].mean() + ends[y == 0].mean()) / 2
        return self

    def predict(self, X):
        return (spread(X) < self.level_).astype(int)

    def predict_proba(self, X):
        stable = 1 / (1 + (spread(X) / self.level_) ** 8)
        return np.stack([1 - stable, stable], axis=1)
'''


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make the package importable and its class allowed; its name."""
    place = folder / "aeon" / "classification"
    place.mkdir(parents=True)
    (folder / "aeon" / "__init__.py").touch()
    (place / "__init__.py").touch()
    (place / "channels.py").write_text(SOURCE, encoding="utf-8")
    for name in MODULES:  # set and forgotten: what is imported of it ends with the test
        monkeypatch.setitem(sys.modules, name, None)
        del sys.modules[name]
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv(fitted_classifiers.VARIABLE, TARGET)
    return TARGET
