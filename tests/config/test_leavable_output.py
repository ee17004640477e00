"""Commands go on when whoever reads their output has left."""

from __future__ import annotations

import os

from config.leavable_output import LeavableOutput


def test_what_is_printed_after_the_reader_left_goes_nowhere() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:
        output = LeavableOutput(stream)
        print("first", file=output, flush=True)
        had_left = output.reader_left
        os.close(reading)
        for _ in range(2):
            print("later", file=output, flush=True)

    assert (had_left, output.reader_left) == (False, True)
