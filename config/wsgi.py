"""The application for a WSGI server."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from django.core.wsgi import get_wsgi_application

from config import garbage
from detectors.compilation.stack_room import with_stack_room

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
with garbage.paused_collection():
    _django = get_wsgi_application()
    # Before a server forks: its processes share what is there.
    from analysis.web.figures import load_plotly
    from config import urls  # noqa: F401
    from people.late_registry import register_waiting

    register_waiting()
    load_plotly()
NICE = 10  # of loading what nobody waits for yet, as of workers


@with_stack_room
def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Answers as Django does. The first request of a process begins to load what later ones need.

    Not before: a process that has threads cannot be forked safely, and a server may fork.
    """
    begin_warming()
    return _django(environ, start)


@cache
def begin_warming() -> None:
    """Once a process, in a thread of its own."""
    threading.Thread(target=load_everything, name="warm", daemon=True).start()


def load_templates() -> None:
    """Compile all templates of pages, which are kept."""
    from django.conf import settings  # noqa: PLC0415
    from django.template.loader import get_template  # noqa: PLC0415

    folder = settings.BASE_DIR / "templates"
    for file in sorted(folder.rglob("*.html")):
        get_template(str(file.relative_to(folder)))


def load_everything() -> None:
    """Load what takes seconds of imports and kernels.

    That is the playground's process, templates, all methods, clusters of marks, what an answer
    changes, ranks, a chart's range. The process first: it keeps the priority with which it is
    started, and somebody's slider waits for it.
    """
    from analysis.methods.playground import calculator  # noqa: PLC0415

    calculator.at_once.prepare()
    if sys.platform == "linux":  # where a thread has a priority of its own: below requests
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    from analysis.statistics import signed_ranks  # noqa: PLC0415
    from analysis.statistics.pairwise_agreement import leaf_order  # noqa: PLC0415
    from analysis.statistics.steady_summary import (  # noqa: PLC0415
        change_of_result,
        steady_summary,
    )
    from annotate import recipes  # noqa: PLC0415
    from detectors.arrays.robust_range import robust_range  # noqa: PLC0415
    from detectors.registry import registry  # noqa: PLC0415
    from detectors.simulated.synthetic import simulate  # noqa: PLC0415

    with garbage.paused_collection():
        load_templates()
        registry()
        recipes.preload()
        import_module("analysis.statistics.paired_tests")
        signed_ranks.friedman(np.arange(6.0).reshape(3, 2))
        leaf_order(np.eye(4))
        values = simulate("step", n=200).values
        robust_range(values)
        steady_summary(values, 100)
        change_of_result(values, 100, 150)
        _warm_trends()


def _warm_trends() -> None:
    """Load the kernels of trends, half a second, where an installation has kept any."""
    from django.db import connection  # noqa: PLC0415

    from analysis.trend.models import TrendSummary  # noqa: PLC0415
    from detectors.trends.trend import trend_of  # noqa: PLC0415

    try:
        if TrendSummary.objects.exists():
            trend_of(np.arange(1.0, 9.0), np.arange(8.0), higher_is_better=False)
    finally:
        connection.close()  # that of this thread
