"""Calls of the webhook: one host, one call, ten seconds, and 2xx or it was not sent."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from people import notices, outbox
from people.models import OutgoingNotice, Study
from people.notices import Notice

Serve = Callable[[Callable[[socket.socket], None]], str]


class SentRequests(list[bytes]):
    """What servers on this machine were sent."""


@pytest.fixture
def sent_requests() -> SentRequests:
    return SentRequests()


@pytest.fixture
def serve(sent_requests: SentRequests) -> Iterator[Serve]:
    """Start a server that answers each call by a function; its host and port."""
    with ExitStack() as stack:

        def start(answer: Callable[[socket.socket], None]) -> str:
            listening_socket = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
            threading.Thread(
                target=_take, args=(listening_socket, answer, sent_requests), daemon=True
            ).start()
            return f"127.0.0.1:{listening_socket.getsockname()[1]}"

        yield start


def _take(
    listening_socket: socket.socket,
    answer: Callable[[socket.socket], None],
    sent_requests: SentRequests,
) -> None:
    while True:
        try:
            call, _ = listening_socket.accept()
        except OSError:  # the test has ended
            return
        with call:
            sent_requests.append(call.recv(65536))
            answer(call)


def answering(text: str) -> Callable[[socket.socket], None]:
    return lambda call: call.sendall(f"HTTP/1.1 {text}\r\n\r\n".encode())


@pytest.fixture
def tell(settings: Any, study: Study) -> Callable[[str], tuple[str, str]]:
    """Send a notice to an address; its state and error after the first attempt."""

    def told(address: str) -> tuple[str, str]:
        settings.WEBHOOK, settings.WEBHOOK_SECRET = address, "s3cret"
        notices.send(Notice("run-finished", "Done", "Done.", study))
        outbox.send_due()
        row = OutgoingNotice.objects.get()
        return row.state, row.error

    return told


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Moved"])
def test_a_redirect_is_not_followed_and_is_no_success(
    status: str, serve: Serve, sent_requests: SentRequests, tell: Callable[[str], tuple[str, str]]
) -> None:
    """A page of a sign-in would answer 200, and take the notice with it; so would another host."""
    other_host = serve(answering("200 OK"))
    host = serve(answering(f"{status}\r\nLocation: http://{other_host}/sign-in"))

    state, error = tell(f"http://{host}/hook")

    assert (state, len(sent_requests)) == ("waiting", 1)
    assert error == f"the webhook answered {status[:3]}: {status[4:]}; a redirect is not followed"


@pytest.mark.parametrize(
    ("status", "state"),
    [("200 OK", "sent"), ("204 None", "sent"), ("304 Same", "waiting"), ("404 No", "waiting")],
)
def test_2xx_alone_is_a_success(
    status: str, state: str, serve: Serve, tell: Callable[[str], tuple[str, str]]
) -> None:
    assert tell(f"http://{serve(answering(status))}/")[0] == state


def test_the_whole_call_has_an_end(
    serve: Serve, settings: Any, tell: Callable[[str], tuple[str, str]]
) -> None:
    """A byte now and then keeps every read within its time."""
    end_event = threading.Event()

    def drip(call: socket.socket) -> None:
        call.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not end_event.wait(0.2):
            try:
                call.sendall(b".")
            except OSError:  # the caller has gone
                end_event.set()

    settings.NOTICE_PATIENCE = 2

    assert tell(f"http://{serve(drip)}/") == ("waiting", "no answer within 2 s")
    assert end_event.wait(10)  # nothing is left that still reads


def test_a_name_and_password_of_the_address_are_sent_as_such(
    serve: Serve, sent_requests: SentRequests, tell: Callable[[str], tuple[str, str]]
) -> None:
    host = serve(answering("200 OK"))

    assert tell(f"http://us%40er:p%3Aw@{host}/hook?a=b")[0] == "sent"
    assert sent_requests[0].startswith(b"POST /hook?a=b HTTP/1.1\r\n")
    assert b"Authorization: Basic dXNAZXI6cDp3\r\n" in sent_requests[0]  # us@er:p:w
    assert f"Host: {host}\r\n".encode() in sent_requests[0]


def test_nobody_there_is_said_without_the_password(tell: Callable[[str], tuple[str, str]]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken_socket:
        port = taken_socket.getsockname()[1]
    state, error = tell(f"http://user:secret-word@127.0.0.1:{port}/")

    assert (state, error) == ("waiting", "Connection refused")
