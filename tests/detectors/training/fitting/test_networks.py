"""Fitting of FCN and OSCNN; skipped where PyTorch, which only training needs, is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detectors.learned.networks import Network
from detectors.learned.windows import standardised_windows
from detectors.simulated.synthetic import simulate
from detectors.training.labels.labelled_windows import LabelledSeries, LabelledWindows, segments_of
from tests.published_data import carried_vectors

torch = pytest.importorskip(
    "torch", reason="no PyTorch: pip install -r requirements-train.txt, to test training networks"
)

from detectors.training.fitting import networks  # noqa: E402  # needs it
from detectors.training.stopping import StoppingSettings, StoppingTraining  # noqa: E402

FEW = networks.NetworkOptions(epochs=2, batch=64)


def layout() -> dict[str, Any]:
    layout_vector: dict[str, Any] = carried_vectors("learned")["oscnn"]
    return layout_vector


def parameter_count(slug: str) -> int:
    return sum(parameter.numel() for parameter in networks.built(slug, 0.1).parameters())


def test_layers_are_as_published() -> None:
    layout_vector = layout()
    layers = networks.layout("oscnn")

    assert list(networks.SIZES) == layout_vector["kernels"]
    assert [(layer.channels, layer.each, layer.out) for layer in layers] == [
        (layer_vector["in"], layer_vector["out_per_kernel"], layer_vector["out"])
        for layer_vector in layout_vector["layers"]
    ]
    for taps, name in ((23, "mask_ranges_K23"), (2, "mask_ranges_K2")):
        spans = {size: list(networks.span(int(size), taps)) for size in layout_vector[name]}
        assert spans == layout_vector[name]


def test_parameters_are_as_many_as_published() -> None:
    layout_vector = layout()
    masks = [
        convolution.mask().sum().item() * convolution.channels
        for convolution in networks.layout("oscnn")
    ]

    assert sum(masks) == layout_vector["effective_conv_weights"]
    dense = layout_vector["dense_conv_weights"] - layout_vector["effective_conv_weights"]
    assert parameter_count("oscnn") - dense == layout_vector["trainable_effective_total"]
    assert parameter_count("fcn") == 264_833


def some_windows(count: int = 6) -> LabelledWindows:
    series = [simulate("step", n=300, seed=seed) for seed in range(count)]
    return segments_of([LabelledSeries("s#b#", s.values, s.steady_start) for s in series])


@pytest.mark.parametrize("slug", ["fcn", "oscnn"])
def test_what_is_exported_is_what_was_trained(slug: str, tmp_path: Path) -> None:
    segments = some_windows(3)
    trainer = networks.NetworkTrainer(slug, FEW, steps=5, seed=0, fold=0)
    trainer.one_epoch(segments, segments)
    arrays = trainer.export_weights()
    windows = segments.windows[:12]
    with torch.no_grad():
        logits = trainer.network(torch.from_numpy(windows[:, None, :]))
        expected = torch.sigmoid(logits[:, -1]).numpy()

    fast_scores = networks.scores(arrays, windows, FEW)
    restored_network = Network.of_arrays(arrays)

    np.testing.assert_allclose(fast_scores, expected, atol=3e-3)  # two bytes a number
    np.testing.assert_allclose(
        [restored_network.score(window) for window in windows], fast_scores, atol=1e-5
    )


def test_weights_outside_of_short_kernels_stay_zero() -> None:
    segments = some_windows(2)
    trainer = networks.NetworkTrainer("oscnn", FEW, steps=5, seed=0, fold=0)
    trainer.one_epoch(segments, segments)

    weights = trainer.export_weights()["w2"].astype(float)
    mask = networks.layout("oscnn")[1].mask().numpy()

    assert not weights[np.broadcast_to(mask == 0, weights.shape)].any()
    assert weights[np.broadcast_to(mask == 1, weights.shape)].all()


def test_a_stored_state_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    segments = some_windows(2)
    whole_trainer = networks.NetworkTrainer("fcn", FEW, steps=5, seed=1, fold=2)
    losses = [whole_trainer.one_epoch(segments, segments) for _ in range(2)]
    first = networks.NetworkTrainer("fcn", FEW, steps=5, seed=1, fold=2)
    first.one_epoch(segments, segments)
    first.store(tmp_path / "state")

    second = networks.NetworkTrainer("fcn", FEW, steps=5, seed=1, fold=2)
    second.take_up(tmp_path / "state")
    loss = second.one_epoch(segments, segments)

    assert (loss, second.is_done) == (losses[1], True)
    assert all((a == b).all() for a, b in zip(*map(_values, (whole_trainer, second)), strict=True))


def _values(trainer: networks.NetworkTrainer) -> list[np.ndarray]:
    return list(trainer.export_weights().values())


def test_the_rate_falls_and_the_training_ends_where_nothing_gets_better() -> None:
    trainer = networks.NetworkTrainer("fcn", networks.NetworkOptions(), steps=5, seed=0, fold=0)
    trainer._judge(1.0)
    rates = []
    while not trainer.is_done:
        trainer._judge(1.0)
        rates.append(trainer.adam.param_groups[0]["lr"])

    assert len(rates) == networks.STOPPED_AFTER
    assert [rates[epoch] for epoch in (18, 19, 38, 39)] == [1e-3, 5e-4, 5e-4, 2.5e-4]


def test_a_network_learns_a_step_and_keeps_its_folds_apart(tmp_path: Path) -> None:
    simulated_series = [simulate("step", n=200, seed=seed) for seed in range(10)]
    series = [
        LabelledSeries(f"s#b{number}#", series.values, series.steady_start)
        for number, series in enumerate(simulated_series)
    ]
    settings = StoppingSettings("fcn", epochs=1, batch=64, every=20)
    training = StoppingTraining(series, settings, folder=tmp_path)
    is_held = training._fold_of_series == 0

    fit, check = training._split(is_held)
    _, document = training._fold(0)

    assert not (fit & check).any()
    assert not (is_held & (fit | check)).any()
    assert 0 < document["threshold"] < 1
    assert (
        document["figures"]["windows"]
        == (training.segments.series[:, None] == np.flatnonzero(is_held)).sum()
    )


def test_windows_have_the_shape_that_training_takes() -> None:
    assert standardised_windows(np.arange(200.0).reshape(2, 100)).shape == (2, 100)
