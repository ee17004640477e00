"""Importing marks into campaigns that are there, and files that are none."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotate.campaigns import services as campaigns
from annotate.models import Campaign, Mark
from series.models import Series

ROW = "benchmark,fork,annotator,answer,steady_start\n{name},0,{who},steady,1\n"


def import_output(name: str, file: Path, *words: str) -> str:
    output = io.StringIO()
    call_command("import_marks", name, str(file), *words, stdout=output)
    return output.getvalue()


@pytest.fixture
def file(series: Series, tmp_path: Path) -> Path:
    path = tmp_path / "marks.csv"
    path.write_text(ROW.format(name=series.benchmark.name, who="a1"))
    return path


@pytest.fixture
def marked_campaign(file: Path, series: Series) -> Campaign:
    import_output("startup-times/marked", file)
    return Campaign.objects.get()


def test_a_new_campaign_takes_jagt_and_tells_it(file: Path) -> None:
    output = import_output("startup-times/marked", file)

    assert output.splitlines()[1] == (
        "startup-times/marked: made, open, recipe jagt (eps=50&min_samples=3); "
        "ground truth: 1 steady, 0 never, 0 undecided"
    )


@pytest.mark.parametrize(
    ("words", "recipe"),
    [
        (["--recipe", "jagt-published"], "jagt-published (eps=50&min_samples=3)"),
        (["--param", "eps=20"], "jagt (eps=20&min_samples=3)"),
    ],
)
def test_another_recipe_than_the_campaign_has_is_refused(
    marked_campaign: Campaign, file: Path, words: list[str], recipe: str
) -> None:
    with pytest.raises(CommandError) as error_info:
        import_output("startup-times/marked", file, *words)

    assert str(error_info.value) == (
        "marks.csv, campaign marked: found the recipe jagt (eps=50&min_samples=3) in this "
        f"campaign, expected {recipe}; leave the recipe out, change it first in the campaign's "
        "settings, or name another campaign"
    )
    assert error_info.value.returncode == 2


def test_the_recipe_that_it_has_may_be_said(marked_campaign: Campaign, file: Path) -> None:
    campaigns.change_recipe(marked_campaign, recipe="median", params={"eps": 20})

    output = import_output("startup-times/marked", file, "--recipe", "median")

    assert "median (eps=20&min_samples=3)" in output


def test_a_closed_campaign_takes_no_new_marks(marked_campaign: Campaign, file: Path) -> None:
    campaigns.close(marked_campaign, by=None)
    assert "0 marks stored, 1 known" in import_output("startup-times/marked", file)
    file.write_text(file.read_text().replace("a1", "a2"))

    with pytest.raises(CommandError, match="found closed, and 1 marks that it does not have"):
        import_output("startup-times/marked", file)

    assert Mark.objects.count() == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "path: found a folder, expected a marks CSV; for a replication package say --format"),
        (["--format", "replication"], "folder: found no marks, expected files benchmark_database"),
    ],
)
def test_a_folder_without_marks_is_one_sentence(
    series: Series, tmp_path: Path, words: list[str], sentence: str
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()

    with pytest.raises(CommandError) as error_info:
        import_output("startup-times/marked", folder, *words)

    assert str(error_info.value).startswith(f"{folder}, {sentence}")
    assert error_info.value.returncode == 2


@pytest.mark.parametrize("slug", ["new", "no slug!", "x" * 61])
def test_a_campaign_needs_an_address(file: Path, slug: str) -> None:
    with pytest.raises(CommandError, match=f"campaign: found '{slug}', expected at most 60 letter"):
        import_output(f"startup-times/{slug}", file)

    assert not Campaign.objects.exists()


def test_a_file_without_a_row_is_one_sentence(file: Path) -> None:
    file.write_text(ROW.splitlines()[0] + "\n")

    with pytest.raises(CommandError, match=r"marks\.csv, marks: found none, expected at least one"):
        import_output("startup-times/marked", file)
