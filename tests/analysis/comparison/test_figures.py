"""Figures of a small comparison, worked out by hand; page, files and command give the same."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from analysis.comparison import drilldown
from analysis.comparison.drilldown import ROW_LISTS
from analysis.comparison.exports import as_figure
from analysis.comparison.kept_results import results_by_inputs
from analysis.comparison.query import ComparisonQuery, DrilldownCell
from analysis.comparison.table import compare_stored
from analysis.comparison.what_if import WhatIfQuery, what_if
from analysis.runs.models import Detection
from annotate.blind import EVERYTHING, Reader
from annotate.models import Campaign
from people.models import Study, User
from series.models import Series, SeriesValues
from tests.analysis.comparison.conftest import key_of

COMPARE = "/s/startup-times/comparison/"


def body(answer: Any) -> str:
    return b"".join(answer).decode()


def comparison_of(study: Study, reader: Reader = EVERYTHING, **fields: Any) -> Any:
    """On common series, unless it is said otherwise."""
    comparison = compare_stored(study, reader, ComparisonQuery(**{"common": True, **fields}))
    assert comparison
    return comparison


def test_the_figures_are_those_worked_out_by_hand(compared_study: Campaign) -> None:
    comparison = comparison_of(compared_study.study)
    figures_by_method: dict[str, Mapping[str, float]] = {
        "kb-kssd": {"tp": 3, "fp": 0, "fn": 0, "tn": 1, "n": 2, "manhattan": 2, "mean_error": -1}
        | {"manhattan_scattered": 2, "agrees": 2, "late": 1, "both_never": 1},
        "sdm": {"tp": 2, "fp": 1, "fn": 1, "tn": 0, "n": 2, "manhattan": 13, "mean_error": -5.5}
        | {"early": 1, "missed": 1, "false_plateau": 1},
    }
    for name, figures in figures_by_method.items():
        assert comparison.entry(name).figures.items() >= figures.items()
    assert {rule: n for rule, _, n in comparison.left_out} == {
        "no-truth": 0,
        "truth-never": 1,
        "no-answer": 0,
        "says-never": 1,
    }


def test_seconds_are_those_of_the_values_between(compared_study: Campaign) -> None:
    comparison = comparison_of(compared_study.study)

    # From 100 to 102 of the fourth series lie two operations of 1.03 s, too early.
    seconds = comparison.entry("kb-kssd").figures
    assert seconds["n_seconds"] == 2
    assert seconds["mean_seconds"] == pytest.approx(-(2 * 1.03) / 2)


def test_many_operations_an_iteration_make_the_length_that_is_configured(
    compared_study: Campaign,
) -> None:
    """Values of 1 s to 2 s are no durations of iterations of 600 s: these hold many of them."""
    Series.objects.update(settings={"seconds_per_iteration": 600.0})

    seconds = comparison_of(compared_study.study).entry("kb-kssd").figures

    assert seconds["mean_seconds"] == pytest.approx(-(2 * 600) / 2, rel=0.01)


def test_values_that_are_removed_meanwhile_are_told(
    compared_study: Campaign, client: Client, olga: User
) -> None:
    """The page tries again by itself, and then compares what is left."""
    client.force_login(olga)
    client.raise_request_exception = False
    results_by_inputs.clear()  # another test has compared series with these keys
    SeriesValues.objects.all().delete()

    response = client.get(
        f"/s/{compared_study.study.slug}/comparison/?unit=seconds", headers={"Accept": "text/html"}
    )

    assert response.status_code == 503
    assert "removed while they were" in response.content.decode()


def test_an_unknown_length_has_no_seconds(compared_study: Campaign) -> None:
    Series.objects.filter(fork=3).update(settings={})

    seconds = comparison_of(compared_study.study).entry("kb-kssd").figures

    assert (seconds["n_seconds"], seconds["mean_seconds"]) == (1, 0)


def test_each_on_its_own_series(compared_study: Campaign) -> None:
    comparison = comparison_of(compared_study.study, common=False)

    assert comparison.entry("kb-kssd").figures["n"] == 3
    assert comparison.entry("sdm").figures["n"] == 2


def test_a_baseline_and_people_are_rows_without_a_rank(compared_study: Campaign) -> None:
    comparison = comparison_of(compared_study.study)

    ranks = {entry.name: entry.rank for entry in comparison.entries}
    fixed_name = next(name for name in ranks if name.startswith("fixed@"))  # the other is too short
    assert ranks == {
        "kb-kssd": 1,
        "sdm": 2,
        fixed_name: None,
        "fixed": None,
        "best-constant": None,
        "person:a1": None,
        "person:a2": None,
    }
    assert comparison.entry("person:a1").figures["mean_error"] == -2
    assert comparison.entry("person:a2").figures["mean_error"] == 2


def test_a_method_too_short_everywhere_has_a_row_that_says_so_and_decides_nothing(
    compared_study: Campaign, store: Any, four_series: list[Any], as_vic: Client
) -> None:
    store(key_of("cp-ssd"), four_series, [None, None, None, None])
    comparison = comparison_of(compared_study.study)

    row = comparison.entry("cp-ssd")
    assert (row.kind, row.rank, row.answered, row.figures["n"]) == ("method", None, 0, 0)
    assert row.cells()["too_short"] == 4
    assert comparison.result.n_distances == 2
    assert len(drilldown.drilldown_for(comparison, DrilldownCell("unanswered", "cp-ssd")).rows) == 4
    assert "no answer: too short" in as_vic.get(COMPARE).content.decode()
    lone_page = as_vic.get(COMPARE + "?m=cp-ssd").content.decode()
    assert "too short for it" in lone_page
    lines = body(as_vic.get(COMPARE + "export/?m=cp-ssd"))
    line = next(row for row in csv.DictReader(io.StringIO(lines)) if row["method"] == "cp-ssd")
    assert (line["median_abs"], line["answered"], line["too_short"]) == ("", "0", "4")


def test_a_method_that_lacks_something_says_so_and_for_how_many(
    compared_study: Campaign, store: Any, four_series: list[Any], as_vic: Client
) -> None:
    store(key_of("cp-ssd"), four_series, [None, None, 70, None])
    lacking_detections = Detection.objects.filter(slug="cp-ssd", outcome="too-short")
    lacking_detections.filter(series__in=four_series[:2]).update(
        outcome="not-available", error="not available: weights not installed"
    )

    page = as_vic.get(COMPARE).content.decode()
    Detection.objects.filter(slug="cp-ssd", outcome="answer").delete()
    empty_page = as_vic.get(COMPARE).content.decode()
    lines = body(as_vic.get(COMPARE + "export/?m=cp-ssd"))

    line = next(row for row in csv.DictReader(io.StringIO(lines)) if row["method"] == "cp-ssd")
    assert "not available for 2 series" in page
    assert "not run on 1 series" in empty_page
    assert (line["too_short"], line["not_available"], line["failed"]) == ("1", "2", "0")


def test_where_no_series_is_common_the_page_says_what_to_do(
    compared_study: Campaign, store: Any, four_series: list[Any], as_vic: Client
) -> None:
    assert "No errors to show" not in as_vic.get(COMPARE + "?common=1").text
    store(key_of("cp-ssd"), four_series, [-1, -1, -1, -1])

    page = as_vic.get(COMPARE + "?common=1").content.decode()

    assert "No errors to show" in page
    link = re.findall(r'<a href="([^"]*)">Measure each method on its own', page)[0]
    assert "No errors to show" not in as_vic.get(COMPARE + link).content.decode()


def test_heads_say_how_many_series_each_figure_counts(
    compared_study: Campaign, as_vic: Client
) -> None:
    address = reverse("comparison", args=[compared_study.study.slug])

    board = as_vic.get(address, {"common": 1}).context["board"]

    heads = {
        head["column"].key: head["n"]
        for head in (*board.heads_before, *board.middle_heads, *board.heads_after)
    }
    assert (heads["agreement"], heads["kappa"], heads["median_abs"]) == (4, 4, 2)
    assert (heads["fp"], board.verdict_series_count) == (None, 3)  # of so many stands in each row

    board = as_vic.get(address).context["board"]

    assert {head["n"] for head in board.heads_before} | {board.verdict_series_count} == {None}


def test_methods_that_leave_few_series_are_named_with_the_way_on_without_them(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None], as_vic: Client
) -> None:
    address = reverse("comparison", args=[compared_study.study.slug])
    assert "Errors rest on" not in as_vic.get(address, {"common": 1}).text
    store(key_of("cp-ssd"), four_series, [-1, -1, -1, 90])

    page = as_vic.get(address, {"common": 1}).text

    assert "Errors rest on 1 of" in page
    link = re.search('href="([^"]*)">Compare without CP-SSD</a>: <span[^>]*>n = 2<', page)
    assert link
    assert as_vic.get(html.unescape(link[1])).context["compared"].result.n_distances == 2


@pytest.mark.parametrize("sort", ["mean_error", "-mean_error", "title", "-title", "n"])
def test_every_column_sorts_both_ways(compared_study: Campaign, sort: str) -> None:
    entries = comparison_of(compared_study.study, sort=sort).entries

    column = sort.removeprefix("-")
    if column == "title":
        titles = [entry.title.casefold() for entry in entries]
        assert titles == sorted(titles, reverse=sort.startswith("-"))
    else:
        cells_ = [entry.cells()[column] for entry in entries]
        known_cells = [cell for cell in cells_ if cell is not None]
        assert known_cells == sorted(known_cells, reverse=sort.startswith("-"))
        assert known_cells == cells_[: len(known_cells)]  # nothing comes last, either way


@pytest.mark.parametrize("name", ["kb-kssd", "sdm", "person:a1", "best-constant"])
@pytest.mark.parametrize("common", [True, False])
def test_behind_every_number_are_as_many_series_as_it_says(
    compared_study: Campaign, name: str, *, common: bool
) -> None:
    comparison = comparison_of(compared_study.study, common=common)
    figures = comparison.entry(name).cells()

    for figure in ROW_LISTS:
        row_count = len(drilldown.drilldown_for(comparison, DrilldownCell(figure, name)).rows)
        if figure.startswith("within_"):
            share, n = figures[figure], figures["n"]
            assert row_count == (0 if share is None else round(share * n))
        elif figure in figures:
            assert row_count == figures[figure], figure


def test_the_list_says_both_answers_and_the_error(compared_study: Campaign) -> None:
    listed_cases = drilldown.drilldown_for(
        comparison_of(compared_study.study), DrilldownCell("late", "kb-kssd")
    )

    (row,) = listed_cases.rows
    assert (row.truth, row.answer, row.error, row.verdict) == (62, 90, 28, "late")
    assert listed_cases.sentence == "KB-KSSD: late"


def test_a_cell_of_the_heat_map_lists_where_the_two_differ(compared_study: Campaign) -> None:
    comparison = comparison_of(compared_study.study)

    rows = drilldown.drilldown_for(comparison, DrilldownCell("differ", "kb-kssd", "sdm"))

    assert sorted(row.line.fork for row in rows.rows) == [0, 1, 2]


def test_series_left_out_are_listed_by_rule_and_method(compared_study: Campaign) -> None:
    comparison = comparison_of(compared_study.study)

    def forks(*cell: str) -> list[int]:
        return [
            row.line.fork for row in drilldown.drilldown_for(comparison, DrilldownCell(*cell)).rows
        ]

    assert forks("truth-never") == [2]
    assert forks("says-never") == [1]
    assert forks("says-never", "sdm") == [1]


def test_the_queue_begins_with_the_widest_spread(compared_study: Campaign) -> None:
    comparison = comparison_of(compared_study.study)

    queue = drilldown.disagreement_queue(comparison)

    # The whole length where some say steady and some never; of equals, where more differ.
    assert [
        (comparison.lines[disagreement.series].fork, disagreement.spread) for disagreement in queue
    ] == [(1, 200), (2, 200), (0, 12), (3, 3)]
    # The two methods that look; a baseline would be of another opinion everywhere.
    assert {disagreement.answered for disagreement in queue} == {2}


def test_equal_figures_share_the_better_rank(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> None:
    store(key_of("cp-ssd"), four_series, [42, 90, -1, 100])  # as kb-kssd

    comparison = comparison_of(compared_study.study)

    ranks = {entry.name: entry.rank for entry in comparison.entries if entry.rank}
    assert ranks == {"kb-kssd": 1, "cp-ssd": 1, "sdm": 3}
    by_scenarios = what_if(comparison, WhatIfQuery())
    assert by_scenarios is not None
    assert by_scenarios.own_ranks == ranks


def test_page_and_file_give_the_same_figures(compared_study: Campaign, as_vic: Client) -> None:
    response = as_vic.get(COMPARE)
    document = as_vic.get(COMPARE + "export/?format=json").json()

    entries = response.context["board"].compared.entries
    entry_cells = [{k: as_figure(v) for k, v in entry.cells().items()} for entry in entries]
    assert entry_cells == document["rows"]
    html = response.content.decode()
    assert "Median |Δ|" in html
    for row in document["rows"]:
        if row["median_abs"] is not None:  # of a method without an answer the page says why
            assert f"{row['median_abs']:.1f}" in html


def test_figures_of_files_hide_the_last_bits() -> None:
    third = 1 / 3
    for neighbour in (np.nextafter(third, 0), np.nextafter(third, 1)):
        assert as_figure(float(neighbour)) == as_figure(third) == 0.333333333333
    assert [as_figure(value) for value in (None, 7, True, "1.5", 1e-300, float("inf"))] == [
        *(None, 7, True, "1.5", 1e-300, float("inf"))
    ]


def test_the_command_prints_a_table(compared_study: Campaign) -> None:
    output = io.StringIO()

    call_command("comparison", "startup-times/first-look", method=["kb-kssd"], stdout=output)

    lines = output.getvalue().splitlines()
    assert lines[0].startswith(
        "First look, ground truth · 3 of 4 series steady by the yardstick, each method on those "
        "that it answers (3 common), by steady_start"
    )
    assert lines[2].split()[:5] == ["kb-kssd", "3", "4", "0", "0"]


@pytest.mark.parametrize(
    ("scope", "options", "words"),
    [
        (
            "startup-times/nothing",
            {},
            "no campaign or data set 'nothing' in startup-times; there are: campaigns first-l",
        ),
        ("nowhere/first-look", {}, "no study 'nowhere'; there are: startup-times"),
        ("startup-times/first-look", {"method": ["pilot"]}, "no stored detections of pilot"),
        ("startup-times/first-look", {"yardstick": "person:first-look:a9"}, "no yardstick"),
    ],
)
def test_the_command_says_what_there_is(
    compared_study: Campaign, scope: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(CommandError, match=r"there are|expected") as error_info:
        call_command("comparison", scope, **options)

    assert str(error_info.value).startswith(words)
    assert error_info.value.returncode == 2


def test_another_yardstick(compared_study: Campaign) -> None:
    study = compared_study.study

    person = comparison_of(study, yardstick="person:first-look:a1")
    method = comparison_of(study, yardstick="method:kb-kssd")

    assert person.entry("kb-kssd").figures["mean_error"] == 1  # 42 − 40 and 100 − 100
    assert "kb-kssd" not in method.inputs.methods
    assert method.entry("sdm").figures["manhattan"] == 15  # 12 and 3
    assert method.entry("sdm").figures["fn"] == 1


def test_the_index_that_is_printed_changes_the_distance_only(compared_study: Campaign) -> None:
    study = compared_study.study

    figures = comparison_of(study).entry("kb-kssd").figures
    published_figures = comparison_of(study, index="published_index").entry("kb-kssd").figures

    assert published_figures["mean_error"] == figures.total("mean_error") - 1
    for key in ("n_yes_no", "tp", "fp", "fn", "tn"):
        assert published_figures[key] == figures[key]


def test_a_form_is_sent_on_to_the_shortest_address(
    compared_study: Campaign, as_vic: Client
) -> None:
    form_response = as_vic.get(
        COMPARE,
        {"y": "campaign:first-look", "m": ["kb-kssd", "sdm"], "tol": "", "unit": "", "common": ""},
    )
    address = form_response.headers["Location"]

    assert address == f"{COMPARE}?m=kb-kssd&m=sdm"
    assert as_vic.get(address).status_code == 200


def test_what_is_not_there_is_not_found(compared_study: Campaign, as_vic: Client) -> None:
    for path in ("?y=campaign:other", "?m=pilot", "export/?what=heights"):
        assert as_vic.get(COMPARE + path).status_code == 404


def test_known_answers_are_the_yardstick_until_a_campaign_has_any(
    study: Study, four_series: list[Any], store: Any, as_vic: Client
) -> None:
    store("kb-kssd@1?x=1", four_series, [50, 50, -1, 3])
    empty_response = as_vic.get(COMPARE)
    dataset = four_series[0].benchmark.dataset
    type(dataset).objects.filter(pk=dataset.pk).update(simulated=True)
    for series_row in four_series:
        type(series_row).objects.filter(pk=series_row.pk).update(known_start=50)

    response = as_vic.get(COMPARE)

    assert empty_response.status_code == 200
    assert response.context["compared"].yardstick.code == "known"
    figures = response.context["compared"].entry("kb-kssd@1?x=1").figures
    assert (figures["n"], figures["manhattan"]) == (3, 47)


def test_states_without_figures_say_what_to_do(
    study: Study, four_series: list[Series], olga: User, client: Client
) -> None:
    assert four_series
    client.force_login(olga)

    page = client.get(COMPARE).content.decode()

    assert "No campaign of this" in page
    assert reverse("run-new", args=[study.slug]) in page


def test_a_breakdown_adds_up_to_the_whole(compared_study: Campaign, as_vic: Client) -> None:
    query = "?what=breakdown&g=agreement&format=json"
    rows = as_vic.get(f"{COMPARE}export/{query}").json()["rows"]

    row_by_group = {row["group"]: row for row in rows if row["method"] == "kb-kssd"}
    cells = comparison_of(compared_study.study, common=False).entry("kb-kssd").cells()
    assert set(row_by_group) == {"scattered", "unanimous-never"}
    assert sum(row["manhattan"] for row in row_by_group.values()) == cells["manhattan"]
    assert sum(row["n_yes_no"] for row in row_by_group.values()) == cells["n_yes_no"]
    response = as_vic.get(COMPARE)
    groups = response.context["groups"]
    assert groups["by"] == "fork"
    assert [row["group"].name for row in groups["rows"]] == ["0", "1", "2", "3"]
    assert all(row["group"].few for row in groups["rows"])


def test_a_breakdown_by_what_makes_no_two_groups_is_not_there(
    compared_study: Campaign, as_vic: Client
) -> None:
    assert as_vic.get(COMPARE + "?g=system").context["groups"] is None


def test_a_second_setting_stands_beside_the_first(compared_study: Campaign, as_vic: Client) -> None:
    query = "?common=1&vy=person:first-look:a1"
    response = as_vic.get(COMPARE + "?common=1&vy=person%3Afirst-look%3Aa1")
    document = as_vic.get(f"{COMPARE}export/{query}&format=json").json()
    output = io.StringIO()
    call_command(
        "comparison",
        "startup-times/first-look",
        common=True,
        against_yardstick="person:first-look:a1",
        format="json",
        stdout=output,
    )

    assert json.loads(output.getvalue()) == document
    rows = {row["method"]: row for row in document["rows"]}
    # Ana marked two earlier: of 0 and −2 become +2 and 0, of −12 and +1 become −10 and +3.
    assert [rows["kb-kssd"][key] for key in ("median_abs", "there", "change")] == [1, 1, 0]
    assert [rows["sdm"][key] for key in ("median_abs", "there", "change")] == [6.5, 6.5, 0]
    assert rows["sdm"]["rank_there"] == 2
    assert document["against"]["yardstick"] == "person:first-look:a1"
    sdm = next(row for row in response.context["board"].rows if row["entry"].name == "sdm")
    assert [sdm["second"][key] for key in ("there", "change", "rank")] == ["6.5", "0.0", "2"]
    assert "Compared with First look, A1" in response.content.decode()


def test_a_second_setting_that_is_the_first_is_none(
    compared_study: Campaign, as_vic: Client
) -> None:
    for query in ("?vy=campaign:first-look", "?vi=start", "?vc=0", "?vy=&vi=&vtol=&vc="):
        assert as_vic.get(COMPARE + query).headers["Location"] == COMPARE


def test_the_level_of_the_rank_test_is_chosen(
    study: Study, make_series: Any, store: Any, as_vic: Client
) -> None:
    ten_series = [make_series([2.0] * 20 + [1.0] * 80, fork=fork) for fork in range(10)]
    for series_row in ten_series:
        type(series_row).objects.filter(pk=series_row.pk).update(known_start=20)
    dataset = ten_series[0].benchmark.dataset
    type(dataset).objects.filter(pk=dataset.pk).update(simulated=True)
    store(key_of("kb-kssd"), ten_series, [20 + fork for fork in range(10)])
    store(key_of("sdm"), ten_series, [30 + fork for fork in range(10)])
    # Better on seven of ten: between two levels.
    store(key_of("cp-ssd"), ten_series, [20 + 3 * fork for fork in range(10)])

    def differing(alpha: str) -> list[bool]:
        rows = as_vic.get(f"{COMPARE}export/?what=ranks&alpha={alpha}&format=json").json()["rows"]
        return [bool(row["differ"]) for row in rows if row["p_holm"] is not None]

    document = as_vic.get(f"{COMPARE}export/?what=ranks&alpha=0.01&format=json").json()
    assert document["alpha"] == 0.01
    for row in document["rows"]:
        assert row["differ"] == (row["p_holm"] < 0.01)
    assert sum(differing("0.1")) >= sum(differing("0.01"))
    assert as_vic.get(COMPARE + "?alpha=0.05").headers["Location"] == COMPARE
    assert "differ at 0.1" in as_vic.get(COMPARE + "?alpha=0.1").content.decode()


def test_a_study_without_series_leads_its_owner_to_the_import(
    study: Study, olga: User, client: Client
) -> None:
    client.force_login(olga)

    main_page = client.get(reverse("comparison", args=[study.slug])).text.partition("<main")[2]

    assert reverse("import", args=[study.slug]) in main_page
    assert reverse("run-new", args=[study.slug]) not in main_page
