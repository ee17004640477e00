"""Static files under hashed names, ES modules included, and without their comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

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


OURS = {"js/": without_comments, "css/": bare_style}


class HashedStatic(CompressedManifestStaticFilesStorage):
    """Hashed, compressed names; `import … from "./x.js"` is rewritten as well.

    Without that, a module's hashed name would still load its neighbours by
    their plain names, which browsers may keep from an older version.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # a chain of imports may settle only one link a pass

    def _save(self, name: str, content: File) -> str:
        lighter = OURS.get(name[: name.find("/") + 1])
        if lighter and name.endswith((".js", ".css")):
            content.seek(0)
            text = content.read()
            text = text.decode("utf-8") if isinstance(text, bytes) else text
            content = ContentFile(lighter(text).encode())
        saved: str = super()._save(name, content)
        return saved

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Those under hashed names, which pages ask for: half of the time of a first start."""
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))
