"""Debian's Firefox, led by its own remote protocol (Marionette): nothing has to be installed.

Playwright leads only a Firefox that it has changed itself, and Debian has no geckodriver.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STARTS_WITHIN = 60.0  # seconds
KEYS = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowRight": "\ue014",
}


class MarionetteError(Exception):
    """Firefox's word on a command that it cannot do."""


class Firefox:
    """One window of a running Firefox."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._stream = connection.makefile("rb")
        self._count = 0
        self._message()  # a greeting
        self.ask("WebDriver:NewSession")

    def ask(self, command: str, **parameters: object) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, command, parameters]).encode()
        self._connection.sendall(f"{len(message)}:".encode() + message)
        _, _, error, answer = self._message()
        if error:
            raise MarionetteError(f"{command}: {error['error']}: {error['message']}")
        return answer

    def run(self, script: str, *arguments: object) -> Any:
        """What the body of a function returns in the page."""
        answer = self.ask("WebDriver:ExecuteScript", script=script, args=list(arguments))
        return answer["value"]

    def visit(self, address: str) -> None:
        self.ask("WebDriver:Navigate", url=address)

    def until(self, script: str, *arguments: object, seconds: float = 15.0) -> Any:
        """What `script` returns once that is something."""
        deadline = time.monotonic() + seconds
        while not (answer := self.run(script, *arguments)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"after {seconds} s still {answer!r}: {script}")
            time.sleep(0.05)
        return answer

    def cookie(self, name: str, value: str, url: str) -> None:
        """One of the page that is shown, which must be of `url`."""
        self.ask("WebDriver:AddCookie", cookie={"name": name, "value": value})

    def press(self, *keys: str) -> None:
        """Real keys, one after another, wherever the focus is, once the page is loaded."""
        self.until("return document.readyState === 'complete'")
        strokes = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self._perform({"type": "key", "id": "keyboard", "actions": strokes})

    def click(self, x: float, y: float) -> None:
        """A real click at a place of the window."""
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        taps = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"parameters": {"pointerType": "mouse"}, "actions": [move, *taps]}
        self._perform({"type": "pointer", "id": "mouse", **mouse})

    def _perform(self, device: dict[str, Any]) -> None:
        self.ask("WebDriver:PerformActions", actions=[device])
        self.ask("WebDriver:ReleaseActions")

    def _message(self) -> Any:
        length = b""
        while (digit := self._stream.read(1)) not in {b":", b""}:
            length += digit
        return json.loads(self._stream.read(int(length)))


@contextmanager
def running_firefox(program: Path, profile: Path) -> Iterator[Firefox]:
    """A Firefox without a window, with a profile of its own; ended at the end."""
    port = _free_port()
    profile.mkdir(parents=True)
    profile.joinpath("user.js").write_text(f'user_pref("marionette.port", {port});\n')
    options = ["--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(
        [program, *options, "--width", "1280", "--height", "900"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            with _connection_to(port) as connection:
                firefox = Firefox(connection)
                yield firefox
                firefox.ask("Marionette:Quit", flags=["eForceQuit"])
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as free_socket:
        free_socket.bind(("127.0.0.1", 0))
        return int(free_socket.getsockname()[1])


def _connection_to(port: int) -> socket.socket:
    deadline = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=STARTS_WITHIN)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
