"""Pictures of every page, light and dark, wide and narrow: `make screenshots`.

A throw-away installation with the demo is started, looked at, and removed again.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screenshots"
SIZES = {"1280": {"width": 1280, "height": 800}, "390": {"width": 390, "height": 844}}
PATIENCE = 180.0  # seconds until the installation answers; the demo is made in them


def main() -> None:
    chosen = set(sys.argv[1:])  # names of pages; none means all
    with tempfile.TemporaryDirectory(prefix="plateau-pictures-") as data:
        port = _free_port()
        os.environ.update(PLATEAU_DATA=data, PLATEAU_MODE="development")
        launch = [sys.executable, "-m", "config.launch", "--port", str(port)]
        server = subprocess.Popen(launch, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, server)
            _take(url, chosen)
        finally:
            server.terminate()
            server.wait(30)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(f"{url}/health/", timeout=2):  # noqa: S310  # our own address
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise SystemExit("the installation did not start; `make run` shows why")


def _take(url: str, chosen: set[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    import django  # noqa: PLC0415  # after the environment

    django.setup()
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    from tests.browser.conftest import CHROMIUM, FLAGS, sign_in  # noqa: PLC0415
    from tests.browser.walk import Demo, settle, stops  # noqa: PLC0415

    demo = Demo.found()
    people = {"owner": demo.owner, "annotator": demo.annotator, "nobody": None}
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for width, size in SIZES.items():
            for who, user in people.items():
                context = browser.new_context(base_url=url, viewport=size)  # type: ignore[arg-type]
                if user:
                    sign_in(context, user, url)
                page = context.new_page()
                for stop in stops(demo):
                    if stop.who != who or (chosen and stop.name not in chosen):
                        continue
                    for theme in ("light", "dark"):
                        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                        page.goto(stop.address)
                        settle(page)
                        page.screenshot(path=FOLDER / f"{stop.name}-{theme}-{width}.png")
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
