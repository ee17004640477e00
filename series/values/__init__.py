"""Values of series: where they lie, and how they are read, cut, copied and handed out."""

from __future__ import annotations
