"""The report: whole in itself, the same bytes for the same figures, and every table again."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.sentences import answer_note, answer_sentence
from analysis.comparison.table import ComparisonResult, compare_stored
from analysis.report.bundle import OWN_SHEET, Report
from analysis.report.content import ANSWER_MEANING, people_tables
from analysis.report.plain_fragments import plain_html
from analysis.report.report_script import MODULES, STATIC, scripts
from analysis.runs.models import Detection
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from annotate.truth import exports
from people.templatetags.writing import HARD

pytestmark = pytest.mark.django_db


@pytest.fixture
def comparison(compared_study: Campaign) -> ComparisonResult:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None
    return comparison


DATA = '<script type="application/json" data-plot-json="">'


def archive_files(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_document_stands_for_itself(comparison: ComparisonResult) -> None:
    text = Report(comparison).document

    html = re.sub("<script(?: type[^>]*)?>.*?</script>", "", text, flags=re.DOTALL)
    for word in ("<script", "<link", "<form", "<button", "href=", " hx-", "http-equiv"):
        assert word not in html, word
    assert set(re.findall(r" (data-[a-z-]+)", html)) <= {
        *("data-plot", "data-plot-stage", "data-plot-json")
    }
    assert "/s/startup-times" not in "".join(re.findall(f"{DATA}.*?</script>", text))
    assert {address[:5] for address in re.findall(r'url\("?([^)]*)', html)} <= {"data:", "#hatc"}
    assert "First look, ground truth" in text


def test_the_same_figures_are_the_same_bytes_and_others_are_not(
    comparison: ComparisonResult,
) -> None:
    second_comparison = compare_stored(comparison.yardstick.study, EVERYTHING, ComparisonQuery())
    assert second_comparison is not None
    first = Report(comparison)
    assert first.zip == Report(second_comparison).zip

    Detection.objects.filter(steady_start__gt=0).order_by("pk").first().delete()  # type: ignore[union-attr]
    later_comparison = compare_stored(comparison.yardstick.study, EVERYTHING, ComparisonQuery())
    assert later_comparison is not None
    assert Report(later_comparison).digest != first.digest


def test_the_zip_has_every_table_and_each_command_gives_its_table_again(
    comparison: ComparisonResult, capsys: pytest.CaptureFixture[str]
) -> None:
    files = archive_files(Report(comparison).zip)
    about_document = json.loads(files["about.json"])
    assert {"report.html", "leaderboard.csv", "tests.csv", "queue.csv", "series.csv"} <= set(files)

    for name, line in about_document["commands"].items():
        if name in files:
            latex = files[f"latex/{name.removesuffix('.csv')}.tex"]
            assert latex.count(" \\\\\n") == len(list(csv.reader(io.StringIO(files[name]))))
            call_command(*shlex.split(line)[2:])
            assert capsys.readouterr().out == files[name].replace("\r\n", "\n"), name


def test_every_series_is_listed_with_its_digest_and_all_answers(
    comparison: ComparisonResult,
) -> None:
    files = archive_files(Report(comparison).zip)
    rows = list(csv.DictReader(io.StringIO(files["series.csv"])))

    assert [row["yardstick"] for row in rows] == ["42", "62", "-1", "102"]
    assert all(re.fullmatch("[0-9a-f]{64}", row["series_digest"]) for row in rows)
    for name, answers in comparison.inputs.methods.items():
        starts = [answers.value(index) for index in range(len(rows))]
        assert [row[name] for row in rows] == ["" if v is None else str(int(v)) for v in starts]


def test_the_command_writes_either_file(comparison: ComparisonResult, tmp_path: Path) -> None:
    scope = f"{comparison.yardstick.study.slug}/first-look"
    for name in ("report.html", "report.zip"):
        call_command("report", scope, str(tmp_path / name))
    stored_comparison = compare_stored(
        comparison.yardstick.study, EVERYTHING, ComparisonQuery(yardstick="campaign:first-look")
    )
    assert stored_comparison is not None

    assert (tmp_path / "report.html").read_text("utf-8") == Report(stored_comparison).document
    assert (tmp_path / "report.zip").read_bytes() == Report(stored_comparison).zip
    with pytest.raises(CommandError, match=r"expected FILE.html or FILE.zip"):
        call_command("report", scope, str(tmp_path / "report.pdf"))
    with pytest.raises(CommandError, match="expected a file"):
        call_command("report", scope, "/nonexist/report.zip")
    call_command("compare", scope, "--report", str(tmp_path / "as-before.html"))
    assert (tmp_path / "as-before.html").read_text("utf-8") == Report(stored_comparison).document


def test_the_script_has_every_module_that_another_needs_before_it() -> None:
    earlier_paths: set[Path] = set()
    for path in (STATIC / name for name in MODULES):
        modules = re.findall(r'^import .* from "([^"]+)";$', path.read_text("utf-8"), re.MULTILINE)
        assert {(path.parent / module).resolve() for module in modules} <= earlier_paths
        earlier_paths.add(path.resolve())
    assert not re.search("^(?:import|export) ", scripts()[1], re.MULTILINE)


def test_the_data_of_figures_stays_as_it_is() -> None:
    data = DATA + r'{"text":"a \u003c b \u0026 c"}</script>'

    assert plain_html(data) == data
    assert plain_html("<script>gone()</script><script src='/a.js'></script>") == ""


def test_fragments_lose_only_what_a_page_can_do() -> None:
    html = (
        '<p data-a="1" id="x">1 &lt; 2 <a href="/s/">three</a><br></p><form><p>gone</p></form>'
        '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg><i hidden>gone</i><b data-live>gone</b>'
        "<details open><summary>four</summary>5</details>"
    )
    assert plain_html(html) == (
        '<p>1 &lt; 2 three<br></p><svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'
        "<details><summary>four</summary>5</details>"
    )


def test_it_opens_with_the_answer_and_all_else_is_folded(comparison: ComparisonResult) -> None:
    text = Report(comparison).document
    body = re.sub("<(style|script)[^>]*>.*?</\\1>", "", text.partition("<body")[2], flags=re.DOTALL)
    head, _, details = body.partition("<h2>Details</h2>")

    assert head.index('class="answer"') < head.index("leaderboard") < head.index("data-plot")
    assert head.count('class="plot"') == 1
    assert re.findall("<details[^>]* open", body) == []
    depth = 0  # every table and figure below is in a fold
    for tag in re.findall("<(/?details|table|figure)", details):
        depth += {"details": 1, "/details": -1}.get(tag, 0)
        assert depth > 0 or tag == "/details"
    assert depth == 0


def test_series_are_listed_in_their_file_alone(comparison: ComparisonResult) -> None:
    files = archive_files(Report(comparison).zip)
    digests = re.findall("[0-9a-f]{64}", files["series.csv"])

    assert len(digests) == 4
    assert not any(digest in files["report.html"] for digest in digests)


def test_the_answer_names_the_first_and_who_comes_next(comparison: ComparisonResult) -> None:
    unranked_result, tied_result = replace(comparison), replace(comparison)
    vars(unranked_result)["entries"] = tuple(replace(e, rank=None) for e in comparison.entries)
    vars(tied_result)["entries"] = tuple(replace(e, rank=e.rank and 1) for e in comparison.entries)

    assert "KB-KSSD is nearest" in answer_sentence(comparison)
    assert f"n{HARD}={HARD}3" in answer_sentence(comparison)
    assert "SDM" in answer_note(comparison)
    assert "Nobody is ranked" in answer_sentence(unranked_result)
    assert answer_note(unranked_result) == ""
    assert "are nearest" in answer_sentence(tied_result)


def test_the_sheet_keeps_the_scale_and_every_figure_of_the_leaderboard() -> None:
    """A page's cards need words that are attributes there; here the table stays a table."""
    sheet = OWN_SHEET.read_text("utf-8")
    hiding_rules = [rule for rule in sheet.splitlines() if "display: none" in rule]

    assert not any("interval-head" in rule for rule in hiding_rules)
    assert ".leaderboard:not(.leaderboard-wide) { display: table; }" in sheet
    assert "td.silence) { display: table-cell;" in sheet
    on_screen = sheet.partition("@media print")[0]
    assert ".scroll { overflow: visible" not in on_screen


def test_the_zip_has_peoples_answers_and_says_what_every_column_means(
    compared_study: Campaign,
) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None

    files = archive_files(Report(comparison).zip)

    assert files["marks.csv"] == "".join(exports.marks_csv(compared_study, EVERYTHING))
    assert files["ground-truth.csv"] == "".join(
        exports.ground_truth_csv(compared_study, EVERYTHING)
    )
    page = files["COLUMNS.md"]
    methods = set(comparison.inputs.methods)
    for name, text in files.items():
        if name.endswith(".csv"):
            section = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
            meanings = dict(re.findall(r"^\| `([^`]*)` \| (.*) \|$", section, re.MULTILINE))
            assert list(meanings) == next(csv.reader(text.splitlines()))
            assert {
                column for column, meaning in meanings.items() if meaning == ANSWER_MEANING
            } <= methods


def test_without_a_campaign_nobody_has_marks() -> None:
    comparison: Any = SimpleNamespace(yardstick=SimpleNamespace(campaign=None))

    assert people_tables(comparison) == {}
