"""Every method explains its answer, with drawings that a page can make unseen."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from detectors.contract import Context, as_json, as_series
from detectors.contract.evidence import Curve, Evidence, Levels
from detectors.registry import registry
from detectors.simulated.synthetic import simulate

ROOT = Path(__file__).resolve().parents[3]
SERIES = as_series(simulate("step", n=900, seed=2).values)
SETTINGS = {
    "warmup_iterations": 5,
    "warmup_seconds": 10.0,
    "measurement_iterations": 5,
    "measurement_seconds": 10.0,
}


# A learned method without weights says so instead; its evidence is tested where it has some.
METHODS = sorted(slug for slug, each in registry().items() if not each.missing())


def evidence_of(slug: str) -> tuple[Evidence, ...]:
    return registry()[slug]().evidence(SERIES, Context(settings=SETTINGS))


@pytest.mark.parametrize("slug", METHODS)
def test_every_method_explains_its_answer(slug: str) -> None:
    drawings = evidence_of(slug)

    assert drawings, f"{slug} gives no evidence"
    for drawing in drawings:
        assert drawing.label
        assert drawing.meaning.endswith("."), f"{slug}, {drawing.label}: no sentence"
        assert len(drawing.meaning) < 160
        assert {field.name for field in fields(drawing)} >= {"label", "meaning"}
    json.dumps([as_json(drawing) for drawing in drawings], allow_nan=False)


def test_the_series_page_draws_every_item_of_every_method(tmp_path: Path) -> None:
    """By the page's own modules: a path or shapes for each, and rows for its table."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    drawings = [as_json(drawing) for slug in METHODS for drawing in evidence_of(slug)]
    (tmp_path / "items.json").write_text(json.dumps(drawings))

    script = ROOT / "tests" / "js" / "every-evidence.mjs"
    process = subprocess.run(
        [node, str(script), str(tmp_path / "items.json")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout)["drawn"] == len(drawings)


def test_levels_and_curves_lie_within_the_series() -> None:
    for slug in METHODS:
        for drawing in evidence_of(slug):
            if isinstance(drawing, Levels):
                assert drawing.pieces[0][0] >= 0
                assert drawing.pieces[-1][1] <= SERIES.size
            if isinstance(drawing, Curve) and drawing.x is not None:
                assert drawing.x.max() <= SERIES.size
