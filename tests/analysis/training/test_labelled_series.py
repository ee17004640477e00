"""`manage.py train rocket`: labels from a campaign, a method, or what is known become weights."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from analysis.runs.detect_unit import unsaved_detection
from analysis.runs.models import Detection
from analysis.training import labelled_series
from annotate.answering.services import save_mark
from annotate.models import Campaign, Task
from demo.catalogue import CATALOGUE
from detectors.contract import NEVER
from detectors.learned import crossfit
from detectors.methods.fixed import Fixed
from detectors.methods.rocket import RocketStopping
from detectors.panel import panel_models as panel
from detectors.registry import from_key
from detectors.simulated.synthetic import KINDS, simulate
from detectors.training.labels.published import NoPanel
from people.models import Study, User
from series.models import Series
from tests.published_data import replication_folder
from tests.replayed_rows import replayed


@pytest.fixture
@replayed
def step_series(make_series: Callable[..., Series]) -> list[Series]:
    """A series of each of six benchmarks of one system, each with one step."""
    series_rows = []
    for seed in range(6):
        simulation = simulate("step", seed=seed, n=200)
        series = make_series(simulation.values, name=f"org.example.B{seed}")
        series.benchmark.system = "one"
        series.benchmark.save()
        series_rows.append(series)
    return series_rows


@pytest.fixture
@replayed
def marked_campaign(
    campaign: Campaign,
    ana: User,
    ben: User,
    step_series: list[Series],
    make_task: Callable[[Series], Task],
) -> Campaign:
    """Marked by two people where the step is; the last one as never steady."""
    for seed, series in enumerate(step_series):
        start = simulate("step", seed=seed, n=200).steady_start
        steady_mark: dict[str, Any] = {"kind": "steady", "index": start}
        task = make_task(series)
        for person in (ana, ben):
            save_mark(
                task,
                by=person,
                client_id=uuid4(),
                digest=series.digest,
                **(steady_mark if seed < 5 else {"kind": "never"}),
            )
    return campaign


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where weights go."""
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    return tmp_path


def train_model(*options: Any, slug: str = "rocket", **options_by_name: Any) -> str:
    output = io.StringIO()
    call_command("train", slug, *options, stdout=output, kernels=40, **options_by_name)
    return output.getvalue()


def test_a_campaign_becomes_weights_with_a_table_and_a_card(
    marked_campaign: Campaign, study: Study, folder: Path
) -> None:
    name = f"{study.slug}/{marked_campaign.slug}"

    printed_text = train_model(name, output=folder)

    weights = printed_text.rpartition("rocket?weights=")[2].strip()
    card = crossfit.card_of("rocket", weights)
    assert "| **mean** | 500 | " in printed_text
    assert f"labelled by the marks of {name}" in printed_text
    assert (card["series"], card["steady_series"]) == (6, 5)
    assert set(card["answers"]["benchmarks"]) == {f"one#org.example.B{n}#" for n in range(6)}
    assert [path.name for path in folder.iterdir() if path.is_dir()] == []
    assert weights in train_model(name, output=folder)  # the same again


def test_a_stored_series_is_judged_by_the_model_that_has_not_seen_it(
    marked_campaign: Campaign, step_series: list[Series], study: Study, folder: Path
) -> None:
    printed_text = train_model(f"{study.slug}/{marked_campaign.slug}", output=folder)
    detector = RocketStopping(weights=printed_text.rpartition("rocket?weights=")[2].strip())

    detection = unsaved_detection(detector, step_series[0])

    assert detection.outcome == Detection.Outcome.ANSWER
    assert detection.flags.split()[-1] == "unseen"


def test_labels_of_a_campaign_are_the_marks(marked_campaign: Campaign) -> None:
    first_by_benchmark = {
        labelled_row.benchmark: labelled_row.first
        for labelled_row in labelled_series.labelled_series_of_campaign(marked_campaign)
    }

    starts = [simulate("step", seed=seed, n=200).steady_start for seed in range(5)]
    assert list(first_by_benchmark.values()) == [*starts, NEVER]


def test_labels_of_a_method_are_stored_answers_or_computed(step_series: list[Series]) -> None:
    method = Fixed(iteration=30)
    Detection.objects.create(
        series=step_series[0],
        detector_key=method.key,
        slug="fixed",
        steady_start=77,
        published_index=77,
    )

    labelled_rows = labelled_series.labelled_series_of_dataset(
        step_series[0].benchmark.dataset, method
    )

    assert [row.first for row in labelled_rows] == [77, 30, 30, 30, 30, 30]
    assert Detection.objects.count() == 1


def test_a_change_point_is_warm_up_itself() -> None:
    method = from_key("cp-ssd")

    assert labelled_series._first_window(method, 0, 0) == 1
    assert labelled_series._first_window(method, 323, 322) == 323
    assert labelled_series._first_window(method, NEVER, NEVER) == NEVER
    assert labelled_series._first_window(Fixed(), 0, 0) == 0


def test_what_is_known_of_simulated_series(step_series: list[Series]) -> None:
    Series.objects.filter(pk=step_series[2].pk).update(known_start=40)

    (row,) = labelled_series.labelled_series_of_dataset(step_series[0].benchmark.dataset, None)

    assert (row.first, row.benchmark) == (40, "one#org.example.B2#")
    np.testing.assert_array_equal(row.values, step_series[2].array())


def test_a_data_set_is_named_with_its_labels(
    step_series: list[Series], study: Study, folder: Path
) -> None:
    dataset_name = f"{study.slug}/{step_series[0].benchmark.dataset.slug}"

    printed_text = train_model(dataset_name, output=folder, labels="fixed?iteration=40")

    assert "labelled by fixed@1?iteration=40" in printed_text
    with pytest.raises(CommandError, match="--labels: no detector 'nothing'"):
        train_model(dataset_name, output=folder, labels="nothing")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "expected one of STUDY/CAMPAIGN, STUDY/DATASET, --replication FOLDER, --own"),
        ({"own": True, "replication": Path("x")}, "expected one of STUDY/CAMPAIGN"),
        ({"replication": Path("x")}, r"x: found no index\.csv"),
        ({"replication": Path("x"), "labels": "y"}, "found 'y', expected change-points or marks"),
    ],
)
def test_mistakes_are_said_in_a_line(
    db: None, folder: Path, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        train_model(output=folder, **options)


def test_too_few_benchmarks_are_said(campaign: Campaign, study: Study, folder: Path) -> None:
    with pytest.raises(CommandError, match="found 0 benchmarks with a label, expected 5"):
        train_model(f"{study.slug}/{campaign.slug}", output=folder)


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
def test_a_network_says_what_it_needs(db: None) -> None:
    with pytest.raises(CommandError, match=r"fcn: found no PyTorch.*requirements-train\.txt"):
        train_model(slug="fcn", own=True)


def test_published_labels_are_read() -> None:
    folder = replication_folder()

    point_series = labelled_series.labelled_series_of_folder(
        folder, "change-points", keeps_forks=False
    )
    mark_series = labelled_series.labelled_series_of_folder(folder, "marks")

    assert (len(point_series), sum(row.first != NEVER for row in point_series)) == (396, 357)
    assert (len(mark_series), sum(mark.first != NEVER for mark in mark_series)) == (396, 264)
    assert point_series[0].first == 1  # the published change point is 0
    assert mark_series[0].first == 2
    with pytest.raises(NoPanel, match="found no index"):
        labelled_series.labelled_series_of_folder(folder / "models", "marks")


def test_what_ships_was_fitted_on_what_comes_with_plateau() -> None:
    """Names and values as now; labels of CP-SSD take half a minute, and are not made again."""
    simulated_series = list(labelled_series._simulated_series())
    recorded_series = [
        row for workload in CATALOGUE[:2] for row in labelled_series._read_measurements(workload)
    ]
    card = crossfit.card_of("rocket", panel.SHIPPED)

    names = {
        crossfit.benchmark_key(row.system, row.benchmark, row.params) for row in recorded_series
    }
    assert {row.benchmark for row in simulated_series} == {f"simulated#{kind}#" for kind in KINDS}
    assert names | {row.benchmark for row in simulated_series} <= set(card["answers"]["benchmarks"])
    assert len(card["answers"]["benchmarks"]) == len(CATALOGUE) + len(KINDS)
    assert card["series"] == len(simulated_series) + 5 * len(CATALOGUE)


CLASSIFIER = "sklearn.neighbors:KNeighborsClassifier"


def test_any_classifier_is_judged_over_seeds_and_written(
    marked_campaign: Campaign, folder: Path
) -> None:
    output = io.StringIO()
    scope = f"{marked_campaign.study.slug}/{marked_campaign.slug}"

    call_command(
        "train", "classifier", scope, "--model", CLASSIFIER, "--window", "30", "--seeds", "2",
        "--output", str(folder), stdout=output,
    )  # fmt: skip

    assert f"labelled by the marks of {scope}" in output.getvalue()
    assert "**mean ± sd**" in output.getvalue()
    (card,) = folder.glob("classifier-*.json")
    assert f"classifier?weights={card.stem.removeprefix('classifier-')}" in output.getvalue()
    assert json.loads(card.read_text())["answers"]["window"] == 30


def test_a_class_that_no_run_may_read_is_judged_and_not_written(
    marked_campaign: Campaign, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATEAU_CLASSIFIERS", "sklearn.naive_bayes:GaussianNB")
    output = io.StringIO()

    call_command(
        "train", "classifier", f"{marked_campaign.study.slug}/{marked_campaign.slug}",
        "--model", CLASSIFIER, "--seeds", "1", "--output", str(folder), stdout=output,
    )  # fmt: skip

    assert f"Not written: {CLASSIFIER}" in output.getvalue()
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["classifier"], "--model: found nothing, expected package.module:Class"),
        (["classifier", "--model", "nowhere:A"], "--model: nowhere:A: No module named"),
        (
            ["rocket", "--model", "a:B"],
            "--model a:B: found it with rocket, expected with classifier",
        ),
    ],
)
def test_a_classifier_that_is_none_is_refused(
    marked_campaign: Campaign, arguments: list[str], sentence: str
) -> None:
    slug, *options = arguments

    with pytest.raises(CommandError, match=sentence):
        call_command(
            "train", slug, f"{marked_campaign.study.slug}/{marked_campaign.slug}", *options
        )


def write_corpus(folder: Path, noise: str) -> Path:
    """A folder as `make corpus` makes it, with a step at 40 in one series."""
    nanoseconds = np.where(np.arange(150) < 40, 2000, 1000).astype("<u4")
    values = nanoseconds.astype(np.float64) / 1e9
    digest = sha256(values.astype("<f8").tobytes()).hexdigest()
    np.savez(folder / "series.npz", first=nanoseconds)
    row = f"first,{noise},40,{digest}"
    (folder / "manifest.csv").write_text(f"benchmark,noise,steady_start,series_digest\n{row}\n")
    return folder


def test_a_series_of_the_corpus_lies_in_the_fold_of_its_noise(tmp_path: Path) -> None:
    workload = CATALOGUE[0]

    (series,) = labelled_series.labelled_series_of_corpus(write_corpus(tmp_path, workload.name))

    recorded_document = json.loads(crossfit.card_path("rocket", "shipped").read_text())  # type: ignore[union-attr]
    assert series.benchmark in recorded_document["answers"]["benchmarks"]
    assert (series.first, series.values.size) == (40, 150)


def test_a_corpus_of_other_noise_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoPanel, match="expected of a recorded workload"):
        labelled_series.labelled_series_of_corpus(write_corpus(tmp_path, "elsewhere"))
