"""ES modules of a site in few files, exactly: each keeps a scope of its own, and runs once.

An entry is a script that a template names, or that a module imports when it is needed. A module
that one entry needs goes into the file of that entry; one that a page's frame needs, into the file
of the frame. All others go into shared files, so that no module runs twice on a page: what needs
the chart apart from what does not, and what the page opened most needs apart from the rest.

A module becomes a function that returns what the module exports. Imports become calls of such
functions, in the order in which a browser would run the modules. What this cannot keep exact is
refused: cycles, variables that are exported, `export *`, `export default`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

IMPORT: Final = re.compile(
    r'^import\s+(?:(?P<names>\{[^}]*\})|\*\s+as\s+(?P<all>\w+))?(?:\s*from\s*)?"(?P<path>\.[^"]+)"'
    r";?[ \t]*\n",
    re.MULTILINE,
)
EXPORT_FROM: Final = re.compile(
    r'^export\s+\{(?P<names>[^}]*)\}\s*from\s*"(?P<path>\.[^"]+)";?[ \t]*\n', re.MULTILINE
)
EXPORTED: Final = re.compile(
    r"^export (?=(?:const|class|function\*?|async function) (?P<name>[\w$]+))", re.MULTILINE
)
LATER: Final = re.compile(r'\bimport\("(?P<path>\.[^"]+)"\)')
LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
ONCE: Final = "const once = (make) => { let made; return () => (made ??= make()) }\n"


class BundleError(ValueError):
    """A module that cannot stand in a bundle exactly; the message says which, and why."""


@dataclass(frozen=True, slots=True)
class Module:
    """One script.

    imports  path → names that are asked of it; empty for all of them
    later    modules that are imported when they are needed
    exports  names
    body     the text without imports, with references of exports
    """

    name: str
    imports: dict[str, list[str]] = field(default_factory=dict)
    later: list[str] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    body: str = ""


def read_module(name: str, text: str) -> Module:
    """Take a script apart; BundleError where it has a form that is not kept exact."""
    module = Module(name)
    lines: list[str] = []
    passed_on_names: list[str] = []

    def resolved(path: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))

    def imported(match: re.Match[str]) -> str:
        target = resolved(match["path"])
        names = _names(match["names"] or "{}")
        module.imports.setdefault(target, []).extend(old_name for old_name, _ in names)
        binding = match["all"] or _pattern(names)
        lines.append(f"{f'const {binding} = ' if binding else ''}need[{target!r}]()\n")
        return ""

    def passed_on(match: re.Match[str]) -> str:
        target = resolved(match["path"])
        names = _names(match["names"])
        module.imports.setdefault(target, []).extend(old_name for old_name, _ in names)
        passed_on_names.extend(
            f"{new_name}: need[{target!r}]().{old_name}" for old_name, new_name in names
        )
        module.exports.extend(new_name for _, new_name in names)
        lines.append(f"need[{target!r}]()\n")
        return ""

    def exported(match: re.Match[str]) -> str:
        module.exports.append(match["name"])
        passed_on_names.append(match["name"])
        return ""

    body = EXPORTED.sub(exported, EXPORT_FROM.sub(passed_on, IMPORT.sub(imported, text)))
    if leftover := LEFT.search(body):
        raise BundleError(f"{name}: {leftover[0]!r} cannot stand in a bundle")
    module.later.extend(resolved(match["path"]) for match in LATER.finditer(body))
    scope_text = f"{''.join(lines)}{body}return {{ {', '.join(passed_on_names)} }}\n"
    return Module(name, module.imports, module.later, module.exports, scope_text)


def _names(text: str) -> list[tuple[str, str]]:
    """Pairs of a name and what it is called afterwards: of `{ a, b as c }`."""
    parts = [words.split() for words in text.strip("{} \n").split(",") if words.strip()]
    return [(words[0], words[-1]) for words in parts]


def _pattern(names: Iterable[tuple[str, str]]) -> str:
    """The pattern that takes names out of an object; empty without names."""
    text = ", ".join(
        new_name if new_name == old_name else f"{old_name}: {new_name}"
        for old_name, new_name in names
    )
    return f"{{ {text} }}" if text else ""


class ModuleGraph:
    """All modules, and the file that each one goes to."""

    def __init__(
        self, texts: Mapping[str, str], entries: Iterable[str], *, frame: str, file_name: str
    ) -> None:
        """Read `texts` by name; raises BundleError.

        entries  scripts that pages name
        frame    script of every page
        most     script of the page that is opened most
        """
        self.frame, self.most = frame, file_name
        self.modules = {name: read_module(name, text) for name, text in texts.items()}
        self.needed = cache(self._needed)
        for module in self.modules.values():
            self._check(module)
        later_targets = {target for module in self.modules.values() for target in module.later}
        self.entries = sorted({*entries, frame} | later_targets)
        self.files = {name: self._file_of(name) for name in self._reached()}

    def _check(self, module: Module) -> None:
        for target, names in module.imports.items():
            if target not in self.modules:
                raise BundleError(f"{module.name}: there is no {target}")
            missing_names = set(names) - set(self.modules[target].exports)
            if missing_names:
                raise BundleError(f"{module.name}: {target} exports no {', '.join(missing_names)}")
            if module.name in self.needed(target):
                raise BundleError(f"{module.name} and {target} need each other")

    def _needed(self, name: str) -> frozenset[str]:
        """The module and all that it imports at once."""
        names: set[str] = set()
        unvisited = [name]
        while unvisited:
            if (target := unvisited.pop()) not in names:
                names.add(target)
                unvisited.extend(self.modules[target].imports)
        return frozenset(names)

    def _reached(self) -> list[str]:
        return [
            name
            for name in self.modules
            if any(name in self.needed(entry) for entry in self.entries)
        ]

    def _file_of(self, name: str) -> str:
        if name in self.needed(self.frame):
            return self.frame
        users = [entry for entry in self.entries if name in self.needed(entry)]
        if len(users) == 1:
            return users[0]
        chart = any(module_name.startswith("js/chart/") for module_name in self.needed(name))
        file_stem = "bundle" if name in self.needed(self.most) else "more"
        return f"js/{'chart' if chart else 'shared'}/{file_stem}.js"

    def bundles(self) -> dict[str, str]:
        """Text of each file by its name."""
        names = sorted({*self.files.values(), *self.entries})
        return {name: self._bundle(name) for name in names}

    def _bundle(self, file: str) -> str:
        members = [name for name, target in self.files.items() if target == file]
        entry = file if file in self.entries else None
        targets = {target for name in members for target in self.modules[name].imports}
        targets |= {entry} if entry else set()
        imported_files = sorted({self.files[name] for name in targets} - {file})
        heads = [
            f'import {{ need as need{number} }} from "{_relative_address(imported_file, file)}";\n'
            for number, imported_file in enumerate(imported_files)
        ]
        scopes = "".join(self._scope(name, file) for name in members)
        spread = "".join(f"...need{number}, " for number in range(len(imported_files)))
        text = f"{''.join(heads)}{ONCE}export const need = {{ {spread}\n{scopes}}}\n"
        if entry:
            exports = ", ".join(self.modules[entry].exports)
            declaration = f"export const {{ {exports} }} = " if exports else ""
            text += f"{declaration}need[{entry!r}]()\n"
        return text

    def _scope(self, name: str, file: str) -> str:
        module = self.modules[name]

        def moved(match: re.Match[str]) -> str:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), match["path"]))
            return f'import("{_relative_address(target, file)}")'

        return f"{name!r}: once(() => {{\n{LATER.sub(moved, module.body)}}}),\n"


def _relative_address(target: str, file: str) -> str:
    """The address of a file as another one imports it."""
    path = posixpath.relpath(target, posixpath.dirname(file))
    return path if path.startswith(".") else f"./{path}"
