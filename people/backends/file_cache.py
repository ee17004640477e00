"""A cache in files that loses what finds no room on the disk, or what another version wrote."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache

from people.database import is_unavailable

log = logging.getLogger(__name__)


class LossyFileCache(FileBasedCache):
    """Keeps nothing while the disk is full, and forgets objects whose class is elsewhere now.

    Every other error stays one.
    """

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except (AttributeError, ImportError, TypeError) as error:
            log.info("removed from the cache, as another version wrote it: %s", error)
            self.delete(key, version)
            return default

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        try:
            super().set(key, value, timeout, version)
        except OSError as error:
            if not is_unavailable(error):
                raise
            log.warning("not cached: %s", error)
