"""`manage.py train plateau`: a campaign's marks become a method of one's own."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from analysis.training.panel_answers import panel_of_campaign
from annotate.answering.services import save_mark
from annotate.models import Campaign, Task
from detectors.contract import Detector
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.plateau import Plateau
from detectors.methods.plateau_online import PlateauOnline
from detectors.methods.t_test import TTest
from detectors.panel import panel_models as panel
from detectors.simulated.synthetic import simulate
from detectors.training.figures.method_figures import ask_method, figures_of, method_name
from detectors.training.figures.panel_figures import as_document
from detectors.training.figures.validation import constants
from detectors.training.labels.panel_answers import PanelAnswers
from detectors.training.labels.published import NoPanel, panel_of_folder
from detectors.training.plateau import PlateauTraining
from docs.panel_figures import kept_figures
from people.models import Study, User
from series.models import Benchmark, Series
from tests.every_case import EVERY_CASE
from tests.published_data import replication_folder

pytestmark = pytest.mark.slow


@pytest.fixture
def marked_campaign(
    campaign: Campaign,
    ana: User,
    ben: User,
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
) -> Campaign:
    """Twelve series of two systems, each marked by two people near its step."""
    for seed in range(12):
        simulation = simulate("step", seed=seed, n=200)
        series = make_series(simulation.values, name=f"org.example.B{seed}")
        series.benchmark.system = f"system {seed % 2}"
        series.benchmark.save()
        task = make_task(series)
        for person, iterations_late in ((ana, 0), (ben, 4)):
            save_mark(
                task,
                by=person,
                client_id=uuid4(),
                digest=series.digest,
                kind="steady",
                index=simulation.steady_start + iterations_late,
            )
    return campaign


def train_model(folder: Path, *options: Any) -> str:
    output = io.StringIO()
    call_command("train", "plateau", *options, output=folder, alone=True, stdout=output)
    return output.getvalue()


def test_a_campaign_becomes_a_method_with_a_table_and_a_card(
    marked_campaign: Campaign, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))

    printed_text = train_model(tmp_path, f"{study.slug}/{marked_campaign.slug}")

    name = printed_text.rpartition("plateau?model=")[2].strip()
    assert "| Plateau | 12 | " in printed_text
    assert "| a1 | 12 | " in printed_text
    assert panel.card_of(name)["fitted_on"] == f"{study.slug}/{marked_campaign.slug}"
    assert panel.card_of(name)["marked_series"] == 12
    assert Plateau(model=name).answer(simulate("step", n=200).values).steady_start >= 0
    content_before = (tmp_path / f"plateau-{name}.npz").read_bytes()
    assert name in train_model(tmp_path, f"{study.slug}/{marked_campaign.slug}", "--foldings", "0")
    assert (tmp_path / f"plateau-{name}.npz").read_bytes() == content_before


def test_a_panel_has_the_settled_answers_and_who_gave_which(marked_campaign: Campaign) -> None:
    panel = panel_of_campaign(marked_campaign)

    first = panel.marked[0]
    low, high = sorted(first.marks.values())
    assert [marked_series.group for marked_series in panel.marked] == ["system 0", "system 1"] * 6
    assert set(first.marks) == {"a1", "a2"}
    assert first.start in {low, high}
    assert {shown_series.steady for shown_series in panel.shown} == {True}


def test_a_campaign_with_one_system_holds_benchmarks_out(
    marked_campaign: Campaign, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(panel.VARIABLE, str(tmp_path))
    Benchmark.objects.update(system="only")

    printed_text = train_model(tmp_path, f"{study.slug}/{marked_campaign.slug}", "--foldings", "1")

    name = printed_text.rpartition("plateau?model=")[2].strip()
    assert "every series is answered" in printed_text
    assert panel.card_of(name)["benchmarks"] == 12
    for marked_series in panel_of_campaign(marked_campaign).marked:
        assert Plateau(model=name).answer(marked_series.values).flags[-1:] == ("unseen",)


@pytest.fixture(scope="module")
def published_answers() -> PanelAnswers:
    return panel_of_folder(replication_folder())


# The method that reads values as they come takes six times what the others take together.
METHODS: tuple[Detector, ...] = (Plateau(), KbKssd(), TTest(), *([PlateauOnline()] * EVERY_CASE))


@pytest.mark.parametrize("method", METHODS, ids=method_name)
def test_anybody_who_asks_on_published_series_gets_the_row_of_the_page(
    method: Detector, published_answers: PanelAnswers
) -> None:
    """With its defaults; what was trained on them answers by the model without their system."""
    figures = figures_of(
        published_answers, ask_method(method, published_answers), constants(published_answers)
    )

    assert as_document(figures) == kept_figures()["methods"][method.key]


def test_too_few_answers_and_wrong_names_are_said(campaign: Campaign, study: Study) -> None:
    with pytest.raises(CommandError, match="found 0 series that the panel calls steady"):
        call_command("train", "plateau", f"{study.slug}/{campaign.slug}")
    with pytest.raises(CommandError, match="expected STUDY/CAMPAIGN or --replication FOLDER"):
        call_command("train", "plateau")
    with pytest.raises(CommandError, match="no campaign 'nothing'"):
        call_command("train", "plateau", f"{study.slug}/nothing")


def test_a_folder_without_published_marks_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "expected.json").write_text("[]")

    with pytest.raises(NoPanel, match=r"found no index\.csv, series\.npz, stage1\.npz, expected"):
        panel_of_folder(tmp_path)


def test_published_marks_are_those_that_the_shipped_weights_were_fitted_on(
    published_answers: PanelAnswers,
) -> None:
    card = panel.card_of(panel.SHIPPED)

    assert PlateauTraining(published_answers, 0).digest() == card["values_sha256"]
    assert (len(published_answers.marked), len(published_answers.shown)) == (264, 396)
    assert sum(bool(shown_series.marks) for shown_series in published_answers.shown) == 362
