"""plateau as a detector: answers, evidence, and what it says without its weights."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    Bands,
    Context,
    Curve,
    Detection,
    Events,
    Evidence,
    Figures,
    Levels,
    NotAvailable,
    ParameterError,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.methods.plateau import Plateau
from detectors.panel import panel_models as panel
from detectors.panel.copies import sketch
from detectors.panel.forests import Forest
from detectors.panel.panel_grid import GRID
from detectors.panel.panel_models import (
    PanelModel,
    PanelModels,
    fingerprint,
    models_named,
    name_for,
    people_words,
)
from detectors.panel.series_features import SeriesFeatures
from detectors.simulated.synthetic import simulate
from evidence.corpus.plain_shares import judge_plain_answers, plain_suite, shares


def certain_forest(start: float) -> Forest:
    """One tree: everything lies at or before `start`, nothing before it."""
    return Forest(
        baseline=np.zeros(1),
        roots=np.array([0]),
        feature=np.array([0, -1, -1]),
        threshold=np.array([start, 0.0, 0.0]),
        left=np.array([1, 1, 2]),
        right=np.array([2, 1, 2]),
        value=np.array([0.0, 0.0, 1.0]),
    )


def empty_forest() -> Forest:
    """No tree: the panel's answer is near to no iteration."""
    no_indices, no_values = np.array([], dtype=np.int32), np.array([])
    return Forest(np.zeros(1), no_indices, no_indices, no_values, no_indices, no_indices, no_values)


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    return tmp_path


def model_of(
    start_forest: Forest, steady_forest: Forest | None = None, *, near_forest: Forest | None = None
) -> PanelModel:
    return PanelModel(
        start_forest, steady_forest, near_forest or empty_forest(), empty_forest(), (0.15, 0.85)
    )


def write_models(folder: Path, *, whole_model: PanelModel, **other_fields: Any) -> str:
    content = PanelModels(whole_model, **other_fields).as_bytes()
    name = name_for("lab-marks", content)
    (folder / f"plateau-{name}.npz").write_bytes(content)
    return name


def test_finds_the_step_of_a_simulated_series() -> None:
    series = simulate("step", seed=5)

    detection = Plateau().answer(series.values)

    assert abs(detection.steady_start - series.steady_start) <= 50  # as near as people come
    assert detection.published_index == detection.steady_start
    assert detection.flags == ("plain",)
    assert detection.reason.startswith("one step at ")


@pytest.mark.parametrize("n", [100, 101, 137, 150, 500, 2999, 20_000])
def test_any_length_from_100_on_has_an_answer(n: int) -> None:
    values = simulate("decay", n=n).values

    assert NEVER <= Plateau().answer(values).steady_start < n
    assert 0 <= Plateau(chance=0.0).answer(values).steady_start < n


@pytest.mark.parametrize("n", range(10))
def test_too_short_says_how_long(n: int) -> None:
    with pytest.raises(TooShort, match=f"needs at least 10 values; got {n}"):
        Plateau().answer(np.ones(n))


def test_a_constant_series_is_steady_from_the_beginning() -> None:
    assert 0 <= Plateau().answer(np.full(3000, 0.25)).steady_start <= 2


@pytest.mark.parametrize("factor", [1e-9, 0.37, 1e6, 2.0**600])
@pytest.mark.parametrize("kind", ["step", "decay", "spikes", "random-walk"])
def test_the_unit_does_not_matter(kind: str, factor: float) -> None:
    values = simulate(kind, n=1200).values

    assert Plateau().answer(factor * values) == Plateau().answer(values)


def test_a_model_is_read_from_its_file(models: Path) -> None:
    name = write_models(models, whole_model=model_of(certain_forest(450.0)))

    detection = Plateau(model=name).answer(simulate("flat").values)

    # all at or before 475, none at 450: the median lies half-way between their logarithms, and
    # of the iterations that an answer may be, one of the two is nearest
    assert detection.steady_start in range(450, 476)
    assert detection.flags == ()


def test_a_panel_that_says_never(models: Path) -> None:
    never_forest = Forest(
        np.array([-3.0]), *(np.array([], dtype=np.int32),) * 2, *(np.array([]),) * 4
    )
    name = write_models(models, whole_model=model_of(certain_forest(450.0), never_forest))
    values = simulate("flat").values

    assert Plateau(model=name).answer(values).steady_start == NEVER
    assert Plateau(model=name, chance=0.0).answer(values).steady_start > 0


@pytest.mark.parametrize(("odds", "chance"), [(0.0, 0.5), (1.0, 0.7824), (-2.0, 0.0718)])
def test_odds_of_steady_count_more_and_even_ones_stay(
    models: Path, odds: float, chance: float
) -> None:
    odds_forest = replace(empty_forest(), baseline=np.array([odds]))
    name = write_models(models, whole_model=model_of(certain_forest(450.0), odds_forest))

    detection = Plateau(model=name).answer(simulate("flat").values)

    assert detection.certainty
    assert detection.certainty.chance == pytest.approx(chance, abs=1e-4)
    assert (detection.steady_start == NEVER) == (chance <= 0.45)


def test_being_near_the_panel_is_worth_an_expected_error(models: Path) -> None:
    step = Forest(  # the panel's answer is where a step of 80 values is the strongest of all
        baseline=np.zeros(1),
        roots=np.array([0]),
        feature=np.array([78 + 3, -1, -1]),
        threshold=np.array([0.99, 0.0, 0.0]),
        left=np.array([1, 1, 2]),
        right=np.array([2, 1, 2]),
        value=np.array([0.0, 0.0, 1.0]),
    )
    name = write_models(models, whole_model=model_of(certain_forest(450.0), near_forest=step))
    values = np.where(np.arange(3000) < 700, 2.0, 1.0) + 0.01 * np.sin(np.arange(3000) ** 2)

    assert Plateau(model=name, worth=1000.0).answer(values).steady_start == 700
    assert Plateau(model=name, worth=1000.0).answer(values).flags == ("snapped",)
    assert Plateau(model=name, worth=100.0).answer(values).steady_start in range(450, 476)


def test_a_model_of_an_older_version_is_not_available(models: Path) -> None:
    file, arrays = io.BytesIO(), model_of(certain_forest(450.0)).as_arrays()  # of no features
    np.savez_compressed(file, allow_pickle=False, **arrays)
    name = name_for("lab-marks", file.getvalue())
    (models / f"plateau-{name}.npz").write_bytes(file.getvalue())

    with pytest.raises(NotAvailable, match=f"weights '{name}' are of another version"):
        Plateau(model=name).answer(np.ones(200))


def test_an_unknown_model_is_not_available(models: Path) -> None:
    with pytest.raises(
        NotAvailable, match=r"weights 'lab-marks-00' not installed; `python manage.py tr"
    ):
        Plateau(model="lab-marks-00").answer(np.ones(200))


def test_a_model_that_was_changed_is_refused(models: Path) -> None:
    name = write_models(models, whole_model=model_of(certain_forest(450.0)))
    path = models / f"plateau-{name}.npz"
    path.write_bytes(path.read_bytes() + b" ")

    with pytest.raises(NotAvailable, match=r"found the digest \w{8}, expected \w{8}; the file was"):
        Plateau(model=name).answer(np.ones(200))


def test_a_file_that_holds_no_model_is_refused(models: Path) -> None:
    name = name_for("lab-marks", b"nothing")
    (models / f"plateau-{name}.npz").write_bytes(b"nothing")

    with pytest.raises(NotAvailable, match="cannot be read"):
        Plateau(model=name).answer(np.ones(200))


def test_a_name_cannot_lead_out_of_the_folder() -> None:
    with pytest.raises(ParameterError, match=r"^model must be lower-case words and digits"):
        Plateau(model="../../etc/passwd")


def test_without_its_weights_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "PACKAGED", tmp_path / "detectors" / "weights")
    command = "weights not installed; `python manage.py train plateau STUDY/CAMPAIGN`"

    assert Plateau.missing() == (
        f"{command} in a checkout of Plateau makes them; "
        "set PLATEAU_MODELS to the folder that they were written to"
    )
    (tmp_path / "manage.py").touch()
    assert Plateau.missing() == f"{command} makes them"
    with pytest.raises(NotAvailable, match="not installed"):
        Plateau().answer(np.ones(200))


def test_shipped_weights_and_card_describe_the_same_model() -> None:
    card = panel.card_of(panel.SHIPPED)

    assert card["model"] == "shipped"
    assert card["marked_series"] == 264
    assert card["systems"] == 20
    models = panel.models_named(panel.SHIPPED)
    assert len(models.blind) == 6
    assert len(models.groups) == 20 + 22  # systems, and workloads whose noise the corpus has
    assert all(model.steady is not None for model in (models.whole, *models.blind))


def early_and_late(values: Values) -> dict[str, Any]:
    """A panel that was shown `values` of the system "lab"; without them it answers late."""
    return {
        "whole_model": model_of(certain_forest(450.0)),
        "blind": (model_of(certain_forest(1750.0)),),
        "groups": {"lab": 0},
        "series": {fingerprint(values): 0},
        "sketches": (sketch(values),),
    }


def test_what_was_trained_on_is_answered_by_who_has_not_seen_it(models: Path) -> None:
    values = simulate("flat").values
    name = write_models(models, **early_and_late(simulate("flat", seed=1).values))
    detector = Plateau(model=name)

    def answer_of(values: Values, benchmark: str = "") -> Detection:
        return detector.answer(values, Context(benchmark=benchmark))

    assert answer_of(values).steady_start < 500
    assert answer_of(values, "yard#org.example.B#").flags == ()
    assert answer_of(values, "lab#org.example.New#").steady_start > 1600
    assert answer_of(values, "lab#org.example.New#").flags == ("unseen",)


@pytest.mark.parametrize("factor", [1.0, 1000.0, 0.37, 1e-9])
@pytest.mark.parametrize("n", [3000, 1200])
def test_a_series_is_known_whatever_it_is_called(models: Path, factor: float, n: int) -> None:
    values = simulate("flat").values
    detector = Plateau(model=write_models(models, **early_and_late(values)))

    detection = detector.answer(factor * values[:n], Context(benchmark="mine#renamed#"))

    assert detection.flags == ("unseen",)
    assert detection.steady_start > 0.5 * n


@pytest.mark.parametrize("part", [slice(1, None), slice(500, -500), slice(1000, 1300)])
def test_a_trimmed_copy_is_known(models: Path, part: slice) -> None:
    values, other_values = (simulate("flat", seed=seed).values for seed in (0, 1))
    detector = Plateau(model=write_models(models, **early_and_late(values)))
    figures = detector.evidence(1000 * values[part], Context())[-1]

    assert detector.answer(1000 * values[part]).flags == ("unseen",)
    assert str(_rows(figures)["answered by"]).endswith("a copy of a series that the others saw")
    assert detector.answer(other_values[part]).flags == ()


def test_of_several_the_series_that_shares_most_decides() -> None:
    one_series, other_series = (simulate("flat", seed=seed).values for seed in (0, 1))
    judges = PanelModels(
        model_of(certain_forest(450.0)),
        (model_of(certain_forest(150.0)), model_of(certain_forest(1750.0))),
        series={fingerprint(one_series): 0, fingerprint(other_series): 1},
        sketches=(sketch(one_series), sketch(other_series)),
    )

    assert judges.judge(np.r_[one_series[1:500], other_series]).model is judges.blind[1]
    assert judges.judge(np.r_[one_series[1:], other_series[:500]]).model is judges.blind[0]


def test_a_panel_with_one_system_holds_benchmarks_out(models: Path) -> None:
    model_fields = early_and_late(simulate("flat").values) | {
        "groups": {"lab#org.example.B#size=1": 0}
    }
    judges = PanelModels(model_fields.pop("whole_model"), **model_fields)
    values = simulate("flat", seed=5).values

    assert judges.judge(values, "lab#org.example.B#size=1").blind
    assert not judges.judge(values, "lab#org.example.C#").blind
    assert not judges.judge(values).blind


def _rows(figures: Evidence) -> dict[str, object]:
    assert isinstance(figures, Figures)
    return {name: value for name, value, _ in figures.rows}


def test_evidence_says_who_answered(models: Path) -> None:
    values = simulate("flat").values
    detector = Plateau(model=write_models(models, **early_and_late(values)))

    answering_models = [
        _rows(detector.evidence(sample, Context())[-1])["answered by"]
        for sample in (values, simulate("flat", seed=9).values)
    ]

    assert "has not seen this" in str(answering_models[0])
    assert "this series was not" in str(answering_models[1])


def test_evidence_names_the_step_its_rivals_and_the_interval() -> None:
    series = simulate("two-steps", seed=1)
    detector = Plateau(plain=1.0)
    start = detector.answer(series.values).steady_start

    evidence = detector.evidence(series.values, Context())

    types = [type(drawing) for drawing in evidence]
    assert types[:4] == [Curve, Curve, Levels, Bands]
    assert types[-1] is Figures
    distribution, nearness_curve, levels, interval = evidence[:4]
    assert isinstance(distribution, Curve)
    assert isinstance(nearness_curve, Curve)
    assert isinstance(levels, Levels)
    assert isinstance(interval, Bands)
    assert (np.diff(distribution.y) >= 0).all()
    assert nearness_curve.x is not None
    assert start in nearness_curve.x
    assert levels.pieces[0][1] == levels.pieces[1][0] == start
    assert levels.pieces[1][2] == np.median(series.values[start : start + 80])
    low, high = interval.spans[0]
    assert low < high
    rival_iterations = [
        iteration for drawing in evidence if isinstance(drawing, Events) for iteration in drawing.at
    ]
    assert all(abs(iteration - start) > 40 for iteration in rival_iterations)
    json.dumps([as_json(drawing) for drawing in evidence], allow_nan=False)


def test_a_constant_series_has_evidence_too() -> None:
    evidence = Plateau().evidence(as_series(np.full(400, 2.0)), Context())

    json.dumps([as_json(drawing) for drawing in evidence], allow_nan=False)


def test_the_chance_to_be_near_is_that_of_the_distribution_and_the_nearness() -> None:
    values = simulate("step", n=3000, seed=2).values
    method = Plateau(plain=1.0)
    reading = method.read(
        SeriesFeatures.from_values(values), models_named("shipped").judge(values, "").model
    )
    share = float(
        np.diff(np.interp([reading.start - 51, reading.start + 50], GRID, reading.cdf, left=0))[0]
    )
    share = min(max(share, 0.01), 0.99)
    odds = 0.395 + 0.657 * math.log(share / (1 - share)) + 1.190 * reading.near[reading.best]

    certainty = method.answer(values).certainty

    assert certainty
    assert certainty.near == pytest.approx(1 / (1 + math.exp(-odds)))


def test_a_clearer_step_is_surer() -> None:
    noise = np.random.default_rng(1).normal(0, 0.05, 1000)
    clear_certainty, faint_certainty = (
        Plateau(plain=1.0).answer(1 + height * (np.arange(1000) < 200) + noise).certainty
        for height in (1.0, 0.02)
    )

    assert clear_certainty
    assert faint_certainty
    assert clear_certainty.near > faint_certainty.near


def plain_model(odds: float) -> PanelModel:
    """Series are plain with these log odds; people would say from 450."""
    return replace(
        model_of(certain_forest(450.0)), plain=replace(empty_forest(), baseline=np.array([odds]))
    )


def test_the_story_answers_if_the_series_is_plain(models: Path) -> None:
    name = write_models(models, whole_model=plain_model(3.0))
    values = simulate("step", seed=5).values

    story_answer, people_answer = (
        Plateau(model=name, plain=chance).answer(values) for chance in (0.5, 0.99)
    )

    assert story_answer.flags == ("plain",)
    assert story_answer.reason.startswith("one step at ")
    assert people_answer.flags == ()
    assert people_answer.steady_start in range(450, 476)
    assert people_answer.reason.startswith("no plain story; people would say steady")


@pytest.mark.parametrize(
    ("kind", "n", "odds", "flags"),
    [
        ("flat", 3000, 1.0, ()),
        ("flat", 3000, 1.5, ("plain",)),
        ("step", 3000, 5.5, ()),
        ("step", 3000, 6.0, ("plain",)),
        ("step", 1500, 0.1, ("plain",)),
        ("step", 6000, 0.1, ("plain",)),
    ],
)
def test_against_people_who_say_never_a_story_must_be_likelier(
    models: Path, kind: str, n: int, odds: float, flags: tuple[str, ...]
) -> None:
    never_forest = replace(empty_forest(), baseline=np.array([-3.0]))
    name = write_models(models, whole_model=replace(plain_model(odds), steady=never_forest))

    assert Plateau(model=name).answer(simulate(kind, n=n, seed=5).values).flags == flags


@pytest.mark.parametrize(("odds", "flags"), [(2.0, ()), (2.5, ("plain",))])
def test_a_step_that_people_may_place_elsewhere_must_be_likelier(
    models: Path, odds: float, flags: tuple[str, ...]
) -> None:
    name = write_models(models, whole_model=plain_model(odds))

    assert Plateau(model=name).answer(simulate("step", seed=5).values).flags == flags


def test_a_story_that_never_settles_needs_less_against_people(models: Path) -> None:
    steady_forest = replace(empty_forest(), baseline=np.array([3.0]))
    name = write_models(models, whole_model=replace(plain_model(3.0), steady=steady_forest))

    assert Plateau(model=name).answer(simulate("drift").values).steady_start == NEVER


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.9, "steady, probability 0.90"),
        (0.2, "never, probability 0.80"),
        (0.52, "never: steady with a probability of 0.52 only, not above 0.55"),
    ],
)
def test_the_words_follow_the_answer(chance: float, words: str) -> None:
    assert people_words(chance, 0.55) == f"no plain story; people would say {words}"


def test_the_words_say_why_a_series_that_is_likelier_never_is_steady() -> None:
    words = "steady: with a probability of 0.48, which is above 0.45"

    assert people_words(0.48, 0.45) == f"no plain story; people would say {words}"
    assert people_words(0.5, 0.45) == "no plain story; people would say steady, probability 0.50"


def test_plain_series_are_mostly_answered_by_their_story() -> None:
    suite = list(plain_suite((50, 300, 1000, 3000)))
    results = judge_plain_answers(Plateau(), suite)

    assert np.mean([is_right for _, is_right in results]) >= 0.94
    assert min(shares(results, "shape").values()) >= 0.84
    assert min(shares(results, "length").values()) >= 0.88
    assert min(shares(results, "noise").values()) >= 0.85


@pytest.mark.parametrize("n", [10, 29, 30, 99, 299])
def test_of_a_short_series_the_story_answers_whatever_people_would(models: Path, n: int) -> None:
    name = write_models(models, whole_model=model_of(certain_forest(450.0)))
    values = np.where(np.arange(n) < n // 2, 2.0, 1.0) + 0.01 * np.sin(np.arange(float(n)) ** 2)

    detection = Plateau(model=name).answer(values)

    assert detection.steady_start == n // 2
    assert detection.flags == ("plain",)


def test_evidence_of_a_plain_series_has_its_story_and_levels(models: Path) -> None:
    name = write_models(models, whole_model=plain_model(3.0))
    values = simulate("two-steps", seed=1).values

    levels, changes, figures = Plateau(model=name).evidence(values, Context())

    assert isinstance(levels, Levels)
    assert isinstance(changes, Events)
    assert [start for start, _, _ in levels.pieces] == [0, *changes.at]
    assert str(_rows(figures)["story"]).startswith("two steps, the last at ")
    json.dumps([as_json(drawing) for drawing in (levels, changes, figures)], allow_nan=False)
