"""Costs of a small comparison, worked out by hand: page, fragment, files, command."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.cost.exports import COST_TABLES
from analysis.cost.models import MeasuredRatio
from analysis.cost.query import CostQuery
from analysis.cost.replay import replay_methods
from analysis.cost.sentences import cost_sentences
from analysis.cost.table import TALLY_COLUMNS, ComparisonCosts, comparison_costs
from analysis.runs.models import Detection
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.measurement_deviation import ratio_interval
from annotate.blind import EVERYTHING
from annotate.models import Assignment, Campaign, Task
from people.models import Role, User
from series.models import Series, SeriesValues
from tests.analysis.comparison.conftest import key_of, mark
from tests.detectors.batch_precision import batch_precision

BASE = "/s/startup-times/comparison/cost/"
OWN = ComparisonQuery()
ON = CostQuery(measured=20, until=0.02)
ROWS = {"methods": 3, "benchmarks": 3, "forks": 12, "pairs": 2}


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of draws changes nothing but the time, and a slow machine gets enough of it."""
    monkeypatch.setattr("analysis.cost.intervals.BOOTSTRAP", BootstrapSettings(repeats=200))
    monkeypatch.setattr("analysis.cost.exports.INTERVAL_SECONDS", 600.0)


def costs_of(
    campaign: Campaign, comparison_query: ComparisonQuery = OWN, cost_query: CostQuery | None = None
) -> ComparisonCosts:
    costs = comparison_costs(
        compare_stored(campaign.study, EVERYTHING, comparison_query),
        cost_query or CostQuery(measured=20),
    )
    assert costs is not None
    return costs


def forks_of(costs: ComparisonCosts, method: str) -> list[Any]:
    return [row for row in COST_TABLES.table(costs, "forks").records() if row["method"] == method]


def test_seconds_of_a_method_are_those_of_its_forks(compared_study: Campaign) -> None:
    """Of four forks of 200 values, 2 s up to iteration 50 and 1 s after; fork k has k/100 more."""
    row_by_method = costs_of(compared_study).method_cells

    published, fixed = row_by_method["kb-kssd"], row_by_method[key_of("fixed", iteration=50)]
    # kb-kssd: measured from 42, 90, never (into the end of the series: no cap is 500), 100.
    forks = [(42 + 20, 50, 0.00), (90 + 20, 50, 0.01), (200, 50, 0.02), (120, 50, 0.03)]
    seconds = sum(n + min(n, slow) + n * more for n, slow, more in forks)
    assert published["seconds_total"] == pytest.approx(seconds)
    assert (published["never"], published["forks"], published["benchmarks"]) == (1, 4, 1)
    # Every series was seen as a whole: 250 s each, and 2 s, 4 s, 6 s more.
    assert published["seconds_honest_total"] == pytest.approx(4 * 250 + 2 + 4 + 6)
    assert published["overhead"] == pytest.approx(4 * 0.0005 / 1012)
    assert fixed["seconds_total"] == pytest.approx(4 * 120 + 70 * 0.06)
    # Its answers say not when it knew.
    assert fixed["seconds_honest_total"] == published["seconds_honest_total"]


def test_the_precision_of_a_test_is_that_of_what_it_measures(compared_study: Campaign) -> None:
    """Noise on the four forks of `kb-kssd`; it measures 20 values from 42, 90 and 100, and none."""
    rng = np.random.default_rng(1)
    for series_row in Series.objects.filter(benchmark__dataset__study=compared_study.study):
        noisy = (series_row.array() + rng.normal(0, 0.1, series_row.n)).astype("<f8").tobytes()
        SeriesValues.objects.filter(pk=series_row.pk).update(data=noisy)
    replay_methods.cache_clear()  # values never change, so a replay is kept by what was asked

    costs = costs_of(compared_study)

    rows = forks_of(costs, "kb-kssd")
    values = {series_row.fork: series_row.array() for series_row in Series.objects.all()}
    precisions = [row["precision"] for row in rows if row["precision"] is not None]
    assert len(precisions) == 3
    assert precisions == pytest.approx(
        [
            batch_precision(values[row["fork"]][row["start"] : row["stop"]])
            for row in rows
            if row["precision"] is not None
        ]
    )
    assert costs.method_cells["kb-kssd"]["precision_q50"] == pytest.approx(np.median(precisions))
    replay_methods.cache_clear()


def test_a_measurement_goes_on_until_it_is_precise_enough(compared_study: Campaign) -> None:
    """kb-kssd begins at 42, 90, never and 100; three forks of 2 s fall to 1 s at iteration 50."""
    short_costs = costs_of(compared_study, cost_query=CostQuery(measured=20))
    long_costs = costs_of(compared_study, cost_query=ON)

    spans = [(row["start"], row["stop"]) for row in forks_of(long_costs, "kb-kssd")]

    assert [row["stop"] for row in forks_of(short_costs, "kb-kssd")] == [62, 110, 200, 120]
    assert [start for start, _ in spans] == [42, 90, 200, 100]
    for fork, (start, stop) in enumerate(spans):
        values = Series.objects.get(fork=fork).array()
        ends = np.unique(np.minimum(start + (20 * 1.05 ** np.arange(60)).astype(int), 200))
        precise_ends = (end for end in ends if _share(values[start:end]) <= 0.02)
        assert stop == next(precise_ends, 200)


def test_the_command_measures_on(compared_study: Campaign) -> None:
    stops = [row["stop"] for row in forks_of(costs_of(compared_study, cost_query=ON), "sdm")]
    output = io.StringIO()

    call_command(
        *("cost", "startup-times/first-look", "--measured", "20", "--until", "2"),
        *("--what", "forks", "--format", "json"),
        stdout=output,
    )

    document = json.loads(output.getvalue())
    assert document["until"] == 0.02
    assert [row["stop"] for row in document["rows"] if row["method"] == "sdm"] == stops


def _share(values: Any) -> float:
    return batch_precision(values) or 0.0 if values.size >= 10 else 1.0


def test_seconds_of_many_operations_are_those_of_the_iterations(compared_study: Campaign) -> None:
    """Iterations of 600 s are filled with operations of 1 s and 2 s; 62, 110, 200 and 120 run."""
    Series.objects.update(settings={"seconds_per_iteration": 600.0})

    row_by_method = costs_of(compared_study).method_cells

    assert row_by_method["kb-kssd"]["seconds_total"] == pytest.approx(
        (62 + 110 + 200 + 120) * 600, rel=0.01
    )


def test_an_unknown_length_is_said_and_no_seconds_are_told(
    client: Client, compared_study: Campaign, vic: User
) -> None:
    client.force_login(vic)
    Series.objects.filter(fork=3).update(settings={})
    rows = b"".join(client.get(f"{BASE}file/?what=forks")).decode()
    row_by_fork = {row["fork"]: row for row in csv.DictReader(io.StringIO(rows))}

    assert costs_of(compared_study).lengths == {"one operation": 3, "not known": 1}
    assert (row_by_fork["0"]["iteration"], row_by_fork["3"]["iteration"]) == (
        "one operation",
        "not known",
    )
    assert (row_by_fork["3"]["seconds"], row_by_fork["3"]["error"]) == ("", "")


def test_a_method_that_knew_in_time_is_charged_up_to_then(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    key = key_of("fixed", iteration=50)
    for series in four_series:
        Detection.objects.filter(series=series, detector_key=key).update(decided_at=89)

    row_by_method = costs_of(compared_study).method_cells

    assert row_by_method[key]["seconds_honest_total"] == pytest.approx(4 * 140 + 90 * 0.06)


def test_wasted_and_contaminated_seconds(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    """Truth is 42, 62, never, 102; sdm says 30, never, 5, 103, and 20 are measured."""
    costs = costs_of(compared_study)

    rows = forks_of(costs, "sdm")
    assert rows[0]["error"] == pytest.approx(-24)  # 12 iterations of 2 s
    assert (rows[0]["wasted"], rows[0]["contaminated"]) == (0, pytest.approx(24))
    assert rows[1]["error"] is None  # never: there is no measurement
    assert rows[1]["wasted"] == pytest.approx(138 * 1.01)  # all that is steady is run in vain
    assert rows[2]["contaminated"] == pytest.approx(20 * 2.02)  # nothing of it is steady
    assert (rows[2]["wasted"], rows[2]["error"]) == (0, None)
    assert (rows[3]["wasted"], rows[3]["contaminated"]) == (pytest.approx(1.03), 0)
    verdict_counts = {"over": 1, "under": 1, "exact": 0, "missed": 1}
    assert costs.method_cells["sdm"].items() >= verdict_counts.items()


def test_with_common_series_a_method_counts_where_all_have_answered(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    Detection.objects.filter(series=four_series[0], slug="sdm").update(
        outcome="too-short", steady_start=None
    )

    common_rows = costs_of(compared_study, ComparisonQuery(common=True)).method_cells
    own_rows = costs_of(compared_study).method_cells

    assert (common_rows["kb-kssd"]["forks"], common_rows["sdm"]["forks"]) == (3, 3)
    assert (own_rows["kb-kssd"]["forks"], own_rows["sdm"]["forks"]) == (4, 3)


def test_intervals_are_previews_until_they_are_drawn_and_then_kept(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    costs = costs_of(compared_study)
    before = costs.interval(0, "kb-kssd")
    undrawn_count = len(costs.missing_pairs)

    costs.compute()
    after = costs_of(compared_study).interval(0, "kb-kssd")

    assert before is not None
    assert after is not None
    assert (before.exact, after.exact) == (False, True)
    # Of three methods, and of the yardstick itself.
    assert (undrawn_count, costs.missing_pairs, MeasuredRatio.objects.count()) == (4, [], 4)
    measured_forks = [
        four_series[fork].array()[start : start + 20]
        for fork, start in ((0, 42), (1, 90), (3, 100))
    ]
    steady_forks = [
        four_series[fork].array()[start:] for fork, start in ((0, 42), (1, 62), (3, 102))
    ]
    assert after == ratio_interval(measured_forks, steady_forks, BootstrapSettings(repeats=200))
    assert before.low == pytest.approx(after.low, abs=0.02)


def test_a_little_time_computes_a_little(compared_study: Campaign) -> None:
    costs = costs_of(compared_study)

    costs.compute(0)

    assert len(costs.missing_pairs) == 3
    intervals = [row["interval"] for row in costs_of(compared_study).method_cells.values()]
    assert intervals.count("exact") == 1


def test_counts_say_that_they_rest_on_previews(compared_study: Campaign) -> None:
    """One interval of three is exact: what it is held against is a preview, and may win yet."""
    costs_of(compared_study).compute(0)

    costs = costs_of(compared_study, cost_query=CostQuery(measured=20, baseline="sdm"))
    exact_names = [name for name, row in costs.method_cells.items() if row["interval"] == "exact"]
    assert len(exact_names) == 1
    assert exact_names != ["sdm"]
    assert "by previews: in" in cost_sentences(costs)[-1]
    table = COST_TABLES.table(costs, "methods").records()
    assert {row["tally_interval"] for row in table if row["method"] != "sdm"} == {"preview"}

    costs.compute()

    second_costs = costs_of(compared_study, cost_query=CostQuery(measured=20, baseline="sdm"))
    assert {row["tally_interval"] for row in second_costs.method_cells.values()} == {None, "exact"}
    assert "previews" not in cost_sentences(second_costs)[-1]


@pytest.mark.parametrize("what", ["methods", "benchmarks", "forks", "pairs"])
def test_a_document_says_what_its_rows_rest_on(
    client: Client, compared_study: Campaign, vic: User, what: str
) -> None:
    client.force_login(vic)
    address = f"{BASE}file/?common=0&how=honest&cap=none&len=20&what={what}"

    document = json.loads(client.get(f"{address}&format=json").content)

    assert len(document["rows"]) == ROWS[what]
    assert (document["accounting"], document["cap"], document["measured"]) == ("honest", None, 20)
    assert document["intervals_not_yet_exact"] == (4 if what == "forks" else 0)


def test_the_command_draws_every_interval(compared_study: Campaign) -> None:
    lines, table = io.StringIO(), io.StringIO()
    scope = f"startup-times/{compared_study.slug}"

    call_command("cost", scope, "--measured", "20", stdout=lines)
    call_command("cost", scope, "--what", "benchmarks", "--format", "csv", stdout=table)

    assert "exact" in lines.getvalue()
    assert "preview" not in table.getvalue()
    for wrong_arguments in (
        ["nowhere/x"],
        [scope, "--measured", "0"],
        [scope, "--baseline", "none"],
    ):
        with pytest.raises(CommandError):
            call_command("cost", *wrong_arguments)


def test_a_data_set_can_be_asked_about(compared_study: Campaign) -> None:
    output = io.StringIO()

    call_command("cost", "startup-times/nightly", "--format", "json", stdout=output)

    document: dict[str, Any] = json.loads(output.getvalue())
    assert document["series"] == 4
    assert document["intervals_not_yet_exact"] == 0


def test_verdicts_against_a_baseline(compared_study: Campaign) -> None:
    """The usual baseline is the fixed iteration; against it methods gain or lose."""
    costs = costs_of(compared_study)
    row_by_method = costs.method_cells
    rows = {name: rows[0] for name, rows in costs.benchmark_costs.items()}

    assert costs.baseline == key_of("fixed", iteration=50)
    assert row_by_method[costs.baseline]["net"] is None
    assert rows[costs.baseline].against_baseline is None
    assert sum(row_by_method["sdm"][verdict] for verdict in TALLY_COLUMNS[:-1]) == 1
    assert rows["sdm"].against_baseline is not None
    chosen_costs = costs_of(compared_study, cost_query=CostQuery(baseline="sdm", measured=20))
    assert chosen_costs.baseline == "sdm"


@pytest.fixture
def late_comer(
    compared_study: Campaign, answered_tasks: list[Task], make_person: Callable[..., User]
) -> User:
    """Has answered the first two series of four, so only those may be seen."""
    person = make_person("cleo", Role.ANNOTATOR)
    compared_study.annotators.create(user=person, pseudonym="a3")
    for order, task in enumerate(answered_tasks):
        Assignment.objects.create(task=task, user=person, order=order)
    for task in answered_tasks[:2]:
        mark(task, person, 41)
    return person


@pytest.mark.parametrize("path", ["file/?what=forks", "file/?what=benchmarks&format=json"])
def test_what_a_reader_has_yet_to_answer_is_in_no_figure(
    late_comer: User, four_series: list[Series], client: Client, path: str
) -> None:
    client.force_login(late_comer)

    answer = client.get(BASE + path)

    text = (b"".join(answer) if answer.streaming else answer.content).decode()
    assert answer.status_code == 200
    for hidden_series in four_series[2:]:
        assert hidden_series.public_id not in text


def test_the_command_says_what_is_missing(compared_study: Campaign) -> None:
    """Detections are there, but the yardstick has no answer: no run would help."""
    scope = "startup-times/nightly"
    words = "yardstick Known answers has no answer on any of these"
    with pytest.raises(CommandError, match=words) as error_info:
        call_command("cost", scope, "--yardstick", "known")
    assert error_info.value.returncode == 2
    Detection.objects.all().delete()
    with pytest.raises(CommandError, match="no stored detections on these series; start a run"):
        call_command("cost", scope)


def test_variants_are_told_apart_in_a_terminal(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> None:
    store(key_of("kb-kssd", medfilt=5), four_series, [42, 90, -1, 100])
    output = io.StringIO()

    call_command("cost", "startup-times/first-look", "--baseline", "fixed", stdout=output)

    first_words = [line.split()[0] for line in output.getvalue().splitlines()]
    assert {"kb-kssd", "kb-kssd?medfilt=5", "sdm", "fixed?iteration=50"} <= set(first_words)


def test_methods_that_differ_equally_often_are_all_named(
    compared_study: Campaign, four_series: list[Series], store: Callable[..., None]
) -> None:
    store(key_of("kb-kssd", medfilt=5), four_series, [42, 90, -1, 100])

    costs = costs_of(compared_study)
    sentence = cost_sentences(costs)[-1]
    lone_sentence = cost_sentences(costs_of(compared_study, ComparisonQuery(methods=("sdm",))))[-1]

    smallest_share = min(row["differs"] for row in costs.method_cells.values())
    tied_labels = [
        costs.compared.looks[name].label
        for name, row in costs.method_cells.items()
        if row["differs"] == smallest_share
    ]
    assert len(tied_labels) > 1
    assert all(label in sentence for label in tied_labels)
    assert " benchmarks each" in sentence
    assert " each" not in lone_sentence
    assert "SDM" in lone_sentence
