"""Files that a page is made of: its templates with what they include, style sheets and scripts.

Followed in the text of the files, without Django. A template that is included by a name that only
the program knows is not followed; the folder of the page's own template is read in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TEMPLATES, STATIC = ROOT / "templates", ROOT / "static"
_TEMPLATE: Final = re.compile(r"""\{%\s*(?:extends|include)\s+["']([^"']+)["']""")
_STATIC: Final = re.compile(r"""\{%\s*static\s+["']([^"']+\.(?:css|js))["']""")
_SCRIPT: Final = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']""")
_SHEET: Final = re.compile(r"""@import\s+(?:url\()?["']([^"']+\.css)["']""")


def page_sources(template: str) -> list[Path]:
    """List the files of the page with this template, in the order of their names."""
    sources: set[Path] = set()
    unread_paths = sorted((TEMPLATES / template).parent.glob("*.html"))
    while unread_paths:
        path = unread_paths.pop()
        if path.is_file() and path not in sources:
            sources.add(path)
            unread_paths += _named_files(path)
    return sorted(sources)


def digest_of_sources(paths: Iterable[Path]) -> str:
    """SHA-256 of names and contents; line ends of a checkout on Windows do not count."""
    digest = sha256()
    for path in paths:
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _named_files(path: Path) -> Iterator[Path]:
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        yield from (TEMPLATES / name for name in _TEMPLATE.findall(text))
        yield from (STATIC / name for name in _STATIC.findall(text))
    else:
        pattern = _SCRIPT if path.suffix == ".js" else _SHEET
        yield from ((path.parent / name).resolve() for name in pattern.findall(text))
