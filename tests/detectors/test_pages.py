"""Every detector of ours has a page, and every page says what the class declares."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from detectors import reference
from detectors.command.checks import broken_lines
from detectors.contract import Detector
from detectors.registry import registry
from docs import prose
from scripts.structure import OPENERS

DOCS = Path(reference.__file__).parents[1] / "docs"
OURS = {
    slug: each
    for slug, each in registry().items()
    if each.__module__.startswith("detectors.methods.")
}


def test_every_detector_has_a_page_and_every_page_a_detector() -> None:
    pages = {path.stem for path in (DOCS / "detectors").glob("*.md")} - {"index", "README"}

    assert pages == set(OURS)


@pytest.mark.parametrize("slug", OURS)
def test_a_page_names_what_the_class_declares(slug: str) -> None:
    page = (DOCS / "detectors" / f"{slug}.md").read_text("utf-8")
    detector = OURS[slug]

    assert page.startswith(f"# {detector.title}\n")
    assert reference.update_page(page, detector) == page, "run python -m detectors.reference"
    for parameter in detector.Params.declared():
        assert f"| `{parameter.name}` | " in page
    for word in ("**Source.**", "**Answer.**", "**Published index.**", "**Checked by**"):
        assert word in page


@pytest.mark.parametrize("slug", OURS)
def test_a_page_begins_with_one_short_sentence(slug: str) -> None:
    summary, *_ = prose.page_prose(DOCS / "detectors" / f"{slug}.md").sentences

    assert prose.sentence_length(summary) <= prose.LONGEST
    assert not OPENERS.match(summary)


@pytest.mark.parametrize("slug", OURS)
def test_tests_named_by_a_page_exist(slug: str) -> None:
    page = (DOCS / "detectors" / f"{slug}.md").read_text("utf-8")

    for path in re.findall(r"`(tests/[^`]+\.py)`", page):
        assert DOCS.parent.joinpath(path).is_file(), path


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="the page of fixed lacks the lines"):
        reference.update_page("# Fixed\n", OURS["fixed"])


def test_the_check_says_which_page_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "fixed.md"
    marks = (reference.RATES_BEGIN, reference.RATES_END, reference.BEGIN, "old", reference.END)
    page.write_text("\n".join(("# Fixed", *marks, "")))
    monkeypatch.setattr(reference, "registry", lambda: {"fixed": OURS["fixed"]})

    assert reference.write_references(tmp_path, check=True) == 1
    assert "its rates or parameters are out of date" in capsys.readouterr().err
    assert reference.write_references(tmp_path, check=False) == 0
    assert "| `iteration` | 500 | 0 to 100000000 | iterations | " in page.read_text()
    assert reference.write_references(tmp_path, check=True) == 0


def test_the_guides_own_detector_keeps_the_contract(tmp_path: Path) -> None:
    guide = (DOCS / "guide" / "add-a-detector.md").read_text("utf-8")
    source = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    assert source
    module = type(sys)("lowest")
    sys.modules["lowest"] = module
    try:
        exec(source[1], module.__dict__)  # noqa: S102  # a page of our own
        lowest: type[Detector] = module.__dict__["Lowest"]

        assert list(broken_lines(lowest)) == []
        assert lowest(k=3).answer(np.r_[9.0, 8.0, 5.0, 5.0, 5.0, 7.0]).steady_start == 2
    finally:
        del sys.modules["lowest"]
