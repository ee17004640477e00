"""Plans from stored forks: whose starts are taken, who may see them, page, files, command."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.planner.figures import forks_figure
from analysis.planner.grid import NEAR, exact_figure, nearest_numbers, percent
from analysis.planner.query import PlanQuery
from analysis.planner.reads import UnknownPlanSource, plan_page
from analysis.planner.sentences import page_note, page_sentence
from analysis.runs.models import Detection
from annotate.blind import EVERYTHING
from annotate.models import Task
from detectors.intervals.steady_interval import steady_interval
from detectors.planning.benchmark_plan import Configuration
from detectors.registry import DEFAULT_METHOD, registry
from people.models import User
from people.templatetags.writing import HARD, si
from series.models import Series, SeriesValues
from tests.analysis.comparison.conftest import mark
from tests.replayed_rows import replayed

HUNDRED_MS = PlanQuery(iteration="100 ms", target=0.02)


@pytest.fixture
@replayed
def forks(make_series: Callable[..., Series]) -> list[Series]:
    """Six forks around 10, at 15 until iteration 30; their starts are known."""
    rng = np.random.default_rng(1)
    series = []
    for fork in range(6):
        values = 10 + rng.normal(0, 0.2, 300)
        values[:30] += 5
        series.append(make_series(values, fork=fork, known_start=30))
    return series


def store_start(series: list[Series], slug: str, start: int) -> None:
    for series_row in series:
        Detection.objects.create(
            series=series_row,
            detector_key=registry()[slug]().key,
            slug=slug,
            steady_start=start,
            milliseconds=1.0,
        )


def address(series: Series, name: str = "") -> str:
    """The page of the benchmark, or a file of its data set."""
    dataset = series.benchmark.dataset
    if name:
        return reverse(name, args=[dataset.study.slug, dataset.slug])
    plan_address = reverse("what-to-do", args=[dataset.study.slug])
    return f"{plan_address}?b={series.benchmark.public_id}"


def body_of(answer: Any) -> str:
    return str(b"".join(answer.streaming_content).decode())


def test_the_page_recommends_and_says_on_what_it_rests(
    forks: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)

    response = client.get(f"{address(forks[0])}&i=100%20ms&t=2")
    page = response.context["page"]

    assert (page.plan.lacking, page.source.code) == ("", "known")
    assert page.plan.costs.iteration == 0.1
    assert page.plan.warm_up.iterations == 30
    assert page_sentence(page).startswith("Leave out 30 iterations, measure ")
    assert page_note(page).startswith("All 6 forks are")
    best = page.plan.recommended
    assert f"-wi 30 -w 100ms -i {best.iterations} -r 100ms -f {best.forks}" in response.text
    assert [response.context[name].name for name in ("exact", "forks")] == ["exact", "forks"]


def test_todays_configuration_counts_in_recorded_iterations(forks: list[Series]) -> None:
    settings = {"warmup_iterations": 5, "measurement_iterations": 5, "forks": 3}
    recorded_settings = {"seconds_per_iteration": 0.1, "unrecorded_iterations": 0}
    Series.objects.update(settings={**settings, **recorded_settings})

    page = plan_page(forks[0].benchmark, EVERYTHING, PlanQuery(target=0.02))
    Series.objects.update(settings={**settings, **recorded_settings, "measurement_seconds": 0.4})
    second_page = plan_page(forks[0].benchmark, EVERYTHING, PlanQuery(target=0.02))

    assert page is not None
    assert page.today_setup is not None
    assert page.today_setup.seconds == pytest.approx(3 * (1 + 10 * 0.1))
    assert page.today_setup.bias == pytest.approx(0.5, rel=0.05)  # in the warm-up
    assert second_page is not None
    assert second_page.today_setup is not None
    assert (second_page.today_setup.warm_up, second_page.today_setup.iterations) == (5, 4 * 5)


def test_each_fork_has_the_steady_mean_and_interval_of_the_page_of_its_series(
    forks: list[Series], client: Client, vic: User
) -> None:
    wandering = 10 + np.cumsum(np.random.default_rng(2).normal(0, 0.2, 300))
    wandering_bytes = wandering.astype("<f8").tobytes()
    SeriesValues.objects.filter(series=forks[1]).update(data=wandering_bytes)
    Series.objects.filter(pk=forks[2].pk).update(known_start=-1)
    store_start(forks[:1], "plateau", 30)
    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)
    assert page is not None
    client.force_login(vic)

    figure = forks_figure(page)
    series_page = client.get(forks[0].get_absolute_url()).content.decode()

    assert figure is not None
    assert figure.table is not None
    plain_row, wandering_row, never_row, *_ = (
        [cell.text for cell in row] for row in figure.table.rows
    )
    interval = steady_interval(forks[0].array()[30:])
    precision = interval.precision_words
    mean = si(interval.mean, "s/op")
    ends = f"{si(interval.low, 's/op')} to {si(interval.high, 's/op')}"
    assert plain_row == ["Fork 0", "30", mean, precision, ends]
    assert wandering_row[3] == ""
    assert re.fullmatch(r"none: worth \d+ of 30 independent values", wandering_row[4])
    assert never_row == ["Fork 2", "never", "", "", ""]
    assert mean in series_page
    assert precision.replace(" ", HARD) in series_page
    assert "4 of 5 steady means are known, to ±" in figure.sentence


def test_ground_truth_of_one_fork_is_taken_before_any_method(forks: list[Series]) -> None:
    Series.objects.exclude(pk=forks[0].pk).update(known_start=None)
    store_start(forks, "plateau", 50)

    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)

    assert page is not None
    assert page.source is not None
    assert (page.source.code, len(page.forks), page.unanswered_count) == ("known", 1, 5)
    assert page.plan is not None
    assert page.plan.lacking == "too few forks"


def test_without_ground_truth_the_default_method_is_taken_however_others_rank(
    forks: list[Series], make_series: Callable[..., Series], client: Client, vic: User
) -> None:
    marked_series = [
        make_series(fork.array(), f"org.example.{name}.run", fork.fork)
        for name in ("One", "Two")
        for fork in forks
    ]  # twelve: of fewer than ten none is ranked
    Series.objects.filter(pk__in=[series.pk for series in marked_series]).update(known_start=30)
    Series.objects.filter(pk__in=[fork.pk for fork in forks]).update(known_start=None)
    store_start([*forks, *marked_series], "plateau", 60)
    store_start([*forks, *marked_series], "sdm", 30)  # as the known answers, so it ranks first
    client.force_login(vic)

    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)
    page_text = client.get(f"{address(forks[0])}&i=100%20ms&t=2").text
    rows = list(csv.DictReader(io.StringIO(body_of(client.get(address(forks[0], "plans-file"))))))

    assert page is not None
    assert page.source is not None
    assert page.source.code == DEFAULT_METHOD
    note = (
        "No fork here has ground truth. Plateau, the default method, says where they become steady."
    )
    assert page_note(page).startswith(note)
    assert note in page_text
    assert [row["steady_by"] for row in rows] == ["Plateau", *["Known answers"] * 2]


def test_the_default_method_with_other_settings_still_precedes_other_methods(
    forks: list[Series],
) -> None:
    Series.objects.update(known_start=None)
    store_start(forks, "kb-kssd", 40)
    store_start(forks, "plateau", 60)
    other_key = registry()["plateau"](chance=0.0).key
    Detection.objects.filter(slug="plateau").update(detector_key=other_key)

    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)

    assert page is not None
    assert page.source is not None
    assert [fork.measured_fork.start for fork in page.forks] == [60] * 6
    assert "the default method" not in page_note(page)


def test_a_method_with_enough_forks_stands_in_for_a_default_with_few(forks: list[Series]) -> None:
    Series.objects.update(known_start=None)
    store_start(forks[:2], "plateau", 60)
    store_start(forks, "sdm", 40)

    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)

    assert page is not None
    assert page.source is not None
    assert page.source.code == "sdm"
    assert page_note(page).startswith(
        f"No fork here has ground truth. {page.source.title} says where they become steady."
    )


def test_where_nobody_has_marked_the_page_says_so(forks: list[Series]) -> None:
    Series.objects.update(known_start=None)
    store_start(forks, "sdm", 50)
    store_start(forks, "kb-kssd", 40)

    by_default = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)
    by_name = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS.changed(source="sdm"))

    assert by_default is not None
    assert by_name is not None
    assert by_default.source is not None
    assert by_default.source.code == "kb-kssd"
    assert page_note(by_default).startswith("No fork here has ground truth. KB-KSSD says")
    assert [fork.measured_fork.start for fork in by_name.forks] == [50] * 6
    with pytest.raises(UnknownPlanSource, match="nobody-knows"):
        plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS.changed(source="nobody-knows"))


def test_without_answers_or_a_length_the_page_says_what_to_do(
    make_series: Callable[..., Series], client: Client, vic: User
) -> None:
    lone_series = make_series(np.ones(40))
    client.force_login(vic)

    response = client.get(address(lone_series))
    Series.objects.update(known_start=3)
    lengthless_response = client.get(address(lone_series))
    lone_response = client.get(f"{address(lone_series)}&i=100%20ms")

    assert "Run methods" in response.text
    assert page_sentence(lengthless_response.context["page"]).startswith("It is not known how long")
    assert lone_response.context["page"].plan.lacking == "too few forks"
    assert client.get(f"{address(lone_series)}&s=nobody").status_code == 404
    assert client.get(f"{address(lone_series)}&r=nobody").status_code == 404


def test_who_has_yet_to_answer_a_fork_is_told_nothing_of_it(
    task: Task, ana: User, make_series: Callable[..., Series], client: Client
) -> None:
    more_series = [make_series(np.ones(60) + fork, fork=fork, known_start=5) for fork in (1, 2)]
    Series.objects.update(known_start=5)
    client.force_login(ana)

    response_before = client.get(f"{address(more_series[0])}&i=1%20s")
    file = body_of(client.get(f"{address(more_series[0], 'plans-file')}?i=1%20s"))
    mark(task, ana, 12)
    response_after = client.get(f"{address(more_series[0])}&i=1%20s")

    assert task.series.pk not in {fork.series.pk for fork in response_before.context["page"].forks}
    assert b"data-hidden-forks" in response_before.content
    assert "5" not in {row["warm_up"] for row in csv.DictReader(io.StringIO(file))}
    assert task.series.pk in {fork.series.pk for fork in response_after.context["page"].forks}


def test_files_and_command_have_a_row_for_every_benchmark(
    forks: list[Series], make_series: Callable[..., Series], client: Client, vic: User
) -> None:
    make_series(np.ones(40), name="org.example.Alone")
    client.force_login(vic)
    query = "?i=100%20ms&t=2"

    (known_row, lone_row) = csv.DictReader(
        io.StringIO(body_of(client.get(f"{address(forks[0], 'plans-file')}{query}")))
    )
    lines = body_of(client.get(f"{address(forks[0], 'plans-annotations')}{query}"))
    output = io.StringIO()
    dataset = forks[0].benchmark.dataset
    names = f"{dataset.study.slug}/{dataset.slug}"
    call_command("plan", names, "--target", "2", "--iteration", "100 ms", stdout=output)
    (command_row, _) = csv.DictReader(io.StringIO(output.getvalue()))

    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)
    assert page is not None
    assert page.plan is not None
    assert page.plan.recommended is not None
    assert int(known_row["forks"]) == page.plan.recommended.forks
    assert float(known_row["half_width"]) == page.plan.recommended.half_width
    assert known_row == command_row
    assert (lone_row["forks_recorded"], lone_row["warm_up"]) == ("0", "")
    assert lone_row["lacking"].startswith("Nobody says")
    assert "@Warmup(iterations = 30, time = 100" in lines
    assert "Alone" not in lines


def test_lines_of_plans_are_those_of_the_harness_that_recorded_each_benchmark(
    forks: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)
    benchmark = forks[0].benchmark
    for fork in forks:
        fork.settings = {**fork.settings, "harness": "google"}
        fork.save()

    lines = body_of(client.get(f"{address(forks[0], 'plans-annotations')}?i=100%20ms&t=2"))
    annotations = body_of(
        client.get(f"{address(forks[0], 'plans-annotations')}?i=100%20ms&t=2&h=jmh")
    )

    assert f"--benchmark_filter='^{re.escape(benchmark.name)}$'" in lines
    assert "@Warmup" not in lines
    assert "java -jar benchmarks.jar" in annotations


def test_the_map_is_around_the_recommendation_and_frames_it(forks: list[Series]) -> None:
    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)
    assert page is not None
    assert page.plan is not None
    best = page.plan.recommended
    assert isinstance(best, Configuration)

    figure = exact_figure(page.plan)

    assert figure is not None
    frame = figure.layout["shapes"][-1]
    x, y = math.ceil(frame["x0"]), math.ceil(frame["y0"])
    assert figure.table is not None
    assert figure.table.heads[x + 1] == str(best.iterations)
    row = figure.table.rows[y]
    assert (row[0].text, row[x + 1].text) == (str(best.forks), percent(best))
    assert float(row[x + 1].text) == pytest.approx(100 * best.off, rel=5e-3)
    _check_phone(figure.document["layout"], x, y)
    n_columns, n_rows = len(figure.table.heads) - 1, len(figure.table.rows)
    (bars,) = figure.document["data"]
    assert bars["y"] == [row_index for row_index in range(n_rows) for _ in range(n_columns)]
    assert figure.layout["xaxis"]["range"] == [-0.5, n_columns - 0.5]
    assert figure.layout["yaxis"]["range"] == [n_rows - 0.5, -0.5]


def _check_phone(layout: dict[str, Any], x: int, y: int) -> None:
    """On a phone five rows and columns at most, the recommended cell among them."""
    phone_layout = layout["meta"]["narrow"]
    for axis, index, direction in (("xaxis", x, 1), ("yaxis", y, -1)):
        first, last = phone_layout[axis]["range"][::direction]
        assert first < index < last
        assert last - first == min(5, len(layout[axis]["tickvals"]))
        assert phone_layout[axis]["ticktext"] == layout[axis]["ticktext"]
    assert phone_layout["height"] < layout["height"]


@pytest.mark.parametrize(
    ("off", "text"), [(0.05, "5.00"), (0.0108, "1.08"), (0.00099, "0.0990"), (1.5, "150")]
)
def test_percents_have_three_digits(off: float, text: str) -> None:
    assert percent(Configuration(0, 1, 2, off, 0.0, 0.0, 1.0, off)) == text


def test_the_map_shows_todays_configuration_between_its_neighbours(forks: list[Series]) -> None:
    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)
    assert page is not None
    assert page.plan is not None
    assert page.plan.recommended is not None
    forks_, iterations = page.plan.recommended.forks, page.plan.recommended.iterations
    near_configuration, far_configuration = (
        page.plan.configuration(0, iterations + 1, n) for n in (forks_, forks_ + 25)
    )
    third_configuration = page.plan.configuration(0, iterations + 1, forks_ + NEAR)

    dot_figure, plain_figure = (
        exact_figure(page.plan, today) for today in (near_configuration, far_configuration)
    )
    wide_figure = exact_figure(page.plan, third_configuration)

    assert dot_figure is not None
    assert wide_figure is not None
    assert plain_figure is not None
    (bars, dot), (single_trace,) = (dot_figure.document["data"], plain_figure.document["data"])
    frame = dot_figure.layout["shapes"][-1]
    assert frame["x0"] < dot["x"][0] < frame["x1"] + 1
    assert frame["y0"] < dot["y"][0] < frame["y1"]
    assert bars == single_trace
    assert [key.symbol for key in dot_figure.keys] == ["line", "frame", "dot"]
    assert [key.symbol for key in plain_figure.keys] == ["line", "frame"]
    assert [figure.keys[-1].is_wide for figure in (dot_figure, wide_figure)] == [False, True]


@pytest.mark.parametrize(
    ("middle", "expected_numbers"), [(1, [1, 2, 3]), (5, [4, 5, 6]), (9, [7, 8, 9]), (2, [1, 2, 3])]
)
def test_a_window_stays_within_the_numbers(middle: int, expected_numbers: list[int]) -> None:
    assert nearest_numbers(range(1, 10), middle, 3) == expected_numbers
    assert nearest_numbers(range(1, 3), 1, 3) == [1, 2]


def test_lines_part_what_reaches_the_target_from_what_does_not(forks: list[Series]) -> None:
    """A line stands on each side that two neighbours share of which the later one reaches it."""
    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)
    assert page is not None
    figure = exact_figure(page.plan)
    assert figure is not None
    assert figure.table is not None
    reach_rows = [[float(cell.text) <= 2 for cell in row[1:]] for row in figure.table.rows]
    sides = {
        *reaching_sides(reach_rows, lambda y, x: (x - 0.5, x - 0.5, y - 0.5, y + 0.5), 0, 1),
        *reaching_sides(reach_rows, lambda y, x: (x - 0.5, x + 0.5, y - 0.5, y - 0.5), 1, 0),
    }

    lines = [shape for shape in figure.layout["shapes"] if shape["type"] == "line"]

    assert {tuple(line[end] for end in ("x0", "x1", "y0", "y1")) for line in lines} == sides
    assert len(lines) == len(sides) > 4


def reaching_sides(
    is_reached: list[list[bool]], side_at: Callable[[int, int], tuple[float, ...]], dy: int, dx: int
) -> set[tuple[float, ...]]:
    """Sides of cells that reach the target whose neighbour above, or on the left, does not."""
    return {
        side_at(y, x)
        for y in range(dy, len(is_reached))
        for x in range(dx, len(is_reached[0]))
        if is_reached[y][x] and not is_reached[y - dy][x - dx]
    }


def test_of_two_ground_truths_the_one_with_enough_forks_is_taken(
    forks: list[Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> None:
    """Starts are known of two forks; ana and ben have marked three."""
    Series.objects.exclude(pk__in=[fork.pk for fork in forks[:2]]).update(known_start=None)
    for fork in forks[3:]:
        task = make_task(fork)
        for user in (ana, ben):
            mark(task, user, 40)

    page = plan_page(forks[0].benchmark, EVERYTHING, HUNDRED_MS)

    assert page is not None
    assert page.source is not None
    assert {source.answer_count for source in page.sources if source.is_truth} == {2, 3}
    assert page.source.answer_count == len(page.forks) == 3


def test_savings_are_the_same_in_page_file_and_command(
    forks: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)
    query = "?i=100%20ms&t=2"

    reply = client.get(f"{address(forks[0], 'plan-savings')}{query}")
    suite_reply = client.get(f"{address(forks[0], 'plans-file')}{query}&what=suite")
    by_page = reply.context["savings"].ways
    by_file = csv.DictReader(io.StringIO(body_of(suite_reply)))

    assert [(way.way, way.seconds) for way in by_page] == [
        (row["way"], float(row["seconds"])) for row in by_file
    ]
    assert reply.context["sentence"].startswith("The plan for 1 benchmark takes")
