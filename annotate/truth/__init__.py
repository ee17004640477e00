"""Ground truth of a campaign: results, summary, drawings and files."""

from __future__ import annotations
