"""`manage.py sensitivity`, `tune` and `run --preset`, as people script them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from analysis.runs.models import Preset, Run
from analysis.tuning.designs import stored_ranges
from analysis.tuning.models import Exploration
from detectors.simulated.synthetic import simulate
from series.models import Series

GRID = ("tune", "startup-times/nightly", "--method", "fixed", "--vary", "iteration=2,4,6")


def outputs_of(*command: str, **options: Any) -> tuple[str, str]:
    output, err = io.StringIO(), io.StringIO()
    call_command(*command, stdout=output, stderr=err, **options)
    return output.getvalue(), err.getvalue()


def test_tune_waits_prints_and_keeps(four_series: list[Series]) -> None:
    output, err = outputs_of(
        *GRID, "--weight", "mean_abs", "--weight", "fn=2", "--preset", "Best", "--wait"
    )

    exploration = Exploration.objects.get()
    lines = output.splitlines()
    assert err.splitlines()[0] == "4 parameter sets × 4 series = 16 answers"
    assert lines[0] == "Grid of Fixed iteration on Known answers · 4 parameter sets × 4 series"
    assert lines[3].split()[:3] == ["rank", "iteration", "score"]
    assert lines[4].split()[:3] == ["1", "4", "2"]
    assert exploration.goal == {"fn": 2.0, "mean_abs": 1.0}
    assert Preset.objects.get().detector_key == "fixed@1?iteration=4"

    outputs_of("run", "startup-times/nightly", "--preset", "Best", "--wait")
    assert Run.objects.get().detectors == ["fixed@1?iteration=4"]


def test_a_set_that_is_no_better_than_the_defaults_is_not_kept(four_series: list[Series]) -> None:
    worse_options = ("--vary", "iteration=2,4", "--weight", "fp", "--preset", "Worse", "--wait")
    output, err = io.StringIO(), io.StringIO()

    with pytest.raises(SystemExit, match="1"):
        call_command(*GRID[:-2], *worse_options, stdout=output, stderr=err)

    assert "none is better than the defaults" in output.getvalue()
    assert "No preset is kept: no set is better than the defaults." in err.getvalue()
    assert not Preset.objects.exists()


def test_what_is_there_is_shown_again_in_other_forms(four_series: list[Series]) -> None:
    outputs_of(*GRID, "--wait")
    name = Exploration.objects.get().public_id

    table, _ = outputs_of(
        "tune", "startup-times", "--show", name, "--what", "sets", "--format", "csv"
    )
    document, _ = outputs_of("tune", "startup-times", "--show", name, "--format", "json")

    assert [row["iteration"] for row in csv.DictReader(io.StringIO(table))] == [
        *("500", "2", "4", "6")
    ]
    assert json.loads(document)["exploration"] == name
    assert Exploration.objects.count() == 1


def test_a_front_is_searched_for(four_series: list[Series]) -> None:
    search = ("tune", "startup-times/nightly", "--method", "fixed", "--vary", "iteration=0:9")
    goal = ("--weight", "bias", "--weight", "fp", "--trials", "30", "--front")

    output, _ = outputs_of(*search, *goal, "--what", "front-all", "--format", "csv", "--wait")

    assert Exploration.objects.get().kind == "front"
    assert {row["iteration"] for row in csv.DictReader(io.StringIO(output))} == {"5"}


def test_sensitivity_prints_the_largest_index_first(four_series: list[Series]) -> None:
    ranges = ("--vary", "k=2:4", "--vary", "threshold=0.01:1")
    scope = ("startup-times", "--yardstick", "known", "--method", "georges")

    output, _ = outputs_of(
        "sensitivity", *scope, *ranges, "--samples", "16", "--wait", format="json"
    )

    document = json.loads(output)
    totals = [row["total"] for row in document["rows"]]
    assert document["sets"] == 96
    assert totals == sorted(totals, reverse=True)


def test_without_a_worker_it_is_queued_and_says_what_to_type(four_series: list[Series]) -> None:
    output, err = outputs_of(*GRID)

    assert output == ""
    message = "No worker is connected. The exploration starts by itself when one is: make worker\n"
    assert err.endswith(message)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("tune", "nowhere", "--method", "fixed"), "no study 'nowhere'"),
        (
            ("tune", "startup-times/nightly"),
            "--method: found nothing, expected the slug of a method",
        ),
        ((*GRID, "--front"), "--front is looked for by a search: give --trials N"),
        (("tune", "startup-times/nightly", "--method", "oracle"), "no detector 'oracle'"),
        (("tune", "startup-times/nightly", "--method", "fixed"), "Choose at least one parameter"),
        ((*GRID, "--weight", "beauty=1"), "No figure beauty; there are: manhattan"),
        ((*GRID, "--hold", "colour=red"), "fixed: there is no parameter 'colour'"),
        ((*GRID, "--trials", "5"), "--vary iteration=2,4,6: levels are for a grid"),
        ((*GRID[:-1], "iteration=2"), "--vary: found 'iteration=2', expected iteration=LOW:HIGH"),
        ((*GRID, "--yardstick", "nobody"), "No yardstick 'nobody'"),
        (
            ("sensitivity", *GRID[1:-1], "iteration=2:6", "--samples", "100"),
            "Choose at least two parameters to vary.",
        ),
        ((*GRID, "--vary", "iteration=1,2"), "iteration: named twice."),
        ((*GRID, "--hold", "iteration=3"), "iteration: named twice."),
        ((*GRID[:-1], "iteration=5:5:3"), "Fixed iteration: iteration: found the range 5 to 5"),
        ((*GRID[:-1], "iteration=2:nan:3"), "--vary iteration=2:nan:3: found 'nan', expected a"),
        ((*GRID[:-1], "iteration=2:9:2.7"), "--vary iteration=2:9:2.7: found '2.7', expected a"),
        ((*GRID, "--published"), "--published: the ranges are those of kb-kssd, not of fixed"),
        (
            ("sensitivity", "startup-times/nightly", "--published", "--vary", "t_crit=3:5"),
            "--published has ranges of its own: leave --vary out",
        ),
        (
            ("tune", "startup-times", *GRID[2:], "--yardstick", "known", "--dataset", "nope"),
            "No data set 'nope'; there are: nightly.",
        ),
        ((*GRID, "--output", "/nowhere/x.csv"), "--output: found /nowhere/x.csv, expected"),
        (("tune", "startup-times", "--show", "none"), "no 'none' in startup-times"),
        (("run", "startup-times/nightly", "--preset", "None"), "no preset 'None'"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    four_series: list[Series], command: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError) as error_info:
        outputs_of(*command)

    assert str(error_info.value).startswith(message)
    assert error_info.value.returncode == 2
    assert not Exploration.objects.exists()


def test_the_published_ranges_need_no_method_and_are_those_that_the_paper_states(
    make_series: Callable[..., Series],
) -> None:
    for seed in range(2):
        simulation = simulate("decay", n=700, seed=seed)
        make_series(simulation.values, f"B{seed}", known_start=simulation.steady_start)
    name = "startup-times/nightly"
    text, _ = outputs_of("sensitivity", name, "--published", "--samples", "8", "--wait")
    exploration = Exploration.objects.get()
    widths, indices = (
        list(csv.DictReader(io.StringIO(outputs_of("sensitivity", name, *words, format="csv")[0])))
        for words in (
            ("--show", exploration.public_id, "--what", "widths"),
            ("--show", exploration.public_id, "--what", "indices"),
        )
    )

    assert (exploration.method, exploration.held) == ("kb-kssd@1", {})
    parameters = [parameter.parameter for parameter in stored_ranges(exploration)]
    assert {
        parameter.name: (round(parameter.low, 6), round(parameter.high, 6))
        for parameter in parameters
    } == {
        "prob_window": (399.5, 600.5),
        "step_window": (49.5, 90.5),
        "t_crit": (3.0, 5.0),
        "prob_threshold": (0.75, 0.95),
        "outlier_window": (79.5, 120.5),
    }
    assert "wide (mean and deviation)" in text
    total_row = next(row for row in widths if (row["order"], row["samples"]) == ("total", "all"))
    half_widths = np.array([float(row["total_half_width"]) for row in indices])
    assert float(total_row["mean_width"]) == pytest.approx(2 * half_widths.mean())
    assert float(total_row["sd_width"]) == pytest.approx((2 * half_widths).std())
    for row in indices:
        shift = float(row["total_quarter"]) - float(row["total"])
        assert float(row["total_difference"]) == pytest.approx(shift)
