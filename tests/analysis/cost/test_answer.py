"""The answer above the costs: points worked out by hand, the scatter, the page."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log10

import pytest
from django.test import Client

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare
from analysis.cost import points
from analysis.cost.answer import MOST_ROWS, cost_answer
from analysis.cost.figures import cost_scatter, crowded
from analysis.cost.plot_places import LabelledPoint, inset_of, label_sides
from analysis.cost.points import CostPoint, CostPoints, MedianEstimate, cost_points
from analysis.cost.query import CostQuery
from analysis.cost.sentences import (
    error_text,
    length_text,
    point_note,
    point_sentence,
    truth_sentence,
)
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.methods.method_style import style_of
from analysis.runs.models import Detection
from analysis.statistics.bootstrap import BootstrapSettings
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from people.models import User
from people.templatetags.writing import HARD
from series.models import Series
from tests.analysis.comparison.conftest import key_of
from tests.analysis.drawn_figures import drawn

BASE = "/s/startup-times/comparison/cost/"


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.cost.intervals.BOOTSTRAP", BootstrapSettings(repeats=200))
    monkeypatch.setattr("analysis.cost.views.AT_ONCE", 600.0)


@pytest.fixture
def costs(compared_study: Campaign) -> ComparisonCosts:
    compared = compare(compared_study.study, EVERYTHING, ComparisonQuery())
    found = comparison_costs(compared, CostQuery(measured=20))
    assert found is not None
    return found


def point(slug: str, time: float, error: float, series: int = 30) -> CostPoint:
    return CostPoint(
        look=style_of(key_of(slug)),
        benchmarks=series,
        series=series,
        time=MedianEstimate(time, 0.9 * time, 1.1 * time),
        error=MedianEstimate(error, 0.5 * error, 2 * error),
        wasted=time / 10,
        exact=True,
    )


SHORT, MIDDLE, LONG = point("sdm", 10, 0.08), point("kb-kssd", 20, 0.04), point("t-test", 40, 0.01)
FIXED, BEATEN = point("fixed", 60, 0.008), point("f-test", 30, 0.09)
DRAWN = CostPoints((SHORT, MIDDLE, BEATEN, LONG, FIXED), (SHORT, MIDDLE, LONG), in_seconds=True)


def test_a_point_is_the_time_of_a_series_and_the_error_of_its_benchmark(
    costs: ComparisonCosts,
) -> None:
    found = cost_points(costs)
    assert found is not None
    of = {one.look.name: one for one in found.points}

    row = costs.by_benchmark["kb-kssd"][0]
    assert row.seconds is not None
    assert row.interval is not None
    assert of["kb-kssd"].time == MedianEstimate(row.seconds / 4)
    assert of["kb-kssd"].error == MedianEstimate(row.interval.deviation)
    assert (of["kb-kssd"].benchmarks, of["kb-kssd"].series) == (1, 3)
    assert of["kb-kssd"].wasted == pytest.approx((row.wasted or 0) / 4)
    # Fewer than ten series: nobody is on the front, and nothing has an interval.
    assert found.front == ()
    assert not any(one.reliable for one in found.points)


@pytest.mark.parametrize("until", [0.0, 0.01, 0.05])
def test_results_as_near_as_is_measured_until_are_a_share_of_benchmarks(
    compared_study: Campaign, until: float
) -> None:
    compared = compare(compared_study.study, EVERYTHING, ComparisonQuery())
    found = comparison_costs(compared, CostQuery(measured=20, until=until))
    assert found is not None
    row = found.by_benchmark["kb-kssd"][0]
    assert row.interval is not None
    rows = [
        replace(row, interval=replace(row.interval, low=1 + by, high=1 + by))
        for by in (0.0, 0.004, 0.03, 0.2)
    ]

    point = points._point(found, style_of(key_of("kb-kssd")), rows)

    assert point is not None
    assert point.within == {0.0: None, 0.01: 0.5, 0.05: 0.75}[until]


def test_waste_is_a_median_of_benchmarks_as_time_and_error_are(costs: ComparisonCosts) -> None:
    """One benchmark with long iterations says nothing about the others."""
    row = costs.by_benchmark["kb-kssd"][0]
    rows = [replace(row, forks=2, wasted=wasted) for wasted in (2.0, 4.0, 4000.0, None)]

    found = points._point(costs, style_of(key_of("kb-kssd")), rows)

    assert found is not None
    assert found.wasted == 2.0


def test_without_seconds_the_test_is_as_long_as_its_iterations(costs: ComparisonCosts) -> None:
    Series.objects.update(settings={})
    compared = compare(costs.compared.yardstick.study, EVERYTHING, ComparisonQuery())
    found = comparison_costs(compared, CostQuery(measured=20))
    assert found is not None

    drawn_points = cost_points(found)

    assert drawn_points is not None
    assert not drawn_points.in_seconds
    of = {one.look.name: one.time.value for one in drawn_points.points}
    assert of["kb-kssd"] == (62 + 110 + 200 + 120) / 4
    assert "iterations" in point_sentence(drawn_points.points[0], drawn_points)


def test_the_sentence_says_what_half_of_the_error_takes() -> None:
    said = point_sentence(MIDDLE, DRAWN).replace(HARD, " ")
    note = point_note(SHORT, DRAWN).replace(HARD, " ")

    assert "KB-KSSD would waste 2 s" in said
    assert "off by 4.0 %" in said
    assert "Nothing is both" in note
    assert "KB-KSSD takes 10 s" in note
    assert "Half of" not in point_note(LONG, DRAWN)
    assert "KB-KSSD takes no longer" in point_note(BEATEN, DRAWN)
    assert "Only 9 series" in point_note(replace(SHORT, series=9), DRAWN)


def test_the_first_choice_is_the_least_product_of_the_front() -> None:
    assert DRAWN.chosen == LONG
    assert CostPoints((BEATEN,), (), in_seconds=True).chosen == BEATEN


def test_lengths_and_errors_have_few_digits() -> None:
    texts = [length_text(each, in_seconds=True) for each in (0.0, 0.0643, 23.4, 600.0)]
    assert [text.replace(HARD, " ") for text in texts] == ["0 s", "64 ms", "23 s", "10 min"]
    assert length_text(612, in_seconds=False) == f"612{HARD}iterations"
    assert [error_text(each) for each in (0.1234, 0.0004)] == [f"12.3{HARD}%", f"0.04{HARD}%"]


def test_crosses_front_and_greys_are_drawn(costs: ComparisonCosts) -> None:
    """Of five methods one has too few series; the baseline is grey."""
    few = replace(BEATEN, series=9, time=MedianEstimate(30), error=MedianEstimate(0.0))
    points = CostPoints((SHORT, MIDDLE, few, LONG, FIXED), DRAWN.front, in_seconds=True)

    figure = cost_scatter(costs, points, "?y=x").document

    crosses = [each for each in figure["data"] if "opacity" in each]
    symbols = next(each for each in figure["data"] if "ids" in each)
    accent = [each for each in figure["data"] if each.get("line", {}).get("width") == 1.5]
    assert len(crosses) == 4
    assert symbols["marker"]["symbol"][2].endswith("-open")
    assert symbols["y"][2] == pytest.approx(0.01)  # an error of 0 is drawn at the edge
    assert symbols["marker"]["color"][4] == "var(--ink-3)"
    assert accent[0]["x"][:4] == [10, 10, 20, 40]
    assert accent[0]["y"][1:] == [8, 4, 1, 1]
    assert all(text for text in symbols["text"][:2])
    assert figure["layout"]["meta"]["href"].endswith("/benchmarks/?y=x&of={}")
    assert "n = 9 series" in symbols["hovertext"][2]


def test_labels_cover_neither_symbols_nor_one_another() -> None:
    alone = LabelledPoint(50, 50, "AA", first=False)
    right = LabelledPoint(66, 50, "BB", first=False)

    assert label_sides([], (100, 100)) == []
    assert label_sides([alone], (100, 100)) == ["middle right"]
    assert label_sides([alone, right], (100, 100)) == ["middle left", "middle right"]
    assert label_sides([alone] * 2, (20, 20)) == ["", ""]
    first = replace(alone, first=True)
    assert label_sides([right, first], (20, 20)) == ["", "middle left"]


def test_the_page_opens_with_the_answer_and_folds_the_tables(
    client: Client, compared_study: Campaign, vic: User
) -> None:
    client.force_login(vic)

    page = client.get(BASE).text
    fragment = client.get(BASE, headers={"HX-Request": "true"}).text

    assert page.index("data-cost-sentence") < page.index('id="cost-scatter"')
    assert page.index('id="cost-scatter"') < page.index('id="all-methods" data-fold>')
    assert 'id="against" data-fold>' in page
    assert page.count("data-cost-row=") == 3
    assert drawn(page, "cost-scatter")["layout"]["meta"]["narrow"] == {"height": 300}
    # Once every interval is exact the answer comes anew, without previews.
    assert 'id="cost-answer" hx-swap-oob="true"' in fragment
    assert "hx-swap-oob" not in page


def test_where_nothing_is_steady_the_table_is_open(
    client: Client, compared_study: Campaign, vic: User
) -> None:
    client.force_login(vic)
    asked = "?y=method:sdm&cap=none"
    Detection.objects.filter(slug="sdm").update(steady_start=-1, published_index=-1)

    page = client.get(BASE + asked).text

    assert "data-cost-sentence" not in page
    assert 'id="all-methods" data-fold open>' in page


def test_at_most_twelve_rows(costs: ComparisonCosts, monkeypatch: pytest.MonkeyPatch) -> None:
    many = tuple(
        replace(BEATEN, look=replace(BEATEN.look, name=f"m{at}"), time=MedianEstimate(30 + at))
        for at in range(20)
    )
    points = CostPoints((*DRAWN.front, *many, FIXED), DRAWN.front, in_seconds=True)
    monkeypatch.setattr("analysis.cost.answer.cost_points", lambda _: points)

    answer = cost_answer(costs, "?")

    assert answer is not None
    assert [len(rows) for _, rows in answer.groups] == [3, 8, 1]
    assert sum(len(rows) for _, rows in answer.groups) == MOST_ROWS
    assert len(answer.sentences) == 24


def test_two_kinds_of_plateau_are_told_apart_where_both_are_drawn(
    costs: ComparisonCosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = point("plateau", 30, 0.1), point("plateau-result", 20, 0.1)

    def aims(*others: CostPoint) -> str:
        found = CostPoints((*DRAWN.front, *others), DRAWN.front, in_seconds=True)
        monkeypatch.setattr("analysis.cost.answer.cost_points", lambda _: found)
        answer = cost_answer(costs, "?")
        return answer.aims if answer else "nothing drawn"

    assert aims(*both).startswith("Plateau begins to measure where people see")
    assert [aims(one) for one in both] == ["", ""]
    near = [replace(one, within=within) for one, within in zip(both, (0.25, 0.75), strict=True)]
    told = aims(*near).replace(HARD, " ")
    assert re.findall(r"(\d+ s) .*?([\d.]+ %)", told) == [("30 s", "25.0 %"), ("20 s", "75.0 %")]


# --- the target, and the inset ---------------------------------------------------------
def test_the_mark_to_reach_measures_from_where_the_yardstick_says(costs: ComparisonCosts) -> None:
    found = cost_points(costs)
    assert found is not None
    assert found.truth is not None

    [row] = costs.truth_by_benchmark
    steady = costs.inputs.truth.answers.steady
    assert (row.forks, row.measured, row.wasted, row.contaminated) == (3, 3, 0.0, 0.0)
    assert steady.sum() == 3
    assert found.truth.look.label == "ground truth"
    assert found.truth.look not in [one.look for one in found.points]
    [drawn_truth] = [
        trace
        for trace in cost_scatter(costs, found, "?").traces
        if trace.get("marker", {}).get("symbol") == "diamond"
        and trace.get("text") == ["ground truth"]
    ]
    assert drawn_truth["x"] == [found.truth.time.value]


def at(*places: tuple[float, float]) -> list[LabelledPoint]:
    return [LabelledPoint(x, y, "AB", first=False) for x, y in places]


CLOSE = ((300, 200), (310, 200), (300, 212), (318, 200), (300, 180))


@pytest.mark.parametrize(
    ("points", "members"),
    [
        (at(*CLOSE, (700, 30)), (0, 1, 2, 3, 4)),
        (at(*CLOSE[:4], (700, 30)), ()),  # four are no crowd
        (at((300, 175.9), *CLOSE[:4]), ()),  # the fifth is 24.1 px away
        (at(*CLOSE, (340, 200), (350, 200), (330, 200)), tuple(range(8))),
        ([], ()),
    ],
    ids=["five", "four", "too far", "joined", "none"],
)
def test_five_symbols_within_24_px_get_an_inset(
    points: list[LabelledPoint], members: tuple[int, ...]
) -> None:
    found = inset_of(points, (732, 474))

    assert (found.members if found else ()) == members


def test_the_inset_takes_the_emptiest_corner_beside_its_frame() -> None:
    found = inset_of(at(*CLOSE, (700, 30)), (732, 474))
    assert found is not None

    assert [*found.frame] == [292, 172, 326, 220]
    assert [*found.place] == [8, 288, 308, 466]  # top right has a symbol in it
    assert [[*line] for line in found.guides] == [[292, 220, 8, 288], [326, 220, 308, 288]]


def test_without_a_corner_beside_the_frame_there_is_none() -> None:
    assert inset_of(at(*CLOSE), (600, 230)) is None


def test_a_crowd_is_drawn_larger_with_its_own_labels(costs: ComparisonCosts) -> None:
    slugs = ("sdm", "kb-kssd", "t-test", "f-test", "georges", "pilot")
    close = tuple(point(slug, 20 + at / 10, 0.04) for at, slug in enumerate(slugs))
    far = point("fixed", 90, 0.3)
    found = CostPoints((*close, far), close[:1], in_seconds=True)

    figure = cost_scatter(costs, found, "?").document

    [larger] = [each for each in figure["data"] if each.get("xaxis") == "x2"]
    assert set(larger["ids"]) == {one.look.name for one in close}
    assert all(larger["text"])
    whole = next(each for each in figure["data"] if each.get("ids") and "xaxis" not in each)
    named = {code for code in whole["text"] if code}
    assert named == {close[0].look.code, far.look.code}  # of the crowd only what is on the front
    assert larger["meta"]["wide"] is True
    low, high = figure["layout"]["xaxis2"]["range"]
    assert all(low < log10(one.time.value) < high for one in close)
    assert [each["name"] for each in figure["layout"]["shapes"]] == ["wide"] * 5
    assert [one.look for one in crowded(found)] == [one.look for one in close]


def test_a_target_that_methods_beat_has_its_reason(costs: ComparisonCosts) -> None:
    """Both reasons: a cap before the yardstick's start, and steady iterations that still fall."""
    truth, near = point("kb-kssd", 10, 0.36), point("sdm", 12, 0.05)
    level, few = point("sdm", 12, 0.35), point("sdm", 12, 0.05, series=9)
    capped = ComparisonCosts(costs.compared, CostQuery(measured=20, cap=10))

    def said(of: ComparisonCosts, other: CostPoint, target: CostPoint = truth) -> str:
        points = CostPoints((other,), (), in_seconds=True, truth=target)
        return truth_sentence(of, points).replace(HARD, " ")

    assert said(costs, near).startswith(
        "The target itself is off by 36.0 %, and 1 method comes nearer. It measures the first"
    )
    assert "3 of 3 series" in said(capped, near)
    assert "the cap of 10 iterations" in said(capped, near)
    assert said(costs, level) == said(costs, few) == ""
    assert said(costs, near, point("kb-kssd", 10, 0.009)) == ""
