"""Contexts of Chromium that tests use in turn, with what they have fetched and compiled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext

PATIENCE = 60_000  # ms; a shared machine can be slow, and only a test that fails waits so long
# A page without scripts: while it is open, the process lives in which scripts have been compiled.
QUIET_PAGE = "/static/img/plateau.svg"
STORED = "cookies,local_storage,indexeddb,cache_storage,service_workers"


@dataclass(slots=True)
class ContextPool:
    """A context is a browser of one person; fetching and compiling anew is half of its work."""

    browser: Browser
    url: str
    _free: dict[str, list[BrowserContext]] = field(default_factory=dict)
    _taken: dict[BrowserContext, str] = field(default_factory=dict)

    def take(self, **options: Any) -> BrowserContext:
        """One without cookies, pages and anything stored."""
        kind = repr(sorted(options.items()))
        free_contexts = self._free.setdefault(kind, [])
        context = free_contexts.pop() if free_contexts else self._new_context(**options)
        self._taken[context] = kind
        return context

    def give_back(self, context: BrowserContext) -> None:
        quiet_page, *other_pages = context.pages
        for page in other_pages:
            page.close(run_before_unload=False)
        context.set_offline(False)
        devtools = context.new_cdp_session(quiet_page)
        devtools.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": STORED})
        devtools.detach()
        self._free[self._taken.pop(context)].append(context)

    def _new_context(self, **options: Any) -> BrowserContext:
        context = self.browser.new_context(base_url=self.url, **options)
        context.set_default_timeout(PATIENCE)
        context.new_page().goto(QUIET_PAGE)
        return context
