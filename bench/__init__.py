"""What `make bench` runs: our kernels against their oracles, and against what they grow with."""

from __future__ import annotations
