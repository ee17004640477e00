"""What a process loads before it can answer: every one of them pays for it at its start."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    *("numba", "pandas", "plotly", "scikit_posthocs", "scipy", "sklearn", "statsmodels"),
    *("allauth", "prometheus_client", "pythonjsonlogger"),  # of what is off unless a setting says
)
PROGRAM = f"""
import sys, django
django.setup()
import config.urls
print([name for name in {HEAVY} if name in sys.modules])
"""


def test_every_page_is_there_before_what_only_few_of_them_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
