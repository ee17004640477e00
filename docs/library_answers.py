"""Answers of the library at the beginning of its page: `python -m docs.library_answers [--check]`.

The lines that make the series stand on the page as they are run here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

import plateau_perf
from docs.derived import is_stale
from formats.markdown import replace_between

PAGE: Final = Path(__file__).resolve().parent / "guide" / "library.md"
BEGIN, END = "<!-- answers: written by `make docs` -->", "<!-- /answers -->"
SERIES: Final = """\
random = np.random.default_rng(1)
flat = 1 + 0.01 * random.standard_normal(1000)
stepped = flat + 0.1 * (np.arange(1000) < 331)
drifting = flat + np.linspace(0, 0.3, 1000)
noisy = stepped + 0.05 * random.standard_normal(1000)
"""
NAMES: Final = ("flat", "stepped", "drifting", "noisy")


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` tell whether it is out of date: status 1."""
    namespace: dict[str, Any] = {"np": np}
    exec(SERIES, namespace)  # noqa: S102 - the text above, which the page shows
    lines = ["```python", "import numpy as np", "import plateau_perf as pp", "", SERIES]
    for name in NAMES:
        lines += [f"print(pp.detect({name}))", f"# {plateau_perf.detect(namespace[name])}"]
    page = replace_between(PAGE.read_text("utf-8"), BEGIN, END, "\n".join([*lines, "```"]))
    is_page_stale = is_stale(PAGE, page, check="--check" in arguments, part_name="answers")
    return int(is_page_stale and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
