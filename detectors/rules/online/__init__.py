"""Online rules: their loop, batches of values, and the stopping rules of Laaber et al."""

from __future__ import annotations
