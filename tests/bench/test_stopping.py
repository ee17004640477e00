"""The stopping rules beside published stops, from the study that every layout gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.stopping import against_the_published
from detectors.contract import door
from replication.published_study import PublishedBenchmark, PublishedStudy


def test_forks_that_are_not_there_are_said_to_be_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    values = door(np.linspace(0.02, 0.01, 900))  # ten operations an iteration
    stops = dict.fromkeys(("CV", "RCIW", "KLD"), ((499, 599),))
    one = PublishedBenchmark("a#b#", read=lambda: [values], stops=stops)

    against_the_published(PublishedStudy(Path(), [one]))

    rows = capsys.readouterr().out.splitlines()[4:]
    assert rows[0].startswith("| laaber-cov | all | 1 | ")
    assert rows[1] == (
        "| laaber-cov | one operation an iteration | 0 | | | | | not computed: no such fork |"
    )
