"""Published models as weights that a run can choose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from detectors.contract import Context
from detectors.learned.crossfit import card_of, set_named
from detectors.methods.rocket import RocketStopping
from detectors.panel import panel_models as panel
from detectors.simulated.synthetic import simulate
from evidence.replication import published_weights
from evidence.replication.learned_stopping import use_published
from evidence.replication.published_files import read_study
from tests.published_data import replication_folder

MOST = "997"  # one segment in so many: figures of the card are not what is tested here


def test_a_run_can_choose_the_published_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    folder = replication_folder()

    assert published_weights.main([str(folder), "--output", str(tmp_path), "--every", MOST]) == 0

    names = dict(line.split("?weights=") for line in capsys.readouterr().out.split())
    study = read_study(folder)
    chosen_method, published_method = (
        RocketStopping(weights=names["rocket"]),
        use_published(RocketStopping, study),
    )
    values = simulate("decay", n=400).values
    context = Context(benchmark=study.benchmarks[0].name)
    assert set(names) == {"rocket", "fcn"}
    assert chosen_method.answer(values, context) == published_method.answer(values, context)
    assert chosen_method.answer(values, context).flags == ("unseen",)
    assert [fold.threshold for fold in set_named("fcn", names["fcn"]).folds] == json.loads(
        (folder / "models" / "index.json").read_text()
    )["fcn_thresholds"]
    assert card_of("rocket", names["rocket"])["labels"] == "published change points"


def test_without_models_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(published_weights, "models_of", lambda *_: [])

    status = published_weights.main([str(replication_folder()), "--output", str(tmp_path)])

    assert status != 0
    assert "no published models" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
