"""The walk of annotation in Firefox ESR, where `PLATEAU_FIREFOX` names the program.

The walks of training, review and trend (`led`) then go through Firefox, too:
PLATEAU_FIREFOX=/usr/bin/firefox-esr .venv/bin/pytest tests/browser
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytest_django.live_server_helper import LiveServer

from annotate.models import Task
from people.models import User
from series.models import Series
from tests.browser.browser_driver import shown_series, sign_in
from tests.browser.firefox import Firefox, running_firefox

N = 400
SHOWN = """
const answer = document.querySelector("[data-answer]")
const labels = [...document.querySelectorAll("label")]
const input = labels.find((each) => each.innerText.startsWith("Steady from"))?.control
return [document.querySelector("h1").innerText, answer?.dataset.kind ?? "", input?.value ?? ""]
"""
SURFACE = """
const surface = document.querySelector(".chart-stage:not(.is-hidden) .chart-surface")
const box = surface?.getBoundingClientRect() ?? { width: 0 }
const top = box.width && document.elementFromPoint(box.x + box.width / 4, box.y + box.height / 2)
return top && surface.contains(top) ? [box.x, box.y, box.width, box.height] : null
"""


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    program = os.environ.get("PLATEAU_FIREFOX", "")
    if not program:
        pytest.skip("PLATEAU_FIREFOX does not name a Firefox (apt install firefox-esr)")
    with running_firefox(Path(program), tmp_path / "profile") as driver:
        yield driver


@pytest.fixture
def tasks(
    transactional_db: None, make_series: Callable[..., Series], make_task: Callable[[Series], Task]
) -> list[Task]:
    """Five series with a step at 90; the instructions have been read."""
    step = np.where(np.arange(N) < 90, 2.0, 1.0)
    noise = np.arange(N) % 7 * 0.01
    made_tasks = [make_task(make_series(step + noise * (fork + 1), fork=fork)) for fork in range(5)]
    made_tasks[0].campaign.annotators.update(guide_seen=1)
    return made_tasks


def test_keys_and_clicks_are_stored_as_shown(
    firefox: Firefox, live_server: LiveServer, ana: User, tasks: list[Task]
) -> None:
    sign_in(firefox, ana, live_server.url)
    firefox.visit(live_server.url + tasks[0].get_absolute_url())
    firefox.until("return document.documentElement.dataset.annotate === 'ready'")
    answers: list[list[str]] = []

    def expect_next_series() -> None:
        previous_series = f"Series {len(answers)}"
        assert shown_series(firefox, after=previous_series) == f"Series {len(answers) + 1}"

    def save(*keys: str) -> None:
        expect_next_series()
        firefox.press(*keys)
        answers.append(firefox.run(SHOWN))
        firefox.press("Enter")

    save("m", "ArrowRight", "ArrowRight")
    save("m", "Home")
    save("n")
    expect_next_series()
    x, y, width, height = firefox.until(SURFACE)
    firefox.click(x + 90.5 / N * width, y + height / 2)
    save()
    save("m", "End")

    stored_marks = stored_answers(firefox, tasks)
    assert stored_marks == [(kind, int(index) if index else None) for _, kind, index in answers]
    assert [kind for kind, _ in stored_marks] == ["steady", "steady", "never", "steady", "steady"]
    assert abs((stored_marks[3][1] or 0) - 90) <= 2  # a click is as exact as a pixel


def stored_answers(firefox: Firefox, tasks: list[Task]) -> list[tuple[str, int | None]]:
    """The newest mark of each task, once all are there."""
    for _ in range(200):
        marks = [task.marks.order_by("revision").last() for task in tasks]
        answers = [(mark.kind, mark.index) for mark in marks if mark]
        if len(answers) == len(tasks):
            return answers
        firefox.run("return 1")
    return answers
