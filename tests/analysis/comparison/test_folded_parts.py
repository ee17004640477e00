"""Tests of two methods and further figures: what they say, and that every part opens its series."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from django.http import QueryDict
from django.test import Client
from scipy import stats

from analysis.comparison import drilldown, error_plots, gallery, pairs, significance, stacked_bars
from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.query import ComparisonQuery, DrilldownCell, GalleryName, GalleryQuery
from analysis.comparison.table import compare_stored
from analysis.statistics.histograms import histogram
from analysis.web.figures import WebFigure
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from tests.analysis.comparison.conftest import key_of

COMPARE = "/s/startup-times/comparison/"
FIGURES, TESTS = f"{COMPARE}figures/", f"{COMPARE}tests/"


@pytest.fixture(autouse=True)
def by_script(client: Client) -> None:
    """Parts are asked for by a script: without one the whole page opens them."""
    client.defaults["HTTP_HX_REQUEST"] = "true"


@pytest.fixture
def comparison(compared_study: Campaign) -> Any:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery(common=False))
    assert comparison
    return comparison


def listed_counts(client: Client, page_text: str) -> dict[str, int]:
    """How many series each list holds that the bars of a page lead to, by their words."""
    count_by_words = {}
    for text in re.findall("data-plot-json>(.*?)</script>", page_text):
        trace, *_ = json.loads(text)["data"]  # bars; then perhaps a curve
        for href, words in zip(trace["customdata"], trace["hovertext"], strict=True):
            assert f'<a href="{escape(href)}">' in page_text  # of the table: by keyboard, too
            answer = client.get(href)
            assert answer.status_code == 200
            count_by_words[words] = answer.context["page"].paginator.count
    return count_by_words


# --- histograms -------------------------------------------------------------------------------
def test_a_bar_of_the_histogram_opens_as_many_series_as_it_says(
    compared_study: Campaign, as_vic: Client
) -> None:
    page = as_vic.get(f"{FIGURES}?common=0&figure=errors&of=kb-kssd").content.decode()

    # Answers 42, 90, never, 100 against 42, 62, never, 102.
    assert listed_counts(as_vic, page) == {
        "−2 up to −1: 1 series": 1,
        "0 up to 1: 1 series": 1,
        "28 up to 29: 1 series": 1,
    }
    assert "KB-KSSD is 9 iterations" in page


def test_two_standard_deviations_are_drawn_where_they_fit(comparison: Any) -> None:
    drawing = error_plots.error_histogram(comparison, "kb-kssd")

    # Mean 26 / 3 and deviation 13.695: from −18.7, beyond the drawing, to 36.1, too.
    assert words_of(drawing) == ["mean"]
    assert drawing.sentence.replace("\u00a0", " ").endswith(
        "mean ± 2 sd, −19 to +36, holds 100.0 % of them."
    )


@pytest.mark.parametrize("query", ["figure=errors&of=kb-kssd", "figure=series&of=kb-kssd"])
def test_the_file_of_a_figure_has_every_series_that_it_counts(
    compared_study: Campaign, as_vic: Client, query: str
) -> None:
    page = as_vic.get(f"{FIGURES}?common=0&{query}").text
    _, href, *_ = re.findall('<a href="([^"]*)" download>', page)

    lines = b"".join(as_vic.get(unescape(href))).decode().splitlines()

    assert len(lines) == 1 + 3


def words_of(drawing: WebFigure) -> list[str]:
    """Of its lines: the first annotation is the axis."""
    return [annotation["text"] for annotation in drawing.layout["annotations"][1:]]


@pytest.mark.parametrize(
    ("values", "line_count", "words"),
    [([3.0] * 5, 3, ["mean"]), ([0.0, 100.0], 3, ["mean", "−2 sd", "+2 sd"]), ([], 0, [])],
    ids=["of no deviation", "far apart", "nothing"],
)
def test_words_of_two_lines_do_not_cover_each_other(
    values: list[float], line_count: int, words: list[str]
) -> None:
    traces, annotations = error_plots._mean_lines(histogram(np.array(values)), -200, 200)

    assert len(traces) == line_count
    assert [annotation["text"] for annotation in annotations] == words


def test_paired_differences_open_the_series_of_their_bin(
    compared_study: Campaign, as_vic: Client
) -> None:
    query = "?common=0&figure=pairs&of=kb-kssd&other=sdm"
    page = as_vic.get(FIGURES + query).content.decode()

    # Both are steady on the first and the last: |Δ| 0 and 2 against 12 and 1, 42 and 100 against
    # 30 and 103.
    assert listed_counts(as_vic, page) == {
        "−12 up to −11: 1 series": 1,
        "1 up to 2: 1 series": 1,
        "−3 up to −2: 1 series": 1,
        "12 up to 13: 1 series": 1,
    }
    assert "On average KB is 6" in page
    ids = re.findall(r'<figure class="plot" id="([^"]*)"', page)
    assert ids == ["pairs-closer", "pairs-sooner"]


def test_a_bin_lists_both_answers_under_their_names(comparison: Any) -> None:
    bin_drilldown = drilldown.drilldown_for(
        comparison, DrilldownCell("sooner~12~13", "kb-kssd", "sdm")
    )

    (row,) = bin_drilldown.rows
    assert (row.answer, row.truth, row.error) == (42, 30, 12)
    assert bin_drilldown.truth_head == "SDM (slope detection)"
    assert (
        bin_drilldown.sentence
        == "KB-KSSD and SDM (slope detection): answer minus the other's from 12 up to 13"
    )


@pytest.mark.parametrize(
    "figure", ["error~x~3", "height~1~2", "error~1", "closer~1~2", "both-right"]
)
def test_a_part_that_is_not_there_is_not_found(
    compared_study: Campaign, as_vic: Client, figure: str
) -> None:
    query = f"?by=methods&cell={figure}&of=kb-kssd&other=nothing"

    assert as_vic.get(f"/s/startup-times/disagreements/{query}").status_code == 404


# --- error by series --------------------------------------------------------------------------
def test_every_point_opens_its_series(compared_study: Campaign, as_vic: Client) -> None:
    page = as_vic.get(f"{FIGURES}?common=0&figure=series&of=kb-kssd").content.decode()

    (text,) = re.findall("data-plot-json>(.*?)</script>", page)
    figure = json.loads(text)
    (trace,), meta = figure["data"], figure["layout"]["meta"]
    assert [words.rpartition(": ")[2] for words in trace["hovertext"]] == ["0", "+28", "−2"]
    series_response = as_vic.get(meta["href"].replace("{}", trace["customdata"][1]))
    assert series_response.status_code == 200
    assert "late on 1 series, early" in page


def test_the_table_of_errors_by_series_opens_what_its_points_open(comparison: Any) -> None:
    figure = error_plots.by_series(comparison, "kb-kssd")

    assert figure.table
    (trace,), href = figure.document["data"], figure.meta["href"]
    rows = [(row[0].href, row[1].text) for row in figure.table.rows]
    assert rows == [
        (href.replace("{}", point), words.rpartition(": ")[2])
        for point, words in zip(trace["customdata"], trace["hovertext"], strict=True)
    ]
    assert [text for _, text in rows] == ["0", "+28", "−2"]


def test_small_errors_have_lines_to_be_read_by(comparison: Any) -> None:
    drawing = error_plots.by_series(comparison, "kb-kssd")  # 0, +28, −2

    assert drawing.layout["yaxis"]["ticktext"] == ["−10", "−1", "0", "+1", "+10"]
    assert drawing.document["data"][0]["y"][0] == 0
    assert drawing.document["data"][0]["y"][1] == pytest.approx(1.4624)  # log10(1 + 28)


# --- stacked bars -----------------------------------------------------------------------------
@pytest.mark.parametrize("figure", ["clusters", "directions", "decisions", "right"])
@pytest.mark.parametrize("common", [False, True])
def test_every_part_of_a_bar_opens_its_series(
    compared_study: Campaign, figure: GalleryName, *, common: bool
) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery(common=common))
    assert comparison
    (drawn_figure,) = gallery.gallery_figure(comparison, GalleryQuery(figure)).drawings

    assert drawn_figure.table
    for row in drawn_figure.table.rows:
        for cell in row[1:-1]:
            count = listed_series_count(comparison, cell.href) if cell.href else 0
            if figure == "clusters":
                assert (count > 0) == (cell.text != "0")
            else:
                assert count == _count(cell.text, row[-1].text)


def test_a_bar_is_drawn_as_its_table_says(comparison: Any) -> None:
    (figure,) = gallery.gallery_figure(comparison, GalleryQuery("right", "kb-kssd")).drawings

    assert figure.table
    traces = figure.document["data"]
    rows = [list(row) for row in zip(*(trace["x"] for trace in traces), strict=True)]
    assert rows == [[int(cell.text) for cell in row[1:-1]] for row in figure.table.rows]
    for column, trace in enumerate(traces, 1):
        assert trace["customdata"] == [row[column].href for row in figure.table.rows]
        assert trace["ids"] == list(figure.methods)


def listed_series_count(compared: Any, href: str) -> int:
    """Series of the list that a part leads to."""
    cell = DrilldownCell.from_query(QueryDict(urlsplit(href).query))
    return len(drilldown.drilldown_for(compared, cell).rows)


def _count(figure: str, total: str) -> int:
    if figure.endswith("%"):
        return round(float(figure.partition("\u00a0")[0]) / 100 * int(total))
    return int(figure)


def test_clustered_and_scattered_add_up(comparison: Any) -> None:
    cluster_bars = stacked_bars.cluster_bars(comparison)

    assert cluster_bars
    assert cluster_bars.table
    totals = {row[0].text: [cell.text for cell in row[1:]] for row in cluster_bars.table.rows}
    assert totals["KB-KSSD"] == ["0", "30", "30"]
    # SDM's 13 are of two series: no least sum beside the 30 of three.
    assert cluster_bars.sentence == (
        "Sums rest on 2 to 3 series a method: only common series make them comparable."
    )


def test_bars_name_people_by_codes_that_fit_beside_them(compared_study: Campaign) -> None:
    compared_study.annotators.filter(pseudonym="a1").update(pseudonym="simulated-1")
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery(common=False))
    assert comparison

    figure = stacked_bars.cluster_bars(comparison)

    assert figure
    assert {"S1", "A2"} < set(figure.layout["yaxis"]["ticktext"])


def test_steady_or_never_counts_agreements_and_both_ways_to_be_wrong(comparison: Any) -> None:
    (figure,) = gallery.gallery_figure(comparison, GalleryQuery("decisions")).drawings

    assert figure.table
    counts = {row[0].text: [cell.text for cell in row[1:]] for row in figure.table.rows}
    # Three are steady and one never; KB-KSSD is right on all, SDM misses one and invents one.
    assert counts["KB-KSSD"] == ["3", "1", "0", "0", "4"]
    assert next(row for name, row in counts.items() if "SDM" in name) == ["2", "0", "1", "1", "2"]
    assert figure.sentence == (
        "KB-KSSD agrees on 4 of 4 series; to call every one of them steady agrees on 3."
    )


def test_errors_together_have_mean_deviation_and_the_normal_curve_of_each(comparison: Any) -> None:
    figure, _ = gallery.gallery_figure(comparison, GalleryQuery("together")).drawings

    assert figure.table
    rows = {row[0].text: [cell.text for cell in row[1:4]] for row in figure.table.rows}
    delta = error_plots.signed_errors(comparison, "kb-kssd")
    errors = delta[np.isfinite(delta)]
    assert rows["KB-KSSD"] == ["3", f"+{errors.mean():.0f}", f"{errors.std():.1f}"]
    steps, curve = (trace for trace in figure.document["data"] if trace["legendgroup"] == "kb-kssd")
    assert sum(steps["y"]) == 3
    width = steps["x"][2] - steps["x"][1]
    peak = errors.size * width * stats.norm.pdf(errors.mean(), errors.mean(), errors.std())
    assert max(curve["y"]) == pytest.approx(peak, rel=0.02)
    upright_positions = [shape["x0"] for shape in figure.layout["shapes"]]
    assert any(x == pytest.approx(errors.mean()) for x in upright_positions)
    assert steps["name"] == f"KB: mean +{errors.mean():.0f}, sd {errors.std():.1f}"


def test_absolute_errors_together_have_no_bounds_below_nothing(comparison: Any) -> None:
    _, figure = gallery.gallery_figure(comparison, GalleryQuery("together")).drawings

    assert figure.table
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in figure.table.rows}
    delta = error_plots.signed_errors(comparison, "kb-kssd")
    sizes = np.abs(delta[np.isfinite(delta)])
    assert rows["KB-KSSD"] == ["3", f"{sizes.mean():.0f}", f"{sizes.std():.1f}"]
    steps, curve = (trace for trace in figure.document["data"] if trace["legendgroup"] == "kb-kssd")
    assert sum(steps["y"]) == 3
    assert min(*steps["x"], *curve["x"]) == 0
    means = [shape["x0"] for shape in figure.layout["shapes"]]
    assert len(means) == len(figure.methods)
    assert figure.sentence.startswith("Means rest on 2 to 3 series a method: only common series")


def test_on_common_series_the_least_mean_absolute_error_is_named(
    compared_study: Campaign, as_vic: Client
) -> None:
    response = as_vic.get(f"{FIGURES}?figure=together&common=1&m=kb-kssd")

    _, figure = response.context["gallery"].drawings
    assert figure.sentence == "KB-KSSD has the least mean absolute error, 10 iterations."


def test_without_errors_and_answers_the_new_figures_say_so(
    compared_study: Campaign, as_vic: Client
) -> None:
    for figure, drawings in (("together", 2), ("decisions", 1)):
        response = as_vic.get(f"{FIGURES}?m=sdm&figure={figure}")
        assert len(response.context["gallery"].drawings) == drawings  # of one method
    empty_response = as_vic.get(f"{FIGURES}?s=nowhere&figure=together")
    assert empty_response.context["gallery"].empty_reason
    assert not empty_response.context["gallery"].drawings


def test_right_together_counts_four_ways(comparison: Any) -> None:
    pair = pairs.ChosenPair("kb-kssd", "sdm")

    # KB is right on all four, SDM misses the second and finds a plateau in the third.
    assert pairs.joint_counts(comparison, pair) == (2, 2, 0, 0)
    (figure,) = gallery.gallery_figure(comparison, GalleryQuery("right", "kb-kssd")).drawings
    assert "KB-KSSD is right" in figure.sentence


def test_a_yardstick_without_marks_has_no_clusters(
    compared_study: Campaign, as_vic: Client
) -> None:
    page = as_vic.get(f"{FIGURES}?y=method:kb-kssd&figure=clusters").content.decode()

    assert "This yardstick has no" in page


# --- tests of two methods ---------------------------------------------------------------------
def test_one_answer_a_question_the_others_behind_more(
    compared_study: Campaign, as_vic: Client
) -> None:
    page = as_vic.get(f"{TESTS}?common=0&first=sdm&second=kb-kssd").content.decode()

    first_part, _, second_part = page.partition('id="tests-more"')
    assert (
        "SDM is closer on 1 series, KB on 1: no more than chance can give (p = 1.000)."
        in first_part
    )
    assert "KB alone on 2" in first_part
    assert "Wilcoxon signed rank" not in first_part
    assert "Wilcoxon signed rank" in second_part
    assert (
        first_part.count("<p><b>") == len(significance.QUESTIONS) + 2
    )  # how large, and over all methods


def test_by_default_the_two_best_are_tested(comparison: Any) -> None:
    pair_page = significance.pair_page(comparison)

    assert (pair_page.first_name, pair_page.second_name) == ("kb-kssd", "sdm")
    assert [figure["head"] for figure in pair_page.differences][:2] == ["Median |Δ|", "Mean |Δ|"]
    difference = pair_page.differences[1]
    expected_cells = {"first": "1.0", "second": "6.5", "difference": "−5.5"}
    assert difference.items() >= {**expected_cells, "relative": "84.6\u00a0% lower"}.items()
    assert {figure["head"] for figure in pair_page.differences if not figure["relative"]} == {
        *("Mean Δ", "Within ±10", "Yes/no")
    }


def test_a_person_can_be_tested_where_the_yardstick_is_the_same(compared_study: Campaign) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison

    with pytest.raises(UnknownCell, match="no method 'person:a1' to test; there are: kb-kssd"):
        significance.pair_page(comparison, "person:a1")


def test_one_method_is_too_few(compared_study: Campaign, as_vic: Client) -> None:
    page = as_vic.get(f"{TESTS}?m=sdm").content.decode()

    assert "Tests need two methods" in page
    assert "needs two methods" in as_vic.get(f"{FIGURES}?m=sdm&figure=pairs").content.decode()


# --- on demand --------------------------------------------------------------------------------
def test_the_page_asks_for_them_when_they_are_opened(
    compared_study: Campaign, as_vic: Client
) -> None:
    page = as_vic.get(f"{COMPARE}?tol=7").content.decode()

    for address in (f"{TESTS}?tol=7", f"{FIGURES}?tol=7"):
        assert f'hx-get="{address}" hx-trigger="toggle once"' in page
        text = as_vic.get(address).content.decode()
        assert "<html" not in text
        assert f'action="{address.partition("?")[0]}"' in text
        assert '<input type="hidden" name="tol" value="7">' in text


@pytest.mark.parametrize("part", ["tests", "figures", "what-if"])
def test_without_script_a_part_opens_in_its_page(
    compared_study: Campaign, as_vic: Client, part: str
) -> None:
    moved_response = as_vic.get(f"{COMPARE}{part}/?tol=7", headers={"HX-Request": ""})

    assert moved_response["Location"] == f"{COMPARE}?tol=7&open={part}#{part}"
    response = as_vic.get(moved_response["Location"].partition("#")[0])
    assert response.context["opened"] == part
    assert f'id="open-{part}" open' in response.content.decode()


@pytest.mark.parametrize(
    "query", ["figure=errors&of=nothing", "figure=pairs&of=nothing", "y=known"]
)
def test_what_is_not_there_is_not_found(
    compared_study: Campaign, as_vic: Client, query: str
) -> None:
    expected_status = 200 if query == "y=known" else 404

    assert as_vic.get(f"{FIGURES}?{query}").status_code == expected_status
    assert as_vic.get(f"{TESTS}?first=nothing").status_code == 404


def test_differences_of_two_settings_have_intervals(
    compared_study: Campaign, as_vic: Client
) -> None:
    query = "?what=leaderboard&vy=person:first-look:a1&format=json&sort=mean_error"
    rows = as_vic.get(f"{COMPARE}export/{query}").json()["rows"]

    # Ana marks two earlier than the ground truth, on every series: the change is sure.
    for row in rows:
        if row["change"] is not None and row["kind"] == "method":
            assert (row["change"], row["change_low"], row["change_high"]) == (-2, -2, -2)
    page = as_vic.get(f"{COMPARE}?sort=mean_error&vy=person%3Afirst-look%3Aa1").content.decode()
    assert "−2 to −2" in page


def test_every_pair_is_tested_in_the_file(compared_study: Campaign, as_vic: Client) -> None:
    def rows(what: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = as_vic.get(
            f"{COMPARE}export/?common=0&what={what}&format=json"
        ).json()["rows"]
        return rows

    fixed_key = key_of("fixed", iteration=50)
    tested_pairs = {(row["first"], row["second"]) for row in rows("tests")}
    assert tested_pairs == {("kb-kssd", "sdm"), ("kb-kssd", fixed_key), ("sdm", fixed_key)}
    assert sum(row["default"] for row in rows("tests")) == 3 * len(significance.QUESTIONS)
    assert {row["figure"] for row in rows("differences")} == set(pairs.DIFFERENCE_COLUMNS)
    assert sum(row["series"] for row in rows("histograms") if row["method"] == "kb-kssd") == 3
    directions = {row["method"]: row for row in rows("directions")}
    assert directions["kb-kssd"] == {"method": "kb-kssd", "n": 3, "under": 1, "exact": 1, "over": 1}
