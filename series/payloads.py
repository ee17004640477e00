"""Values as the browser draws them: float32, divided by the series' scale, by digest.

The digest is the SHA-256 of the values, so whatever is sent under it never changes and may be
kept for ever. Drawing only: figures on pages come from the stored float64.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

import numpy as np

from series import windows
from series.models import Series, SeriesValues
from series.outlines import Values

WHOLE = 200_000  # above so many values a browser asks for windows, and nothing is compressed
LEVEL = 6  # of gzip: 3000 values take 0.3 ms and come to 9 kB


def whole(series: Series) -> bytes:
    """All values: n x 4 bytes, little-endian, no header."""
    return _drawn(_values(series), series.scale)


def window(series: Series, start: int, stop: int, buckets: int) -> bytes:
    """The extremes of `buckets` stretches of [start, stop), or with 0 the values themselves.

    Extremes are m x 4 bytes of values, then m x 4 bytes (uint32, little-endian) of their
    indices, ascending: a spike is drawn where it is, however many values a pixel stands for.
    """
    values = _values(series)
    if not buckets:
        return _drawn(values[start:stop], series.scale)
    places = windows.extremes(values, start, stop, buckets)
    return _drawn(values[places], series.scale) + places.astype("<u4").tobytes()


def packed(data: bytes) -> bytes:
    """`data` for a browser that takes gzip; the same bytes each time."""
    return gzip.compress(data, LEVEL, mtime=0)


def _drawn(values: Values, scale: float) -> bytes:
    return (values / scale).astype("<f4").tobytes()


def _values(series: Series) -> Values:
    data = _kept(series.digest) if series.n > WHOLE else _read(series.digest)
    return np.frombuffer(data, dtype="<f8")


def _read(digest: str) -> bytes:
    found = SeriesValues.objects.filter(series__digest=digest).values_list("data", flat=True)
    return bytes(found[:1].get())


# Panning a long series asks for it again and again, and PostgreSQL takes 40 ms or more to hand
# out 8 MB. Two of them are kept: at most 80 MB a process at the default limits.
_kept = lru_cache(maxsize=2)(_read)
