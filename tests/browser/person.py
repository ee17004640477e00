"""A person at a browser: sees the screen and no address; clicks, keys and fields are counted."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page


@dataclass(slots=True)
class PersonAtBrowser:
    """Does what a person can do; only the first address, or a link that was sent, is opened."""

    page: Page
    clicks: int = 0
    keys: int = 0  # single keys; what is typed into a field counts as one field
    fields: int = 0

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name))

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True))

    def click(self, target: Locator, *, at: tuple[int, int] | None = None) -> None:
        """The first of those that it names and that can be seen, once the page is loaded."""
        self.page.wait_for_load_state()
        visible_target = target.filter(visible=True).first
        visible_target.click(position={"x": at[0], "y": at[1]} if at else None)
        self.clicks += 1

    def press(self, key: str) -> None:
        self.page.wait_for_load_state()
        self.page.keyboard.press(key)
        self.keys += 1

    def type(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).filter(visible=True).first.fill(text)
        self.fields += 1

    def choose(self, path: Path) -> None:
        """Press *Choose files*, and choose the file in the window that opens."""
        with self.page.expect_file_chooser() as chooser:
            self.click(self.page.get_by_text("Choose files", exact=True))
        chooser.value.set_files(path)

    def download(self, name: str, folder: Path) -> list[dict[str, str]]:
        """The rows of a CSV that a link leads to."""
        with self.page.expect_download() as download:
            self.click(self.page.get_by_role("link", name=name))
        target = folder / download.value.suggested_filename
        download.value.save_as(target)
        with target.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def __str__(self) -> str:
        return f"{self.clicks} clicks, {self.keys} keys, {self.fields} fields"
