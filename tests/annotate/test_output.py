"""Where a command's table goes."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from annotate.management import output

PROGRAM = """
import sys
from django.core.management.base import OutputWrapper
from annotate.management.output import write_pieces
from config.leavable_output import LeavableOutput
sys.stdout = LeavableOutput(sys.stdout)
write_pieces((line * 1000 for line in ["12,34\\n"] * 1000), None, OutputWrapper(sys.stdout))
"""


def test_a_reader_may_stop_early() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"12,34\n"
        process.stdout.close()
        complaint = process.stderr.read()

    assert (process.returncode, complaint) == (0, b"")


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    """A file that takes its name would replace /dev/null, where the person may."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read_future = reader.submit(pipe.read_bytes)
        output.write_bytes([b"12,", b"34\n"], pipe)

    assert read_future.result() == b"12,34\n"
    assert pipe.is_fifo()
