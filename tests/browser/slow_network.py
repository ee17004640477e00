"""A slow network on purpose, to find what a test or a page does before it should.

PLATEAU_BROWSER_DELAY="script=800 data=500 page=300 look=500" .venv/bin/pytest tests/browser
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from random import Random
from typing import Any

# What a browser says that it asks for, in `Sec-Fetch-Dest`; `empty` for what scripts fetch.
KINDS = {"document": "page", "empty": "data", "script": "script", "style": "look", "font": "look"}
LONGEST = {
    kind: int(ms) / 1000
    for kind, _, ms in (
        part.partition("=") for part in os.environ.get("PLATEAU_BROWSER_DELAY", "").split()
    )
}
DRAWN = Random(1)
Application = Callable[..., Any]


def slowed(application: Application) -> Application:
    """Each answer is late by a random part of the milliseconds of its kind.

    It waits before and after the server has worked, so that answers overtake one another.
    """
    unknown_kinds = set(LONGEST) - set(KINDS.values())
    assert not unknown_kinds, (
        f"PLATEAU_BROWSER_DELAY has {unknown_kinds}, expected {set(KINDS.values())}"
    )

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        kind = KINDS.get(environ.get("HTTP_SEC_FETCH_DEST", ""), "")
        longest_delay = LONGEST.get(kind, 0)
        time.sleep(DRAWN.uniform(0, longest_delay / 2))
        answer = application(environ, start_response)
        time.sleep(DRAWN.uniform(0, longest_delay / 2))
        return answer

    return answer
