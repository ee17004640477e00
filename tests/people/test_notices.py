"""Notices: nothing leaves the machine unless it is set up, and nothing fails when it cannot."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPAuthenticationError
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate import campaign_notices
from annotate.answering import reannotation
from annotate.answering.services import save_mark
from annotate.campaigns import invitations
from annotate.models import Campaign, Mark, Task
from evidence.bench.processes import ROOT
from people import notices, outbox, services
from people.models import OutgoingNotice, Study, User
from people.notices import Notice
from people.webhook import WebhookError
from series.models import Series
from tests.receivers import HookCalls, webhook

__all__ = ["webhook"]


@pytest.fixture
def with_mail(settings: Any) -> None:
    settings.CAN_MAIL = True


@pytest.fixture
def notice(study: Study) -> Notice:
    return Notice("review-asked", "Look", "Look again.", study, "/s/x/", to=("ana@x.org", ""))


def answer(task: Task, by: User) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=1)


def rows() -> list[tuple[str, str, str]]:
    """Channel, receiver and state of what is in the outbox."""
    return list(OutgoingNotice.objects.order_by("pk").values_list("channel", "to", "state"))


def advance_time(minutes: float) -> None:
    """Let so many minutes go by for what waits."""
    waiting_notices = OutgoingNotice.objects.filter(state="waiting")
    waiting_notices.update(due=F("due") - timedelta(minutes=minutes))


def answer_and_stop(tasks: list[Task], by: User, *, days: float) -> None:
    """All but the last two are answered, so many days ago."""
    for task in tasks:
        answer(task, by)
    Mark.objects.update(when=timezone.now() - timedelta(days=days))


def test_nothing_is_written_unless_it_is_set_up(notice: Notice) -> None:
    assert notices.send(notice) == 0
    assert rows() == []


def test_a_notice_reaches_mail_and_webhook(
    notice: Notice, with_mail: None, webhook: HookCalls, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://plateau.example"

    assert notices.send(notice) == 2
    assert outbox.send_due() == 2

    [message] = mail.outbox
    assert (message.to, message.subject) == (["ana@x.org"], "Look")
    assert message.body == "Look again.\n\nhttps://plateau.example/s/x/"
    [call] = webhook
    assert call.pop("id") == OutgoingNotice.objects.get(channel="webhook").public_id
    assert call == {
        "event": "review-asked",
        "subject": "Look",
        "text": "Look again.",
        "study": "Startup times",
        "address": "https://plateau.example/s/x/",
    }
    assert rows() == [("mail", "ana@x.org", "sent"), ("webhook", "", "sent")]
    assert outbox.send_due() == 0


def test_what_is_taken_back_with_its_transaction_is_not_told(
    notice: Notice, with_mail: None
) -> None:
    with transaction.atomic():
        notices.send(notice)
        transaction.set_rollback(True)

    assert rows() == []


def test_a_call_is_signed_with_the_secret(
    notice: Notice, webhook: HookCalls, settings: Any
) -> None:
    notices.send(notice)
    outbox.send_due()
    settings.WEBHOOK_SECRET = "s3cret"
    notices.send(notice)
    outbox.send_due()

    plain_headers, signed_headers = webhook.headers
    signature = hmac.new(
        b"s3cret", f"{signed_headers['X-Plateau-Time']}.".encode() + webhook.bodies[1], "sha256"
    )
    assert "X-Plateau-Signature" not in plain_headers
    assert signed_headers["X-Plateau-Signature"] == f"sha256={signature.hexdigest()}"


def test_the_receiver_of_the_guide_knows_a_call_from_a_forged_or_repeated_one(
    notice: Notice, webhook: HookCalls, settings: Any
) -> None:
    settings.WEBHOOK_SECRET = "s3cret"
    notices.send(notice)
    outbox.send_due()
    (headers,), (body,) = webhook.headers, webhook.bodies
    guide = (ROOT / "docs/guide/operations.md").read_text("utf-8")
    (snippet,) = re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(snippet, namespace)  # noqa: S102  # of this project's own guide
    is_from_plateau = namespace["is_from_plateau"]

    assert is_from_plateau(headers, body, "s3cret")
    assert not is_from_plateau(headers, body + b" ", "s3cret")
    assert not is_from_plateau(headers, body, "other")
    assert not is_from_plateau({}, body, "s3cret")
    assert not is_from_plateau(headers, body, "s3cret", most_seconds=-1)
    later_time = {**headers, "X-Plateau-Time": str(int(headers["X-Plateau-Time"]) + 1)}
    assert not is_from_plateau(later_time, body, "s3cret")


def test_the_log_says_when_a_failed_call_is_tried_again(
    client: Client, notice: Notice, webhook: HookCalls, study: Study, olga: User
) -> None:
    webhook.status = 503
    notices.send(notice)
    outbox.send_due()
    client.force_login(olga)

    log = client.get(reverse("notices", args=[study.slug])).content.decode()

    assert 'data-attempts="1"' in log
    assert "data-next-attempt" in log


def test_a_server_that_is_not_there_is_asked_again_with_longer_pauses_then_given_up(
    notice: Notice, settings: Any
) -> None:
    settings.CAN_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    notices.send(notice)
    minutes = [0, 1, 5, 30, 120, 360, 1440]

    for number, pause in enumerate(minutes, start=1):
        advance_time(pause - 0.5)
        outbox.send_due()
        attempts_before = OutgoingNotice.objects.get().attempts
        advance_time(0.6)
        outbox.send_due()

        row = OutgoingNotice.objects.get()
        assert (attempts_before, row.attempts) == (number - 1, number)
    assert row.state == "failed"
    assert row.error == "Connection refused"
    advance_time(10_000)
    assert outbox.send_due() == 0


def test_a_webhook_that_refuses_is_called_again(notice: Notice, webhook: HookCalls) -> None:
    webhook.status = 503
    notices.send(notice)
    outbox.send_due()
    webhook.status = 204
    advance_time(2)
    outbox.send_due()

    row = OutgoingNotice.objects.get()
    assert (len(webhook), row.attempts, row.state, row.error) == (2, 2, "sent", "")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (SMTPAuthenticationError(535, b"bad credentials"), "the mail server answered 535: bad"),
        (WebhookError("the webhook answered 500: Server Error"), "the webhook answered 500: S"),
        (TimeoutError(), "no answer within 10 s"),
        (OSError("no mail server is set up any more"), "no mail server is set up any more"),
        (ValueError(), "ValueError"),
    ],
)
def test_the_log_says_in_words_why_nothing_was_sent(
    notice: Notice, with_mail: None, monkeypatch: pytest.MonkeyPatch, fault: Exception, words: str
) -> None:
    notices.send(notice)
    monkeypatch.setattr(outbox, "_deliver", Mock(side_effect=fault))

    outbox.send_due()

    assert OutgoingNotice.objects.get().error.startswith(words)


def test_what_a_worker_died_of_sending_is_sent_by_the_next(
    notice: Notice, with_mail: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices.send(notice)
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "_deliver", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            outbox.send_due()

    assert outbox.send_due() == 0
    advance_time(2)
    assert outbox.send_due() == 1


def test_two_workers_do_not_send_the_same(notice: Notice, with_mail: None) -> None:
    notices.send(notice)
    [pk] = OutgoingNotice.objects.values_list("pk", flat=True)
    outgoing_notice = OutgoingNotice.objects.get()

    assert outbox.attempt(pk)
    assert not outbox._claim_attempt(outgoing_notice, timezone.now())
    assert len(mail.outbox) == 1


def test_what_waits_while_all_is_switched_off_waits_on(
    notice: Notice, with_mail: None, settings: Any
) -> None:
    notices.send(notice)
    settings.CAN_MAIL = False

    assert outbox.send_due() == 0
    assert OutgoingNotice.objects.get().attempts == 0


def test_of_a_removed_study_nothing_is_sent(notice: Notice, study: Study, with_mail: None) -> None:
    notices.send(notice)
    Study.objects.update(removed=timezone.now())

    outbox.send_due()

    assert [state for _, _, state in rows()] == ["dropped"]
    assert mail.outbox == []


def test_old_rows_are_forgotten(notice: Notice, with_mail: None) -> None:
    notices.send(notice)
    assert outbox.forget_old_notices() == 0

    OutgoingNotice.objects.update(created=timezone.now() - timedelta(days=91))

    assert outbox.forget_old_notices() == 1


# --- who has stopped ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("series_count", "days", "notice_count"),
    [(1, 3, 0), (2, 3, 1), (3, 3, 1), (4, 3, 0), (3, 1.9, 0), (3, 2.1, 1), (3, 33, 0)],
)
def test_who_stopped_with_one_or_two_left_is_reminded_once(
    with_mail: None,
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    ana: User,
    series_count: int,
    days: float,
    notice_count: int,
) -> None:
    tasks = [make_task(make_series([2.0, 1.0, 1.0], fork=fork)) for fork in range(series_count)]
    answer_and_stop(tasks[:1], ana, days=days)

    assert campaign_notices.remind_of_few_left() == notice_count
    cache.clear()  # an hour later
    assert campaign_notices.remind_of_few_left() == 0

    outbox.send_due()
    word = "One series" if series_count == 2 else "Two series"
    assert [message.subject for message in mail.outbox] == [
        f"{word} left of First look"
    ] * notice_count


@pytest.mark.parametrize(
    ("purpose", "notice_count"), [("screening", 1), ("changes", 1), ("training", 0), ("repeat", 0)]
)
def test_campaigns_of_people_remind_whatever_they_ask(
    with_mail: None,
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    ana: User,
    purpose: str,
    notice_count: int,
) -> None:
    tasks = [make_task(make_series([2.0, 1.0, 1.0], fork=fork)) for fork in range(2)]
    answer_and_stop(tasks[:1], ana, days=3)
    Campaign.objects.update(purpose=purpose)

    assert campaign_notices.remind_of_few_left() == notice_count


def test_nobody_is_reminded_of_a_campaign_that_takes_no_answers(
    with_mail: None,
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    ana: User,
) -> None:
    tasks = [make_task(make_series([2.0, 1.0, 1.0], fork=fork)) for fork in range(2)]
    answer_and_stop(tasks[:1], ana, days=3)
    Campaign.objects.update(state=Campaign.State.CLOSED)

    assert campaign_notices.remind_of_few_left() == 0


def test_reminders_are_looked_into_once_an_hour(
    with_mail: None, campaign: Campaign, django_assert_num_queries: Any
) -> None:
    campaign_notices.remind_of_few_left()

    with django_assert_num_queries(0):
        campaign_notices.remind_of_few_left()


# --- other events -------------------------------------------------------------------------------
def test_the_last_answer_tells_the_webhook_that_the_campaign_is_complete(
    webhook: HookCalls,
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    ana: User,
    ben: User,
) -> None:
    task = make_task(make_series([2.0, 1.0, 1.0]))
    people = list(User.objects.filter(assignments__task=task))

    for person in people:
        assert rows() == []
        answer(task, person)
    answer(task, people[-1])  # a change of mind is no news
    outbox.send_due()

    [call] = webhook
    assert (call["event"], call["subject"]) == ("campaign-complete", "First look is complete")


def test_a_campaign_of_all_changes_is_told_complete_too(
    webhook: HookCalls,
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    campaign: Campaign,
) -> None:
    campaign.purpose = Campaign.Purpose.CHANGES
    campaign.save()
    task = make_task(make_series([2.0, 1.0, 1.0]))

    for person in User.objects.filter(assignments__task=task):
        digest = task.series.digest
        save_mark(task, by=person, client_id=uuid4(), digest=digest, kind="changes", changes=[1])
    outbox.send_due()

    assert [call["event"] for call in webhook] == ["campaign-complete"]


def test_who_is_asked_to_look_again_is_told(
    with_mail: None, task: Task, ana: User, olga: User
) -> None:
    answer(task, ana)

    reannotation.ask_again(task, asked_names=["a1", "a2"], question="Why?", by=olga)
    outbox.send_due()

    [message] = mail.outbox
    assert message.to == [ana.email]
    assert "answer series 1 again" in message.body


def test_links_are_mailed_to_their_person_and_stored_nowhere(
    client: Client, with_mail: None, webhook: HookCalls, campaign: Campaign, olga: User, vic: User
) -> None:
    dina, fay, _ = invitations.invite_to_campaign(
        campaign, [("Dina", "dina@x.org"), ("Fay", "fay@x.org"), ("Emil", "")], by=olga
    )
    mails = reverse("campaign-invitation-mails", args=[campaign.study.slug, campaign.slug])
    client.force_login(vic)
    assert client.post(mails).status_code == 403
    client.force_login(olga)

    client.post(mails)
    stored_text = str(list(OutgoingNotice.objects.values()))
    services.revoke_invitation(fay)
    outbox.send_due()

    [message] = mail.outbox
    assert message.to == ["dina@x.org"]
    assert f"http://testserver/join/{dina.token}/" in message.body
    assert dina.token not in stored_text
    assert webhook == []
    assert sorted(rows()) == [("mail", "dina@x.org", "sent"), ("mail", "fay@x.org", "dropped")]


# --- the log ------------------------------------------------------------------------------------
def test_an_owner_sees_what_was_given_up_and_sends_it_again(
    client: Client, notice: Notice, with_mail: None, study: Study, olga: User
) -> None:
    notices.send(notice)
    OutgoingNotice.objects.update(state="failed", attempts=7, error="OSError: no route")
    [row] = OutgoingNotice.objects.all()
    client.force_login(olga)

    people = client.get(reverse("people", args=[study.slug])).content.decode()
    log = client.get(reverse("notices", args=[study.slug])).content.decode()
    client.post(reverse("notice-again", args=[study.slug, row.public_id]))

    assert "data-failed-notices" in people
    assert 'data-notice="failed"' in log
    assert "OSError: no route" in log
    assert rows() == [("mail", "ana@x.org", "waiting")]
    assert outbox.send_due() == 1


def test_without_a_mail_server_the_owner_mails_from_their_own_program(
    client: Client, campaign: Campaign, olga: User
) -> None:
    [dina] = invitations.invite_to_campaign(campaign, [("Dina", "dina@x.org")], by=olga)
    client.force_login(olga)
    slugs = [campaign.study.slug, campaign.slug]

    page = client.get(reverse("campaign-invitations", args=slugs)).content.decode()

    assert 'href="mailto:dina%40x.org?subject=First%20look' in page
    assert f"testserver%2Fjoin%2F{dina.token}" in page.replace("http%3A//", "").replace("/", "%2F")
    assert client.post(reverse("campaign-invitation-mails", args=slugs)).status_code == 404
