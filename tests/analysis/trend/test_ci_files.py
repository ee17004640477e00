"""The ready files for build servers, run step by step as those servers run them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
import pytest
import yaml

from detectors.registry import DEFAULT_METHOD
from evidence.bench.processes import ROOT
from people.models import Membership, Role, Study, User
from people.models.token import SCOPES
from people.tokens import make_token
from plateau_perf import Client
from tests.programs import PLATEAU, write_program

FOLDER = ROOT / "integrations"
GITHUB, GITLAB = "github-actions.yml", "gitlab-ci.yml"
LEVELS = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0]
PUSHED_ONLY = {1, 2, 4}  # nights whose job is not run: their measurements are sent alone
PROGRAMS = {
    "plateau": PLATEAU,
    "pip": "#!/bin/sh\n",
    # The service's program: it keeps the comment of the file that `body=@FILE` names.
    "gh": "#!/bin/sh\ncat trend.md > gh-comment.md\n",
}


class JobResult(NamedTuple):
    """Whether a job failed, with what its steps wrote to standard error."""

    failed: bool
    errors: str


class CommentService:
    """An HTTP server that keeps the bodies posted to it."""

    def __init__(self) -> None:
        service = self
        self.bodies: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                service.bodies.append(self.rfile.read(size).decode())
                self.send_response(201)
                self.end_headers()

            def log_message(self, *_words: object) -> None:
                """Print nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def comment_service() -> Iterator[CommentService]:
    service = CommentService()
    thread = Thread(target=service.server.serve_forever)
    thread.start()
    yield service
    service.server.shutdown()
    thread.join()
    service.server.server_close()


def run_github_job(folder: Path, environment: Mapping[str, str]) -> JobResult:
    """Run the steps of the workflow in order; after a failure only those whose `if` allows it."""
    workflow = yaml.safe_load((FOLDER / GITHUB).read_text("utf-8"))
    job = workflow["jobs"]["benchmark"]
    assert set(job["env"]) == {"PLATEAU_URL", "PLATEAU_TOKEN", "BUILD"}
    failed, errors = False, []
    for step in job["steps"]:
        condition = step.get("if", "success()")
        allowed = {"success()": not failed, "always()": True, "failure()": failed}[condition]
        if "run" in step and allowed:
            done = _shell(["bash", "-e", "-c", step["run"]], folder, environment)
            errors.append(done.stderr)
            failed = failed or done.returncode != 0
    return JobResult(failed, "".join(errors))


def run_gitlab_job(folder: Path, environment: Mapping[str, str]) -> JobResult:
    """Run `script` as one shell, then `after_script`, which never changes the status."""
    job = yaml.safe_load((FOLDER / GITLAB).read_text("utf-8"))["benchmark"]
    assert job["variables"] == {"BUILD": "$CI_COMMIT_SHA"}
    process = _shell(["bash", "-e", "-c", "\n".join(job["script"])], folder, environment)
    status = {"CI_JOB_STATUS": "failed" if process.returncode else "success"}
    after = _shell(
        ["bash", "-e", "-c", "\n".join(job["after_script"])], folder, {**environment, **status}
    )
    assert after.returncode == 0, after.stderr
    return JobResult(process.returncode != 0, process.stderr + after.stderr)


def _shell(
    command: list[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def _checkout(folder: Path) -> None:
    """Lay out a project: our script without a run, since no worker is here, and programs."""
    script = (FOLDER / "plateau.sh").read_text("utf-8")
    adapted = script.replace(" --run plateau", "").replace("?format", "?start=half&format")
    assert adapted.count("?start=half") == 2
    (folder / "plateau.sh").write_text(adapted)
    for name, program in PROGRAMS.items():
        write_program(folder, name, program)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not shutil.which("curl"), reason="no curl: apt install curl")
@pytest.mark.parametrize(("run_job", "name"), [(run_github_job, GITHUB), (run_gitlab_job, GITLAB)])
def test_a_job_ends_well_and_fails_with_a_comment_on_a_regression(
    live_server: Any, tmp_path: Path, comment_service: CommentService, run_job: Any, name: str
) -> None:
    study, olga = Study.objects.create(slug="work", name="Work"), User.objects.create(username="o")
    Membership.objects.create(study=study, user=olga, role=Role.OWNER)
    token = make_token(study, by=olga, name="Nightly", scopes=SCOPES, days=1)[1]
    _checkout(tmp_path)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PLATEAU_URL": live_server.url,
        "PLATEAU_TOKEN": token,
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "CI_API_V4_URL": comment_service.url,
        "COMMENT_TOKEN": "secret",
    }
    results: list[JobResult] = []
    for night, level in enumerate(LEVELS):
        noise = np.random.default_rng(night).normal(level, 0.001, 40)
        (tmp_path / "measured.json").write_text(json.dumps([noise.tolist()]))
        write_program(tmp_path, "gradlew", "#!/bin/sh\ncp measured.json results.json\n")
        if night in PUSHED_ONLY:
            client = Client(live_server.url, token)
            shutil.copy(tmp_path / "measured.json", tmp_path / "results.json")
            client.push(tmp_path / "results.json", dataset="nightly", label=f"night {night}")
        else:
            results.append(run_job(tmp_path, {**environment, "BUILD": f"night {night}"}))

    assert results == [JobResult(False, ""), JobResult(False, ""), JobResult(True, "")]
    trend = (tmp_path / "trend.md").read_text()
    assert "1 new regression" in trend
    if name == GITHUB:
        assert (tmp_path / "gh-comment.md").read_text() == trend
        assert (tmp_path / "summary.md").read_text().endswith(trend)
    else:
        (body,) = comment_service.bodies
        assert trend in body.replace("\r\n", "\n")


def test_the_guide_names_the_files_that_are_there() -> None:
    guide = (ROOT / "docs/guide/ci.md").read_text("utf-8")
    file_names = set(re.findall(r"integrations/([\w.-]+)", guide))

    assert file_names == {path.name for path in FOLDER.iterdir() if path.is_file()}


def test_the_script_lets_the_default_method_answer() -> None:
    script = (FOLDER / "plateau.sh").read_text("utf-8")

    assert re.findall(r"--run (\S+)$", script, re.MULTILINE) == [DEFAULT_METHOD]
