"""The series of the parameter analyses, from either layout, and what is printed of them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from analysis.statistics.answers import Answers
from evidence.replication.published_files import read_study
from evidence.replication.sobol_indices import main, marked_benchmarks, print_unseen
from tests.published_data import replication_folder


def test_the_marked_series_and_their_published_ground_truth() -> None:
    records = json.loads((replication_folder() / "expected.json").read_text())

    benchmarks = marked_benchmarks(read_study(replication_folder()))

    expected = [record["jagt_published"] for record in records if record["marks"]]
    assert [b.agreed("jagt-published") for b in benchmarks] == expected
    assert len({b.system for b in benchmarks}) == 20


def test_a_checkout_gives_the_marked_series_that_are_measured() -> None:
    benchmarks = marked_benchmarks(read_study(replication_folder() / "package"))

    assert [b.system for b in benchmarks] == ["ReactiveX__RxJava", "eclipse__rdf4j"]
    assert [b.forks[0].size for b in benchmarks] == [3000] * 2


def test_without_published_series_the_status_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert f"{tmp_path}: found no published series" in capsys.readouterr().err


def test_the_search_is_judged_on_systems_that_it_has_not_seen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The second row is best on its own data, and the first, of the defaults, beside it."""
    systems = [f"s{number}" for number, _ in product(range(6), range(2))]
    truth = Answers.from_list([100] * 12)
    starts_by_set = np.array([[150] * 12, [110] * 12])

    print_unseen(starts_by_set, truth, systems)

    row = "| 1 mean_abs | 10, 10.0, 0 | 10, 10.0, 0 | 50, 50.0, 0 |"
    assert row in capsys.readouterr().out.splitlines()
