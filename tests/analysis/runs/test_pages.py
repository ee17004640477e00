"""Pages of runs: who starts, who sees, what is said in each state."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from analysis.methods.catalogue import available_methods
from analysis.methods.method_style import style_of
from analysis.methods.models import ImportedMethod
from analysis.methods.short_titles import short_titles
from analysis.runs import method_prices, preselections, start_page
from analysis.runs.models import Chunk, Detection, Preset, Run
from analysis.runs.progress import UNKNOWN_SERIES
from analysis.work import workers
from annotate.models import Task
from detectors.methods.fixed import Fixed
from detectors.registry import DEFAULT_METHOD, registry
from people.models import Study, User
from series.models import Series
from tests.analysis.runs.conftest import FIXED
from tests.analysis.work.units import take, work

NEW = "/s/startup-times/runs/new/"
METHODS = "/methods/"
RUNS = "/s/startup-times/runs/"


def form_fields(**values: Any) -> dict[str, Any]:
    return {"dataset": "nightly", "methods": ["fixed"], "fixed.iteration": "3", **values}


@pytest.fixture
def olgas(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def finish(run: Run) -> None:
    for chunk in run.units.all():
        work(chunk, worker="w-1@here")


# --- start ----------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_owner_starts_a_run_and_sees_it_end(olgas: Client, seven_series: list[Series]) -> None:
    answer = olgas.post(NEW, form_fields(name="Three"), follow=True)

    run = Run.objects.get()
    page = answer.content.decode()
    assert answer.redirect_chain == [(f"{RUNS}{run.public_id}/", 302)]
    assert (run.name, run.state, run.detectors) == ("Three", "done", [FIXED])
    assert Detection.objects.filter(steady_start=3).count() == 7
    assert "All 7 answers are there." in page
    assert "every 2s" not in page


def test_the_form_offers_every_declared_parameter(
    olgas: Client, seven_series: list[Series]
) -> None:
    page = olgas.get(NEW).content.decode()

    assert 'name="fixed.iteration" value="500" data-default="500" min="0" max="100000000"' in page
    assert 'name="kb-kssd.prob_window"' in page
    assert "0 to 100000000" in page


def button_slugs(page: str, code: str) -> list[str]:
    """Slugs that a button of the form chooses."""
    match = re.search(rf'id="pick-{code}"[^>]*data-slugs="([^"]*)"', page)
    assert match is not None
    return match[1].split()


def ticked_in(page: str) -> set[str]:
    return set(re.findall(r'name="methods" value="([^"]+)"\s+checked', page))


def slow_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a tenth of a second be slow: seven short series take no longer."""
    monkeypatch.setattr(method_prices, "SLOW_SECONDS", 0.1)


def test_methods_stand_by_family(olgas: Client, seven_series: list[Series]) -> None:
    page = olgas.get(NEW).content.decode()

    assert page.count('aria-label="All of ') == len(
        {method.family for method in registry().values()}
    )
    section = page.partition("<h3>Published detectors</h3>")[2].partition("</section>")[0]
    assert 'name="methods" value="kb-kssd"' in section
    assert 'value="ruptures-pelt"' not in section


def test_slow_methods_are_off_with_their_price(
    olgas: Client, make_series: Callable[..., Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    for fork in range(3):
        make_series(np.arange(3000.0), fork=fork)
    slow_seconds(monkeypatch)

    page = " ".join(olgas.get(NEW).content.decode().split())

    assert re.search(r'id="price-ruptures-pelt" ?>\+\d+', page)
    assert re.search(r'id="price-plateau" ?></span>', page)
    assert set(button_slugs(page, "all")) == set(available_methods())
    assert ticked_in(page) == set(button_slugs(page, "default")) == {DEFAULT_METHOD}
    assert "Plateau is the default." in page
    assert "ruptures-pelt" not in button_slugs(page, "quick")
    assert re.search(r"slow methods? would add", page)


def test_best_are_quick_published_ones_until_there_is_a_ranking(
    olgas: Client, seven_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    unranked_page = olgas.get(NEW, {"preselection": "best"}).content.decode()
    ranked_keys = ["sdm", "fixed@1?iteration=3", "kelly", "gone"]
    ranking = preselections.StudyRanking("First look", ranked_keys)
    monkeypatch.setattr(preselections._rankings, "present", [lambda *_: ranking])

    ranked_page = olgas.get(NEW, {"preselection": "best"}).content.decode()

    best_slugs = button_slugs(unranked_page, "best")
    assert len(best_slugs) == preselections.BEST
    assert {registry()[slug].family for slug in best_slugs} == {"Published detectors"}
    assert button_slugs(ranked_page, "best") == ["sdm", "kelly"]
    assert ticked_in(ranked_page) == {"sdm", "kelly", DEFAULT_METHOD}


def test_a_button_without_script_brings_the_form_again(
    olgas: Client, seven_series: list[Series]
) -> None:
    answer = olgas.post(NEW, form_fields(preselection="published"))

    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert ticked_in(page) == set(button_slugs(page, "published"))
    assert 'name="fixed.iteration" value="3"' in page
    assert f"Run {len(ticked_in(page))} methods on 7 series" in page
    assert not Run.objects.exists()


def test_the_button_says_how_many_methods_and_series(
    olgas: Client, seven_series: list[Series]
) -> None:
    page = olgas.post(NEW, form_fields(), headers={"HX-Request": "true"}).content.decode()

    assert "Run 1 method on 7 series" in " ".join(page.split())
    assert 'id="run-start" hx-swap-oob="true"' in page


def test_the_plan_says_which_times_are_guessed(olgas: Client, seven_series: list[Series]) -> None:
    page = olgas.post(NEW, form_fields(), headers={"HX-Request": "true"}).content.decode()

    assert "1 method has not run" in page


def test_the_form_counts_all_methods_and_those_that_cannot_run_here(
    olgas: Client, seven_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Fixed, "missing", lambda: "needs a package")
    missing_count = sum(bool(method.missing()) for method in registry().values())

    page = " ".join(olgas.get(NEW, {"preselection": "all"}).content.decode().split())

    match = re.search(r"(\d+) of (\d+); (\d+) cannot run here", page)
    assert match is not None
    assert [int(text) for text in match.groups()] == [
        len(registry()) - missing_count,
        len(registry()),
        missing_count,
    ]
    assert "needs a package" in page


def test_a_method_has_one_symbol_in_the_form_and_in_the_catalogue(
    olgas: Client, seven_series: list[Series]
) -> None:
    form, methods = (
        " ".join(olgas.get(address).content.decode().split()) for address in (NEW, METHODS)
    )

    for slug, detector in registry().items():
        symbol = f'<span class="symbol {style_of(slug).symbol}" aria-hidden="true"></span>'
        assert f"{symbol} <b>{escape(short_titles()[slug])}</b>" in form
        assert f"{symbol} {detector.code}</td>" in methods
    assert "`" not in form


def test_the_run_says_which_parameters_are_not_the_defaults(
    olgas: Client, seven_series: list[Series], study: Study, make_run: Callable[..., Run]
) -> None:
    run = make_run("plateau?chance=0.7", "kb-kssd", FIXED)
    Preset.objects.create(study=study, name="Early", detector_key=FIXED)

    page = re.sub(r"\s+(?=<)|(?<=>)\s+", "", olgas.get(run.get_absolute_url()).content.decode())

    assert 'Plateau<span class="under">chance = 0.7</span></th>' in page
    assert (
        '<span class="under">preset “Early”</span><span class="under">iteration = 3</span>' in page
    )
    assert "&ensp;KB-KSSD</th>" in page
    assert f'<span class="symbol {style_of("plateau").symbol}"' in page


def test_the_list_of_explorations_explains_once_and_removes_in_line(
    olgas: Client, seven_series: list[Series], study: Study
) -> None:
    preset = Preset.objects.create(study=study, name="Early", detector_key=FIXED)

    page = olgas.get(f"{RUNS}?kind=sensitivity").content.decode()
    presets = page.partition('<ul class="list">')[2].partition("</ul>")[0]

    assert len(re.findall("How (?:it|this) works", page)) == 1
    assert f'<button class="button button-small" form="remove-{preset.public_id}">' in presets
    assert "<form" not in presets  # a form in a list stands lower than its neighbours
    assert f'id="remove-{preset.public_id}"' in page


def test_the_sum_says_what_is_stored(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    finish(make_run(FIXED))

    response = olgas.post(NEW, form_fields(methods=["fixed", "kb-kssd"]), HTTP_HX_REQUEST="true")

    text = " ".join(response.content.decode().split())
    assert "7 answers in about" in text
    assert "7 more are stored already." in text
    assert "<html" not in text


@pytest.mark.parametrize(
    ("wrong_fields", "sentence"),
    [
        ({"methods": []}, "Choose at least one method."),
        ({"fixed.iteration": "-1"}, "greater than or equal to 0"),
        ({"dataset": "weekly"}, "Select a valid choice"),
        ({"text": "nothing has this name"}, "No series of nightly is left by"),
        ({"methods": ["oracle"]}, "oracle is not one of the available choices"),
    ],
)
def test_a_mistake_is_said_and_nothing_is_stored(
    olgas: Client, seven_series: list[Series], wrong_fields: dict[str, object], sentence: str
) -> None:
    answer = olgas.post(NEW, form_fields(**wrong_fields))

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Run.objects.exists()


def test_the_address_can_choose(olgas: Client, seven_series: list[Series]) -> None:
    page = olgas.get(f"{NEW}?methods=kb-kssd&text=sort&kb-kssd.prob_window=300").content.decode()

    assert 'value="kb-kssd" checked' in page
    assert 'value="fixed" checked' not in page
    assert 'name="text" value="sort"' in page
    assert 'name="kb-kssd.prob_window" value="300"' in page


@pytest.mark.parametrize("person_name", ["ana", "vic"])
def test_members_see_runs_but_do_not_start_them(
    client: Client,
    request: pytest.FixtureRequest,
    seven_series: list[Series],
    make_run: Callable[..., Run],
    person_name: str,
) -> None:
    run = make_run(FIXED)
    client.force_login(request.getfixturevalue(person_name))

    assert client.get(RUNS).status_code == 200
    response = client.get(run.get_absolute_url())
    assert response.status_code == 200
    assert "Stop run" not in response.content.decode()
    assert client.get(NEW).status_code == 403
    assert client.post(NEW, form_fields()).status_code == 403
    assert client.post(f"{run.get_absolute_url()}cancellation/").status_code == 403
    assert client.post(f"{run.get_absolute_url()}retry/").status_code == 403


def test_a_run_of_another_study_does_not_exist(
    client: Client, stranger: User, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    client.force_login(stranger)

    assert client.get(make_run(FIXED).get_absolute_url()).status_code == 404


# --- watch ----------------------------------------------------------------------------------------


def test_without_a_worker_the_page_says_what_to_type(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    Chunk.objects.update(queued_at=timezone.now())

    page = olgas.get(run.get_absolute_url()).content.decode()

    assert "No worker is connected" in page
    assert "make worker" in page
    assert 'hx-trigger="every 2s, plateau:visible"' in page
    assert "<title>(0 %) " in page


def test_the_fragment_is_the_same_part_of_the_page(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    workers.register_worker("w-1@here")
    take(run.units.get(), worker="w-1@here")

    fragment = olgas.get(run.get_absolute_url(), HTTP_HX_REQUEST="true").content.decode()

    assert "<html" not in fragment
    assert 'id="job-facts" class="soft" hx-swap-oob="outerMorph"' in fragment
    assert "chunk 1 of 1" in fragment
    assert "No worker is connected" not in fragment


def test_a_visit_brings_back_what_a_dead_worker_left(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    take(run.units.get(), worker="w-1@gone")
    Chunk.objects.update(lease=timezone.now() - timedelta(seconds=1), queued_at=timezone.now())

    olgas.get(run.get_absolute_url())

    run.refresh_from_db()
    assert run.state == "done"


def test_stop_and_go_on(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    Chunk.objects.update(queued_at=timezone.now())

    page = olgas.post(f"{run.get_absolute_url()}cancellation/", follow=True).content.decode()
    late_page = olgas.post(f"{run.get_absolute_url()}cancellation/", follow=True).content.decode()

    assert "Stopped at 0 of 7." in page
    assert "Resume" in page
    assert "had ended already" in late_page


def test_failures_stand_by_kind_and_too_short_apart(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED, "ruptures-pelt")
    finish(run)
    Detection.objects.filter(series__in=seven_series[:2], slug="fixed").update(
        outcome="failed", steady_start=None, error="NotAvailable: model of fold 2"
    )
    run.units.filter(detector_key=FIXED).update(failed_count=2)

    page = " ".join(olgas.get(run.get_absolute_url()).content.decode().split())

    assert "</span> 2</span>&ensp;NotAvailable: model of" in page
    assert "<summary>7 too short:" in page
    assert '7</b> too short: needs at least 200 values <span class="quiet">RP</span>' in page
    assert "Run these again" in page
    assert "done with failures" in page


def test_what_is_not_read_is_a_line_a_reason_however_many_methods_and_series(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    """A block a method made a page of 9,458 px."""
    run = make_run("ruptures-pelt", "ruptures-kernel", "kb-kssd")
    finish(run)
    Detection.objects.filter(series=seven_series[0], slug="kb-kssd").update(
        outcome="too-long", error="too long: reads at most 9 values; got 10"
    )

    page = " ".join(olgas.get(run.get_absolute_url()).content.decode().split())

    reasons = page.partition('<ul class="run-reasons')[2].partition("</ul>")[0]
    assert "<summary>20 too short, 1 too long:" in page
    assert "21 answered (20 too short," in page
    assert reasons.count("data-reason") == 3
    assert '14</b> too short: needs at least 200 values <span class="quiet">RK, RP<' in reasons
    assert "1</b> too long: reads" in reasons
    assert '<h2 class="ruled">Failures' not in page


def hold_chunk(run: Run, *, minutes: int = 9) -> Chunk:
    """A chunk of the run whose worker has been at its first series for so long."""
    claim = take(run.units.first(), worker="w-1@here")
    assert claim is not None
    claim.begin(Series.objects.filter(in_chunks__chunk=claim.unit)[0].public_id)
    claim.current_since = timezone.now() - timedelta(minutes=minutes)
    assert claim.extend()
    Run.objects.update(began=timezone.now() - timedelta(minutes=minutes))
    return run.units.get(pk=claim.unit.pk)


def test_the_page_names_what_is_slow_and_offers_to_leave_it_out(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    workers.register_worker("w-1@here")
    hold_chunk(run)

    page = " ".join(olgas.get(run.get_absolute_url()).content.decode().split())

    assert 'data-slow="Sort.merge, fork 0"' in page
    assert "9 min so far" in page.replace("\xa0", " ")
    assert page.count("button-primary") == 1
    assert re.search(r"left-out/.*?button-primary", page)
    assert '<dt>Last minute</dt><dd class="warn"> 0 <span class="of">a minute' in page


def test_a_series_is_left_out_for_every_method_and_the_rest_goes_on(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED, "kb-kssd")
    chunk = hold_chunk(run)

    answer = olgas.post(
        f"{run.get_absolute_url()}left-out/", {"series": seven_series[0].public_id}, follow=True
    )

    run.refresh_from_db()
    page = answer.content.decode()
    assert (run.left_out, run.wanted) == ([seven_series[0].public_id], 12)
    assert 'data-left-out="Sort.merge, fork 0"' in page
    assert chunk.series_ids() == [series.pk for series in seven_series[1:]]
    assert run.units.get(pk=chunk.pk).size == 6
    repeated_response = olgas.post(
        f"{run.get_absolute_url()}left-out/", {"series": seven_series[0].public_id}, follow=True
    )
    assert "nothing left to compute" in repeated_response.content.decode()


def test_who_has_yet_to_answer_a_series_does_not_learn_that_it_is_slow(
    client: Client, ana: User, task: Task, make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    hold_chunk(run)
    client.force_login(ana)

    page = client.get(run.get_absolute_url()).content.decode()

    assert f'data-slow="{UNKNOWN_SERIES}"' in page
    assert task.series.benchmark.short_name not in page.partition('id="job-progress"')[2]
    assert "left-out/" not in page


def test_the_list_says_which_run_is_next(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    make_run(FIXED)
    make_run("kb-kssd")

    page = olgas.get(RUNS).content.decode()

    assert [f"place {place} in the" in page for place in (1, 2, 3)] == [True, True, False]


def test_a_failure_of_a_series_that_one_has_yet_to_answer_tells_nothing(
    client: Client, ana: User, task: Task, make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    finish(run)
    Detection.objects.update(
        outcome="failed", steady_start=None, error="RuntimeError: answered 4711"
    )
    run.units.update(failed_count=1)
    client.force_login(ana)

    page = client.get(run.get_absolute_url()).content.decode()

    assert "4711" not in page
    assert "until you have answered" in page
    assert task.series.get_absolute_url() not in page


def test_the_list_shows_states_and_counts(
    olgas: Client,
    seven_series: list[Series],
    make_run: Callable[..., Run],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    finish(make_run(FIXED))
    make_run("fixed@1?iteration=5")

    with django_assert_max_num_queries(22):  # one a kind of job, five more for the queue
        page = olgas.get(RUNS).content.decode()

    assert "Fixed iteration on nightly" in page
    assert page.count("1 × 7") == 2
    assert "queued" in page


def test_an_empty_list_says_what_comes_first(olgas: Client) -> None:
    assert "A run needs series. There" in olgas.get(RUNS).content.decode()


def test_the_page_of_a_run_with_many_methods_asks_few_questions(
    olgas: Client,
    seven_series: list[Series],
    make_run: Callable[..., Run],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    run = make_run(*(f"fixed@1?iteration={n}" for n in range(12)))
    finish(run)
    olgas.get(run.get_absolute_url())  # times are kept once nothing changes

    with django_assert_max_num_queries(20):
        olgas.get(run.get_absolute_url())


def test_without_series_the_form_gives_way_to_what_is_missing(
    client: Client, olga: User, study: Study
) -> None:
    client.force_login(olga)

    answer = client.get("/s/startup-times/runs/new/", follow=True)

    assert answer.redirect_chain == [("/s/startup-times/runs/", 302)]
    assert "A run needs series." in answer.content.decode()


def test_one_primary_button_by_state(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    Chunk.objects.update(queued_at=timezone.now())
    waiting_page = olgas.get(run.get_absolute_url()).content.decode()
    finish(run)
    page = olgas.get(run.get_absolute_url()).content.decode()

    assert "button-primary" not in waiting_page
    assert "button-quiet" in waiting_page.partition('id="job-actions"')[2].partition("</div>")[0]
    assert re.findall(r'button-primary"[^>]*>([^<]*)<', page) == ["Compare"]


def test_answers_are_folded_with_their_reasons(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED, "ruptures-pelt")
    finish(run)
    Detection.objects.filter(series=seven_series[0], slug="fixed").update(reason="Level after 3.")

    page = olgas.get(run.get_absolute_url()).content.decode()
    table = olgas.get(f"{run.get_absolute_url()}?answers", HTTP_HX_REQUEST="true").content.decode()
    text = olgas.get(f"{run.get_absolute_url()}?answers").content.decode()

    assert "Level after 3." not in page
    assert table.count('<th scope="row">') == 14
    assert "Level after 3." in table
    assert table.count("needs at least 200 values") == 7
    assert '<details class="disclosure" id="answers" open>' in text


def test_answers_of_a_series_that_one_has_yet_to_answer_are_hidden(
    client: Client, ana: User, task: Task, make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)
    finish(run)
    client.force_login(ana)

    page = client.get(run.get_absolute_url()).content.decode()
    table = client.get(f"{run.get_absolute_url()}?answers").content.decode()

    assert "data-hidden" in page
    assert task.series.get_absolute_url() not in page + table


@pytest.mark.parametrize(
    ("kind", "names"), [("", {"a run", "Ours, v1"}), ("imported", {"Ours, v1"})]
)
def test_the_list_has_every_kind_that_has_rows(
    olgas: Client,
    seven_series: list[Series],
    study: Study,
    make_run: Callable[..., Run],
    kind: str,
    names: set[str],
) -> None:
    lone_run = make_run(FIXED, name="a run")
    page_before = olgas.get(RUNS).content.decode()
    ImportedMethod.objects.create(
        study=study,
        title="Ours",
        slug="own:ours",
        state="stored",
        file_name="ours.csv",
        file_digest="0" * 64,
        size=3,
        answers=7,
    )

    page = olgas.get(RUNS, {"kind": kind} if kind else {}).content.decode()

    assert "Kinds of run" not in page_before
    assert set(re.findall(r'item-name"><a href="[^"]*">([^<]*)</a>', page)) == names
    assert re.findall(r'href="\?kind=(\w+)"', page) == ["detection", "imported"]
    assert lone_run.get_absolute_url() in page_before


def test_an_unknown_kind_is_said_and_all_are_shown(
    olgas: Client, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run(FIXED)

    page = olgas.get(RUNS, {"kind": "dance"}).content.decode()

    assert "dance" in page
    assert run.get_absolute_url() in page


def test_forks_narrow_a_run_where_there_are_several(
    olgas: Client, seven_series: list[Series]
) -> None:
    page = olgas.get(NEW).context["page"]
    first = olgas.get(NEW, {"forks": "first"}).context["page"]

    assert (page.series_count, first.series_count) == (7, 1)
    assert "forks" in [field.name for field in first.form.series_controls]
    assert first.form.selection.words == "first forks"


def test_the_page_says_what_the_longest_series_take(
    olgas: Client, seven_series: list[Series], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_page, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(start_page, "SLOW_SHARE", 0.0)
    Series.objects.filter(pk=seven_series[0].pk).update(n=1_000_000)

    response = olgas.get(NEW)
    long_series = response.context["page"].long_series

    assert (long_series.n, long_series.count) == (1_000_000, 1)
    assert long_series.seconds <= response.context["page"].seconds
    assert "the longest takes" in " ".join(response.content.decode().split())
