"""A whole installation with its demo, as `make run` starts it: server, worker, broker, database."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext

from analysis.site.demo import PASSWORD

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240.0  # seconds; a machine that compiles every kernel first needs most of them
OWNER, ANNOTATOR, NOBODY = "demo", "ada", ""
PEOPLE = {"owner": OWNER, "annotator": ANNOTATOR, "nobody": NOBODY, "busy": "sam", "large": "owner"}


@dataclass(frozen=True, slots=True)
class DemoInstallation:
    """Where it listens and where its data lies."""

    url: str
    data: Path

    def make_demo(self) -> None:
        """Until its fast runs have ended: at work on them, too."""
        self.manage("demo")

    def await_runs(self) -> None:
        """Until the slower runs of the demo have ended, too."""
        code = (
            "from analysis.runs.models import Run; print(Run.objects.filter(finished=None).count())"
        )
        while self.manage("shell", "--no-imports", "-c", code).split()[-1] != "0":
            time.sleep(5)

    def manage(self, *arguments: str) -> str:
        """What a command of `manage.py` prints there."""
        command = [sys.executable, "manage.py", *arguments]
        process = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    @property
    def environment(self) -> dict[str, str]:
        return environment(self.data)

    def stops(self, *, every_state: bool = False) -> list[dict[str, str]]:
        """The pages of the walk, as this installation's data has them; empty and busy ones, too."""
        code = f"from tests.browser.walk import print_stops; print_stops({every_state=})"
        lines = self.manage("shell", "--no-imports", "-c", code).splitlines()
        walk_stops: list[dict[str, str]] = json.loads(lines[-1])
        return walk_stops

    def context(self, browser: Browser, who: str, **options: object) -> BrowserContext:
        """A browser in which `who` has signed in by the form."""
        context = browser.new_context(base_url=self.url, **options)  # type: ignore[arg-type]
        context.set_default_timeout(60_000)
        if who:
            page = context.new_page()
            page.goto("/sign-in/")
            page.get_by_label("User name").fill(who)
            page.get_by_label("Password").fill(PASSWORD)
            page.locator("main").get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/")
            page.close()
        return context


def environment(data: Path) -> dict[str, str]:
    kept_settings = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}
    }
    own_environment = {"PLATEAU_DATA": str(data), "PLATEAU_MODE": "development"}
    # Each web process loads what statistics need; `tests/stack/test_launch.py` starts several.
    return kept_settings | own_environment | {"GUNICORN_CMD_ARGS": "--workers 1"}


@contextmanager
def running_demo(data: Path) -> Iterator[DemoInstallation]:
    """Start one with its data in `data` and no demo; Ctrl-C ends it, as it would for a person."""
    port = _free_port()
    log = data.parent / f"{data.name}.log"
    with log.open("w") as output:
        command = [sys.executable, "-m", "config.launch", "--no-demo", "--port", str(port)]
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment(data), stdout=output, stderr=subprocess.STDOUT
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(f"{url}/health/", server, log)
            yield DemoInstallation(url, data)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)


def _free_port() -> int:
    with socket.socket() as free_socket:
        free_socket.bind(("127.0.0.1", 0))
        return int(free_socket.getsockname()[1])


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        if '"workers": "ok"' in _page_text(address):
            return
        time.sleep(0.5)
    raise AssertionError(f"the installation did not start:\n{log.read_text()[-4000:]}")


def _page_text(address: str) -> str:
    try:
        with urlopen(address, timeout=30) as answer:  # noqa: S310  # our own address
            text: str = answer.read().decode()
            return text
    except (URLError, OSError):
        return ""
