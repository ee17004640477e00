"""Any classifier on windows of any length, fold by fold and seed by seed, and as a method."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from detectors.contract import NEVER, Context, Figures, NotAvailable, TooShort, as_series
from detectors.learned import crossfit, fitted_classifiers
from detectors.learned.crossfit import StoredSet
from detectors.learned.fitted_classifiers import ClassifierModel
from detectors.learned.windows import windows_from
from detectors.methods.classifier import TrainedClassifier
from detectors.panel import panel_models as panel
from detectors.training.figures.fold_figures import FoldFigures, spread_table, spreads_over_seeds
from detectors.training.fitting.classifiers import NoClassifier, classifier_at, fitted_classifier
from detectors.training.labels.labelled_windows import LabelledSeries, segments_of
from detectors.training.panel import TooFewAnswers
from detectors.training.stopping import (
    ModelTooLarge,
    StoppingSettings,
    StoppingTraining,
    TrainedModels,
)
from tests.detectors.training.fitting import channel_classifier

BAYES = "sklearn.naive_bayes:GaussianNB"
RIDGE = "sklearn.linear_model:RidgeClassifierCV"


@pytest.fixture(scope="module")
def series() -> list[LabelledSeries]:
    """Ten benchmarks that fall up to 100 and are level from there on."""
    labelled_series = []
    for number in range(10):
        noise = np.random.default_rng(number).standard_normal(200)
        level = np.where(np.arange(200) < 100, 300 - 2.0 * np.arange(200), 100.0)
        labelled_series.append(LabelledSeries(f"s#b{number}#", as_series(level + 0.1 * noise), 100))
    return labelled_series


@pytest.fixture(autouse=True)
def allow_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fitted_classifiers.VARIABLE, f"{BAYES}, {RIDGE}")


def training(series: list[LabelledSeries], folder: Path, **settings: Any) -> StoppingTraining:
    all_settings: dict[str, Any] = {"target": BAYES, "window": 40} | settings
    return StoppingTraining(series, StoppingSettings("classifier", **all_settings), folder=folder)


@pytest.fixture(scope="module")
def trained_models(series: list[LabelledSeries], tmp_path_factory: pytest.TempPathFactory) -> Any:
    return training(series, tmp_path_factory.mktemp("models")).run("test", "falls")


def test_every_fold_is_judged_and_the_card_says_by_what(trained_models: TrainedModels) -> None:
    card = trained_models.card

    assert [fold["fold"] for fold in card["cross_validation"]] == [0, 1, 2, 3, 4]
    assert [fold["windows"] for fold in card["cross_validation"]] == [200] * 5
    assert all(fold["balanced_accuracy"] > 0.9 for fold in card["cross_validation"])
    assert card["settings"] == {
        "slug": "classifier", "seed": 0, "unseen": "benchmarks", "target": BAYES, "window": 40
    }  # fmt: skip
    assert card["answers"]["window"] == 40


class Store:
    """One set, as an application keeps it."""

    def __init__(self, models: TrainedModels) -> None:
        self.models, self.there = models, True

    def has(self, slug: str, name: str) -> bool:
        return self.there and (slug, name) == ("classifier", self.models.name("test"))

    def card(self, slug: str, name: str) -> dict[str, Any]:
        return self.models.card

    def load(self, slug: str, name: str) -> StoredSet:
        return StoredSet(self.models.card["answers"], self.models.files)


@pytest.fixture
def store(trained_models: TrainedModels, monkeypatch: pytest.MonkeyPatch) -> Store:
    store = Store(trained_models)
    monkeypatch.setattr(crossfit, "_stores", [store])
    crossfit._load_set.cache_clear()
    return store


def test_a_kept_set_answers_with_windows_of_its_length(
    series: list[LabelledSeries], trained_models: TrainedModels, store: Store
) -> None:
    method = TrainedClassifier(weights=trained_models.name("test"))
    context = Context(benchmark=series[0].benchmark)

    own_answer = method.answer(series[0].values, context)
    other_answer = method.answer(series[0].values)

    assert own_answer.flags == ("unseen",)
    assert other_answer.flags == ("majority",)
    assert 60 <= own_answer.steady_start <= 110
    assert own_answer.decided_at == own_answer.steady_start + 39
    figures = method.evidence(series[0].values, context)[-1]
    assert isinstance(figures, Figures)
    assert ("values of a window", 40, "") in figures.rows
    with pytest.raises(TooShort) as error_info:
        method.answer(series[0].values[:39])
    assert error_info.value.needed == 40


@pytest.mark.parity("classifier")
def test_the_answer_is_that_of_scikit_learn(
    series: list[LabelledSeries], trained_models: TrainedModels, store: Store
) -> None:
    """GaussianNB itself, fitted on the windows of the benchmarks of the four other folds."""
    asked_series, folds = series[0], trained_models.card["answers"]["benchmarks"]
    held_fold = folds[asked_series.benchmark]
    training_segments = segments_of([s for s in series if folds[s.benchmark] != held_fold], 40)
    own_model = GaussianNB().fit(training_segments.windows, training_segments.stable)
    expected = own_model.predict(windows_from(asked_series.values, 0, 161, 40)).argmax()

    detection = TrainedClassifier(weights=trained_models.name("test")).answer(
        asked_series.values, Context(benchmark=asked_series.benchmark)
    )

    assert detection.steady_start == expected > 0


def test_one_value_at_a_time_gives_the_same_answer(
    series: list[LabelledSeries], trained_models: TrainedModels, store: Store
) -> None:
    method = TrainedClassifier(weights=trained_models.name("test"))
    state = method.start(Context())

    for value in series[3].values:
        decision = method.update(state, np.array([value]))
        if decision.final:
            break

    assert decision.detection == method.answer(series[3].values)


def test_a_set_that_is_removed_is_not_available_any_more(
    series: list[LabelledSeries], trained_models: TrainedModels, store: Store
) -> None:
    method = TrainedClassifier(weights=trained_models.name("test"))
    method.answer(series[0].values)
    store.there = False

    with pytest.raises(NotAvailable, match="weights not installed"):
        method.answer(series[0].values)


def test_a_class_that_is_not_allowed_is_not_read(
    trained_models: TrainedModels, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(fitted_classifiers.VARIABLE, RIDGE)

    with pytest.raises(NotAvailable, match=f"{BAYES}, which this installation does not allow"):
        crossfit.set_named("classifier", trained_models.name("test"))


def test_types_of_other_packages_are_not_made() -> None:
    arrays = fitted_classifiers.ClassifierModel(RIDGE, Path("elsewhere")).as_arrays()

    with pytest.raises(NotAvailable, match=r"[Uu]ntrusted"):
        fitted_classifiers.ClassifierModel.of_arrays(arrays)


def test_changed_models_are_refused(trained_models: TrainedModels, store: Store) -> None:
    store.models = TrainedModels("classifier", trained_models.files[::-1], trained_models.card)

    with pytest.raises(NotAvailable, match=r"fold0: found the digest"):
        crossfit.set_named("classifier", trained_models.name("test"))


def test_the_size_is_of_benchmarks_that_are_learned_from(
    series: list[LabelledSeries], tmp_path: Path
) -> None:
    small_training = training(series, tmp_path, size=3)
    other_training = training(series, tmp_path, size=3, seed=1)
    is_held = small_training._fold_of_series == 0

    assert small_training._training_mask(is_held, 0).sum() == 3
    assert not (small_training._training_mask(is_held, 0) & is_held).any()
    assert (
        small_training._training_mask(is_held, 0).tolist()
        != other_training._training_mask(is_held, 0).tolist()
    )
    assert training(series, tmp_path)._training_mask(is_held, 0).sum() == 8


def test_a_class_without_probabilities_says_yes_or_no(
    series: list[LabelledSeries], tmp_path: Path
) -> None:
    content, document = training(series, tmp_path, target=RIDGE).fitted(0)

    assert document["figures"]["balanced_accuracy"] > 0.9
    with np.load(io.BytesIO(content)) as arrays:
        model = fitted_classifiers.ClassifierModel.of_arrays(arrays)
    assert set(model.judged_together(np.eye(3, 40, dtype=np.float32)).tolist()) <= {0.0, 1.0}


def test_a_class_of_aeon_gets_series_of_channels_and_is_read_again(
    series: list[LabelledSeries], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in refuses windows of two dimensions, as the classes above would three."""
    target = channel_classifier.install(tmp_path / "site", monkeypatch)

    trained_models = training(series, tmp_path / "models", target=target).run("test", "falls")

    assert all(fold["balanced_accuracy"] > 0.9 for fold in trained_models.card["cross_validation"])
    restored_model = ClassifierModel.of_arrays(fitted_model(series, target).as_arrays())
    windows = np.stack([np.linspace(3, -3, 40), np.zeros(40)]).astype(np.float32)
    assert restored_model.judged_together(windows) == pytest.approx([0, 1], abs=0.05)
    monkeypatch.setenv(fitted_classifiers.VARIABLE, BAYES)
    with pytest.raises(NotAvailable, match="does not allow"):
        ClassifierModel.of_arrays(restored_model.as_arrays())


def test_a_class_that_is_no_data_cannot_be_kept(series: list[LabelledSeries]) -> None:
    model = fitted_model(series, BAYES)
    model.classifier.values = (letter for letter in "ab")

    with pytest.raises(NotAvailable, match=f"{BAYES} cannot be kept in a file"):
        model.as_arrays()


def fitted_model(series: list[LabelledSeries], target: str) -> ClassifierModel:
    return fitted_classifier(target, segments_of(series, width=40), seed=0)


def test_a_model_that_is_too_large_is_refused(
    series: list[LabelledSeries], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("detectors.training.stopping.MOST_BYTES", 100)

    with pytest.raises(ModelTooLarge, match="expected at most 0 MB"):
        training(series, tmp_path).fitted(0)


def test_one_label_is_too_few(series: list[LabelledSeries], tmp_path: Path) -> None:
    steady_series = [LabelledSeries(s.benchmark, s.values, 0) for s in series]
    never_series = [LabelledSeries(s.benchmark, s.values, NEVER) for s in series]

    for one_label_series in (steady_series, never_series):
        with pytest.raises(TooFewAnswers, match="only one label"):
            training(one_label_series, tmp_path).fitted(0)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("sklearn", "found 'sklearn', expected package.module:Class"),
        ("nowhere.at.all:Class", "No module named 'nowhere'"),
        ("sklearn.ensemble:Nothing", "has no attribute 'Nothing'"),
        ("collections:OrderedDict", "found no class with fit and predict"),
    ],
)
def test_what_is_no_classifier_is_said(target: str, sentence: str) -> None:
    with pytest.raises(NoClassifier, match=sentence):
        classifier_at(target)


def document_of(accuracy: float | None) -> list[dict[str, Any]]:
    fold_figures = FoldFigures(0, 10, 0.5, 1.0, None, accuracy)
    return [{name: getattr(fold_figures, name) for name in FoldFigures.__slots__}]


def test_the_spread_over_seeds_is_printed() -> None:
    *_, second, last = spread_table([document_of(0.6), document_of(0.8)]).splitlines()

    assert second == "| 1 | 0.500 | 1.000 |  | 0.800 |"
    assert last == "| **mean ± sd** | 0.500 ± 0.000 | 1.000 ± 0.000 |  | 0.700 ± 0.141 |"
    assert "±" not in spread_table([document_of(0.6)]).splitlines()[-1].partition("sd")[2]


@pytest.mark.parametrize(
    ("accuracies", "mean", "sd"), [([], None, None), ([0.5], 0.5, None), ([0.5, None], 0.5, None)]
)
def test_a_spread_of_nothing_or_one(
    accuracies: list[float | None], mean: float | None, sd: float | None
) -> None:
    *_, accuracy_spread = spreads_over_seeds([document_of(accuracy) for accuracy in accuracies])

    assert (accuracy_spread.mean, accuracy_spread.sd) == (mean, sd)


def test_names_of_sets_are_not_those_of_files(store: Store) -> None:
    assert crossfit.installed_set_names("classifier") == []
    assert TrainedClassifier.missing().startswith("weights not installed")
    assert panel.SHIPPED not in crossfit.installed_set_names("classifier")
