"""Servers on this machine that take notices: a webhook's and a mail server, with what they took."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import BaseServer, StreamRequestHandler, TCPServer
from typing import Any

import pytest


class HookCalls(list[dict[str, str]]):
    """What a webhook was sent; it answers with `status`, and keeps the headers of each call."""

    status = 204

    def __init__(self) -> None:
        super().__init__()
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []


@contextmanager
def serving(server: BaseServer) -> Iterator[None]:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def webhook(settings: Any) -> Iterator[HookCalls]:
    """Calls of a webhook that the settings name."""
    calls = HookCalls()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            calls.append(json.loads(body))
            calls.bodies.append(body)
            calls.headers.append(dict(self.headers))
            self.send_response(calls.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Hook)
    settings.WEBHOOK = f"http://127.0.0.1:{server.server_port}/hook"
    with serving(server):
        yield calls


@pytest.fixture
def mailbox(settings: Any) -> Iterator[list[EmailMessage]]:
    """Mails that a server took, which the settings name; it speaks SMTP as far as a mail needs."""
    mails: list[EmailMessage] = []

    class MailSession(StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 mailbox\r\n")
            while command := self.rfile.readline():
                if command.upper().startswith(b"DATA"):
                    self.wfile.write(b"354 go on\r\n")
                    lines = iter(self.rfile.readline, b".\r\n")
                    text = b"".join(line.removeprefix(b".") for line in lines)
                    text = text.replace(b"\r\n", b"\n")
                    mails.append(message_from_bytes(text, policy=policy.default))
                self.wfile.write(b"221 bye\r\n" if command[:4] == b"quit" else b"250 mailbox\r\n")

    server = TCPServer(("127.0.0.1", 0), MailSession)
    settings.CAN_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
    with serving(server):
        yield mails
