"""Files that are too large, packed too well, or broken off."""

from __future__ import annotations

import gzip
import io
import pickle

import numpy as np
import pytest

import formats
from formats import ReadLimits
from tests.formats.jmh_files import entry, result
from tests.formats.reading import complaint


class TwoGigabytes(io.RawIOBase):
    """Says that it is large, and fails when somebody reads it."""

    def __init__(self) -> None:
        super().__init__()
        self._at = 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (2_000_000_000 if whence == io.SEEK_END else 0)
        return self._at

    def read(self, size: int = -1) -> bytes:
        raise AssertionError("read although it is too large")


def test_two_gigabytes_are_refused_by_size_before_reading() -> None:
    with pytest.raises(formats.TooLarge) as error_info:
        next(formats.read_series_of_file(TwoGigabytes(), "big.json"))  # type: ignore[arg-type]

    assert str(error_info.value) == (
        "big.json, size of the file: found 2,000,000,000 bytes, expected at most 200,000,000 bytes"
    )


def test_columns_are_counted_before_any_is_read() -> None:
    table = ",".join(f"fork {n}" for n in range(99)) + "\n" + ",".join(["1"] * 99) + "\n"

    message = complaint(table.encode(), "wide.csv", limits=ReadLimits(series=1))

    assert message.startswith("wide.csv, row 1: found 99 columns, expected at most ")


def test_a_gzip_bomb_is_refused_while_it_is_unpacked() -> None:
    bomb = gzip.compress(b"1\n" * 2_000_000)

    assert complaint(bomb, "bomb.txt.gz", limits=ReadLimits(file_bytes=1_500_000)) == (
        "bomb.txt.gz, size of the file: found more when unpacked or read, "
        "expected at most 1,500,000 bytes"
    )


def packed_lines(size: int) -> bytes:
    """Lines that pack to a thousandth."""
    return gzip.compress(b"1\n" * (size // 2))


@pytest.mark.parametrize(
    "data",
    [packed_lines(20_000_000), gzip.compress(b"[[1,1]," * 3_000_000), packed_lines(40_000_000)],
    ids=["lines", "lists", "many lines"],
)
def test_what_is_packed_as_no_measurements_are_is_refused_soon(data: bytes) -> None:
    options = formats.ReadOptions(limits=ReadLimits(points_per_series=10**9))

    with pytest.raises(formats.TooLarge) as error_info:
        list(formats.read_series_of_file(io.BytesIO(data), "bomb.gz", options=options))

    unpacked_bytes, packed_bytes = (
        int(text.replace(",", "")) for text in error_info.value.found.split(" ")[::4]
    )
    assert error_info.value.where == "size of the file"
    assert 2_000_000 < unpacked_bytes < 5_000_000  # what follows is never read
    assert unpacked_bytes > 200 * packed_bytes
    assert error_info.value.expected == "at most 200 times as many, as measurements have"


def test_an_archive_is_bounded_in_the_same_way() -> None:
    """Two megabytes are read however well they are packed."""
    bomb = io.BytesIO()
    np.savez_compressed(bomb, a=np.ones(300_000))
    small_archive = io.BytesIO()
    np.savez_compressed(small_archive, a=np.ones(200_000))
    small_archive.seek(0)

    error = complaint(bomb.getvalue(), "bomb.npz")

    assert error.startswith("bomb.npz, size of the file: found 2,400,128 bytes packed into ")
    assert list(formats.read_series_of_file(small_archive, "few.npz")) != []


def test_what_measurements_pack_to_is_read() -> None:
    """A table of a long name and values of a coarse clock, which packs better than most."""
    name = "org.example." * 20
    table = "".join(f"{name},0,{i},0.00{i % 7}\n" for i in range(20_000))
    data = f"benchmark,fork,iteration,value\n{table}".encode()

    (series,) = formats.read_series_of_file(io.BytesIO(gzip.compress(data)), "x.csv.gz")

    assert len(data) > 5_000_000
    assert series.values.size == 20_000


def test_a_pipe_is_bounded_too() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    with pytest.raises(formats.TooLarge):
        list(
            formats.read_series_of_file(
                Pipe(b"1\n" * 1000),
                "-",
                options=formats.ReadOptions(limits=ReadLimits(file_bytes=99)),
            )
        )


@pytest.mark.parametrize("kept_bytes", [40, 300])
def test_a_gzip_file_that_breaks_off(kept_bytes: int) -> None:
    data = gzip.compress("".join(f"{value * 7919 % 1000}\n" for value in range(1000)).encode())

    assert complaint(data[:kept_bytes], "cut.txt.gz") == (
        "cut.txt.gz, after 0 unpacked bytes: found a gzip file that breaks off, "
        "expected a whole gzip file; copy or pack the file again"
    )


def test_a_gzip_file_that_is_damaged() -> None:
    data = bytearray(gzip.compress(b"1\n2\n3\n" * 100))
    data[-6] ^= 0xFF

    assert complaint(bytes(data), "x.gz").startswith(
        "x.gz, after 0 unpacked bytes: found CRC check failed"
    )


@pytest.mark.parametrize(
    ("data", "name", "limits", "message"),
    [
        (
            b"1\n2\n3\n4\n",
            "x.txt",
            ReadLimits(points_per_series=3),
            "x.txt, end of file: found 4 values, expected at most 3 values a series",
        ),
        (
            b"a,b\n1,2\n3,4\n5,6\n",
            "x.csv",
            ReadLimits(points_per_series=2),
            "x.csv, column 'a': found 3 values, expected at most 2 values a series",
        ),
        (
            b"a,b\n1,2\n3,4\n",
            "x.csv",
            ReadLimits(series=1),
            "x.csv, series b: found more series, expected at most 1 series",
        ),
        (
            result(entry([[1, 2], [3, 4]])),
            "x.json",
            ReadLimits(points=3),
            (
                "x.json, series org.sample.Sort.quick||1: found more values, "
                "expected at most 3 values in all"
            ),
        ),
        (
            b"benchmark,fork,iteration,value\nb,0,0,1\nb,0,1,1\nc,0,0,1\n",
            "x.csv",
            ReadLimits(series=1),
            "x.csv, row 4: found more series, expected at most 1 series",
        ),
        (
            b"benchmark,fork,iteration,value\nb,0,0,1\nb,0,1,1\nc,0,0,1\n",
            "x.csv",
            ReadLimits(points=2),
            "x.csv, row 4: found more values, expected at most 2 values in all",
        ),
    ],
)
def test_more_than_the_limits(data: bytes, name: str, limits: ReadLimits, message: str) -> None:
    assert complaint(data, name, limits=limits) == message


def test_a_limit_ends_the_reading_even_when_problems_are_collected() -> None:
    problems: list[formats.FormatError] = []
    options = formats.ReadOptions(limits=ReadLimits(points=3))
    data = io.BytesIO(result(entry([[1, 2], [3, 4]])))

    with pytest.raises(formats.TooLarge):
        list(
            formats.read_series_of_file(data, "x.json", options=options, on_problem=problems.append)
        )

    assert problems == []


def test_a_problem_crosses_processes() -> None:
    error = formats.TooLarge("a.csv", "row 1", found="x", expected="y", hint="z")

    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert (type(copy), str(copy)) == (formats.TooLarge, str(error))
