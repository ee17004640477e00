"""Measurements that this project recorded itself, and the recorder that made them."""

from __future__ import annotations
