"""plateau-online: what it says while values come, when it decides, and what it never looks at."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Detector,
    Figures,
    NotAvailable,
    TooShort,
    as_json,
)
from detectors.methods.plateau import Plateau
from detectors.methods.plateau_online import PlateauOnline
from detectors.methods.plateau_result import PlateauResult
from detectors.panel import panel_models as panel
from detectors.panel.copies import sketch
from detectors.panel.forests import Forest
from detectors.panel.panel_models import PanelJudge, PanelModel, PanelModels, fingerprint, name_for
from detectors.panel.prefix_estimates import (
    next_prefix_length,
    prefix_estimate,
    prefix_lengths,
    prefix_lengths_at_end,
)
from detectors.registry import DEFAULT_WATCHING_METHOD, from_key
from detectors.simulated.plain_series import EVALUATION, NOISES, plain_series
from detectors.simulated.synthetic import simulate
from tests.detectors.methods.test_plateau import certain_forest, empty_forest

LENGTH = 78  # of the row: the logarithm of the length comes after the features of a position


def forest_after(n: int, chance: float) -> Forest:
    """One tree: from n values on the steady state has begun everywhere, with this chance."""
    return Forest(
        baseline=np.zeros(1),
        roots=np.array([0]),
        feature=np.array([LENGTH, -1, -1]),
        threshold=np.array([np.log(n - 0.5), 0.0, 0.0]),
        left=np.array([1, 1, 2]),
        right=np.array([2, 1, 2]),
        value=np.array([0.0, 0.0, chance]),
    )


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    return tmp_path


def steady_forest(n: int) -> Forest:
    """One tree of log odds: the panel calls it steady (e to 1) once n values are there, not before.

    The logarithm of the length stands behind the 28 other features of the whole series.
    """
    return replace(
        forest_after(n, 1.0), feature=np.array([28, -1, -1]), value=np.array([0.0, -1.0, 1.0])
    )


def model_of(online_forest: Forest, online_steady: Forest | None = None) -> PanelModel:
    steadiness = None if online_steady is None else empty_forest()
    return PanelModel(
        certain_forest(450.0),
        steadiness,
        empty_forest(),
        online_forest,
        (0.15, 0.85),
        online_steady,
    )


def write_models(
    folder: Path, online_forest: Forest, online_steady: Forest | None = None, **other_fields: Any
) -> str:
    content = PanelModels(model_of(online_forest, online_steady), **other_fields).as_bytes()
    name = name_for("lab-marks", content)
    (folder / f"plateau-{name}.npz").write_bytes(content)
    return name


def test_looks_follow_when_the_series_is_longer_by_a_quarter() -> None:
    assert list(prefix_lengths(310)) == [100, 125, 156, 195, 243, 303]
    assert list(prefix_lengths(99)) == []
    assert next_prefix_length(3000) == 3750
    assert prefix_lengths_at_end(310) == [100, 125, 156, 195, 243, 303, 310]
    assert prefix_lengths_at_end(303) == [100, 125, 156, 195, 243, 303]


def test_the_first_look_that_is_sure_enough_decides(models: Path) -> None:
    name = write_models(models, forest_after(243, 0.9))
    values = simulate("flat", n=1000).values

    detection = PlateauOnline(model=name).answer(values)

    assert detection.decided_at == 242
    assert 0 <= detection.steady_start <= 242
    assert detection.published_index == detection.steady_start


def test_at_the_end_more_likely_than_not_is_enough(models: Path) -> None:
    name = write_models(models, forest_after(305, 0.6))
    values = simulate("flat", n=500).values

    assert PlateauOnline(model=name).answer(values).decided_at == 499
    assert PlateauOnline(model=name).answer(values[:302]).steady_start == NEVER
    assert PlateauOnline(model=name, confidence=0.6).answer(values).decided_at == 377


def test_it_goes_on_while_the_panel_would_say_never(models: Path) -> None:
    name = write_models(models, forest_after(100, 0.9), steady_forest(472))
    values = simulate("flat", n=1000).values

    assert PlateauOnline(model=name).answer(values).decided_at == 471
    assert PlateauOnline(model=name).answer(values[:471]).steady_start == NEVER
    assert PlateauOnline(model=name, chance=0.0).answer(values).decided_at == 99
    assert PlateauOnline(model=name, chance=0.8).answer(values).steady_start == NEVER


@pytest.mark.parametrize("last_length", [100, 124, 125, 471, 472, 500])
def test_reading_and_the_looks_alone_give_the_same(last_length: int, models: Path) -> None:
    model = model_of(forest_after(243, 0.9), steady_forest(472))
    name = write_models(models, model.online, model.online_steady)
    values = simulate("decay", seed=2, n=last_length).values
    detector = PlateauOnline(model=name)

    estimates = [prefix_estimate(values[:n], model) for n in prefix_lengths_at_end(last_length)]
    detection = detector.judged(estimates, PanelJudge(model, blind=False))

    assert detection == detector.answer(values)


def test_weights_that_know_no_never_of_a_running_series_are_not_available(models: Path) -> None:
    old_models = PanelModels(replace(model_of(forest_after(243, 0.9)), steady=empty_forest()))
    name = name_for("lab-marks", old_models.as_bytes())
    (models / f"plateau-{name}.npz").write_bytes(old_models.as_bytes())

    with pytest.raises(NotAvailable, match=f"weights '{name}' are of an older version, which does"):
        PlateauOnline(model=name).answer(np.ones(200))
    assert Plateau(model=name, chance=0.0).answer(np.ones(200)).steady_start >= 0


@pytest.mark.parametrize("kind", ["step", "decay", "random-walk"])
def test_nothing_after_the_decision_matters(kind: str, models: Path) -> None:
    name = write_models(models, forest_after(472, 0.9))
    values = simulate(kind, seed=3, n=1500).values
    changed_values = np.r_[values[:472], 1e6 * values[472:900]]

    detection = PlateauOnline(model=name).answer(values)

    assert detection.decided_at == 471
    assert PlateauOnline(model=name).answer(changed_values) == detection
    assert PlateauOnline(model=name).answer(values[:472]) == detection


@pytest.mark.parametrize("size", [1, 7, 100, 1200])
def test_batches_of_any_size_end_with_the_same_answer(size: int) -> None:
    values = simulate("decay", seed=1, n=1200).values
    detector = PlateauOnline()
    state = detector.start(Context())
    for start in range(0, values.size, size):
        detector.update(state, values[start : start + size])

    assert detector.finish(state).detection == detector.answer(values)


@pytest.mark.parametrize("factor", [1e-9, 1e6, 2.0**600])
def test_the_unit_does_not_matter(factor: float) -> None:
    values = simulate("step", n=1200).values

    assert PlateauOnline().answer(factor * values) == PlateauOnline().answer(values)


def test_more_confidence_never_decides_sooner() -> None:
    values = simulate("decay", seed=4).values

    decision_indices = [
        PlateauOnline(confidence=c).answer(values).decided_at for c in (0.3, 0.6, 0.9)
    ]

    known_indices = [index for index in decision_indices if index is not None]
    assert known_indices == sorted(known_indices)


def test_too_short_and_unknown_models_say_so() -> None:
    with pytest.raises(TooShort, match="needs at least 10 values; got 9"):
        PlateauOnline().answer(np.ones(9))
    methods: tuple[Callable[..., Detector], ...] = (Plateau, PlateauResult, PlateauOnline)
    for method, n in product(methods, (9, 200)):
        with pytest.raises(
            NotAvailable, match=r"weights 'lab-marks-00' not installed; `python manage.py"
        ):
            method(model="lab-marks-00").answer(np.ones(n))


def test_evidence_shows_every_look_and_what_was_waited_for(models: Path) -> None:
    name = write_models(models, forest_after(243, 0.9))
    values = simulate("flat", n=1000).values

    evidence = PlateauOnline(model=name).evidence(values, Context())

    chances, steady_curve, waiting_bands, figures = evidence
    assert isinstance(chances, Curve)
    assert isinstance(steady_curve, Curve)
    assert (steady_curve.y.tolist(), steady_curve.threshold) == (
        [1] * 5,
        0.45,
    )  # its panel never said never
    assert isinstance(waiting_bands, Bands)
    assert isinstance(figures, Figures)
    assert chances.x is not None
    assert chances.x.tolist() == [99, 124, 155, 194, 242]
    assert chances.y.tolist() == [0, 0, 0, 0, 0.9]
    assert waiting_bands.spans[0][1] == 243
    json.dumps([as_json(drawing) for drawing in evidence], allow_nan=False)


def test_what_was_trained_on_is_watched_by_who_has_not_seen_it(models: Path) -> None:
    values, other_values = (simulate("flat", seed=seed, n=1000).values for seed in (0, 1))
    name = write_models(
        models,
        forest_after(243, 0.9),
        blind=(model_of(forest_after(472, 0.9)),),
        groups={"lab": 0},
        series={fingerprint(values): 0},
        sketches=(sketch(values),),
    )
    detector = PlateauOnline(model=name)

    assert detector.answer(values).decided_at == 471
    assert detector.answer(values).flags == ("unseen",)
    assert detector.answer(values[:240]).flags == ("plain", "unseen")
    assert detector.answer(other_values).decided_at == 242
    assert (
        detector.answer(other_values, Context(benchmark="lab#org.example.New#")).decided_at == 471
    )


def test_a_trimmed_copy_is_watched_by_who_has_not_seen_it(models: Path) -> None:
    values = simulate("flat", n=1500).values
    name = write_models(
        models,
        forest_after(243, 0.9),
        blind=(model_of(forest_after(472, 0.9)),),
        series={fingerprint(values): 0},
        sketches=(sketch(values),),
    )
    copy = 1000 * values[300:]

    detection = PlateauOnline(model=name).answer(copy)

    assert detection.decided_at == 471
    assert detection.flags == ("unseen",)


def test_a_copy_that_only_later_values_tell_is_watched_so_from_then_on(models: Path) -> None:
    values = simulate("flat", n=1500).values
    name = write_models(
        models,
        forest_after(305, 0.9),
        blind=(model_of(forest_after(472, 0.9)),),
        series={fingerprint(values): 0},
        sketches=(sketch(values),),
    )
    late_values = np.r_[simulate("flat", seed=7, n=150).values, values]
    state = (detector := PlateauOnline(model=name)).start(Context())
    blind_flags = []
    for n in (100, 150, 300, late_values.size):
        decision = detector.update(state, late_values[state.buffer.n : n])
        blind_flags.append(state.judge is not None and state.judge.blind)

    assert blind_flags == [False, False, True, True]
    assert decision.detection == detector.answer(late_values)
    assert detector.answer(late_values).decided_at == 471


def test_at_the_end_of_a_short_series_its_story_answers(models: Path) -> None:
    name = write_models(models, forest_after(100, 0.0))
    values = np.where(np.arange(60) < 20, 2.0, 1.0) + 0.01 * np.sin(np.arange(60.0) ** 2)

    detection = PlateauOnline(model=name).answer(values)

    assert (detection.steady_start, detection.decided_at, detection.flags) == (20, 59, ("plain",))
    assert detection.reason.startswith("one step at 20, ")


def test_a_plain_story_decides_once_twice_as_much_has_followed(models: Path) -> None:
    plain_forest = replace(empty_forest(), baseline=np.array([9.0]))
    content = PanelModels(replace(model_of(forest_after(100, 0.0)), plain=plain_forest)).as_bytes()
    name = name_for("lab-marks", content)
    (models / f"plateau-{name}.npz").write_bytes(content)
    i = np.arange(2000)
    values = np.where(i < 300, 2.0, 1.0) + 0.01 * np.sin(i**2.0)

    detection = PlateauOnline(model=name).answer(values)

    assert detection.steady_start in {0, 300}  # by what is there at the first look that may decide
    assert detection.flags == ("plain",)


@pytest.mark.parametrize(("log_odds", "decided_at"), [(5.5, 1999), (6.0, 302)])  # 0.996; 0.9975
def test_before_the_end_a_story_must_be_likelier(
    log_odds: float, decided_at: int, models: Path
) -> None:
    plain_forest = replace(empty_forest(), baseline=np.array([log_odds]))
    content = PanelModels(replace(model_of(forest_after(100, 0.0)), plain=plain_forest)).as_bytes()
    name = name_for("lab-marks", content)
    (models / f"plateau-{name}.npz").write_bytes(content)
    values = 1.0 + 0.01 * np.sin(np.arange(2000) ** 2.0)

    detection = PlateauOnline(model=name).answer(values)

    assert (detection.steady_start, detection.flags) == (0, ("plain",))
    assert detection.decided_at == decided_at
    seen_words = "" if decided_at == values.size - 1 else "in the first 303 values, "
    assert detection.reason.startswith(f"{seen_words}one level from the first value on")


STOP_LIMIT = 130  # values: of 100, the first look, or 125


@pytest.mark.parametrize(
    ("change", "height", "decided_at"),
    [(0, 0.0, 99), (40, 0.2, 99), (40, -0.2, 99), (60, 0.2, 124)],
)
def test_soon_a_level_that_has_lasted_as_long_as_all_before_it_decides(
    change: int, height: float, decided_at: int, models: Path
) -> None:
    plain_forest = replace(empty_forest(), baseline=np.array([4.0]))  # a chance of 0.982
    content = PanelModels(replace(model_of(forest_after(100, 0.0)), plain=plain_forest)).as_bytes()
    name = name_for("lab-marks", content)
    (models / f"plateau-{name}.npz").write_bytes(content)
    i = np.arange(500)
    values = np.where(i < change, 1.0 + height, 1.0) + 0.01 * np.sin(i**2.0)

    soon_answer, sure_answer, later_answer = (
        PlateauOnline(model=name, soon=s).answer(values) for s in (0.98, 0.99, 1)
    )

    assert sure_answer == later_answer
    assert (later_answer.decided_at or 0) >= panel.PEOPLE_FROM
    assert (soon_answer.steady_start, soon_answer.decided_at) == (change, decided_at)


def test_where_nobody_names_a_method_most_plain_levels_stop_soon() -> None:
    method = from_key(DEFAULT_WATCHING_METHOD)
    noises = [noise for noise in NOISES if noise != "slow"]  # slow noise is no level of 100 values
    stops = [
        method.answer(plain_series("flat", noise, 1000, 5, EVALUATION, NOISES[noise]).values)
        for noise in noises
    ]

    assert all(stop.steady_start == 0 for stop in stops)
    decision_indices = [stop.decided_at or 0 for stop in stops]
    assert np.median(decision_indices) < 120
    assert np.mean([decision < STOP_LIMIT for decision in decision_indices]) >= 0.7
