"""mypy without a look for garbage: it makes next to none, and looking is a seventh of its time."""

from __future__ import annotations

import gc

from mypy.__main__ import console_entry


def main() -> None:
    """Arguments are mypy's. Half a gigabyte more memory."""
    gc.disable()
    # mypy turns it on again when it has read its cache.
    gc.enable = lambda: None
    console_entry()


if __name__ == "__main__":
    main()
