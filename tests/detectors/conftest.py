"""Tests that are marked `parity` see no published data: they must not depend on it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from unittest import mock

import pytest


@pytest.fixture(autouse=True)
def _no_published_data(request: pytest.FixtureRequest) -> Iterator[None]:
    environment = {"PLATEAU_REPLICATION": os.devnull, "CI": "true"}  # so that asking for it fails
    is_parity = request.node.get_closest_marker("parity") is not None
    with mock.patch.dict(os.environ, environment if is_parity else {}):
        yield
