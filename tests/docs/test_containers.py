"""The container and the compose file say what settings, commands and files there are."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from evidence.bench.processes import ROOT
from scripts import container_health

COMPOSE: Any = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
CONTAINER = (ROOT / "Containerfile").read_text("utf-8")
OURS = ("prepare", "web", "worker")


@pytest.mark.parametrize("name", OURS)
def test_every_setting_is_one_that_plateau_reads(name: str) -> None:
    guide = (ROOT / "docs/guide/configuration.md").read_text("utf-8")
    setting_names = set(re.findall(r"^\| `([A-Z_]+)`", guide, re.MULTILINE))

    assert set(COMPOSE["services"][name]["environment"]) <= setting_names


@pytest.mark.parametrize("name", OURS)
def test_nothing_of_ours_has_more_rights_than_it_needs(name: str) -> None:
    service = COMPOSE["services"][name]

    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert [line for line in CONTAINER.splitlines() if line.startswith("USER")] == ["USER 10001"]
    assert service.get("ports", ["127.0.0.1:8000:8000"]) == ["127.0.0.1:8000:8000"]


def test_every_service_has_a_health_check_and_a_named_volume() -> None:
    for name, service in COMPOSE["services"].items():
        assert "healthcheck" in service or (name, "HEALTHCHECK" in CONTAINER) == ("web", True)
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in COMPOSE["volumes"]


def test_what_the_container_starts_is_there() -> None:
    for path in (
        "requirements.txt",
        "requirements-s3.txt",
        "config/web.py",
        "config/wsgi.py",
        "scripts/container_health.py",
    ):
        assert (ROOT / path).is_file()
        assert path in CONTAINER or path.startswith("config/")
    ignored_paths = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert not {"config", "static", "templates", "docs", "demo", "scripts"} & set(ignored_paths)


def test_settings_and_databases_stay_out_of_the_image() -> None:
    ignored_paths = (ROOT / ".dockerignore").read_text("utf-8").split()

    for name in (
        ".env",
        ".env.production",
        "plateau.env",
        "plateau.sqlite3",
        "plateau.sqlite3-wal",
    ):
        assert any(fnmatch(name, pattern) for pattern in ignored_paths), name


ENV_FILE = {
    "SECRET_KEY": "x" * 60,
    "ALLOWED_HOSTS": "plateau.example.org, www.example.org",
    "PLATEAU_URL": "https://plateau.example.org",
    "POSTGRES_PASSWORD": "p@ss/w:rd?#%",
    "PLATEAU_WEBHOOK": "https://hook.example.org/a",
    "PLATEAU_OIDC_ISSUER": "https://login.example.org",
    "PLATEAU_OIDC_CLIENT_ID": "plateau",
    "PLATEAU_OIDC_CLIENT_SECRET": "a secret",
    "VALUES_STORE": "s3",
    "VALUES_BUCKET": "values",
    "PLATEAU_TRUSTED_PROXIES": "2",
}
SHOW_SETTINGS = """
import json, django
django.setup()
from django.conf import settings
from django.db import connection
from psycopg.pq import Conninfo
usual = {option.keyword: option.val for option in Conninfo.get_defaults()}
database = connection.get_connection_params()
print(json.dumps({
    "hosts": settings.ALLOWED_HOSTS, "url": settings.PUBLIC_URL, "webhook": settings.WEBHOOK,
    "provider": settings.OIDC_PROVIDER, "bucket": settings.VALUES_BUCKET,
    "proxies": settings.TRUSTED_PROXIES, "database": [database["host"], database["user"]],
    "passwords": [database.get("password"), (usual[b"password"] or b"").decode()],
}))
"""


def interpolate(text: str, settings: Mapping[str, str]) -> str:
    """As compose does: `${NAME}`, `${NAME:-otherwise}` and `${NAME:?complaint}`."""

    def value(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        if not settings.get(name) and kind == "?":
            raise LookupError(f"{name}: {rest}")
        return settings.get(name) or rest or ""

    return re.sub(r"\$\{(\w+)(?::([-?])([^}]*))?\}", value, text)


@pytest.mark.parametrize("name", OURS)
def test_a_service_has_every_setting_of_the_file(name: str, tmp_path: Path) -> None:
    service = COMPOSE["services"][name]
    service_settings = {
        key: interpolate(str(value), ENV_FILE) for key, value in service["environment"].items()
    }
    environment = {
        **ENV_FILE,
        **service_settings,
        "PATH": os.environ["PATH"],
        "PLATEAU_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    process = subprocess.run(
        [sys.executable, "-c", SHOW_SETTINGS],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert service["env_file"] == ".env"
    assert json.loads(process.stdout) == {
        "hosts": ["plateau.example.org", "www.example.org"],
        "url": "https://plateau.example.org",
        "webhook": "https://hook.example.org/a",
        "provider": "login-example-org",
        "bucket": "values",
        "proxies": 2,
        "database": ["database", "plateau"],
        "passwords": [None, "p@ss/w:rd?#%"],
    }


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "ALLOWED_HOSTS", "PLATEAU_URL", "POSTGRES_PASSWORD"]
)
def test_a_setting_that_is_missing_is_named(name: str) -> None:
    remaining_settings = {key: value for key, value in ENV_FILE.items() if key != name}

    with pytest.raises(LookupError, match=name):
        interpolate(str(COMPOSE["services"]["web"]["environment"]), remaining_settings)


@pytest.mark.parametrize(
    ("allowed_hosts", "host"),
    [
        ("plateau.example.org,www.example.org", "plateau.example.org"),
        (" plateau.example.org , b", "plateau.example.org"),
        (".example.org", "example.org"),
        ("*", "localhost"),
        ("", "localhost"),
    ],
)
def test_health_is_asked_by_a_host_name_that_is_allowed(allowed_hosts: str, host: str) -> None:
    assert container_health.host_of(allowed_hosts) == host


def test_health_is_wrong_where_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_connection(*_: object, **__: object) -> None:
        raise OSError("refused")

    monkeypatch.setattr(container_health, "urlopen", refuse_connection)

    assert container_health.main() == 1


def test_the_citation_names_the_license_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))

    assert (citation["license"], citation["type"]) == ("MIT", "software")
    assert "MIT License" in (ROOT / "LICENSE").read_text("utf-8")


def test_package_citation_and_changelog_name_one_release() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    package = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heads = re.findall(r"^## \[(\d.*)\] - (.*)$", changes, re.MULTILINE)

    assert heads[0] == (citation["version"], citation["date-released"])
    assert package["version"] == citation["version"]
