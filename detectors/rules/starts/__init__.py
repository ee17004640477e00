"""Rules about a start: is what is left after it steady, and which start is best?"""

from __future__ import annotations
