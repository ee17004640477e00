"""Static files under hashed names, ES modules included, and without their comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.bundles import ModuleGraph

# Whole lines, and types: another comment behind code stays, since telling it from a text would
# need a parser. No text of ours begins as a type does; a test looks.
BLOCK = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
LINE = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
TYPE = re.compile(r"/\*\* @(?:type|param|returns|this)\b(?:(?!\*/).)*\*/ ?")


def without_comments(text: str) -> str:
    """A script of ours without types and the comments that stand on lines of their own.

    A third of the scripts' weight are types and reasons, which no browser reads.
    """
    return TYPE.sub("", LINE.sub("", BLOCK.sub("", text)))


STYLE_COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/", re.DOTALL)
STYLE_SPACE = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")


def bare_style(text: str) -> str:
    """A style sheet of ours without comments and needless space: a seventh of what is sent.

    Ours have no such signs inside of strings, which would lose their space, too.
    """
    return STYLE_SPACE.sub(r"\1", STYLE_COMMENT.sub("", text)).replace(";}", "}").strip()


SCRIPT_TAG: Final = re.compile(r"""<script type="module" src="{% static '(js/[^']+)' %}">""")
FRAME_SCRIPT: Final = "js/page.js"  # on every page
COMMON_SHEET: Final = "css/common.css"
SHEET_IMPORT: Final = re.compile(r"""@import "([\w-]+\.css)";""")


def template_scripts(templates: Path) -> set[str]:
    """Scripts that templates name."""
    texts = (path.read_text("utf-8") for path in sorted(templates.rglob("*.html")))
    return {name for text in texts for name in SCRIPT_TAG.findall(text)}


def bundled_files(
    texts: Mapping[str, str], entries: Iterable[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Files to serve in place of scripts and style sheets, and the file that holds each script."""
    scripts = {name: without_comments(text) for name, text in texts.items() if name[-3:] == ".js"}
    graph = ModuleGraph(scripts, entries, frame=FRAME_SCRIPT, file_name="js/annotate/page.js")
    return graph.bundles() | {
        COMMON_SHEET: SHEET_IMPORT.sub(lambda match: texts[f"css/{match[1]}"], texts[COMMON_SHEET])
    }, graph.files


LIGHTEN_BY_FOLDER = {"js/": without_comments, "css/": bare_style}


def read_text(storage: Storage, path: str) -> str:
    """Text of a file of a storage."""
    with storage.open(path) as file:
        text: bytes = file.read()
        return text.decode()


class HashedStatic(CompressedManifestStaticFilesStorage):
    """Hashed, compressed names; `import … from "./x.js"` is rewritten as well.

    Without that, a module's hashed name would still load its neighbours by
    their plain names, which browsers may keep from an older version.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # a chain of imports may settle only one link a pass

    def _save(self, name: str, content: File) -> str:
        lighten = LIGHTEN_BY_FOLDER.get(name[: name.find("/") + 1])
        if lighten and name.endswith((".js", ".css")):
            content.seek(0)
            text = content.read()
            text = text.decode("utf-8") if isinstance(text, bytes) else text
            content = ContentFile(lighten(text).encode())
        saved_name: str = super()._save(name, content)
        return saved_name

    digests: Mapping[str, str] = MappingProxyType({})
    """Hash of each file of scripts: one for all, since one that loads another later is loaded by
    that one, and the hash of each would depend on the other's."""

    def file_hash(self, name: str, content: File | None = None) -> str | None:
        """Hash for the name of a file."""
        hashed_name: str | None = self.digests.get(name) or super().file_hash(name, content)
        return hashed_name

    def post_process(
        self, paths: dict[str, Any], **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Bundle modules and style sheets, unless `PLATEAU_BUNDLES` is off; then hash."""
        if not settings.BUNDLES or FRAME_SCRIPT not in paths:
            yield from super().post_process(paths, **options)
            return
        own_paths = {
            name: place
            for name, place in paths.items()
            if name.startswith(tuple(LIGHTEN_BY_FOLDER)) and name.endswith((".js", ".css"))
        }
        texts = {name: read_text(*place) for name, place in own_paths.items()}
        files, homes = bundled_files(texts, template_scripts(settings.BASE_DIR / "templates"))
        digest = super().file_hash("", ContentFile("".join(files.values()).encode()))
        self.digests = dict.fromkeys((name for name in files if name != COMMON_SHEET), digest)
        for name, text in files.items():
            self.delete(name)
            self._save(name, ContentFile(text.encode()))
        served_paths = {name: place for name, place in paths.items() if name not in homes}
        served_paths |= {name: (self, name) for name in files}
        yield from super().post_process(served_paths, **options)
        # A page that names a module asks for the file that holds it.
        missing_homes = {name: home for name, home in homes.items() if name not in files}
        self.hashed_files |= {name: self.hashed_files[home] for name, home in missing_homes.items()}
        self.save_manifest()

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress files under hashed names, which pages ask for: half of the time of a first
        start.
        """
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))
