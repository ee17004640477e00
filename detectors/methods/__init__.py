"""One module a method; the registry finds the classes by looking."""

from __future__ import annotations
