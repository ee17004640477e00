"""`manage.py compare`: the name under which scripts know `manage.py comparison`."""

from __future__ import annotations

from analysis.comparison.management.commands.comparison import Command

__all__ = ["Command"]
