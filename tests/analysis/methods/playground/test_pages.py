"""The playground: who comes in, what it opens on, what it answers, what it says when it cannot."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from analysis.methods.playground import answers, calculator, subjects
from analysis.methods.views import playground
from analysis.runs.models import Detection
from annotate.models import Campaign, Task
from detectors.registry import DEFAULT_METHOD, registry
from detectors.simulated.synthetic import simulate
from people.models import User
from people.throttle import Throttle
from series.models import Series
from series.reading import file_readers

FIXED = "fixed?iteration=50"
PAGE = "/methods/kb-kssd/"
STEP = np.where(np.arange(300) < 100, 2.0, 1.0)


@pytest.fixture
def vics(client: Client, vic: User) -> Client:
    client.force_login(vic)
    return client


def reply(client: Client, **fields: Any) -> Any:
    return client.post(
        reverse("playground-answers"), fields, headers={"Accept": "application/json"}
    )


def blob(values: Any) -> SimpleUploadedFile:
    return SimpleUploadedFile("values", np.asarray(values, "<f8").tobytes())


def page_data(client: Client, query: str = "") -> Any:
    page = client.get(PAGE + query).content.decode()
    text = page.partition('<script id="page-data" type="application/json">')[2]
    return json.loads(text.partition("</script>")[0])


# --- who comes in -----------------------------------------------------------------------------
def test_strangers_read_but_do_not_try_where_it_is_closed(
    client: Client, db: None, settings: Any
) -> None:
    settings.PLAYGROUND_PUBLIC = False

    page = client.get(PAGE).content.decode()

    assert "data-playground" not in page
    assert "python -m detectors detect FILE" in page


def test_a_script_of_somebody_who_was_signed_out_is_told_so(
    client: Client, db: None, settings: Any
) -> None:
    settings.PLAYGROUND_PUBLIC = False

    answer = reply(client, m="fixed")

    assert answer.status_code == 401
    assert answer.json()["problem"] == "You were signed out. Sign in, then try again."


def test_strangers_come_in_by_the_first_page(client: Client, db: None) -> None:
    home_page = client.get(reverse("home")).content.decode()

    assert f'href="/methods/{DEFAULT_METHOD}/#try"' in home_page
    assert "data-playground" in client.get(PAGE).content.decode()


def test_where_it_is_closed_no_page_leads_strangers_there(
    client: Client, db: None, settings: Any
) -> None:
    settings.PLAYGROUND_PUBLIC = False

    assert "#try" not in client.get(reverse("home")).content.decode()


def test_a_method_in_the_query_leads_to_its_own_page(client: Client, db: None) -> None:
    answer = client.get(f"{PAGE}?m=fixed%401%3Fiteration%3D20&n=500")

    assert answer.headers["Location"] == "/methods/fixed/?m=fixed%401%3Fiteration%3D20&n=500"


def test_the_answer_of_an_example_is_computed_once(
    vics: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    first = reply(vics, m="fixed", kind="step", n="500").json()
    monkeypatch.setattr(answers, "playground_answer", None)

    assert reply(vics, m="fixed", kind="step", n="500").json() == first


def test_parameters_are_folded_until_one_is_changed(client: Client, db: None) -> None:
    plain_page = client.get(PAGE).content.decode()
    changed_page = client.get("/methods/fixed/?m=fixed%3Fiteration%3D20").content.decode()

    assert '<details class="disclosure" data-play-parameters>' in plain_page
    assert '<details class="disclosure" open data-play-parameters>' in changed_page


def test_strangers_wait_their_minute(
    client: Client, db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playground, "QUESTIONS", Throttle("playground", limit=2))
    cache.clear()

    answers = [reply(client, m="fixed") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    assert answers[-1].json()["problem"].startswith("2 a minute; try again in ")


# --- what it opens on -------------------------------------------------------------------------
def test_it_opens_on_an_example_with_kb_kssd(vics: Client) -> None:
    data = page_data(vics)

    assert data["query"] == [["kind", "step"]]
    assert data["series"]["n"] == 3000
    assert "True answer" in data["series"]["why"]


def test_the_address_brings_method_parameters_pins_and_mark(vics: Client) -> None:
    query = "?kind=decay&n=500&m=kb-kssd%401%3Fprob_window%3D300&pin=sdm&pin=nonsense&mark=7"
    data = page_data(vics, query)
    page = vics.get(PAGE + query).content.decode()

    assert data["series"]["n"] == 500
    assert (data["pins"], data["mark"]) == (["sdm"], 7)
    assert 'name="p.prob_window" value="300"' in page


def test_a_link_to_another_version_says_so(vics: Client) -> None:
    page = vics.get("/methods/fixed/?m=fixed%4099%3Fiteration%3D3").content.decode()

    assert "No version" in page
    assert 'name="p.iteration" value="3"' in page


# --- stored series, and blindness -------------------------------------------------------------
def test_a_stored_series_opens_by_its_digest(vics: Client, series: Series) -> None:
    data = page_data(vics, f"?series={series.digest}")

    assert data["series"]["payloadUrl"] == reverse("payload", args=[series.digest])
    assert reply(vics, key=FIXED, series=series.digest).json()["steady_start"] == 50


def test_a_series_of_another_study_is_not_here(
    client: Client, stranger: User, series: Series
) -> None:
    client.force_login(stranger)

    answer = reply(client, m="fixed", series=series.digest)

    assert answer.status_code == 422
    assert "you may not see" in answer.json()["problem"]


def test_an_open_series_is_answered_by_nobody_else_first(
    client: Client, ana: User, task: Task
) -> None:
    client.force_login(ana)

    digest_reply = reply(client, m="fixed", series=task.series.digest)
    copy_reply = reply(client, m="fixed", values=blob(task.series.array()))

    assert {answer.status_code for answer in (digest_reply, copy_reply)} == {422}
    assert digest_reply.json()["problem"].startswith("You have yet to answer this series.")
    assert copy_reply.json()["problem"].startswith("You have yet to answer a series with these")


NOISY = 1 + np.random.default_rng(5).exponential(0.01, 3000)
OTHER = 1 + np.random.default_rng(6).exponential(0.01, 3000)
FROM_50 = {"p.iteration": "50"}
COPIES = {
    "less the last": NOISY[:-1],
    "less the first": NOISY[1:],
    "a prefix": NOISY[:500],
    "a suffix": NOISY[-500:],
    "a prefix, then something else": np.r_[NOISY[:1500], OTHER],
    "something else, then a suffix": np.r_[OTHER, NOISY[1500:]],
    "scaled": 1e3 * NOISY[:-1],
    "shifted": NOISY[1:] - 0.5,
    "as rates": 1 / NOISY[:-1],
    "in single precision": NOISY[:-1].astype(np.float32),
    "rounded": np.round(NOISY[:-1], 6),
    "reversed": NOISY[::-1].copy(),
    "reversed, trimmed and scaled": 1.37 * NOISY[10:-50][::-1] - 0.2,
    "reversed, as rates": 1 / NOISY[::-1],
    "shuffled": np.random.default_rng(5).permutation(NOISY),
    "each value twice": np.repeat(NOISY, 2),
    "twice, one after the other": np.r_[NOISY, NOISY],
    "neighbours swapped": NOISY.reshape(-1, 2)[:, ::-1].ravel(),
    "halves by turns": NOISY.reshape(2, -1).T.ravel(),
    "by turns with another series": np.c_[NOISY, OTHER[: NOISY.size]].ravel(),
    "by turns with a constant": np.c_[NOISY, np.ones(NOISY.size)].ravel(),
    "by turns with two others": np.c_[
        OTHER[: NOISY.size], NOISY[::-1], OTHER[: NOISY.size]
    ].ravel(),
}


@pytest.mark.parametrize("values", COPIES.values(), ids=COPIES)
def test_a_near_copy_of_an_open_series_is_refused(
    values: Any, client: Client, ana: User, vic: User, make_task: Any, make_series: Any
) -> None:
    make_task(make_series(NOISY))

    answer_by_person = {}
    for person in (ana, vic):
        client.force_login(person)
        answer_by_person[person.username] = reply(
            client, m="fixed", **FROM_50, values=blob(values)
        ).json()

    assert answer_by_person["ana"]["problem"].startswith(
        "You have yet to answer a series with these"
    )
    assert "steady_start" not in answer_by_person["ana"]
    assert answer_by_person["vic"]["said"] == "steady from 50"


def test_other_values_are_answered_beside_an_open_series(
    client: Client, ana: User, make_task: Any, make_series: Any
) -> None:
    make_task(make_series(NOISY))
    client.force_login(ana)

    for values in (OTHER, STEP, np.ones(40), NOISY[::2].copy(), np.arange(2.0)):
        answer = reply(client, m="fixed", **{"p.iteration": "1"}, values=blob(values))
        assert answer.json()["said"] == "steady from 1"


def test_an_example_that_somebody_has_yet_to_answer_is_another_one(
    client: Client, ana: User, vic: User, make_task: Any, make_series: Any
) -> None:
    make_task(make_series(simulate("step", n=1500, seed=0).values))
    query_by_person, statuses_by_person = {}, {}
    for person in (ana, vic):
        client.force_login(person)
        query_by_person[person.username] = dict(page_data(client)["query"])
        example_response = client.get(reverse("playground-example"), {"kind": "step"})
        answers = reply(client, m="fixed", **FROM_50, kind="step", n="1500")
        statuses_by_person[person.username] = [example_response.status_code, answers.status_code]

    assert statuses_by_person == {"ana": [422, 422], "vic": [200, 200]}
    assert query_by_person == {"ana": {"kind": "step", "seed": "1"}, "vic": {"kind": "step"}}


def test_an_example_without_noise_of_which_all_seeds_are_open_gets_some(
    client: Client, ana: User, make_task: Any, make_series: Any
) -> None:
    make_task(make_series(simulate("flat", n=3000, noise=0).values))
    client.force_login(ana)

    query_by_person = dict(page_data(client, "?kind=flat&noise=0")["query"])

    assert query_by_person == {"kind": "flat", "seed": "1"}


def test_whoever_is_not_signed_in_is_told_nothing_of_a_running_campaign(
    client: Client, make_task: Any, make_series: Any, settings: Any
) -> None:
    make_series(OTHER, name="of no campaign")
    task = make_task(make_series(NOISY))

    refusal = reply(client, m="fixed", **FROM_50, values=blob(NOISY[1:])).json()
    of_none = reply(client, m="fixed", **FROM_50, values=blob(OTHER[1:])).json()
    Campaign.objects.filter(pk=task.campaign_id).update(state=Campaign.State.CLOSED)
    closed_reply = reply(client, m="fixed", **FROM_50, values=blob(NOISY[1:])).json()

    assert "problem" in refusal
    assert of_none["said"] == closed_reply["said"] == "steady from 50"


def test_the_page_of_a_series_leads_here_once_it_is_answered(
    client: Client, ana: User, vic: User, task: Task
) -> None:
    link = f"/methods/{DEFAULT_METHOD}/?series={task.series.digest}#try"

    client.force_login(vic)
    assert link in client.get(task.series.get_absolute_url()).content.decode()
    client.force_login(ana)
    assert link not in client.get(task.series.get_absolute_url()).content.decode()


# --- answers ----------------------------------------------------------------------------------
def test_an_answer_has_all_that_the_page_shows(vics: Client) -> None:
    document = reply(vics, m="kelly", **{"p.prob_window": "50"}, values=blob(STEP)).json()

    assert document["short"] == "kelly@1?prob_window=50"
    assert document["command"] == (
        "python -m detectors detect FILE --method kelly --param prob_window=50"
    )
    assert document["said"] == f"steady from {document['steady_start']}"
    assert document["milliseconds"] > 0
    assert document["reason"] == ""
    assert {evidence["kind"] for evidence in document["evidence"]} >= {"curve"}
    default_document = reply(vics, values=blob(STEP)).json()
    assert default_document["title"] == registry()[DEFAULT_METHOD].title
    assert default_document["reason"]


def test_the_key_of_a_pin_asks_the_same(vics: Client) -> None:
    by_form = reply(vics, m="fixed", **{"p.iteration": "9"}, values=blob(STEP)).json()
    by_key = reply(vics, key=by_form["short"], values=blob(STEP)).json()

    assert by_key["key"] == by_form["key"]
    assert by_key["steady_start"] == 9


def test_nothing_is_stored(vics: Client, django_assert_max_num_queries: Any) -> None:
    count_before = Detection.objects.count()

    reply(vics, m="fixed", values=blob(STEP))

    assert Detection.objects.count() == count_before


def test_too_short_a_series_is_said_in_the_methods_words(vics: Client) -> None:
    document = reply(vics, m="kelly", values=blob([1.0, 2.0])).json()

    assert document["problem"] == "Kelly's test needs at least 3 iterations; this series has 2."


def test_a_parameter_out_of_bounds_names_its_field(vics: Client) -> None:
    answer = reply(vics, m="kelly", **{"p.prob_window": "1"}, values=blob(STEP))

    assert answer.status_code == 422
    assert answer.json() == {
        "problem": "prob_window must be from 3 to 100000; got 1.",
        "field": "prob_window",
    }


def test_what_the_file_configured_reaches_the_method(vics: Client) -> None:
    series_fields = {"settings": {"warmup_iterations": 20, "warmup_seconds": 1.0}, "seconds": 1.0}

    document = reply(vics, m="developer", values=blob(STEP), about=json.dumps(series_fields)).json()

    assert "problem" not in document


@pytest.mark.parametrize("about", ["[]", "no json", '{"settings": [], "seconds": "x"}'])
def test_nonsense_beside_the_values_is_left_out(vics: Client, about: str) -> None:
    assert reply(vics, key=FIXED, values=blob(STEP), about=about).json()["steady_start"] == 50


def test_values_that_are_none_are_refused(vics: Client) -> None:
    answer = reply(vics, m="fixed", values=blob([1.0, np.nan, 2.0]))

    assert answer.status_code == 422
    assert answer.json()["problem"] == "values must be finite; value 1 is nan."


def test_a_slow_method_waits_for_its_button(vics: Client) -> None:
    document = reply(vics, m="ruptures-pelt", values=blob(STEP)).json()

    assert document["waits"].endswith("press Detect. It is given 20 s.")
    assert "steady_start" not in document


def test_a_method_that_takes_too_long_is_ended(
    vics: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "ON_REQUEST", 0.2)
    noise = np.random.default_rng(1).normal(10, 1, 3000)

    document = reply(vics, m="ruptures-pelt", press="1", values=blob(noise)).json()

    assert "was stopped: it took longer than 0 s on 3000 iterations" in document["problem"]
    calculator.on_request.children.stop()


def test_a_second_slow_question_is_told_to_come_again(vics: Client) -> None:
    with calculator.on_request.children._free:
        answer = reply(vics, m="ruptures-pelt", press="1", values=blob(STEP))

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1"  # the page asks again by itself


# --- reading ----------------------------------------------------------------------------------
def values_reply(client: Client, **fields: Any) -> Any:
    return client.post(reverse("playground-values"), fields)


def test_pasted_numbers_become_a_series(vics: Client) -> None:
    series = values_reply(vics, text="3\n2\n1\n1\n", unit="ms").json()["series"]

    assert [series_row["n"] for series_row in series] == [4]
    assert (series[0]["unit"], series[0]["median"]) == ("s", 0.001)


def test_its_reader_is_not_that_of_the_imports(
    vics: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subjects.READERS, "_queueing", 0.0)
    with file_readers.readers._free, file_readers.readers._free:
        assert values_reply(vics, text="3\n2\n1\n1\n").status_code == 200
    with subjects.READERS._free:
        answer = values_reply(vics, text="3\n2\n1\n1\n")

    assert answer.status_code == 503
    assert "try again in a moment" in answer.json()["problem"]
    assert subjects.READERS.seconds <= 5


def test_every_fork_of_a_file_can_be_chosen(vics: Client) -> None:
    file = SimpleUploadedFile("forks.csv", b"a,b\n1.5,5\n2.5,6\n2.5,7\n")

    series = values_reply(vics, file=file).json()["series"]

    assert [series_row["label"] for series_row in series] == ["a", "b"]


def test_a_bad_value_is_named_with_its_row(vics: Client) -> None:
    answer = values_reply(vics, text="3\n2\ntwo\n1\n")

    assert answer.status_code == 422
    problem = answer.json()["problem"]
    assert "3" in problem
    assert "found 'two'" in problem
    assert "expected" in problem


@pytest.mark.parametrize("text", ["", "   \n"])
def test_nothing_is_refused(vics: Client, text: str) -> None:
    assert values_reply(vics, text=text).status_code == 422


def test_one_value_is_a_series(vics: Client) -> None:
    assert [series["n"] for series in values_reply(vics, text="1\n").json()["series"]] == [1]


def test_too_large_a_file_is_refused_before_it_is_read(vics: Client) -> None:
    answer = values_reply(vics, file=SimpleUploadedFile("big.txt", b"1\n" * 1_100_000))

    assert answer.status_code == 413
    assert "2.2 MB, expected at most 2" in answer.json()["problem"]


def test_an_example_follows_its_sliders(vics: Client) -> None:
    address = reverse("playground-example")
    document = vics.get(address + "?kind=step&n=200&seed=4&noise=0.3").json()

    assert document["n"] == 200
    assert document["query"] == [["kind", "step"], ["n", "200"], ["seed", "4"], ["noise", "0.3"]]
    assert vics.get(address + "?kind=none&n=1e99&noise=nan").json()["n"] == 20_000
