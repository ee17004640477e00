"""Static files under hashed names, ES modules included, and without their comments."""

from __future__ import annotations

import re

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


class HashedStatic(CompressedManifestStaticFilesStorage):
    """Hashed, compressed names; `import … from "./x.js"` is rewritten as well.

    Without that, a module's hashed name would still load its neighbours by
    their plain names, which browsers may keep from an older version.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # a chain of imports may settle only one link a pass

    def _save(self, name: str, content: File) -> str:
        if name.startswith("js/") and name.endswith(".js"):
            content.seek(0)
            text = content.read()
            text = text.decode("utf-8") if isinstance(text, bytes) else text
            content = ContentFile(without_comments(text).encode())
        saved: str = super()._save(name, content)
        return saved
