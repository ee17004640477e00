"""The list of files that others published, and the program that checks a folder of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.registry import FORMATS
from tests.formats import real_files
from tests.formats.real_files import RealFile, listed_files, main

ROW = {"repository": "a/b", "commit": "c", "path": "sort.txt", "kind": "text", "licence": ""}


def test_each_row_says_where_a_file_is_and_what_it_holds() -> None:
    files = listed_files()

    assert len({(file.repository, file.path) for file in files}) == len(files) >= 250
    for file in files:
        assert file.kind in FORMATS or file.refusal  # other tools have no reader
        assert file.repository.count("/") == 1
        assert file.commit
        assert bool(file.refusal) != (len(file.values.split()) == 3 and int(file.series) > 0)
        assert file.lines == "" or int(file.lines) > 0


@pytest.mark.parametrize(
    ("series", "values", "status", "sentence"),
    [
        ("1", "2.0 1.0 1.0", 0, "1 right    0 wrong    0 not there"),
        ("1", "2.0 9.0 9.0", 1, "a/b/sort.txt: found 2.0 1.0 1.0, expected 1 series, 2.0 9.0 9.0"),
        ("2", "2.0 1.0 1.0", 1, "0 right    1 wrong"),
    ],
)
def test_a_folder_is_checked_against_the_list(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    series: str,
    values: str,
    status: int,
    sentence: str,
) -> None:
    rows = [RealFile(**ROW, lines="2", series=series, values=values, refusal="")]
    monkeypatch.setattr(real_files, "listed_files", lambda: rows)
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "sort.txt").write_text("2.0\n1.0\nx\n")

    assert main([str(tmp_path)]) == status
    assert sentence in capsys.readouterr().out


def test_a_refusal_is_checked_by_its_words_and_an_empty_folder_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [RealFile(**ROW, lines="", series="", values="", refusal="found 'x'")]
    monkeypatch.setattr(real_files, "listed_files", lambda: rows)

    assert main([str(tmp_path)]) == 1
    assert "1 not there" in capsys.readouterr().out
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "sort.txt").write_text("1\nx\n")
    assert main([str(tmp_path)]) == 0
