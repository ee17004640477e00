"""What detectors are compared with: vectors in this project, and published data outside of it.

Published measurements, marks and answers have no licence and are never part of the project. Vectors
of synthetic series are: `tests/vectors/README.md` says who computed which.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

VECTORS = Path(__file__).resolve().parent / "vectors"
BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "replication"


def carried_vectors(name: str) -> dict[str, Any]:
    """The vectors of `tests/vectors/NAME.json`: in every clone, so that no test of them skips."""
    vectors: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return vectors


def published_vectors(name: str) -> dict[str, Any]:
    """The vectors NAME.json with those of published measurements; skips without the folder."""
    text = (replication_folder() / "vectors" / f"{name}.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def replication_folder() -> Path:
    """The folder of published data: PLATEAU_REPLICATION, else beside the checkout.

    Skips the test with a reason where it is absent (a user's clone has none),
    and fails it under CI=true, so that a green run always has compared.
    """
    folder = Path(os.environ.get("PLATEAU_REPLICATION") or BESIDE_THE_CHECKOUT)
    if (folder / "expected.json").is_file():
        return folder
    reason = f"no published data at {folder}; set PLATEAU_REPLICATION to its folder"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
