"""Scripts that write the derived parts of the documentation: pictures, tables of parameters."""

from __future__ import annotations
