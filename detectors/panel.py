"""A panel's habits as numbers: the models behind `plateau`, and where their files lie.

A model is `NAME.npz` (numbers of trees) with a card `NAME.json` that says what it was fitted on.
The one that ships is `shipped`; `manage.py train plateau` writes others, whose names end in the
first eight digits of their content's SHA-256, so that a name stands for one answer for ever.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NotAvailable, ParameterError, Parameters, Values, parameter
from detectors.forests import Forest

SHIPPED: Final = "shipped"
PACKAGED: Final = Path(__file__).parent / "weights"
VARIABLE: Final = "PLATEAU_MODELS"
NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
OPTIONAL: Final = ("steady", "near", "online")  # forests that a model may lack
DIGITS: Final = 8  # of the digest, in a name
MAKES: Final = "`manage.py train plateau STUDY/CAMPAIGN` makes them"
GRID: Final = np.fromstring(
    "1 2 3 5 7 10 13 16 20 25 30 36 43 50 60 70 80 90 100 115 130 145 160 180 200 220 240 260 280 "
    "300 320 340 360 380 400 425 450 475 500 530 560 590 620 660 700 750 800 860 920 1000 1080 "
    "1160 1260 1360 1480 1600 1750 1900 2050 2200 2350 2500 2650 2800",
    sep=" ",
)
"""Positions in a series of 3,000 values; in another they scale with its length."""
GRID.setflags(write=False)
PICKED: Final = tuple(
    int(np.abs(GRID - at).argmin()) for at in (10, 50, 150, 500, 1000, 1500, 2000, 2500)
)
"""Positions from which the question "steady at all?" is answered."""


def check_name(parameter: str, name: str) -> None:
    """Raise ParameterError, which names the parameter, for what is no name of a model."""
    if not NAME.fullmatch(name):
        raise ParameterError(
            f"{parameter} must be lower-case words and digits joined by -; got {name}"
        )


class ModelParams(Parameters):
    """What every method that reads a panel's habits lets one choose: whose."""

    model: str = parameter(
        SHIPPED,
        low=1,
        high=80,
        help="Whose answers were learned: the model that ships, or the name of one that "
        "`manage.py train plateau` has written.",
    )

    def check(self) -> None:
        check_name("model", self.model)


@dataclass(frozen=True, slots=True, eq=False)
class PanelModel:
    """What a panel of people was seen to do.

    starts: share of the panel's answers at or before each position of the grid.
    steady: whether they call a series steady (log odds); None where all were.
    levels: quantiles between which four of five answers lay.
    near: how near an iteration is to the panel's answer, 1 to 0; None where the model is of
        before steps were learned.
    online: `starts` for a series that is still running (`detectors.prefixes`); None where the
        model is of before there was such a thing.
    """

    starts: Forest
    steady: Forest | None
    levels: tuple[float, float]
    near: Forest | None = None
    online: Forest | None = None

    def as_bytes(self) -> bytes:
        """The file: the same numbers are the same bytes."""
        arrays: dict[str, NDArray[np.generic]] = {"levels": np.array(self.levels)}
        arrays |= self.starts.as_arrays("starts")
        for name in OPTIONAL:
            forest: Forest | None = getattr(self, name)
            if forest is not None:
                arrays |= forest.as_arrays(name)
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> PanelModel:
        low, high = arrays["levels"].tolist()
        steady, near, online = (
            Forest.of_arrays(name, arrays) if f"{name}_roots" in arrays else None
            for name in OPTIONAL
        )
        return cls(Forest.of_arrays("starts", arrays), steady, (low, high), near, online)


def summary_row(rows: Values) -> Values:
    """One row for a whole series, from its rows of 78: whether it is steady is read from it."""
    picked = [rows[k, 2:50] for k in PICKED]
    return np.concatenate([rows[0, 50:], *picked])


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def name_for(words: str, content: bytes) -> str:
    """``WORDS-1a2b3c4d``: what a model with this content is called."""
    return f"{words}-{digest_of(content)[:DIGITS]}"


def folders() -> Iterator[Path]:
    """Where models are looked for, the first that has one wins."""
    if chosen := os.environ.get(VARIABLE):
        yield Path(chosen)
    if data := os.environ.get("PLATEAU_DATA"):
        yield Path(data, "models")
    yield PACKAGED.parents[1] / "data" / "models"  # of `make run`
    yield PACKAGED


def path_of(name: str) -> Path | None:
    """The file of a model; None if there is none."""
    where = (PACKAGED,) if name == SHIPPED else folders()
    paths = (folder / f"plateau-{name}.npz" for folder in where)
    return next((path for path in paths if path.is_file()), None)


def model_named(name: str) -> PanelModel:
    """The model; raises `NotAvailable` where it is not installed or not what its name says."""
    path = path_of(name)
    if path is None:
        raise NotAvailable(f"weights {name!r} not installed; {MAKES}")
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> PanelModel:  # noqa: ARG001  # a new file is read anew
    content = path.read_bytes()
    expected = path.stem.rpartition("-")[2]
    if expected not in {SHIPPED, digest_of(content)[:DIGITS]}:
        raise NotAvailable(
            f"weights {path.name}: found the digest {digest_of(content)[:DIGITS]}, expected "
            f"{expected}; the file was changed or renamed; {MAKES}"
        )
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return PanelModel.of_arrays(arrays)
    except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise NotAvailable(f"weights {path.name} cannot be read: {error}; {MAKES}") from error


def card_of(name: str) -> dict[str, Any]:
    """What the model was fitted on, and how it did; empty without a card."""
    path = path_of(name)
    if path is None or not path.with_suffix(".json").is_file():
        return {}
    card: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return card


def shipped_missing() -> str:
    """Why a method cannot work here without the model that ships, or nothing."""
    return "" if path_of(SHIPPED) else f"weights not installed; {MAKES}"
