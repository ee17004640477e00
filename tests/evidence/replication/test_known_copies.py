"""Which of the published series were trained on, and which of them are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence.replication.known_copies import distinct_series, main
from evidence.replication.published_files import read_study
from tests.published_data import replication_folder


def test_every_series_counts_once() -> None:
    marked_series, other_values, all_values = distinct_series(read_study(replication_folder()))

    assert (len(marked_series), len(other_values), len(all_values)) == (264, 450, 1087)
    trained_bytes = {values.tobytes() for values in marked_series}
    assert not trained_bytes & {values.tobytes() for values in other_values}


def test_without_the_forks_of_the_first_stage_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("expected.json", "series.npz"):
        (tmp_path / name).symlink_to(replication_folder() / name)
    monkeypatch.setattr("sys.argv", ["known_copies", str(tmp_path)])

    assert main() == 2
    assert f"{tmp_path / 'stage1.npz'}: not there" in capsys.readouterr().err
