"""The page of one series: its detections against a yardstick, marks, evidence; blind until then."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone

from analysis.comparison.kept_ranking import kept_ranking
from analysis.methods.saved_sets import make_first, save_set
from analysis.runs.models import Chunk, Detection, Run
from analysis.series_page import evidence
from analysis.series_page.answer_groups import FirstLines, answer_groups, first_chart_lines
from analysis.series_page.overlay_page import overlay_panel
from analysis.series_page.series_overlay import read_overlay
from annotate.models import Campaign, Task
from detectors.contract import Certainty
from detectors.registry import DEFAULT_METHOD
from people.models import Study, User
from series.models import Series
from tests.analysis.comparison.conftest import key_of, mark

Store = Callable[..., None]
ALSO = ", and those that differ most"


def address(series: Series, suffix: str = "") -> str:
    return series.get_absolute_url() + suffix


def test_rows_say_error_time_and_verdict_nearest_first(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    overlay = read_overlay(four_series[1])

    rows = {row.look.code: row for row in overlay.rows}
    assert (overlay.truth, overlay.tolerance) == (62, 10)
    assert (rows["KB"].start, rows["KB"].delta, rows["KB"].verdict) == (90, 28, "late")
    assert rows["KB"].seconds == pytest.approx(28 * 1.01)
    assert (rows["SDM"].start, rows["SDM"].delta, rows["SDM"].verdict) == (-1, None, "missed")
    # 50 lies in the stretch of two seconds up to 50: twelve operations of 1.01 s too early.
    assert [row.look.code for row in overlay.rows if row.delta is not None] == ["FX", "KB"]


@pytest.mark.parametrize(("length", "seconds"), [(600.0, 28 * 600), (None, None)])
def test_the_time_of_a_distance_is_that_of_its_iterations(
    compared_study: Campaign,
    four_series: list[Series],
    client: Client,
    olga: User,
    length: float | None,
    seconds: float | None,
) -> None:
    settings = {} if length is None else {"seconds_per_iteration": length}
    Series.objects.filter(pk=four_series[1].pk).update(settings=settings)
    client.force_login(olga)

    overlay = read_overlay(Series.objects.get(pk=four_series[1].pk))
    page = client.get(address(four_series[1])).content.decode()

    seconds_of_method = {row.look.code: row.seconds for row in overlay.rows}["KB"]
    assert (
        seconds_of_method is None
        if seconds is None
        else seconds_of_method == pytest.approx(seconds, rel=0.01)
    )
    assert ("How long an iteration" in page) == (length is None)


def test_answers_are_grouped_by_verdict(
    compared_study: Campaign, four_series: list[Series]
) -> None:
    overlay = read_overlay(four_series[1])
    groups = {group.code: [row.look.code for row in group.rows] for group in answer_groups(overlay)}
    facts = {group.code: group.shared_words for group in answer_groups(overlay)}
    short_row = next(row for row in overlay.rows if row.state == "too-short")

    assert groups == {"early": ["FX"], "late": ["KB"], "never": ["SDM"], "none": ["FX"]}
    assert facts["late"] == ""  # one answer is in its row
    assert short_row.error == "too short: needs at least 500 values; got 200"


def test_without_a_yardstick_answers_are_steady_or_never(
    four_series: list[Series], store: Store
) -> None:
    for iteration, answer in enumerate((30, 31, -1, None)):
        store(key_of("fixed", iteration=iteration), four_series[:1], [answer])
    overlay = read_overlay(four_series[0])

    assert overlay.truth is None
    assert [
        (answer_group.code, len(answer_group.rows), answer_group.shared_words)
        for answer_group in answer_groups(overlay)
    ] == [("never", 1, ""), ("steady", 2, "30 to 31"), ("none", 1, "")]


def test_a_handful_of_lines_is_shown_first(
    answered_tasks: list[Task], four_series: list[Series], store: Store
) -> None:
    """The nearest of different answers, and those that differ most; all where they are few."""
    for iteration, answer in enumerate((42, 42, 43, 44, 50, 60, 90, 150, -1)):
        store(key_of("fixed", iteration=iteration), four_series[:1], [answer])
    overlay = read_overlay(four_series[0])
    starts = {row.name: row.start for row in overlay.rows}
    few_overlay = read_overlay(four_series[1])

    lines = first_chart_lines(overlay)
    names = lines.names
    assert lines.rule == "nearest to the yardstick, and those that differ most"
    assert names[0] == "truth"
    assert sorted(starts[name] or 0 for name in names[1:]) == [42, 43, 44, 90, 150]
    assert first_chart_lines(few_overlay) == FirstLines(["truth"], "every method with a line")
    (far_name,) = (name for name, start in starts.items() if start == 150)
    first_lines = first_chart_lines(overlay, [far_name, "no such"])
    assert first_lines == FirstLines(["truth", far_name], "methods of the list")
    agree_group = next(
        answer_group for answer_group in answer_groups(overlay) if answer_group.code == "agree"
    )
    assert (len(agree_group.rows), agree_group.hidden_count) == (5, 0)
    assert agree_group.is_unfolded


@pytest.mark.parametrize(
    ("team_starts", "ranked_starts", "starts", "rule"),
    [
        (
            (),
            (60, 50, 90, 44),
            [44, 50, 60, 90, 150],
            f"best ranked when you last opened Compare{ALSO}",
        ),
        ((60, 43), (42,), [43, 50, 60, 90, 150], f"the team’s set “Ours”{ALSO}"),
        ((44, 50, 60, 90, 42, 43), (), [42, 44, 50, 60, 90], "the team’s set “Ours”"),
        ((-1,), (), [42, 43, 44, 90, 150], f"nearest to the yardstick{ALSO}"),
    ],
    ids=["best ranked", "the team's", "more than there is room for", "none with a line"],
)
def test_the_teams_set_comes_first_then_the_best_ranked(
    answered_tasks: list[Task],
    four_series: list[Series],
    store: Store,
    team_starts: tuple[int, ...],
    ranked_starts: tuple[int, ...],
    starts: list[int],
    rule: str,
) -> None:
    """Methods are meant by their answers here."""
    for iteration, answer in enumerate((42, 43, 44, 50, 60, 90, 150, -1)):
        store(key_of("fixed", iteration=iteration), four_series[:1], [answer])
    overlay = read_overlay(four_series[0])
    name_by_start = {row.start: row.name for row in overlay.rows}
    start_by_name = {name: start for start, name in name_by_start.items()}

    lines = first_chart_lines(
        overlay,
        team_methods=[name_by_start[answer] for answer in team_starts],
        team_name="Ours",
        ranked_names=[name_by_start[answer] for answer in ranked_starts],
    )

    assert lines.names[0] == "truth"
    starts_shown = sorted(start_by_name[name] or 0 for name in lines.names[1:])
    assert (starts_shown, lines.rule) == (starts, rule)


def test_the_page_takes_the_set_that_the_study_puts_first(
    answered_tasks: list[Task], four_series: list[Series], store: Store, olga: User
) -> None:
    keys = [key_of("fixed", iteration=iteration) for iteration in range(7)]
    for iteration, key in enumerate(keys):
        store(key, four_series[:1], [42 + 10 * iteration])
    study = four_series[0].benchmark.dataset.study
    make_first(save_set(study, "Ours", keys[3:6], user=olga), is_first=True)

    panel = overlay_panel(read_overlay(four_series[0]), person=olga)

    assert panel["lines"]["first"][:4] == ["truth", *keys[3:6]]
    assert panel["rule"] == f"the team’s set “Ours”{ALSO}"


def test_the_ranking_is_that_of_the_persons_own_last_look(
    compared_study: Campaign, vic: User, as_vic: Client, olga: User
) -> None:
    study = compared_study.study
    assert kept_ranking(vic, study, "campaign:first-look") == ()

    as_vic.get(f"/s/{study.slug}/comparison/?s=startup")  # not of all series
    assert kept_ranking(vic, study, "campaign:first-look") == ()
    as_vic.get(f"/s/{study.slug}/comparison/?m=sdm")  # whatever methods are shown

    assert kept_ranking(vic, study, "campaign:first-look") == ("kb-kssd", "sdm")
    assert kept_ranking(olga, study, "campaign:first-look") == ()


def test_the_address_names_the_yardstick(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    """Also where the page by itself would take another one."""
    reply = as_vic.get(f"{address(four_series[0])}?y=method:sdm")
    default_reply = as_vic.get(address(four_series[0]))

    assert {line["index"] for line in lines_of(reply)["lines"] if line["id"] == "truth"} == {30}
    assert len(lines_of(default_reply)["first"]) == 4


def lines_of(reply: Any) -> dict[str, Any]:
    match = re.search(r'id="overlay-data"[^>]*>(.*?)</script>', reply.content.decode(), re.DOTALL)
    assert match is not None
    lines: dict[str, Any] = json.loads(match[1])
    return lines


def test_what_a_method_lacks_is_said_without_alarm(
    compared_study: Campaign, four_series: list[Series], client: Client, olga: User
) -> None:
    Detection.objects.filter(series=four_series[1], outcome="too-short").update(
        outcome="not-available", error="not available: weights not installed"
    )
    client.force_login(olga)

    page = client.get(address(four_series[1])).content.decode()
    lines = b"".join(client.get(address(four_series[1], "detections/"))).decode()

    assert 'title="not available: weights not installed">not available</span>' in page
    assert ' class="quiet small">not available: weights not installed</td>' in page
    assert "Run again" in page
    assert ",not available: weights not installed," in lines


def test_the_page_has_lines_marks_and_the_way_to_more(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    page = as_vic.get(address(four_series[1])).content.decode()

    assert "Marks 60, 62 · no cluster" in page
    assert "+28" in page
    assert "KB-KSSD" in page
    assert "data-line-chips" in page
    assert 'data-group="none"' in page
    assert "of 2 answered" in page


def test_the_tolerance_stands_above_the_table(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    page = as_vic.get(address(four_series[1])).content.decode()

    assert "tolerance ±10 iterations" in page


def test_a_change_of_mind_stands_beside_the_marks(
    compared_study: Campaign,
    four_series: list[Series],
    answered_tasks: list[Task],
    ana: User,
    as_vic: Client,
) -> None:
    mark(answered_tasks[1], ana, 61)

    page = as_vic.get(address(four_series[1])).content.decode()

    assert f"A1 changed 60 → 61 on {timezone.now():%Y-%m-%d}." in page


def test_another_yardstick_and_tolerance(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    file = b"".join(
        as_vic.get(address(four_series[1], "detections/?y=person:first-look:a1&tol=30"))
    )

    rows = {row["method"]: row for row in csv.DictReader(io.StringIO(file.decode()))}
    assert rows["kb-kssd"]["truth"] == "60"
    assert (rows["kb-kssd"]["error"], rows["kb-kssd"]["verdict"]) == ("30", "agrees")
    assert rows["sdm"]["steady_start"] == "-1"


def test_the_file_says_what_the_page_says(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    """Any method may say how sure it is; an answer that does not has empty cells."""
    sure_certainty = Certainty(0.5, 5, 85, 0.25)
    Detection.objects.filter(series=four_series[0], slug="sdm").update(**asdict(sure_certainty))
    overlay = read_overlay(four_series[0])
    file = b"".join(as_vic.get(address(four_series[0], "detections/"))).decode()
    page = as_vic.get(address(four_series[0])).content.decode()

    rows = list(csv.DictReader(io.StringIO(file)))
    certainties = [row.certainty for row in overlay.rows if row.certainty]
    assert [certainty.certainty for certainty in certainties] == [sure_certainty]
    assert certainties[0].words in page
    low_by_method = {row["method"]: row["low"] for row in rows}
    assert {low for method, low in low_by_method.items() if method != "sdm"} == {""}
    assert low_by_method["sdm"] == "5"
    assert [row["steady_start"] for row in rows] == [
        "" if row.start is None else str(row.start) for row in overlay.rows
    ]
    assert [row["verdict"] for row in rows] == [row.verdict for row in overlay.rows]


def test_evidence_is_computed_when_asked_for(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    response = as_vic.get(address(four_series[0], "evidence/?of=sdm"))
    missing_reply = as_vic.get(address(four_series[0], "evidence/?of=pilot"))

    assert response.status_code == 200
    assert all(item["title"] for item in response.json()["items"])
    assert missing_reply.status_code == 422
    assert (
        missing_reply.json()["problem"] == "No detection of that method is stored for this series."
    )


def test_evidence_that_takes_longer_comes_from_a_child_and_is_kept(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    direct_evidence = as_vic.get(address(four_series[0], "evidence/?of=sdm")).json()
    cache.clear()
    Detection.objects.filter(series=four_series[0], slug="sdm").update(milliseconds=900)

    child_evidence = as_vic.get(address(four_series[0], "evidence/?of=sdm")).json()
    evidence.child.children.stop()
    Detection.objects.filter(series=four_series[0], slug="sdm").update(milliseconds=99_000)
    kept_evidence = as_vic.get(address(four_series[0], "evidence/?of=sdm")).json()

    assert direct_evidence == child_evidence == kept_evidence
    assert direct_evidence["items"]


def test_evidence_that_would_take_too_long_is_refused_with_what_to_type(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    cache.clear()
    Detection.objects.filter(series=four_series[0], slug="sdm").update(milliseconds=99_000)

    document = as_vic.get(address(four_series[0], "evidence/?of=sdm")).json()

    assert document["items"] == []
    assert "takes longer than 10 s on 200 iterations" in document["problem"]
    command = "python -m detectors detect values.csv --method sdm --format jsonl --evidence"
    assert document["problem"].endswith(command)


@pytest.fixture
def blind_reader(
    compared_study: Campaign, answered_tasks: list[Task], make_person: Callable[..., User]
) -> User:
    return make_person("cleo", "annotator")


def test_who_was_asked_is_told_so(
    compared_study: Campaign,
    answered_tasks: list[Task],
    four_series: list[Series],
    ana: User,
    client: Client,
) -> None:
    answered_tasks[1].assignments.filter(user=ana).update(latest=None)
    client.force_login(ana)

    page = client.get(address(four_series[1])).content.decode()

    assert "You have yet to" in page
    assert "Answer your next open" in page


def test_before_one_has_answered_there_are_values_only(
    blind_reader: User, four_series: list[Series], client: Client
) -> None:
    client.force_login(blind_reader)

    page = client.get(address(four_series[1])).content.decode()

    assert "A campaign may still" in page
    for word in ("KB-KSSD", "Marks 60", "overlay-data", "ground truth", "data-detections"):
        assert word not in page
    for suffix in ("evidence/?of=sdm", "detections/"):
        assert client.get(address(four_series[1], suffix)).status_code == 404


def test_one_link_leads_to_the_next_open_series_and_names_none(
    compared_study: Campaign,
    four_series: list[Series],
    answered_tasks: list[Task],
    client: Client,
    olga: User,
) -> None:
    compared_study.annotators.create(user=olga, pseudonym="a3")
    for order, task in enumerate(answered_tasks):
        task.assignments.create(user=olga, order=order)
    client.force_login(olga)

    page = client.get(address(four_series[2])).content.decode()

    assert 'href="/s/startup-times/campaigns/first-look/annotate/"' in page
    assert "/annotate/3/" not in page


def test_a_yardstick_that_says_never_has_a_page(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    response = as_vic.get(address(four_series[1], "?y=method:sdm"))

    assert response.status_code == 200
    assert "false plateau" in response.content.decode()


def test_the_table_says_which_index_it_shows(
    compared_study: Campaign, four_series: list[Series], as_vic: Client
) -> None:
    stored_detections = Detection.objects.filter(series=four_series[0])
    stored_detections.filter(slug="kb-kssd").update(published_index=41, decided_at=41)
    stored_detections.filter(slug="sdm").update(published_index=F("steady_start"), decided_at=144)

    rows = {row.look.slug: row.other_indices for row in read_overlay(four_series[0]).rows}
    page = as_vic.get(address(four_series[0])).content.decode()

    assert rows["kb-kssd"] == "published and decided 41"
    assert rows["sdm"] == "decided 144"
    assert "Steady from: the first" in page


def test_a_method_on_its_way_has_a_row(
    compared_study: Campaign, four_series: list[Series], study: Study
) -> None:
    run = Run.objects.create(study=study, name="More", selection={"dataset": "nightly"})
    key = key_of("ruptures-pelt")
    Chunk.objects.create_with([(Chunk(job=run, detector_key=key), [four_series[0].pk])])

    overlay = read_overlay(four_series[0])

    assert overlay.is_pending
    assert [row.state for row in overlay.rows][-1] == "queued"
    assert not read_overlay(four_series[1]).is_pending


def test_a_method_has_a_row_however_many_chunks_wait_before_its_own(
    compared_study: Campaign, four_series: list[Series], study: Study
) -> None:
    run = Run.objects.create(study=study, name="More", selection={"dataset": "nightly"})
    other_chunks = [
        (Chunk(job=run, detector_key=key_of("fixed")), [four_series[1].pk]) for _ in range(450)
    ]
    own_chunk = Chunk(job=run, detector_key=key_of("ruptures-pelt"))
    Chunk.objects.create_with([*other_chunks, (own_chunk, [four_series[0].pk])])

    assert [row.state for row in read_overlay(four_series[0]).rows][-1] == "queued"


def test_without_detections_the_owner_is_shown_the_way(
    series: Series, olga: User, vic: User, client: Client
) -> None:
    client.force_login(olga)
    owner_page = client.get(address(series)).content.decode()
    client.force_login(vic)
    viewer_page = client.get(address(series)).content.decode()

    assert "No method has been" in owner_page
    assert "Run all methods" in owner_page
    assert "Run all methods" not in viewer_page


def test_where_nobody_has_marked_the_page_begins_with_the_default_answer_and_why(
    make_series: Callable[..., Series], store: Store
) -> None:
    series = make_series(np.ones(60))
    store(key_of("kb-kssd"), [series], [-1])
    undecided = read_overlay(series).finding
    store(key_of(DEFAULT_METHOD), [series], [20])
    Detection.objects.filter(slug=DEFAULT_METHOD).update(reason="one step at 20, 8 spreads down")
    with_others = read_overlay(series).finding
    Detection.objects.exclude(slug=DEFAULT_METHOD).delete()
    Detection.objects.update(steady_start=-1, reason="a random walk")
    alone = read_overlay(series).finding

    assert undecided == "0 of 1 method says that it becomes steady."
    assert with_others == (
        "Steady from 20 by Plateau, the default: one step at 20, 8 spreads down. "
        "1 of 2 methods say that it becomes steady."
    )
    assert alone == "Never steady by Plateau, the default: a random walk."


def test_without_a_yardstick_the_line_of_the_default_method_comes_first(
    make_series: Callable[..., Series], store: Store
) -> None:
    series = make_series(np.ones(200))
    for iteration, answer in enumerate((42, 43, 44, 50, 60, 90)):
        store(key_of("fixed", iteration=iteration), [series], [answer])
    store(key_of(DEFAULT_METHOD), [series], [120])

    store(key_of("sdm"), [series], [120])  # the same line
    lines = first_chart_lines(read_overlay(series))
    Detection.objects.filter(slug=DEFAULT_METHOD).delete()
    other_lines = first_chart_lines(read_overlay(series))

    assert lines.names[:2] == ["truth", DEFAULT_METHOD]
    assert "sdm" not in lines.names
    assert lines.rule == "the default method, and others"
    assert other_lines.rule == "different answers, and others"
