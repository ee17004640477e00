#!/usr/bin/env python
"""Django's command for Plateau."""

from __future__ import annotations

import os
import sys


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from config import commands  # noqa: PLC0415  # after settings
    except ModuleNotFoundError as missing:
        if missing.name not in {"celery", "django"}:
            raise
        sys.exit(
            f"{sys.executable} does not have Plateau's packages. Type `. .venv/bin/activate` "
            "first; `make run` makes that folder."
        )
    return commands.run_command(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
