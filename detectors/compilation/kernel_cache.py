"""Compiled kernels on disk, valid for equal sources: in another checkout, or after a new clone.

numba's own cache names a file by its folder and time, so every clone would compile again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    UserProvidedCacheLocator,
    _CacheLocator,
)

from detectors.compilation.cache import kernels_digest, place_kernel_cache

KERNELS = Path(__file__).parents[1] / "kernels"


class KernelCacheLocator(_CacheLocator):
    """Files of the kernels of `detectors.kernels`, whose digest names their folder."""

    def __init__(self, line: int) -> None:
        self.line = line

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Self | None:
        """Build the locator; None for a kernel of another folder: the digest does not cover its
        source.
        """
        if Path(file).parent != KERNELS:
            return None
        locator = cls(function.__code__.co_firstlineno)
        locator.ensure_cache_path()  # type: ignore[no-untyped-call]
        return locator

    def get_cache_path(self) -> str:
        return str(place_kernel_cache() / "kernels")

    def get_source_stamp(self) -> str:
        return kernels_digest()

    def get_disambiguator(self) -> str:
        return str(self.line)


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [KernelCacheLocator, UserProvidedCacheLocator]  # type: ignore[list-item]


class KernelCache(FunctionCache):
    """numba's cache of one function, with our place and our test of whether it is valid."""

    _impl_class = _KernelCacheImpl
