"""The learned stopping methods: published answers, the rule by hand, and who judges what."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Figures,
    NotAvailable,
    ParameterError,
    TooShort,
    as_json,
    as_series,
)
from detectors.learned import crossfit
from detectors.learned.crossfit import FoldModel, FoldSet, WindowModel, benchmark_key
from detectors.learned.learned_stopping import LearnedStopping
from detectors.learned.networks import Network, convolution_layer, paddings
from detectors.learned.rocket import RocketModel
from detectors.learned.windows import Singles, standardised_windows, windows_from
from detectors.methods.fcn import Fcn
from detectors.methods.oscnn import Oscnn
from detectors.methods.rocket import RocketStopping
from detectors.panel import panel_models as panel
from detectors.registry import registry
from detectors.simulated.synthetic import simulate
from detectors.training.labels.folds import assign_folds
from tests.published_data import carried_vectors, published_vectors, replication_folder

SHIPPED_MODEL = Path(crossfit.__file__).parents[1] / "weights" / "rocket-shipped-fold0.npz"
I = np.arange(100.0)  # noqa: E741  # as the published formulas call it
WINDOWS = {
    "decay": 1e-6 * (1 + np.exp(-I / 20)),
    "wave": 1e-6 * (1 + 0.01 * np.sin(1.7 * I)),
    "step": np.where(I < 50, 2e-6, 1e-6) * (1 + 0.01 * np.sin(1.7 * I)),
    "const": np.full(100, 2.0),
}


def vectors() -> dict[str, Any]:
    return carried_vectors("learned")


@cache
def published_models(slug: str) -> FoldSet:
    """The published models, and the fold of each shared benchmark."""
    folder = replication_folder()
    document = json.loads((folder / "models" / "index.json").read_text("utf-8"))
    thresholds = document["fcn_thresholds"] if slug == "fcn" else [0.0] * 5
    folds = []
    for number in range(5):
        with np.load(folder / "models" / f"{slug}_fold{number}.npz") as arrays:
            folds.append(FoldModel(number, crossfit.READERS[slug](arrays), thresholds[number]))
    return FoldSet(tuple(folds), assign_folds(keys()))


@cache
def keys() -> tuple[str, ...]:
    text = (replication_folder() / "index.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(benchmark_key(row["system"], row["benchmark"], row["params"]) for row in rows)


class PublishedRocket(RocketStopping):
    def fold_set(self) -> FoldSet:
        return published_models("rocket")


class PublishedFcn(Fcn):
    def fold_set(self) -> FoldSet:
        fold_set, threshold = published_models("fcn"), self.params.threshold
        folds = tuple(replace(f, threshold=threshold or f.threshold) for f in fold_set.folds)
        return FoldSet(folds, fold_set.seen)


# --- published numbers --------------------------------------------------------------------------
def test_windows_are_standardised_as_published() -> None:
    for case in vectors()["standardise"]:
        rows = standardised_windows(np.array([case["in"]], dtype=float))[0]

        np.testing.assert_allclose(rows, case["out"], atol=1e-6)


@pytest.mark.parametrize("number", range(5))
def test_published_weights_give_the_published_scores(number: int) -> None:
    expected = published_vectors("learned")["published_weights_check"]["per_fold_in_window_order"][
        str(number)
    ]
    windows = standardised_windows(np.stack(list(WINDOWS.values())))
    rocket, fcn = (published_models(slug).folds[number].model for slug in ("rocket", "fcn"))

    decisions = [rocket.judged(rocket.look(window)) for window in windows]
    scores = [fcn.judged(fcn.look(window)) for window in windows]

    np.testing.assert_allclose(decisions, expected["rocket_decision"], atol=1e-5)
    np.testing.assert_allclose(scores, expected["fcn_p_float16"], atol=1e-6)


@pytest.mark.parity("fcn")
def test_a_small_network_by_formula() -> None:
    vector = vectors()["fcn_tiny"]
    arrays: dict[str, Any] = {
        "wd": np.array(vector["dense_w"]),
        "bd": np.array([vector["dense_b"]]),
    }
    for seed, (outputs, channels, taps) in enumerate(((2, 1, 8), (3, 2, 5), (2, 3, 3))):
        o, c, k = np.ogrid[:outputs, :channels, :taps]
        arrays[f"w{seed + 1}"] = np.sin(1 + o + 2 * c + 3 * k + seed) / np.sqrt(channels * taps)
        arrays[f"b{seed + 1}"] = np.array(vector["bias"][seed])
    network, x = Network.of_arrays(arrays), np.array(vector["x"], dtype=np.float32)

    np.testing.assert_allclose(network.averages(x), vector["gap"], atol=1e-7)
    assert network.logits(x)[0] == pytest.approx(vector["logit"], abs=1e-6)
    assert network.score(x) == pytest.approx(vector["p"], abs=1e-6)


def test_kernels_with_zeros_around_are_their_weights_alone() -> None:
    random = np.random.default_rng(5)
    weights = random.normal(size=(7, 3, 6)).astype(np.float32)
    weights[:2, :, 3:], weights[2:4, :, :2], weights[4, :, :] = 0, 0, 0
    bias = random.normal(size=7).astype(np.float32)
    x = random.normal(size=(20, 3)).astype(np.float32)

    layer = convolution_layer(weights, bias)

    padded = np.pad(x, [paddings(6), (0, 0)])
    expected = np.array(
        [np.tensordot(weights, padded[i : i + 6].T, axes=2) + bias for i in range(20)]
    )
    assert [taps for taps, _ in layer.kernels] == [slice(0, 3), slice(2, 6), slice(0, 6)]
    np.testing.assert_allclose(layer(x), np.maximum(expected, 0), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("detector", "firsts"),
    [
        (PublishedRocket(), [1, 2, 1, 8, 1, 1, 0, 43, 0, 0]),
        (PublishedFcn(), [1, 2, 17, 7, 57, 3, None, 47, 0, 13]),  # row 6 takes 328 windows
    ],
    ids=["rocket", "fcn"],
)
def test_published_weights_stop_where_they_did(
    detector: LearnedStopping, firsts: list[int | None]
) -> None:
    with np.load(replication_folder() / "series.npz") as arrays:
        series = arrays["fork0"][:10]

    starts = [
        None if first is None else detector.answer(values, Context(benchmark=key)).steady_start
        for values, key, first in zip(series, keys(), firsts, strict=False)
    ]

    assert starts == firsts


# --- the rule -----------------------------------------------------------------------------------
class AtTheSpike:
    """Accepts the window whose first value is the largest: of a series with one spike, one."""

    def look(self, window: Singles) -> Singles:
        return window

    def judged(self, window: Singles) -> float:
        return float(window.any() and window.argmax() == 0)

    def accepts(self, score: float, threshold: float) -> bool:
        return score >= threshold


@dataclass
class Refuses:
    """Accepts nothing."""

    def look(self, window: Singles) -> Singles:
        return window

    def judged(self, window: Singles) -> float:
        return 0.0

    def accepts(self, score: float, threshold: float) -> bool:
        return False


class Spiky(RocketStopping):
    """With models that are known: those of folds 0 to 2 find the spike."""

    def fold_set(self) -> FoldSet:
        models: tuple[WindowModel, ...] = (
            AtTheSpike(),
            AtTheSpike(),
            AtTheSpike(),
            Refuses(),
            Refuses(),
        )
        folds = tuple(FoldModel(number, model, 0.7) for number, model in enumerate(models))
        return FoldSet(folds, {"a#b#": 1, "a#c#": 4})


def series_with_spike(index: int, n: int = 700) -> np.ndarray:
    return as_series(np.where(np.arange(n) == index, 2.0, 1.0))


@pytest.mark.parametrize(
    ("spike_index", "start", "warmup", "decided_at"),
    [
        (0, 0, -1, 99),
        (1, 1, 0, 100),
        (37, 37, 36, 136),
        (499, 499, 498, 598),
        (500, 500, 499, 599),
        (650, 500, 499, 599),
    ],
)
def test_the_first_accepted_window_is_measured(
    spike_index: int, start: int, warmup: int, decided_at: int
) -> None:
    detection = Spiky().answer(series_with_spike(spike_index))

    assert (detection.steady_start, detection.published_index, detection.decided_at) == (
        start,
        warmup,
        decided_at,
    )
    assert ("capped" in detection.flags) == (spike_index >= 500)


@pytest.mark.parametrize(("n", "start"), [(100, 1), (101, 2), (300, 201), (599, 500), (600, 500)])
def test_a_short_series_ends_before_the_cap(n: int, start: int) -> None:
    detection = Spiky().answer(np.ones(n))

    assert (detection.steady_start, detection.flags[0]) == (start, "capped")
    assert detection.decided_at == min(start + 99, n - 1)


def test_a_lower_cap_and_never_instead() -> None:
    assert Spiky(cap=20).answer(series_with_spike(30)).steady_start == 20
    assert Spiky(cap=20).answer(series_with_spike(19)).steady_start == 19
    detection = Spiky(cap=20, at_cap="never").answer(series_with_spike(30))
    assert (detection.steady_start, detection.published_index, detection.decided_at) == (
        NEVER,
        NEVER,
        119,
    )


@pytest.mark.parametrize("n", [*range(4), 99])
def test_too_short_says_how_long(n: int) -> None:
    with pytest.raises(TooShort, match=f"needs at least 100 values; got {n}"):
        Spiky().answer(np.ones(n))


@pytest.mark.parametrize(
    ("benchmark", "model", "start", "flags"),
    [
        ("a#b#", "auto", 7, ("unseen",)),  # fold 1 has not seen it, and finds the spike
        ("a#c#", "auto", 500, ("capped", "unseen")),  # fold 4 refuses everything
        ("x#y#", "auto", 7, ("majority",)),
        ("", "auto", 7, ("majority",)),
        ("a#c#", "majority", 7, ("majority", "seen")),
        ("a#b#", "fold4", 500, ("capped", "seen")),
        ("a#c#", "fold0", 7, ("seen",)),
        ("a#b#", "fold1", 7, ("unseen",)),
        ("x#y#", "fold0", 7, ()),
    ],
)
def test_the_model_that_has_not_seen_the_benchmark_judges(
    benchmark: str, model: str, start: int, flags: tuple[str, ...]
) -> None:
    detection = Spiky(model=model).answer(series_with_spike(7), Context(benchmark=benchmark))

    assert (detection.steady_start, detection.flags) == (start, flags)


def test_evidence_names_the_model_and_shows_its_scores() -> None:
    context = Context(benchmark="a#b#")

    curve, accepted_window, figures = Spiky().evidence(series_with_spike(7), context)

    assert isinstance(curve, Curve)
    assert isinstance(accepted_window, Bands)
    assert isinstance(figures, Figures)
    assert np.flatnonzero(curve.y).tolist() == [7]
    assert curve.threshold == 0.7
    assert curve.y.size == 8 + 50
    assert accepted_window.spans == ((7, 107),)
    assert ("answered by", "the model of fold 1", "") in figures.rows
    assert ("because", "has not seen this benchmark", "") in figures.rows
    assert ("windows asked about", 8, "") in figures.rows


def test_evidence_of_a_majority_counts_votes() -> None:
    curve, accepted_window, figures = Spiky().evidence(series_with_spike(7), Context())
    capped_evidence = Spiky(cap=5).evidence(series_with_spike(7), Context())

    assert isinstance(curve, Curve)
    assert isinstance(figures, Figures)
    assert (curve.y.max(), curve.threshold) == (3, 3)
    assert figures.rows[0][1] == "majority of the models of folds 0 to 4"
    assert accepted_window.label == "first window that is accepted"
    assert [type(drawing) for drawing in capped_evidence] == [Curve, Figures]
    json.dumps([as_json(drawing) for drawing in capped_evidence], allow_nan=False)


def test_constant_windows_are_counted() -> None:
    figures = Spiky(cap=4).evidence(as_series(np.ones(200)), Context())[-1]

    assert isinstance(figures, Figures)
    assert ("of these without any variation", 4, "") in figures.rows


def test_windows_are_the_same_one_by_one_and_together() -> None:
    values = simulate("spikes", n=300).values

    joint_windows = windows_from(values, 0, 201)
    single_windows = np.concatenate(
        [windows_from(values, start, start + 1) for start in range(201)]
    )

    np.testing.assert_array_equal(joint_windows, single_windows)


def test_models_with_the_same_kernels_look_once() -> None:
    folds = crossfit.set_named("rocket", panel.SHIPPED).folds

    assert len({fold.model.look for fold in folds}) == 1


def test_values_out_of_range_are_judged_as_others() -> None:
    values = simulate("step", n=300).values

    for factor in (2.0**-1030, 2.0**900):
        np.testing.assert_array_equal(
            windows_from(factor * values, 5, 9), windows_from(values, 5, 9)
        )


# --- weights ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("slug", "most_bytes"), [("rocket", 200_000), ("fcn", 2_500_000)])
def test_what_ships_is_what_its_card_says(slug: str, most_bytes: int) -> None:
    card = crossfit.card_of(slug, panel.SHIPPED)
    path = crossfit.card_path(slug, panel.SHIPPED)
    assert path

    contents = [crossfit.fold_path(path, number).read_bytes() for number in range(5)]

    assert [fold["sha256"] for fold in card["answers"]["folds"]] == [
        panel.content_digest(content) for content in contents
    ]
    assert sum(map(len, contents)) < most_bytes
    assert card["settings"]["unseen"] == "benchmarks"
    assert card["systems"] == 4


@pytest.mark.parametrize("kind", ["step", "two-steps"])
def test_what_ships_answers_simulated_series(kind: str) -> None:
    context = Context(benchmark=f"simulated#{kind}#")
    values = simulate(kind, seed=3).values

    detection = RocketStopping().answer(values, context)

    assert detection.flags[-1] == "unseen"
    assert detection.steady_start <= 500


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    monkeypatch.setattr(panel, "PACKAGED", tmp_path / "no" / "weights")
    monkeypatch.setenv("PLATEAU_DATA", str(tmp_path / "data"))
    return tmp_path


def write_set(folder: Path, slug: str = "rocket", **changes: Any) -> str:
    """A set of five times the same model; its name."""
    content = SHIPPED_MODEL.read_bytes()
    entry = {"sha256": panel.content_digest(content), "threshold": 0.0}
    answers = {"folds": [entry] * 5, "benchmarks": {"a#b#": 2}} | changes
    name = panel.name_for("lab", crossfit.canonical_bytes(answers))
    card = folder / f"{slug}-{name}.json"
    card.write_text(json.dumps({"answers": answers}))
    for number in range(5):
        crossfit.fold_path(card, number).write_bytes(content)
    return name


def test_a_set_is_read_by_its_name(models: Path) -> None:
    name = write_set(models)

    fold_set = crossfit.set_named("rocket", name)

    assert crossfit.installed_set_names("rocket") == [name]
    assert RocketStopping.missing() == ""
    assert fold_set.blind_to("a#b#") is fold_set.folds[2]
    assert fold_set.blind_to("another") is fold_set.blind_to("") is None


@pytest.mark.parametrize("method", [RocketStopping, Fcn, Oscnn])
def test_without_weights_it_says_so(models: Path, method: type[LearnedStopping]) -> None:
    command = f"`python manage.py train {method.slug} STUDY/CAMPAIGN`"

    with pytest.raises(NotAvailable, match="not available: weights not installed"):
        method().answer(np.ones(200))

    assert method.missing().startswith(f"weights not installed; {command} ")


def test_another_name_says_which_there_are(models: Path) -> None:
    name = write_set(models)

    with pytest.raises(NotAvailable, match=f"under the name other; there are: {name}"):
        RocketStopping(weights="other").answer(np.ones(200))


def test_changed_files_are_refused(models: Path) -> None:
    name = write_set(models)
    path = crossfit.fold_path(models / f"rocket-{name}.json", 3)
    path.write_bytes(path.read_bytes() + b" ")

    with pytest.raises(NotAvailable, match=r"fold3: found the digest \w{8}, expected \w{8}; the f"):
        RocketStopping(weights=name).answer(np.ones(200))


def test_a_renamed_set_is_refused(models: Path) -> None:
    name = write_set(models)
    (models / f"rocket-{name}.json").rename(models / "rocket-mine-00000000.json")

    with pytest.raises(NotAvailable, match="expected 00000000; the file was changed or renamed"):
        RocketStopping(weights="mine-00000000").answer(np.ones(200))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"folds": []}, "0 folds instead of 5"), ({"benchmarks": None}, "cannot be read")],
)
def test_a_card_that_is_none_is_refused(models: Path, changes: dict[str, Any], reason: str) -> None:
    name = write_set(models, **changes)

    with pytest.raises(NotAvailable, match=reason):
        RocketStopping(weights=name).answer(np.ones(200), Context(benchmark="a"))


def test_arrays_that_do_not_fit_are_refused() -> None:
    with np.load(SHIPPED_MODEL) as file:
        arrays = dict(file)

    with pytest.raises(ValueError, match="weights for kernels of other lengths"):
        RocketModel.of_arrays(arrays | {"weights": arrays["weights"][1:]})
    with pytest.raises(ValueError, match="999 coefficients for 500 kernels"):
        RocketModel.of_arrays(arrays | {"coef": arrays["coef"][1:]})


def test_a_name_cannot_lead_out_of_the_folder() -> None:
    with pytest.raises(ParameterError, match=r"^weights must be lower-case words and digits"):
        RocketStopping(weights="../x")


def test_a_threshold_replaces_those_of_the_models() -> None:
    values = simulate("decay", n=300).values

    lenient_answer = PublishedFcn(threshold=1e-9, model="fold0").answer(values)
    strict_answer = PublishedFcn(threshold=1.0, model="fold0", cap=3).answer(values)

    assert (lenient_answer.steady_start, strict_answer.steady_start) == (0, 3)


def test_they_are_methods_like_others() -> None:
    assert {registry()[slug].slot for slug in ("fcn", "oscnn", "rocket")} == {27, 28, 29}


@pytest.mark.parametrize("method", [RocketStopping, Fcn])
def test_a_level_before_a_step_looks_steady_and_the_step_does_not(
    method: type[LearnedStopping],
) -> None:
    """Why they answer 0 on a textbook step: the windows before and after it are the same."""
    noise = 1 + 0.02 * np.random.default_rng(3).standard_normal(100)
    series = as_series(1e-3 * np.concatenate([2 * noise, noise]))
    jury = method().jury(Context())

    windows = windows_from(series, 0, 101)[[0, 50, 100]]
    score_before, _, score_after = jury.scores(windows)

    assert windows[0] == pytest.approx(windows[2], abs=1e-5)
    assert score_before == pytest.approx(score_after, abs=1e-4)
    assert not jury.accepting(windows)(1)
