"""The arithmetic of the methods, compiled; each kernel has an oracle in the tests."""

from __future__ import annotations
