"""Programs of the Makefile."""

from __future__ import annotations
