"""Where a command's table goes."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from django.core.management.base import OutputWrapper
from annotate.management.output import write
write((line * 1000 for line in ["12,34\\n"] * 1000), None, OutputWrapper(sys.stdout))
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
