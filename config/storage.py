"""Static files under hashed names, ES modules included."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStatic(CompressedManifestStaticFilesStorage):
    """Hashed, compressed names; `import … from "./x.js"` is rewritten as well.

    Without that, a module's hashed name would still load its neighbours by
    their plain names, which browsers may keep from an older version.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # a chain of imports may settle only one link a pass
