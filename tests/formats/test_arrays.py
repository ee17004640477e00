"""`.npy` and `.npz`: names of rows, what is refused, and nothing unpickled."""

from __future__ import annotations

import gzip
import io
import zipfile

import numpy as np
import pytest

import formats
from formats.registry import titles
from tests.formats.reading import EVERY_VALUE, complaint, read


def npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array))
    return stream.getvalue()


def npz(**arrays: object) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def test_one_dimension_is_one_series_named_by_the_file() -> None:
    (series,) = read(npy([9.5, 8.5]), "runs/sort.npy")

    assert (series.label, series.benchmark, series.fork) == ("sort", "sort", 0)
    assert series.values.tolist() == [9.5, 8.5]
    assert not series.values.flags.writeable


def test_two_dimensions_are_a_series_a_row() -> None:
    series = read(npy([[1, 2, 3], [4, 5, 6]]), "sort.npy", unit="ms/op")

    assert [(m.label, m.fork) for m in series] == [("sort[0]", 0), ("sort[1]", 1)]
    assert series[1].values.tolist() == [0.004, 0.005, 0.006]


def test_every_array_of_an_archive_is_read() -> None:
    series = read(npz(quick=np.array([1.0, 2.0]), merge=np.ones((2, 3))), "all.npz")

    assert [m.label for m in series] == ["quick", "merge[0]", "merge[1]"]
    assert [m.benchmark for m in series] == ["quick", "merge", "merge"]


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1.0, 2.0], [3.0, 4.0]], dtype=">f8"),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.array([[1, 2], [3, 4]], dtype=np.float16),
    ],
    ids=["Fortran order", "big endian", "bytes", "half"],
)
def test_any_order_and_width_of_numbers(array: object) -> None:
    assert [m.values.tolist() for m in read(npy(array), "x.npy")] == [[1.0, 2.0], [3.0, 4.0]]


def test_a_packed_array() -> None:
    assert read(gzip.compress(npy([1.0, 2.0])), "sort.npy.gz")[0].label == "sort"


WHOLE = npy([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            npy([[1.0, 2.0], [1.0, np.nan]]),
            "x.npy, x[1], iteration 1: found NaN, expected a finite number",
        ),
        (npy(np.empty((2, 0))), "x.npy, x[0]: found no value, " + EVERY_VALUE),
        (npy(np.empty((0, 3))), "x.npy, array 'x': found no row, expected a series a row"),
        (npy(1.0), "x.npy, the array: found 0 dimensions, expected one series, or a series a row"),
        (
            npy(np.ones((2, 2, 2))),
            "x.npy, the array: found 3 dimensions, expected one series, or a series a row",
        ),
        (
            npy(["a", "b"]),
            (
                "x.npy, the array: found values of type <U1, expected real numbers; "
                "save them as float64"
            ),
        ),
        (
            npy(np.array([None, 1], dtype=object)),
            (
                "x.npy, the array: found values of type object, expected real numbers; "
                "save them as float64"
            ),
        ),
        (
            WHOLE[:-8],
            (
                "x.npy, the array: found 16 of 24 bytes, expected a whole .npy file; "
                "copy the file again"
            ),
        ),
        (
            WHOLE[:40],
            (
                "x.npy, the array: found a header that cannot be read, expected a whole .npy file; "
                "write it again with numpy.save, or copy it again"
            ),
        ),
        (
            npz(a=np.ones(9))[:-30],
            (
                "x.npy, end of file: found a zip archive that breaks off, expected a "
                "whole .npz file; "
                "copy the file again"
            ),
        ),
    ],
)
def test_complaint_names_array_row_and_iteration(data: bytes, message: str) -> None:
    assert complaint(data, "x.npy") == message


def test_a_damaged_archive_names_the_array() -> None:
    data = bytearray(npz(a=np.random.default_rng(1).random(99)))
    data[300] ^= 0xFF

    assert complaint(bytes(data), "x.npz").startswith("x.npz, array 'a': found ")


def test_an_archive_whose_places_are_wrong_names_the_array() -> None:
    data = npz(a=np.ones(9))
    offset = data.rindex(b"PK\x05\x06") + 16  # where the list of contents says that it starts
    moved_offset = int.from_bytes(data[offset : offset + 4], "little") + 7

    error = complaint(
        data[:offset] + moved_offset.to_bytes(4, "little") + data[offset + 4 :], "x.npz"
    )

    problem, _, hint = error.partition("; ")
    assert problem == "x.npz, array 'a': found negative seek value -7, expected a whole .npy file"
    assert hint == "write it again with numpy.save, or copy it again"


@pytest.mark.parametrize(
    ("header", "found_text"),
    [
        ("{'descr': '<f8', 'shape': (", "a header that cannot be read"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}", "the shape (-3,)"),
    ],
)
def test_a_header_that_makes_no_sense(header: str, found_text: str) -> None:
    text = header.ljust(118).encode()
    data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(24)

    assert complaint(data, "x.npy").startswith(f"x.npy, the array: found {found_text}, expected ")


def test_an_archive_without_arrays() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("forks.csv", "1,2\n")

    assert complaint(stream.getvalue(), "forks.zip") == (
        "forks.zip, first bytes: found a zip archive without NumPy arrays, "
        f"expected {titles()}; "
        "unpack it and give the files in it"
    )


def test_an_array_that_promises_more_than_it_holds_is_refused_before_it_is_made() -> None:
    stream = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(stream, header)

    assert complaint(stream.getvalue(), "x.npy") == (
        "x.npy, the array: found 1,000,000,000,000 values, "
        "expected at most 5,000,000 values a series"
    )


def test_an_archive_that_unpacks_to_more_than_the_limit_is_refused() -> None:
    limits = formats.ReadLimits(file_bytes=10_000)

    assert complaint(npz(a=np.zeros(10_000)), "x.npz", limits=limits) == (
        "x.npz, size of the file: found 80,128 bytes unpacked, expected at most 10,000 bytes"
    )
