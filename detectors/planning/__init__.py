"""Plans of benchmarks: how many forks, iterations and warm-up, and when forks are enough."""

from __future__ import annotations
