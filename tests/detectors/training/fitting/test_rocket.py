"""Fitting of ROCKET: random kernels within bounds, and scikit-learn's classifier by other means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifierCV

from detectors.contract import NEVER, Context
from detectors.learned import crossfit
from detectors.methods.rocket import RocketStopping
from detectors.panel import panel_models as panel
from detectors.simulated.synthetic import simulate
from detectors.training.figures.fold_figures import as_table
from detectors.training.fitting.rocket import (
    LENGTHS,
    PENALTIES,
    decision_values,
    draw_kernels,
    fit_rocket,
    window_features,
)
from detectors.training.labels.labelled_windows import LabelledSeries
from detectors.training.panel import TooFewAnswers
from detectors.training.stopping import StoppingSettings, StoppingTraining


def test_kernels_keep_to_their_bounds() -> None:
    kernels = draw_kernels(3)

    length, dilation = kernels.lengths, kernels.dilations
    starts = np.cumsum([0, *length[:-1].tolist()])
    assert set(length.tolist()) == set(LENGTHS)
    assert (dilation >= 1).all()
    assert ((length - 1) * dilation <= 99).all()
    assert [int(dilation[length == kernel_length].max()) for kernel_length in LENGTHS] <= [
        16,
        12,
        9,
    ]
    assert np.isin(
        kernels.paddings - (length - 1) * dilation // 2 * (kernels.paddings > 0), 0
    ).all()
    assert 0.4 < (kernels.paddings > 0).mean() < 0.6
    np.testing.assert_allclose(np.add.reduceat(kernels.weights, starts), 0, atol=1e-5)


def test_a_seed_has_kernels_of_its_own() -> None:
    first = draw_kernels(0, 5)

    assert draw_kernels(0, 5) is first  # the same arrays are the same object
    assert draw_kernels(1, 5) is not first


@pytest.mark.parametrize("noise", [0.01, 30.0])
def test_the_classifier_is_that_of_scikit_learn(noise: float) -> None:
    random = np.random.default_rng(5)
    windows = random.standard_normal((240, 100)).astype(np.float32)
    kernels = draw_kernels(0, 30)
    features = window_features(kernels, windows)
    signal = (features - features.mean(axis=0)) @ random.standard_normal(60)
    is_stable = signal + noise * random.standard_normal(240) > 0
    scale = features.std(axis=0, dtype=np.float64)
    own_classifier = RidgeClassifierCV(alphas=PENALTIES).fit(features / scale, is_stable)

    model, penalty = fit_rocket(kernels, features, is_stable)

    assert penalty == own_classifier.alpha_
    np.testing.assert_allclose(model.coef, np.ravel(own_classifier.coef_), rtol=1e-6, atol=1e-9)
    expected = own_classifier.decision_function(features / scale)
    np.testing.assert_allclose(decision_values(model, features), expected, rtol=1e-6, atol=1e-9)
    assert model.score(windows[7]) == pytest.approx(expected[7], abs=1e-5)


def series(count: int = 10) -> list[LabelledSeries]:
    """Two forks of each of five benchmarks with a step, and one that is never steady."""
    series_list = [simulate("step", n=300, seed=number) for number in range(count)]
    forks = [
        LabelledSeries(f"s#b{number // 2}#", series.values, series.steady_start)
        for number, series in enumerate(series_list)
    ]
    return [*forks, LabelledSeries("s#b0#", simulate("drift", n=300).values, NEVER)]


SMALL = StoppingSettings("rocket", kernels=40)


class Interrupted(Exception):
    """Somebody pressed Ctrl-C."""


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> StoppingTraining:
    return StoppingTraining(series(), SMALL, folder=tmp_path_factory.mktemp("models"))


def test_all_forks_of_a_benchmark_are_in_one_fold(training: StoppingTraining) -> None:
    held_folds = training._fold_of_series.tolist()

    assert held_folds[0::2][:5] == held_folds[1::2][:5]
    assert held_folds[10] == held_folds[0]
    assert sorted(training.folds.values()) == [0, 1, 2, 3, 4]


def test_a_stopped_training_goes_on_and_ends_with_the_same_bytes(
    training: StoppingTraining, tmp_path: Path
) -> None:
    messages: list[str] = []

    def stop(text: str) -> None:
        messages.append(text)
        if text.startswith("fold 3"):
            raise Interrupted

    whole_models = training.run("test", "steps")
    with pytest.raises(Interrupted):
        StoppingTraining(series(), SMALL, folder=tmp_path, progress=stop).run("test", "steps")
    message_count = len(messages)
    second_training = StoppingTraining(series(), SMALL, folder=tmp_path, progress=messages.append)
    trained_models = second_training.run("test", "steps")

    assert not any(text.startswith(("fold 1", "fold 2")) for text in messages[message_count:])
    assert trained_models.files == whole_models.files
    assert trained_models.card == whole_models.card
    second_training.finish()
    assert list(tmp_path.iterdir()) == []


def test_another_seed_is_another_model(training: StoppingTraining, tmp_path: Path) -> None:
    other_training = StoppingTraining(series(), replace(SMALL, seed=1), folder=tmp_path)

    assert other_training.work.name != training.work.name
    assert other_training._fold(0)[0] != training._fold(0)[0]


def test_what_was_written_can_be_used(
    training: StoppingTraining, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    trained_models = training.run("test", "steps")
    name = trained_models.name("lab-steps")
    trained_models.write(tmp_path, name)

    fold_set = crossfit.set_named("rocket", name)
    answer = RocketStopping(weights=name).answer(series()[4].values, Context(benchmark="s#b2#"))

    assert fold_set.blind_to("s#b2#") is fold_set.folds[training.folds["s#b2#"]]
    assert answer.flags[-1] == "unseen"
    card = crossfit.card_of("rocket", name)
    assert (card["series"], card["steady_series"], card["labels"]) == (11, 10, "steps")
    table = as_table(card["cross_validation"])
    assert table.count("\n") == 8
    assert table.splitlines()[-1].startswith("| **mean** | ")


def test_one_label_only_is_refused(tmp_path: Path) -> None:
    flat_series = [LabelledSeries(f"s#b{n}#", simulate("flat", n=200).values, 0) for n in range(5)]

    with pytest.raises(
        TooFewAnswers, match="found only one label among the 400 windows outside of fold"
    ):
        StoppingTraining(flat_series, SMALL, folder=tmp_path).run("test", "flat")


def test_a_card_keeps_what_mattered_to_the_method() -> None:
    rocket: dict[str, Any] = StoppingSettings("rocket", epochs=3).as_document()

    assert rocket == {"slug": "rocket", "seed": 0, "unseen": "benchmarks", "kernels": 500}
    assert "device" not in StoppingSettings("fcn", device="cuda").as_document()
    assert StoppingSettings("fcn", epochs=3).as_document()["epochs"] == 3
