"""Values as the browser draws them: float32, divided by the series' scale, by digest.

The digest is the SHA-256 of the values, so whatever is sent under it never changes and may be
kept for ever. Drawing only: figures on pages come from the stored float64.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

import numpy as np

from detectors.arrays import robust_range
from detectors.arrays.robust_range import Values
from series.models import Series, SeriesValues
from series.values import downsampled_windows

WHOLE = 200_000  # above so many values a browser asks for windows, and nothing is compressed
LEVEL = 6  # of gzip: 3000 values take 0.3 ms and come to 9 kB


def value_bytes(series: Series) -> bytes:
    """All values: n x 4 bytes, little-endian, no header."""
    return _drawing_bytes(_values(series), series.scale)


def window_payload(series: Series, start: int, stop: int, buckets: int) -> bytes:
    """The figures of `buckets` stretches of [start, stop), or with 0 the values themselves.

    Figures of w buckets are 7 x w x 4 bytes: their values at 5, 25, 50, 75 and 95 %, the least,
    the greatest; then 2 x w x 4 bytes (uint32, little-endian), the indices of these two: a spike
    is drawn where it is, however many values a pixel stands for.
    """
    values = _values(series)
    if not buckets:
        return _drawing_bytes(values[start:stop], series.scale)
    figures = downsampled_windows.bucket_figures(values, start, stop, buckets)
    drawn_figures = np.concatenate([figures.quantiles, figures.extremes])
    return _drawing_bytes(drawn_figures, series.scale) + figures.places.astype("<u4").tobytes()


def window_range(series: Series, start: int, stop: int) -> bytes:
    """4 x 4 bytes: the y-range of [start, stop), and the band of its last half."""
    scaled_values = _values(series)[start:stop] / series.scale
    if scaled_values.size == series.n:
        limits = series.robust_low / series.scale, series.robust_high / series.scale
    else:
        limits = robust_range.robust_range(scaled_values)
    return np.array([*limits, *robust_range.plateau_band(scaled_values)], dtype="<f4").tobytes()


def packed_bytes(data: bytes) -> bytes:
    """`data` for a browser that takes gzip; the same bytes each time."""
    return gzip.compress(data, LEVEL, mtime=0)


def _drawing_bytes(values: Values, scale: float) -> bytes:
    return (values / scale).astype("<f4").tobytes()


def _values(series: Series) -> Values:
    data = _kept(series.digest) if series.n > WHOLE else _read(series.digest)
    return np.frombuffer(data, dtype="<f8")


def _read(digest: str) -> bytes:
    return bytes(SeriesValues.objects.filter(series__digest=digest)[:1].get().content())


# Panning a long series asks for it again and again, and PostgreSQL takes 40 ms or more to hand
# out 8 MB. Two of them are kept: at most 80 MB a process at the default limits.
_kept = lru_cache(maxsize=2)(_read)
