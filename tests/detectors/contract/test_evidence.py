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
    evidence = evidence_of(slug)

    assert evidence, f"{slug} gives no evidence"
    for item in evidence:
        assert item.label
        assert item.meaning.endswith("."), f"{slug}, {item.label}: no sentence"
        assert len(item.meaning) < 160
        assert {field.name for field in fields(item)} >= {"label", "meaning"}
    json.dumps([as_json(item) for item in evidence], allow_nan=False)


def test_the_series_page_draws_every_item_of_every_method(tmp_path: Path) -> None:
    """By the page's own modules: a path or shapes for each, and rows for its table."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    items = [as_json(item) for slug in METHODS for item in evidence_of(slug)]
    (tmp_path / "items.json").write_text(json.dumps(items))

    script = ROOT / "tests" / "js" / "every-evidence.mjs"
    process = subprocess.run(
        [node, str(script), str(tmp_path / "items.json")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout)["drawn"] == len(items)


def test_levels_and_curves_lie_within_the_series() -> None:
    for slug in METHODS:
        for item in evidence_of(slug):
            if isinstance(item, Levels):
                assert item.pieces[0][0] >= 0
                assert item.pieces[-1][1] <= SERIES.size
            if isinstance(item, Curve) and item.x is not None:
                assert item.x.max() <= SERIES.size
