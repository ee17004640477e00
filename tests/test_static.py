"""What browsers are sent: hashed names throughout, whole scripts, and no more than the budget."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import brotli
import pytest

from config.storage import (
    COMMON_SHEET,
    HashedStatic,
    bare_style,
    bundled_files,
    template_scripts,
    without_comments,
)

STATIC = Path(__file__).resolve().parents[1] / "static"
IMPORT = re.compile(r'^import [^;]*"(\.[^"]+)";', re.MULTILINE)
MODULES = sorted((STATIC / "js").rglob("*.js"))


@cache
def served_files() -> dict[str, str]:
    """Scripts and common style sheets by the file that holds them, as they are served."""
    texts = {
        str(path.relative_to(STATIC)): path.read_text("utf-8")
        for path in (*MODULES, *(STATIC / "css").glob("*.css"))
    }
    files, _ = bundled_files(texts, template_scripts(STATIC.parent / "templates"))
    return files


def weight(*entries: str) -> int:
    """Bytes of the scripts that a page loads at once, as sent: in brotli."""
    loaded_names: set[str] = set()
    queue = [f"js/{entry}" for entry in entries]
    while queue:
        if (name := queue.pop()) not in loaded_names:
            loaded_names.add(name)
            folder = posixpath.dirname(name)
            imports = IMPORT.findall(served_files()[name])
            queue += [posixpath.normpath(f"{folder}/{path}") for path in imports]
    return sum(len(brotli.compress(served_files()[name].encode())) for name in loaded_names)


def test_types_and_comments_on_their_own_lines_go_and_nothing_else() -> None:
    text = (
        '// what\nconst a = "// no" // behind\n  /** many\n   * lines */\n'
        "/** @type {any} */ (d).e()\n/** x */ f()\n/** x */\nconst b = `\n  c`\n"
    )

    assert (
        without_comments(text)
        == 'const a = "// no" // behind\n(d).e()\n/** x */ f()\nconst b = `\n  c`\n'
    )


def test_no_text_of_ours_begins_as_a_type_does() -> None:
    file_names = [
        path.name for path in MODULES if re.search(r"""["'`]/\*\* @""", path.read_text("utf-8"))
    ]

    assert file_names == []


PARSE = """
import { readFileSync } from "node:fs"
import { SourceTextModule } from "node:vm"
for (const identifier of process.argv.slice(1)) {
  new SourceTextModule(readFileSync(identifier, "utf8"), { identifier })
}
"""


def test_every_script_is_whole_without_its_comments(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    copies = []
    for number, path in enumerate(MODULES):
        copies.append(tmp_path / f"{number}-{path.name}")
        copies[-1].write_text(without_comments(path.read_text(encoding="utf-8")), encoding="utf-8")
    options = ["--experimental-vm-modules", "--no-warnings", "--input-type=module", "-e", PARSE]
    process = subprocess.run([node, *options, *copies], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr


@pytest.mark.parametrize(
    ("entries", "budget"),
    [
        (("page.js",), 5_000),
        (("page.js", "comparison/page.js"), 22_000),
        (("page.js", "series/page.js"), 45_000),
        (("page.js", "annotate/page.js"), 45_000),
    ],
)
def test_scripts_weigh_no_more_than_their_budget(entries: tuple[str, ...], budget: int) -> None:
    assert weight(*entries) <= budget


def test_styles_weigh_no_more_than_their_budget() -> None:
    common = (STATIC / COMMON_SHEET).read_text("utf-8")
    sheets = [path for path in (STATIC / "css").glob("*.css") if f'"{path.name}"' not in common]
    texts = {path.name: path.read_text("utf-8") for path in sheets}
    texts["common.css"] = served_files()[COMMON_SHEET]

    # All sheets together, as sent: a page loads its own and the common ones, which are one file.
    packed_sheets = [brotli.compress(bare_style(text).encode()) for text in texts.values()]
    assert sum(map(len, packed_sheets)) <= 27_500


def test_sizes_of_text_are_not_taken_from_fonts() -> None:
    """A font token is size and line height; as a size alone, browsers ignore it."""
    sheets = [path.read_text("utf-8") for path in (STATIC / "css").glob("*.css")]

    assert [text for text in sheets if re.search(r"font-size: var\(--(t-|text|h1)", text)] == []


def test_comments_of_templates_end_on_their_line() -> None:
    """Django shows the others to people."""
    templates = sorted((STATIC.parent / "templates").rglob("*.html"))
    lines = [(path, line) for path in templates for line in path.read_text("utf-8").split("\n")]

    assert [path.name for path, line in lines if line.count("{#") != line.count("#}")] == []


def test_files_under_hashed_names_are_compressed_and_no_other(tmp_path: Path) -> None:
    """Of those that stay under their own names, few are asked for: compressing takes seconds."""
    storage = HashedStatic(location=str(tmp_path), base_url="/static/")
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "one.js").write_text('import "./two.js"\n' + "one()\n" * 500)
    (tmp_path / "js" / "two.js").write_text("two()\n" * 500)
    names = ("js/one.js", "js/two.js")

    list(storage.post_process({name: (storage, name) for name in names}))

    hashed_names = {str(storage.stored_name(name)) for name in names}
    compressed_names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.br")}
    assert compressed_names == {f"{name}.br" for name in hashed_names}
    assert all((tmp_path / f"{name}.gz").is_file() for name in hashed_names)
    assert all((tmp_path / name).is_file() for name in names)
