"""Rules of harnesses: warm-up by configuration, and iterations as operations."""

from __future__ import annotations
