"""Where the published measurements, marks and answers lie; never part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "replication"


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
