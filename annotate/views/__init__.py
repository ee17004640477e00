"""Pages of annotating: the annotate page, campaigns, results, exports."""

from __future__ import annotations
