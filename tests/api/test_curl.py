"""The API with nothing but `curl`: the lines of the guide, as they stand there."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evidence.bench.processes import ROOT
from people.models import Membership, Role, Study, User
from people.models.token import SCOPES
from people.tokens import make_token
from tests.api.test_api import JMH

GUIDE = (ROOT / "docs/guide/api.md").read_text("utf-8")
(LINES,) = re.findall(r"^```sh\n(ask\(\).*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not shutil.which("curl"), reason="no curl: apt install curl")
def test_the_lines_of_the_guide_bring_a_file_in_and_results_out(
    live_server: Any, tmp_path: Path, worker_here: None
) -> None:
    study, olga = Study.objects.create(slug="work", name="Work"), User.objects.create(username="o")
    Membership.objects.create(study=study, user=olga, role=Role.OWNER)
    token = make_token(study, by=olga, name="Nightly", scopes=SCOPES, days=1)[1]
    (tmp_path / "results.json").write_bytes(JMH)
    settings_of_guide = {"SERVER": live_server.url, "PLATEAU_TOKEN": token, "COMMIT": "1a2b3c"}

    process = subprocess.run(
        ["sh", "-e", "-c", LINES],
        cwd=tmp_path,
        env=os.environ | settings_of_guide,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert (process.returncode, process.stderr) == (0, "")
    detections = list(csv.DictReader((tmp_path / "detections.csv").read_text().splitlines()))
    assert [row["steady_start"] for row in detections] == ["2", "2"]
    assert "org.Sort.quick" in (tmp_path / "trend.csv").read_text()
