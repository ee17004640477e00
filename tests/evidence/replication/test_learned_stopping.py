"""The series on which two kinds of labels are compared, and the models that are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from detectors.methods.rocket import RocketStopping
from evidence.replication.learned_stopping import label_series, use_published
from evidence.replication.published_files import NotPublishedData, read_study
from tests.published_data import replication_folder


def test_series_with_marks_and_a_change_point_have_both_labels() -> None:
    study = read_study(replication_folder())

    change_series, marked_series = label_series(study)

    assert len(change_series) == len(marked_series) == 246
    assert len({s.system for s in change_series}) == 20
    assert [s.benchmark for s in change_series] == [s.benchmark for s in marked_series]
    assert min(s.first for s in (*change_series, *marked_series)) >= 0


def test_without_published_models_nothing_is_computed(tmp_path: Path) -> None:
    study = replace(read_study(replication_folder()), folder=tmp_path)

    with pytest.raises(NotPublishedData, match="no published models of rocket"):
        use_published(RocketStopping, study)
