"""The command line that starts a run again on the machine itself."""

from __future__ import annotations

from shlex import quote

from analysis.runs.models import Run
from analysis.runs.selection import SeriesSelection


def command_line(run: Run) -> str:
    """`manage.py run` with the selection and the methods of a run."""
    selection = SeriesSelection.from_json(run.selection)
    words = ["python manage.py run", f"{run.study.slug}/{selection.dataset}"]
    words += selection.arguments()
    words += [f"--method {quote(key)}" for key in run.detectors]
    words += ["--again"] if run.again else []
    return " ".join([*words, "--wait"])
