"""Benches of Plateau: kernels against oracles and peers, pages, load: `make bench`."""

from __future__ import annotations
