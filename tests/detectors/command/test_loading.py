"""`python -m detectors check` on anybody's file: what is found, and what is said of the rest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from detectors.__main__ import main
from detectors.command.loading import DetectorNotFound, class_at

SOURCE = """
from detectors.contract import Detection, Detector, Source

class {name}(Detector):
    slug, version, title, code = "{slug}", "1", "Mine", "{code}"
    source = Source("Me")

    def detect(self, values, context):
        return Detection({answer})

class Half(Detector):
    slug, version, title, code = "half", "1", "Half", "HA"
"""


@pytest.fixture(autouse=True)
def _forget_modules() -> Iterator[None]:
    """No module and no folder of a test is there in the next."""
    modules, path = set(sys.modules), list(sys.path)
    yield
    for name in set(sys.modules) - modules:
        del sys.modules[name]
    sys.path[:] = path


def write_detector(
    folder: Path, file: str = "mine_detector.py", answer: str = "-1", **fields: str
) -> Path:
    fields_of_class = {"name": "Mine", "slug": "mine", "code": "MINE", **fields}
    path = folder / file
    path.write_text(SOURCE.format(answer=answer, **fields_of_class))
    return path


def test_a_file_is_checked_where_it_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", f"{write_detector(tmp_path)}:Mine"]) == 0
    assert "keeps the contract" in capsys.readouterr().out


def test_a_module_of_the_working_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_detector(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])

    assert class_at("mine_detector:Mine").slug == "mine"


def test_a_complaint_is_said_once_with_its_series(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", f"{write_detector(tmp_path, answer='values.size')}:Mine"]) == 1

    lines = capsys.readouterr().out.splitlines()
    lines_of_600 = [
        line for line in lines if "steady_start is 600 for a series of 600 values" in line
    ]
    assert len(lines_of_600) == 1
    assert "(step, drift, constant" in lines_of_600[0]
    assert lines[-1].endswith(f"lines above: {len(lines) - 1}")


def test_what_another_method_has_is_a_clash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_detector(tmp_path, slug="kb-kssd", code="KB")

    assert main(["check", f"{path}:Mine"]) == 1
    output = capsys.readouterr().out
    assert "slug 'kb-kssd' is that of KB-KSSD already; take another" in output
    assert "code 'KB' is that of KB-KSSD already; take another" in output


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "x = undefined\n",
            "NameError: name 'undefined' is not defined (mine_detector.py, line 1)",
        ),
        ("\ndef f(:\n", "invalid syntax (mine_detector.py, line 2)"),
        ("import no_such_module_here\n", "No module named 'no_such_module_here' (mine_detector.py"),
        ("x = 1\n", "mine_detector has none"),
    ],
)
def test_a_file_that_cannot_be_used_says_which_line(
    tmp_path: Path, text: str, sentence: str
) -> None:
    path = tmp_path / "mine_detector.py"
    path.write_text(text)

    with pytest.raises(DetectorNotFound) as error_info:
        class_at(f"{path}:Mine")

    assert sentence in str(error_info.value)


def test_a_name_that_is_not_there_names_what_is(tmp_path: Path) -> None:
    path = write_detector(tmp_path)

    with pytest.raises(DetectorNotFound, match="mine_detector has Mine, Half"):
        class_at(f"{path}:Nine")
    with pytest.raises(DetectorNotFound, match="write detect first"):
        class_at(f"{path}:Half")
    with pytest.raises(DetectorNotFound, match="no file"):
        class_at(f"{tmp_path / 'gone.py'}:Mine")
    with pytest.raises(DetectorNotFound, match="rename the file"):
        class_at(f"{write_detector(tmp_path, 'json.py')}:Mine")
