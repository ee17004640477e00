"""Reading of files in a process of its own, and what is set aside of them before an import."""

from __future__ import annotations
