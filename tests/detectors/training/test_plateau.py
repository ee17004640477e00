"""Training of `plateau` on a small made-up panel: repeatable, exported exactly, held out fairly."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from detectors.contract import Detector
from detectors.methods.developer import Developer
from detectors.methods.fixed import Fixed
from detectors.panel.copies import as_bytes
from detectors.panel.panel_grid import GRID
from detectors.panel.panel_models import VARIABLE, PanelModels, name_for
from detectors.simulated.synthetic import simulate
from detectors.training.beginnings import fitted_online
from detectors.training.figures import validation
from detectors.training.figures.method_figures import ask_method
from detectors.training.figures.panel_figures import CONSTANT
from detectors.training.figures.validation import RUNNING, WHOLE, folds, out_of_fold_answers
from detectors.training.fitting.forests import (
    binned,
    edges_of,
    fitted_odds,
    forest_of,
    shifts_of_forests,
)
from detectors.training.labels.panel_answers import (
    KnownSeries,
    MarkedSeries,
    PanelAnswers,
    ShownSeries,
)
from detectors.training.panel import PanelFeatures, TooFewAnswers, fit_panel_model
from detectors.training.plain import fitted_plain
from detectors.training.plateau import PlateauTraining

pytestmark = pytest.mark.slow


def panel(count: int = 24) -> PanelAnswers:
    """Series with one step, each marked where it is; every other one counts as never steady."""
    series = [simulate("step", seed=seed, n=300) for seed in range(count)]
    systems = [f"system {number // 2 % 2}" for number in range(count)]
    pairs = list(zip(systems, series, strict=True))
    return PanelAnswers(
        [MarkedSeries(s, x.values, x.steady_start, True, {"a1": x.steady_start}) for s, x in pairs],
        [ShownSeries(s, x.values, (x.steady_start,), i % 2 == 0) for i, (s, x) in enumerate(pairs)],
        known=[
            KnownSeries(f"noise {seed % 2}", x.values, x.steady_start)
            for seed in range(6)
            for x in (simulate("step", seed=100 + seed, n=200),)
        ],
    )


@pytest.fixture(scope="module")
def training() -> PlateauTraining:
    return PlateauTraining(panel(), seed=0)


@pytest.fixture(scope="module")
def models(training: PlateauTraining) -> PanelModels:
    return training.models()


def test_the_same_panel_and_seed_are_the_same_bytes(
    training: PlateauTraining, models: PanelModels
) -> None:
    second_training = PlateauTraining(panel(), seed=0)

    assert second_training.models().as_bytes() == models.as_bytes()
    other_forest = fitted_online(training.features.beginnings, ["system 0", "system 1"], seed=1)
    assert other_forest.value.tolist() != models.whole.online.value.tolist()
    assert training.card("made up") == second_training.card("made up")


def test_arrays_predict_as_the_library_does() -> None:
    random = np.random.default_rng(3)
    rows, target = random.normal(size=(800, 5)), random.random(800)
    edges = edges_of(rows)
    library = HistGradientBoostingRegressor(max_iter=20, max_bins=64, early_stopping=False)
    library.fit(binned(rows, edges), target)
    other_rows = random.normal(size=(300, 5))

    sums = forest_of(library, edges).sums(other_rows)

    np.testing.assert_allclose(sums, library.predict(binned(other_rows, edges)), rtol=1e-12)


def test_borders_of_three_forests_lie_between_one_another() -> None:
    column = np.arange(6400.0)[:, None]

    borders = [edges_of(column, shift)[0] for shift in shifts_of_forests(3)]

    assert [border[:2].round(1).tolist() for border in borders] == [
        [66.5, 166.5],
        [99.5, 199.5],
        [133.5, 233.5],
    ]
    assert edges_of(column)[0].tolist() == borders[1].tolist()


def test_a_file_gives_the_model_back(training: PlateauTraining, models: PanelModels) -> None:
    restored_models = PanelModels.of_arrays(np.load(io.BytesIO(models.as_bytes())))

    rows = training.features.rows[0]
    for restored_model, model in zip(
        (restored_models.whole, *restored_models.blind), (models.whole, *models.blind), strict=True
    ):
        assert restored_model.starts.sums(rows).tolist() == model.starts.sums(rows).tolist()
        assert restored_model.levels == model.levels
    assert (restored_models.groups, restored_models.series) == (models.groups, models.series)
    assert list(map(as_bytes, restored_models.sketches)) == list(map(as_bytes, models.sketches))
    assert len(restored_models.sketches) == len(restored_models.series) - 6 > 20


def test_every_series_has_a_judge_that_has_not_seen_its_system(
    training: PlateauTraining, models: PanelModels
) -> None:
    separate_models = {
        "system 0": fit_panel_model(training.features, ["system 1"], seed=0),
        "system 1": fit_panel_model(training.features, ["system 0"], seed=0),
    }

    assert sorted(models.groups) == ["noise 0", "noise 1", "system 0", "system 1"]
    for number, marked_series in enumerate(training.panel.marked):
        judge = models.judge(marked_series.values)
        assert judge.blind
        assert (
            judge.model.starts.value.tolist()
            == separate_models[marked_series.group].starts.value.tolist()
        )
        assert models.judge(marked_series.values[1:-1]).model is judge.model
        assert (
            models.judge(marked_series.values[::-1], f"{marked_series.group}#name#").model
            is judge.model
        )
        assert not models.judge(simulate("decay", seed=number).values, "another#name#").blind


def test_a_simulated_series_is_judged_without_its_workload(
    training: PlateauTraining, models: PanelModels
) -> None:
    for known_series in training.panel.known:
        judge = models.judge(known_series.values)
        assert judge.blind
        assert models.blind.index(judge.model) == models.groups[known_series.group]


def test_every_workload_is_kept_from_one_fold(
    training: PlateauTraining, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        validation, "fit_panel_model", lambda *arguments: arguments[1]
    )  # the groups that it sees

    fold_models = list(validation.held_out_models(training.features))

    assert (
        sorted(name for fold_model in fold_models for name in fold_model.groups)
        == training.features.all_groups
    )
    for fold_model in fold_models:
        assert sorted([*fold_model.groups, *fold_model.model]) == training.features.all_groups  # type: ignore[misc]


def test_plain_is_learned_from_drawn_series_and_those_of_other_workloads(
    training: PlateauTraining,
) -> None:
    examples = training.features.plain

    assert {*examples.groups[~examples.plain]} == {"system 0", "system 1"}
    assert {*examples.groups[examples.plain]} <= {"", "noise 0", "noise 1"}
    own_forest, other_forest = (
        fitted_plain(examples, [name], 0) for name in ("system 0", "system 1")
    )
    assert own_forest.value.tolist() != other_forest.value.tolist()
    is_drawn = examples.plain & (examples.groups == "")
    odds = own_forest.sums(examples.rows)
    assert (odds[is_drawn] > 0).mean() > 0.9


def test_both_labels_weigh_as_much_whatever_each_row_weighs() -> None:
    random = np.random.default_rng(4)
    rows, labels = random.normal(size=(300, 4)), random.random(300) < 0.2
    edges = edges_of(rows)
    bins, options = binned(rows, edges), {"max_iter": 5}
    library = HistGradientBoostingClassifier(
        class_weight="balanced", max_bins=64, early_stopping=False, max_iter=5
    ).fit(bins, labels)

    equal_sums, label_sums, row_sums = (
        fitted_odds(bins, labels, weights, edges, options).sums(rows)
        for weights in (np.ones(300), np.where(labels, 2.0, 1.0), np.where(rows[:, 0] > 0, 2.0, 1))
    )

    np.testing.assert_allclose(equal_sums, library.decision_function(bins), rtol=1e-12)
    np.testing.assert_allclose(label_sums, equal_sums, rtol=1e-4)
    assert not np.allclose(row_sums, equal_sums)


def test_no_system_is_on_both_sides_of_a_fold() -> None:
    names = [f"system {number % 7}" for number in range(50)]

    held_by_fold = [
        held_names
        for training_names, held_names in folds(names, None)
        if not set(training_names) & set(held_names)
    ]

    assert sorted(name for fold_names in held_by_fold for name in fold_names) == sorted(set(names))


def test_the_tables_set_it_beside_the_constant_and_other_methods(training: PlateauTraining) -> None:
    figures = training.validate(0, [Fixed(iteration=100), Developer()])

    rows = {row.name: row for row in figures.figures.rows}
    assert rows["Fixed iteration, iteration=100"].series == 24
    assert rows[CONSTANT].series == 24
    assert Developer.title not in rows  # it needs a configuration
    assert rows["Plateau, chance=0"].never == 0
    assert "| a1 |" not in figures.text  # nobody else to compare the only person with
    assert "| Plateau, online | 24 | " in figures.text
    assert rows["Plateau"].waiting is not None
    assert rows["Plateau"].waiting.testing == (300, 300, 300)  # it needs the whole series


def test_the_card_keeps_what_was_trained_and_the_constant(training: PlateauTraining) -> None:
    document = training.validate(0, [Fixed(iteration=100)]).document(0)

    names = [method["name"] for method in document["methods"]]
    assert names[:3] == ["Plateau", "Plateau, chance=0", "Plateau, chance=0, worth=0"]
    assert names[-1] == CONSTANT
    assert "Fixed iteration, iteration=100" not in names


def test_figures_are_of_the_methods_that_the_models_become(
    training: PlateauTraining, models: PanelModels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked by its name, each method gives the answers that its row was computed of."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    name = name_for("made-up", models.as_bytes())
    (tmp_path / f"plateau-{name}.npz").write_bytes(models.as_bytes())

    fold_answers = out_of_fold_answers(training.features, training.held)

    for method, answers in zip(
        (*WHOLE, *RUNNING), (*fold_answers.whole, *fold_answers.running), strict=True
    ):
        own_method = type(method)(**{**parameter_values(method), "model": name})
        own_answers = ask_method(own_method, training.panel)
        assert list(answers.marked) == list(own_answers.marked), answers.name
        assert list(answers.shown) == list(own_answers.shown), answers.name


def parameter_values(method: Detector) -> dict[str, object]:
    return {
        parameter.name: getattr(method.params, parameter.name)
        for parameter in method.Params.declared()
    }


def test_too_few_answers_are_refused() -> None:
    with pytest.raises(
        TooFewAnswers, match="found 3 series that the panel calls steady, expected at le"
    ):
        PanelFeatures.from_panel(panel(3))


def test_one_group_cannot_be_held_out() -> None:
    with pytest.raises(TooFewAnswers, match="found one benchmark only, expected at least 2"):
        list(folds(["a", "a"], None))


def test_starts_count_in_series_of_3000(training: PlateauTraining) -> None:
    expected = [10 * marked_series.start for marked_series in training.panel.marked]

    assert training.features.starts.tolist() == expected
    assert training.features.rows.shape == (24, GRID.size, 78)
