"""What a kept picture was drawn from: followed from a template to its style sheets and scripts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from docs import page_sources, screenshots


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page with a parent, a part, a style sheet and two scripts; and a file of another page."""
    files = {
        "templates/base.html": "{% static 'css/base.css' %}",
        "templates/rooms/room.html": '{% extends "base.html" %}{% include "_part.html" with a=b %}',
        "templates/rooms/_other.html": "by the program's choice",
        "templates/_part.html": "{% static 'js/rooms/page.js' %}",
        "templates/elsewhere.html": "{% include '_part.html' %}",
        "static/css/base.css": '@import "tokens.css";',
        "static/css/tokens.css": ":root {}",
        "static/js/rooms/page.js": 'import { keys } from "../shared/keys.js";',
        "static/js/shared/keys.js": 'import "./keys.js"; import x from "library";',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(page_sources, "ROOT", tmp_path)
    monkeypatch.setattr(page_sources, "TEMPLATES", tmp_path / "templates")
    monkeypatch.setattr(page_sources, "STATIC", tmp_path / "static")
    return tmp_path


def digest() -> str:
    return page_sources.digest_of_sources(page_sources.page_sources("rooms/room.html"))


def test_everything_that_the_page_is_made_of_is_found(page: Path) -> None:
    names = {path.name for path in page_sources.page_sources("rooms/room.html")}

    assert names == {
        *("base.html", "room.html", "_other.html", "_part.html"),
        *("base.css", "tokens.css", "page.js", "keys.js"),
    }


@pytest.mark.parametrize("name", ["static/css/tokens.css", "static/js/shared/keys.js"])
def test_the_digest_follows_contents_and_no_times(page: Path, name: str) -> None:
    digest_before = digest()
    os.utime(page / name, (0, 0))
    assert digest() == digest_before

    (page / name).write_bytes((page / name).read_bytes() + b"\n/* new */")
    assert digest() != digest_before


def test_line_ends_and_other_pages_change_nothing(page: Path) -> None:
    (page / "static/css/tokens.css").write_text("a\nb\n")
    digest_before = digest()

    (page / "static/css/tokens.css").write_bytes(b"a\r\nb\r\n")
    (page / "templates/elsewhere.html").write_text("new")

    assert digest() == digest_before


def test_a_picture_without_the_digest_of_today_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    digests_of_today = screenshots.present_digests()
    digests_file = tmp_path / "digests.json"
    monkeypatch.setattr(screenshots, "DIGESTS", digests_file)
    assert screenshots.check_pictures() == 1  # none is kept
    assert capsys.readouterr().err.count("older than the page") == len(digests_of_today)

    digests_file.write_text(str({**digests_of_today, "series": "0"}).replace("'", '"'))
    assert screenshots.check_pictures() == 1
    assert capsys.readouterr().err.startswith("docs/screenshots/series-*.png: older than the page")

    digests_file.write_text(str(digests_of_today).replace("'", '"'))
    assert screenshots.check_pictures() == 0


def test_the_readme_shows_the_pictures_that_are_compared() -> None:
    readme = (page_sources.ROOT / "README.md").read_text("utf-8")

    for name, template in screenshots.KEPT.items():
        assert f"docs/screenshots/{name}-light-1280.png" in readme
        assert (page_sources.TEMPLATES / template).is_file()
    assert readme.count("docs/screenshots/") == len(screenshots.KEPT)
