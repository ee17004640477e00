"""Bundles hold every module once, run as the modules do, and refuse what they cannot keep exact."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from config.bundles import BundleError, ModuleGraph, read_module
from config.storage import FRAME_SCRIPT, HashedStatic, bundled_files, template_scripts

ROOT = Path(settings.BASE_DIR)
STATIC = ROOT / "static"
MODULES = {
    "js/page.js": 'import "./shared/keys.js";\nsay("page")\n',
    "js/shared/keys.js": 'say("keys")\nexport const keys = "k"\n',
    "js/shared/rows.js": 'import { keys as k } from "./keys.js";\nsay("rows " + k)\n'
    "export function rows() { return 1 }\n",
    "js/shared/later.js": 'say("later")\nexport const later = () => "is later"\n',
    "js/chart/chart.js": 'import * as all from "../shared/rows.js";\n'
    'say("chart")\nexport class Chart { rows = all.rows() }\n',
    "js/chart/parts.js": 'export { Chart as Drawn } from "./chart.js";\n',
    "js/one/page.js": 'import { Drawn } from "../chart/parts.js";\nsay("one " + new Drawn().rows)\n'
    'say((await0 => await0)((0, import("../shared/later.js")) && "asked"))\n',
    "js/shared/rare.js": 'say("rare")\nexport const rare = 1\n',
    "js/three/page.js": 'import { rare } from "../shared/rare.js";\nsay("three " + rare)\n',
    "js/two/page.js": 'import { rare } from "../shared/rare.js";\nimport {\n  Drawn,\n'
    '} from "../chart/parts.js";\n'
    'say("two " + new Drawn().rows)\n',
}
ENTRIES = ("js/one/page.js", "js/two/page.js", "js/three/page.js")
RUN = "globalThis.say = (text) => console.log(text)\n"


def write_files(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def script_words(folder: Path, *entries: str) -> list[str]:
    """What the scripts say, run one after the other as a page runs them."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    lines = "".join(f'await import("./{name}")\n' for name in entries)
    (folder / "run.js").write_text(RUN + lines)
    process = subprocess.run(
        [node, str(folder / "run.js")], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def test_bundles_say_in_the_same_order_what_modules_say(tmp_path: Path) -> None:
    entries = ("js/page.js", "js/shared/rows.js", *ENTRIES)
    graph = ModuleGraph(MODULES, entries, frame="js/page.js", file_name="js/one/page.js")

    modules = script_words(write_files(tmp_path / "modules", MODULES), *entries)
    bundles = script_words(write_files(tmp_path / "bundles", graph.bundles()), *entries)

    assert bundles == modules
    assert modules[:4] == ["keys", "page", "rows k", "chart"]
    assert "later" in modules


def test_every_module_stands_in_one_file() -> None:
    graph = ModuleGraph(MODULES, ENTRIES, frame="js/page.js", file_name="js/one/page.js")

    assert graph.files == {
        "js/page.js": "js/page.js",
        "js/shared/keys.js": "js/page.js",
        "js/shared/rows.js": "js/shared/bundle.js",
        "js/shared/later.js": "js/shared/later.js",
        "js/chart/chart.js": "js/chart/bundle.js",
        "js/chart/parts.js": "js/chart/bundle.js",
        "js/one/page.js": "js/one/page.js",
        "js/shared/rare.js": "js/shared/more.js",
        "js/three/page.js": "js/three/page.js",
        "js/two/page.js": "js/two/page.js",
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("export let a = 1\n", "'export let a = 1' cannot stand"),
        ("export default 1\n", "cannot stand"),
        ('export * from "./keys.js";\n', "cannot stand"),
        ('import keys from "./keys.js";\n', "cannot stand"),
        ('import { other } from "./keys.js";\n', "exports no other"),
        ('import { gone } from "./gone.js";\n', "there is no js/shared/gone.js"),
        ('import { b } from "./b.js";\nexport const a = 1\n', "need each other"),
    ],
)
def test_what_cannot_be_kept_exact_is_refused(text: str, why: str) -> None:
    cycle = 'import { a } from "./a.js";\nexport const b = 1\n'
    modules = {**MODULES, "js/shared/a.js": text, "js/shared/b.js": cycle}
    if "b.js" not in text:
        del modules["js/shared/b.js"]

    with pytest.raises(BundleError, match=why):
        ModuleGraph(modules, ENTRIES, frame="js/page.js", file_name="js/one/page.js")


def test_a_name_that_changes_on_import_and_on_export_is_kept() -> None:
    module = read_module(
        "js/a/b.js", 'import { x as y } from "../c.js";\nexport { p as q } from "./r.js";\n'
    )

    assert module.imports == {"js/c.js": ["x"], "js/a/r.js": ["p"]}
    assert module.exports == ["q"]
    assert "const { x: y } = need['js/c.js']()" in module.body


def test_the_scripts_of_this_site_are_bundled_and_whole(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    texts = {
        str(path.relative_to(STATIC)): path.read_text("utf-8")
        for folder in ("js", "css")
        for path in (STATIC / folder).rglob("*.*")
    }
    files, homes = bundled_files(texts, template_scripts(ROOT / "templates"))
    assert set(homes) == {name for name in texts if name.endswith(".js")}  # none is unused
    write_files(tmp_path, files)
    for name in files:
        if name.endswith(".js"):
            process = subprocess.run(
                [node, "--check", str(tmp_path / name)], capture_output=True, text=True, check=False
            )
            assert process.returncode == 0, process.stderr


def test_a_page_that_names_a_module_asks_for_the_file_that_holds_it(tmp_path: Path) -> None:
    from django.contrib.staticfiles.storage import StaticFilesStorage  # noqa: PLC0415

    source = StaticFilesStorage(location=str(STATIC))
    names = [str(path.relative_to(STATIC)) for path in STATIC.rglob("*.*") if path.is_file()]
    names = [name for name in names if not name.startswith("vendor/plotly")]  # slow to compress
    storage = HashedStatic(location=str(tmp_path), base_url="/static/")

    processed: list[Any] = list(storage.post_process({name: (source, name) for name in names}))

    assert [error for *_, error in processed if isinstance(error, Exception)] == []
    home = storage.stored_name("js/chart/stage.js")
    assert home == storage.stored_name("js/chart/chart.js")
    assert home.startswith("js/chart/bundle.")
    assert (tmp_path / f"{home}.br").is_file()
    text = (tmp_path / str(storage.stored_name("js/series/page.js"))).read_text("utf-8")
    assert f'from "../{home.removeprefix("js/")}"' in text
    common_text = (tmp_path / str(storage.stored_name("css/common.css"))).read_text("utf-8")
    assert "@import" not in common_text
    assert common_text.startswith("@layer reset,base,components,pages,print;")
    assert FRAME_SCRIPT in storage.hashed_files
