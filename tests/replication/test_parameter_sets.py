"""Published series of the parameter analyses, from either layout."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from replication.parameter_sets import measured
from tests.published_data import replication_folder


def test_the_subset_begins_with_its_marked_series(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = replication_folder()
    monkeypatch.setenv("PLATEAU_REPLICATION", str(folder))
    records = json.loads((folder / "expected.json").read_text())

    known = measured(407)

    assert known is not None
    assert known.truth is not None
    assert len(known.series) == 407
    expected = [each["jagt_published"] for each in records if each["marks"]]
    np.testing.assert_array_equal(known.truth.index, expected)
    assert len(set(known.systems)) == 20


def test_a_checkout_gives_the_marked_series_that_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLATEAU_REPLICATION", str(replication_folder() / "package"))

    known = measured(407)

    assert known is not None
    assert known.truth is not None
    assert known.systems == ("ReactiveX__RxJava", "eclipse__rdf4j")
    assert known.truth.n == 2
    assert [each.size for each in known.series] == [3000] * 3


def test_without_published_series_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATEAU_REPLICATION", str(tmp_path))

    assert measured(3) is None
