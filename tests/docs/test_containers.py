"""The container and the compose file say what settings, commands and files there are."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from bench.processes import ROOT
from scripts import container_health

COMPOSE: Any = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
CONTAINER = (ROOT / "Containerfile").read_text("utf-8")
OURS = ("prepare", "web", "worker")


@pytest.mark.parametrize("name", OURS)
def test_every_setting_is_one_that_plateau_reads(name: str) -> None:
    guide = (ROOT / "docs/guide/configuration.md").read_text("utf-8")
    known = set(re.findall(r"^\| `([A-Z_]+)`", guide, re.MULTILINE))

    assert set(COMPOSE["services"][name]["environment"]) <= known


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
        "config/web.py",
        "config/wsgi.py",
        "scripts/container_health.py",
    ):
        assert (ROOT / path).is_file()
        assert path in CONTAINER or path.startswith("config/")
    left_out = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert not {"config", "static", "templates", "docs", "demo", "scripts"} & set(left_out)


def test_health_is_wrong_where_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise OSError("refused")

    monkeypatch.setattr(container_health, "urlopen", nobody)

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
