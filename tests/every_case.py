"""Whether tests take every case (`make test-every`), or the part of them that `make test` takes."""

from __future__ import annotations

import os
from typing import Final

EVERY_CASE: Final = os.environ.get("PLATEAU_TESTS") == "every"
