"""What a test waits for, or repeats as a person would, where playwright does neither by itself."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator, Page, Position, Route

from tests.browser.browser_driver import wait_for

SOON = 2000  # ms
NARROW = "(width) => document.documentElement.scrollWidth <= width"


def resting_box(target: Locator) -> FloatRect:
    """Where it is once it stays there: what stands above may still be drawn, or get its font."""
    boxes: list[FloatRect | None] = [None]

    def rests() -> bool:
        target.page.wait_for_timeout(100)
        boxes.append(target.bounding_box())
        return boxes[-1] is not None and boxes[-1] == boxes[-2]

    wait_for(rests, f"{target} at rest")
    assert boxes[-1]
    return boxes[-1]


def fits(page: Page, width: int) -> None:
    """Until nothing scrolls sideways: figures take a new width a moment after the window."""
    page.wait_for_function(NARROW, arg=width)


def tap(target: Locator, *, until_locator: Locator, position: Position | None = None) -> None:
    """Tap until it is seen: Chromium drops a tap that comes soon after a finger was lifted."""

    def tapped() -> bool:
        if not until_locator.is_visible():
            target.tap(timeout=SOON, position=position)
            until_locator.wait_for(timeout=SOON)
        return True

    wait_for(tapped, f"{until_locator} after a tap")


class HeldRequests:
    """Requests of a page that wait until the test deals with them, one by one."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._routes: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        self._routes.append(route)

    def next(self) -> Route:
        """The first of those that came, or are still to come."""
        wait_for(lambda: self._page.evaluate("true") and self._routes, "a request")
        return self._routes.pop(0)
