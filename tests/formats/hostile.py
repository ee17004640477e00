"""Files that were made to break a reader, by name, for the tests of every room that reads."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

NUL, HALF = "\0", "\ud800"  # what PostgreSQL does not store, and what nothing encodes
CELL = "x" * 131_073  # one character more than Python's reader of CSV takes
DIGITS = "9" * 5_000
LONG = "benchmark,fork,iteration,value\n"
MARKS = "benchmark,fork,annotator,answer,steady_start\n"


def jmh(**changes: Any) -> bytes:
    """A JMH file of one benchmark, with some of its fields changed."""
    metric = {"scoreUnit": "ms/op", "rawData": [[3.0, 2.0, 1.0]]}
    entry = {"benchmark": "b", "mode": "avgt", "primaryMetric": metric}
    return json.dumps([entry | changes]).encode()


def metric(**changes: Any) -> dict[str, Any]:
    return {"scoreUnit": "ms/op", "rawData": [[3.0, 2.0, 1.0]]} | changes


def npy(values: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, values)
    return stream.getvalue()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def archive(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for name, data in members.items():
            zip_file.writestr(f"{name}.npy", data)
    return stream.getvalue()


def header(text: bytes) -> bytes:
    """A NumPy file with `text` as its header, and nothing after it."""
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def many_rows(rows: int) -> bytes:
    """An archive of few bytes with so many series of one byte each."""
    return npz(rows=np.ones((rows, 1), np.int8))


MEASUREMENTS: Mapping[str, bytes] = {
    # half a character
    "half-name.json": jmh(benchmark=f"b{HALF}"),
    "half-param.json": jmh(params={"size": HALF}),
    "half-param-name.json": jmh(params={HALF: "1"}),
    "half-mode.json": jmh(mode=HALF),
    "half-jvm.json": jmh(jvm=HALF),
    "half-arguments.json": jmh(jvmArgs=[HALF]),
    "half-recording.json": jmh(recording={"label": HALF, "build": HALF}),
    "half-unit.json": jmh(primaryMetric=metric(scoreUnit=HALF)),
    "half-key.json": jmh(**{HALF: 1}),
    # NUL
    "nul-name.json": jmh(benchmark=f"a{NUL}b"),
    "nul-param.json": jmh(params={"size": NUL}),
    "nul-mode.json": jmh(mode=NUL),
    "nul-jvm.json": jmh(jvm=f"java{NUL}", vmVersion=NUL),
    "nul-recording.json": jmh(recording={"label": NUL}),
    "nul-unit.json": jmh(primaryMetric=metric(scoreUnit=f"ms/op{NUL}")),
    "nul-long.csv": f"{LONG}a{NUL}b,0,0,1\na{NUL}b,0,1,2\n".encode("utf-16"),
    "nul-wide.csv": f"a{NUL}b,c\n1,2\n3,4\n".encode("utf-16"),
    "nul-late.csv": f"{LONG}b,0,0,1\nb,0,1,2\na{NUL},0,0,1\na{NUL},0,1,2\n".encode(),
    "nul-lines.txt": f"1\n2\n{NUL}\n".encode("utf-16"),
    "nul.log": f"# Benchmark: a{NUL}b\nIteration   1: 1.0 ms/op\nIteration   2: 1.0 ms/op\n".encode(
        "utf-16"
    ),
    # numbers that are none, or too many of them
    "five.json": jmh(warmupIterations="five"),
    "five-threads.json": jmh(threads=[5]),
    "huge-count.json": jmh(warmupIterations=10**300, forks=-(10**30)),
    "nan-count.json": b'[{"benchmark": "b", "warmupIterations": NaN, "primaryMetric": {}}]',
    "digits.json": jmh().replace(b"3.0", DIGITS.encode()),
    "big.json": jmh(primaryMetric=metric(rawData=[[10**400, 1]])),
    "nan.json": jmh(primaryMetric=metric(rawData=[[float("nan"), 1.0]])),
    "infinity.json": jmh(primaryMetric=metric(rawData=[[float("inf"), 1.0]])),
    "infinity.csv": b"a\n1e999\n2\n",
    "digits.txt": f"{DIGITS}\n1\n".encode(),
    "digits.log": f"# Fork: {DIGITS} of 1\nIteration   1: 1.0 ms/op\n".encode(),
    "digits-many.log": f"# Warmup: {DIGITS} iterations, 1 s each\nIteration 1: x\n".encode(),
    "digits-threads.log": f"# Threads: {DIGITS} threads\nIteration   1: 1.0 ms/op\n".encode(),
    "digits-label.csv": f"b||{DIGITS}\n1\n2\n".encode(),
    "digits-fork.csv": f"fork {DIGITS}\n1\n2\n".encode(),
    "fork-too-large.csv": b"b||4294967296,b||1\n1,2\n2,3\n",
    "largest.csv": b"a (ops/s)\n1.7e308\n1.7e308\n-1.7e308\n",
    "no-day.json": jmh(recording={"label": "a", "measuredAt": "2026-02-30T10:00:00Z"}),
    "last-day.json": jmh(recording={"label": "a", "measuredAt": "9999-12-31T23:59:59-12:00"}),
    # texts that are too long
    "long-name.json": jmh(benchmark="b" * 100_000),
    "long-param.json": jmh(params={"size": "9" * 1_001}),
    "long-mode.json": jmh(mode="m" * 41),
    "long-unit.json": jmh(primaryMetric=metric(scoreUnit="u" * 41)),
    "long-arguments.json": jmh(jvmArgs=["x" * 30_000]),
    "long-name.csv": f"{'n' * 401},b\n1,2\n3,4\n".encode(),
    "long-cell.csv": f"{LONG}{CELL},0,0,1\n".encode(),
    "long-header.csv": f"{CELL},b\n1,2\n3,4\n".encode(),
    "spaces.csv": f"{' ' * 100_000}x[,b\n1,2\n3,4\n".encode(),
    "quote.csv": b'a,"b\n1,2\n3,4\n' + b"1,2\n" * 50_000,
    # shapes
    "deep.json": b"[" * 100_000,
    "deep-objects.json": b'[{"benchmark":' * 50_000,
    "deep-param.json": jmh(params={"a": json.loads("[" * 400 + "]" * 400)}),
    "deep-mode.json": jmh(mode=json.loads("[" * 400 + "]" * 400)),
    "twice.json": b'[{"benchmark": "a", "benchmark": "b", "primaryMetric": {"rawData": [[1, 2]]}}]',
    "list.json": b'[1, {"primaryMetric": 5}]',
    "null.json": b'{"primaryMetric": null}',
    "empty-lists.json": b"[[], [[]], 1]",
    "histogram.json": jmh(primaryMetric=metric(rawDataHistogram=[[[[1, 10**400]]]])),
    "histogram-half.json": jmh(primaryMetric=metric(rawDataHistogram=[[[[1, 0.5]]]])),
    # encodings
    "mark.json": b"\xef\xbb\xbf" + jmh(),
    "utf-16.json": jmh().decode().encode("utf-16"),
    "utf-16-cut.csv": "a,b\n1,2\n3,4\n".encode("utf-16")[:-1],
    "utf-32.csv": "a,b\n1,2\n3,4\n".encode("utf-32"),
    "latin.csv": "größe,b\n1,2\n3,4\n".encode("latin-1"),
    "utf-8-half.csv": b"\xed\xa0\x80,b\n1,2\n3,4\n",
    "marks-only.txt": b"\xef\xbb\xbf",
    "empty.csv": b"",
    "spaces.txt": b" \n\t\n",
    "a\\..\\b/c\ud800\0.csv": b"a,b\n1,2\n3,4\n",
    "slashes.json": jmh(benchmark="../../etc/passwd", params={"path": "/a/b?c#d&e=%00"}),
    # archives
    "rows.npz": many_rows(5_000_000),
    "no-rows.npy": npy(np.ones((0, 3))),
    "no-columns.npy": npy(np.ones((3, 0))),
    "objects.npy": header(b"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n"),
    "deep-header.npy": header(b"(" * 9_000),
    "no-header.npy": header(b"{}"),
    "odd-header.npy": header(b"{'descr': [], 'fortran_order': 1, 'shape': (True, 'a')}"),
    "promise.npy": header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999,)}"),
    "declared.npz": archive(a=header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (9,)}")),
    "slash.npz": archive(**{"../../a/b": npy(np.ones(3))}),
    "cut.npz": many_rows(10)[:-30],
    "empty.npz": archive(),
    "zip.zip": archive(a=b"PK"),
    "bomb.txt.gz": gzip.compress(b"1\n" * 60_000),
    "bomb.json.gz": gzip.compress(b"[[1,1]," * 60_000),
    "gzip-in-gzip.gz": gzip.compress(gzip.compress(b"1\n2\n")),
    "cut.gz": gzip.compress(b"1\n2\n")[:-5],
}
"""What must be refused with a sentence, or read; nothing else, and soon."""

TABLES: Mapping[str, bytes] = {
    "half.csv": f"{MARKS}b,0,\\ud800,steady,1\n".encode(),
    "nul.csv": f"{MARKS}b,0,a{NUL},steady,1\n".encode(),
    "nul-note.csv": f"note,{MARKS}{NUL},b,0,a,steady,1\n".encode(),
    "cell.csv": f"note,{MARKS}{CELL},b,0,a,steady,1\n".encode(),
    "header.csv": f"{CELL},{MARKS}".encode(),
    "latin.csv": f"{MARKS}b,0,J\xfcrg,steady,1\n".encode("latin-1"),
    "long-name.csv": f"{MARKS}b,0,{'a' * 200},steady,1\n".encode(),
    "long-benchmark.csv": f"{MARKS}{'b' * 401},0,a,steady,1\n".encode(),
    "digits.csv": f"{MARKS}b,{DIGITS},a,steady,{DIGITS}\n".encode(),
    "superscript.csv": f"{MARKS}b,²,a,steady,1\n".encode(),
    "no-number.csv": f"seconds,{MARKS}1e999,b,0,a,steady,1\n".encode(),
    "when.csv": f"when,{MARKS}2026-13-45T99:99,b,0,a,steady,1\n".encode(),
    "when-half.csv": f"when,{MARKS}2026-02-30T10:00:00Z,b,0,a,steady,1\n".encode(),
    "last-day.csv": f"when,{MARKS}9999-12-31T23:59:59-12:00,b,0,a,steady,1\n".encode(),
    "long-digest.csv": f"series_digest,{MARKS}{'0' * 65},b,0,a,steady,1\n".encode(),
    "quote.csv": f'{MARKS}"b,0,a,steady,1\n'.encode(),
    "utf-16.csv": f"{MARKS}b{NUL},0,a,steady,1\n".encode("utf-16"),
    "empty.csv": b"",
    "cut.csv.gz": gzip.compress(MARKS.encode())[:-3],
    "bomb.csv.gz": gzip.compress(MARKS.encode() + b"\n" * 200_000),
}
"""The same for marks; columns of answers are added by their test."""


def is_bare(name: str) -> bool:
    """Whether a table has a header and no row, which its reader may give back as it is."""
    return name == "bomb.csv.gz"
