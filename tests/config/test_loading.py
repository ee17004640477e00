"""What a process loads before it can answer: every one of them pays for it at its start."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import pytest

from config import garbage
from config.environment import ROOT

FIGURE_MODULE = "plotly.graph_objs._scatter"  # of what a figure is made
HEAVY_MODULES = (
    *("numba", "pandas", "scikit_posthocs", "scipy", "sklearn", "statsmodels"),
    "matplotlib",  # until a figure is a PDF
    *("prometheus_client", "pythonjsonlogger"),  # of what is off unless a setting says
    "redis",  # until a broker is asked
)
PAGE_MODULES = ("analysis.archive.job_kind", "analysis.comparison.table", "annotate.campaign_pages")
# A command, then a worker as Celery makes one, then the web's process.
PROGRAM = f"""
import gc, json, sys
from celery import current_app, signals
def loaded(*names): return [name for name in names if name in sys.modules]
print("frozen", gc.get_freeze_count() > 10_000)
print("command has", loaded(*{PAGE_MODULES}))
signals.celeryd_init.send(sender=None)
print("pauses", not gc.isenabled())
import analysis.trend.figures
print("command has", loaded("plotly"))
current_app.loader.init_worker()
signals.worker_init.send(sender=None)
print("worker has", loaded("config.urls", "{FIGURE_MODULE}"))
print("collects", gc.isenabled())
import config.wsgi
print("registered", list(sys.modules["analysis.work.kinds"]._kinds.present))
print("web has", loaded("config.urls", *{HEAVY_MODULES}))
"""
EXPECTED_OUTPUT = """\
frozen True
command has []
pauses True
command has []
worker has ['plotly.graph_objs._scatter']
collects True
registered ['run', 'exploration', 'report', 'archive', 'training']
web has ['config.urls']
"""


def test_only_what_is_needed_is_loaded_and_none_of_it_is_looked_at_as_garbage() -> None:
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", PROGRAM]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    assert process.stdout == EXPECTED_OUTPUT


def test_garbage_is_collected_again_also_where_loading_fails() -> None:
    class Cycle:
        def __init__(self) -> None:
            self.me = self

    with garbage.paused_collection():
        assert not gc.isenabled()
    with pytest.raises(ZeroDivisionError), garbage.paused_collection():
        1 / 0  # noqa: B018
    assert gc.isenabled()
    assert gc.get_threshold() == garbage.THRESHOLDS
    made_later = weakref.ref(Cycle())
    gc.collect()

    assert made_later() is None
