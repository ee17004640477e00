"""Pages of an import: forms, preview, and sentences on how a file was read."""

from __future__ import annotations
