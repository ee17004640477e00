"""How bytes are letters: UTF-8, UTF-16, Windows-1252; and what is none of them stays refused."""

from __future__ import annotations

import io

import pytest

from formats.encodings import encoding_of, title_of, windows_1252_at, word_at
from formats.errors import FormatError
from formats.options import ReadOptions
from formats.preview import preview
from formats.reading import read_series_of_file

TABLE = "Größe,Zürich\n1,2\n3,4\n"


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b"", "utf-8-sig"),
        (b"a,b\n", "utf-8-sig"),
        ("Größe,b\n".encode(), "utf-8-sig"),
        ("aaü".encode()[:-1], "utf-8-sig"),  # the last letter is cut off
        (b"\xef\xbb\xbfa,b\n", "utf-8-sig"),
        ("a,b\n".encode("utf-16"), "utf-16"),
        ("a,b\n".encode("utf-16-le"), "utf-16-le"),
        ("Größe,b\n".encode("cp1252"), "cp1252"),
        (b"t in \xb5s\n1\n", "cp1252"),
        (b"caf\xe9 \x96 bar\n", "utf-8-sig"),  # a dash stands beside no letter
        (b"\xfc,1\n", "utf-8-sig"),
        (b"1\n\xff\xfe\n", "utf-8-sig"),
        (b"M\xfcnchen\0\n", "utf-8-sig"),
        (b"M\xfcnchen\x81x\n", "utf-8-sig"),  # 0x81 means nothing in it
        (b'{"a": "M\xfcnchen"}', "utf-8-sig"),
        (b"M\xfc\xfc\xfc\xfc\xfc\xfc\xfcnchen\n", "utf-8-sig"),
    ],
)
def test_the_encoding_of_a_beginning(head: bytes, encoding: str) -> None:
    assert encoding_of(head) == encoding


def test_a_choice_is_not_questioned() -> None:
    assert encoding_of(b"a,b", "windows-1252") == "cp1252"
    assert encoding_of("Größe".encode("cp1252"), "utf-8") == "utf-8-sig"
    assert [title_of(encoding) for encoding in ("utf-8-sig", "utf-16-le", "cp1252")] == [
        "",
        "UTF-16",
        "Windows-1252",
    ]


def test_the_word_at_a_place() -> None:
    head = TABLE.encode("cp1252")

    assert windows_1252_at(head) == 2
    assert [word_at(head, place) for place in (0, 2, 7)] == ["Größe", "Größe", "Zürich"]


def test_a_table_of_windows_1252_is_read_and_doubted() -> None:
    file_preview = preview(io.BytesIO(TABLE.encode("cp1252")), "x.csv")

    [doubt] = [doubt for doubt in file_preview.doubts if doubt.name == "encoding"]
    assert [m.benchmark for m in file_preview.drawn] == ["Größe", "Zürich"]
    assert file_preview.encoding == "Windows-1252"
    assert doubt.now == "Byte 3 (0xF6) is no UTF-8; it is read as in “Größe”."
    assert [remedy.options["encoding"] for remedy in doubt.remedies] == ["utf-8", "windows-1252"]


@pytest.mark.parametrize(("chosen_encoding", "problems"), [("windows-1252", 0), ("utf-8", 1)])
def test_a_doubt_that_is_settled_is_none(chosen_encoding: str, problems: int) -> None:
    options = ReadOptions(encoding=chosen_encoding)  # type: ignore[arg-type]

    file_preview = preview(io.BytesIO(TABLE.encode("cp1252")), "x.csv", options=options)

    assert "encoding" not in [doubt.name for doubt in file_preview.doubts]
    assert file_preview.problem_count == problems


def test_what_comes_after_the_beginning_fails_with_a_place() -> None:
    data = b"a,b\n" + b"1,2\n" * 300_000 + b"M\xfcnchen,1\n"

    with pytest.raises(FormatError, match="found 'M\ufffdnchen'"):
        list(read_series_of_file(io.BytesIO(data), "x.csv"))


@pytest.mark.parametrize("flaw", ["\0", "\ud800"])
def test_what_cannot_be_stored_stays_refused(flaw: str) -> None:
    data = f"Größe{flaw},b\n1,2\n".encode("cp1252", "replace")
    if flaw == "\ud800":
        data = f"Größe{flaw},b\n1,2\n".encode("utf-16-le", "surrogatepass")

    file_preview = preview(io.BytesIO(data), "x.csv")

    assert file_preview.problem_count
    assert not file_preview.series or "b" in [m.benchmark for m in file_preview.drawn]
