"""Methods that the demo runs: at once, so that there is something to compare, and by workers."""

from __future__ import annotations

from typing import Final

FAST: Final = ("fixed", "kb-kssd", "sdm", "t-test", "f-test", "r-test", "plateau")
SLOW: Final = ("cp-ssd", "ruptures-pelt")
