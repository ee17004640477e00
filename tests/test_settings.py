"""Settings: production refuses to start half-configured."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def check(tmp_path: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check` with nothing but these settings."""
    clean = {"PATH": os.environ["PATH"], "PLATEAU_DATA": str(tmp_path), **environment}
    command = [sys.executable, "manage.py", "check", *options]
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({}, "SECRET_KEY is not set."),
        ({"SECRET_KEY": "x" * 60}, "ALLOWED_HOSTS is not set."),
        ({"PLATEAU_MODE": "debug"}, "PLATEAU_MODE: found 'debug'"),
    ],
)
def test_production_refuses_to_start(
    tmp_path: Path, environment: dict[str, str], complaint: str
) -> None:
    done = check(tmp_path, **environment)

    assert done.returncode != 0
    assert complaint in done.stderr


def test_deployment_check_is_clean(tmp_path: Path) -> None:
    key = "kJ3-9vQ_pX7wZ2mN8bV5cL1sD6fG4hT0yR-uE_oI3aP9qW7xK2"
    done = check(
        tmp_path,
        "--deploy",
        "--fail-level=WARNING",
        SECRET_KEY=key,
        ALLOWED_HOSTS="plateau.example.org",
    )

    assert done.returncode == 0, done.stderr
