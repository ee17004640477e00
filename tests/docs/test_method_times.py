"""Times on the pages of methods: quoted from the measured table, and never written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from detectors.registry import registry
from docs import method_times

TABLE = """\
| method | 300 | 3,000 | 100,000 | 300,000 | grows with |
|---|---|---|---|---|---|
| **Change points and groups** | | | | | |
| ensemble | 275 µs | 1.14 ms | 850 ms |  | n^2.0 |
| cp-ssd |  |  |  |  |  |

## Too long

| method | most values | takes | a million would take about |
|---|---|---|---|
| ensemble | 60,000 | 26.9 s | 2.2 h |
"""


def test_every_page_quotes_the_table_of_today() -> None:
    assert method_times.main(check=True) == 0


def test_the_first_table_is_read_by_method_and_length() -> None:
    times = method_times.measured_times(TABLE)

    assert times == {
        "ensemble": {"300": "275 µs", "3,000": "1.14 ms", "100,000": "850 ms"},
        "cp-ssd": {},
    }


def test_a_page_says_the_usual_length_and_the_longest() -> None:
    times = method_times.measured_times(TABLE)

    assert method_times.time_sentence(times["ensemble"]).startswith(
        "**Time.** 3,000 values take 1.14 ms, 100,000 values 850 ms: defaults, "
    )
    assert method_times.time_sentence(times["cp-ssd"]) == method_times.NOT_MEASURED


def test_all_methods_that_answer_by_values_alone_have_a_time() -> None:
    times = method_times.measured_times(method_times.MEASURED.read_text("utf-8"))

    assert {
        slug for slug, method in registry().items() if not (method.needs or method.missing())
    } <= set(times)


@pytest.mark.parametrize(
    ("line", "refused_count"),
    [
        ("3,000 values take about 4 ms with the defaults.", 1),
        ("A window takes 30 µs.", 1),
        ("Some rounds: under a millisecond.", 1),
        ("The package takes 21 to 32 times as long.", 0),
        ("Begin with `--iteration 100 ms` for those.", 0),
        ("<!-- time: written by `make docs` -->\n4 ms\n<!-- /time -->", 0),
    ],
)
def test_a_time_that_is_written_by_hand_is_refused_on_a_methods_page(
    line: str, refused_count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(method_times, "DOCS", tmp_path / "docs")
    page = tmp_path / "docs" / "detectors" / "own.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Own\n{line}\n", "utf-8")

    assert len(list(method_times.handwritten_times(page))) == refused_count


@pytest.mark.parametrize(
    ("line", "refused_count"),
    [("`kb-kssd` takes 50 µs.", 1), ("A page takes 50 ms.", 0), ("Plateau takes 3 ms.", 1)],
)
def test_on_other_pages_it_is_refused_beside_the_name_of_a_method(
    line: str, refused_count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(method_times, "DOCS", tmp_path / "docs")
    page = tmp_path / "docs" / "guide" / "own.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Own\n{line}\n", "utf-8")

    assert len(list(method_times.handwritten_times(page))) == refused_count
