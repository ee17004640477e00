"""The playground: one series, any method, nothing stored."""

from __future__ import annotations
