"""Third-party files are those that the table beside them names, byte for byte."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
VENDOR = ROOT / "static" / "vendor"
ROW = re.compile(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", re.MULTILINE)
NAMED = dict(ROW.findall((VENDOR / "README.md").read_text(encoding="utf-8")))


FONT = VENDOR / "inter-4.1.1" / "inter.woff2"
MORE_FONT = VENDOR / "inter-4.1.1" / "inter-more.woff2"
FONT_BYTES = 32_000  # at most: every page loads it
PAGES = (
    "templates/**/*.html",
    "static/js/**/*.js",
    "static/css/*.css",
    "docs/guide/*.md",
    "analysis/**/*.py",
)
# Signs that Inter does not have: of histograms, of menus, small triangles.
ELSEWHERE = set("▓░⋯▸▾")
FACE = re.compile(r'font-family: "(?P<name>Inter stand-in[^"]*)".*?\}', re.DOTALL)
FONT_RANGES = re.compile(r"/([\w-]+)\.woff2\".*?unicode-range: ([^;]+);", re.DOTALL)
SHARE = re.compile(r"(size-adjust|ascent-override|descent-override): ([\d.]+)%")


def test_every_file_but_licences_is_named_with_its_digest() -> None:
    files = (path for path in VENDOR.glob("*/*") if path.name != "LICENSE")

    assert {path.relative_to(VENDOR).as_posix() for path in files} == set(NAMED)


def test_every_digest_is_that_of_the_file() -> None:
    digest_by_name = {
        name: hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() for name in NAMED
    }

    assert digest_by_name == NAMED


def test_every_folder_keeps_the_licence() -> None:
    folders = [path for path in VENDOR.iterdir() if path.is_dir()]

    assert [path.name for path in folders if not (path / "LICENSE").is_file()] == []


def test_the_font_is_light_enough_to_be_waited_for() -> None:
    assert FONT.stat().st_size <= FONT_BYTES


def test_the_font_has_every_letter_of_the_pages() -> None:
    texts = "".join(
        path.read_text(encoding="utf-8") for pattern in PAGES for path in ROOT.glob(pattern)
    )

    assert {sign for sign in texts if sign.isprintable()} - _letters(FONT) == ELSEWHERE


def test_browsers_fetch_each_file_of_the_font_for_its_letters() -> None:
    style = (ROOT / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    ranges = {name: _codes(text) for name, text in FONT_RANGES.findall(style)}

    # The last file that is declared for a letter is the one that is fetched.
    assert list(ranges) == ["inter-more", "inter"]
    assert _letters(FONT) == {chr(code) for code in ranges["inter"]}
    assert {ord(sign) for sign in _letters(MORE_FONT)} <= ranges["inter-more"]
    assert not {ord(sign) for sign in ELSEWHERE} & (ranges["inter-more"] | ranges["inter"])


def test_the_font_has_tabular_figures_and_the_weights_that_pages_use() -> None:
    font = TTFont(FONT)
    features = {record.FeatureTag for record in font["GSUB"].table.FeatureList.FeatureRecord}
    (weight,) = font["fvar"].axes

    assert "tnum" in features
    assert (weight.minValue, weight.maxValue) == (400, 700)


@pytest.mark.parametrize("at", [0, 1])
def test_a_font_that_stands_in_has_the_line_boxes_of_inter(at: int) -> None:
    style = (ROOT / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    face = list(FACE.finditer(style))[at][0]
    share = {name: float(percent) / 100 for name, percent in SHARE.findall(face)}
    font = TTFont(FONT)
    em = font["head"].unitsPerEm

    ascent = share["ascent-override"] * share["size-adjust"]
    descent = share["descent-override"] * share["size-adjust"]
    assert ascent == pytest.approx(font["hhea"].ascent / em, rel=1e-3)
    assert descent == pytest.approx(-font["hhea"].descent / em, rel=1e-3)


def _letters(font: Path) -> set[str]:
    return {chr(code) for code in TTFont(font).getBestCmap()}


def _codes(ranges: str) -> set[int]:
    """Code points of a list such as `U+20-7E, U+A0`."""
    ends = [text_range.strip().removeprefix("U+").split("-") for text_range in ranges.split(",")]
    return {code for end in ends for code in range(int(end[0], 16), int(end[-1], 16) + 1)}
