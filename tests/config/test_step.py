"""What a start says of its long steps."""

from __future__ import annotations

import sys
import threading

import pytest

from config import step as steps
from config.step import step


def test_a_short_step_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with step("Making tea"):
        pass

    assert capsys.readouterr().out == ""


def test_a_long_step_says_that_it_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "SAID_AFTER", 0.0)
    monkeypatch.setattr(steps, "SAID_AGAIN_EVERY", 0.01)
    event = threading.Event()

    def tell(text: str, **_: object) -> None:
        sys.stdout.write(f"{text}\n")
        if "so far" in text:
            event.set()

    monkeypatch.setattr("builtins.print", tell)

    with step("Making tea"):
        assert event.wait(20)

    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["Making tea …", "Making tea … 0 s so far"]


def test_a_step_that_fails_falls_silent() -> None:
    thread_count = threading.active_count()

    with pytest.raises(ValueError, match="no water"), step("Making tea"):
        raise ValueError("no water")

    assert threading.active_count() == thread_count
