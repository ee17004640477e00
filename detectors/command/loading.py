"""Anybody's class, by module or by file: what `python -m detectors check` is given."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from detectors.contract import Detector


class DetectorNotFound(LookupError):
    """No detector of that name; the sentence says what was looked for, and what there is."""


def class_at(target: str) -> type[Detector]:
    """The class of ``package.module:Class`` or ``path/to/file.py:Class``.

    The working folder is looked into as well. Raises DetectorNotFound, also for a module that
    cannot be
    imported, with its error and the line where it arose.
    """
    module_path, _, name = target.rpartition(":")
    if not (module_path and name):
        raise DetectorNotFound(f"{target}: expected package.module:Class or file.py:Class")
    try:
        module = _file(Path(module_path)) if module_path.endswith(".py") else _module(module_path)
    except DetectorNotFound as error:
        raise DetectorNotFound(f"{target}: {error}") from error
    except Exception as error:
        raise DetectorNotFound(f"{target}: {_error_line(error)}") from error
    return _member_class(module, name, target)


def _module(name: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.insert(0, "")  # the folder in which the command was typed
    return importlib.import_module(name)


def _file(path: Path) -> ModuleType:
    """A file as the module of its own name; its folder is where it imports its neighbours from."""
    if not path.is_file():
        raise DetectorNotFound(f"found no file {path}, expected file.py:Class")
    name, loaded_module = path.stem, sys.modules.get(path.stem)
    if (
        loaded_module
        and loaded_module.__file__
        and Path(loaded_module.__file__).resolve() == path.resolve()
    ):
        return loaded_module
    if not name.isidentifier() or name in sys.stdlib_module_names or loaded_module:
        raise DetectorNotFound(f"a module cannot be called {name!r} here; rename the file")
    sys.path.insert(0, str(path.resolve().parent))
    return importlib.import_module(name)


def _error_line(error: Exception) -> str:
    """The error in one line, with the line of the last file that it came through."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({Path(error.filename or '').name}, line {error.lineno})"
    own_files = {__file__, importlib.__file__}
    frames = [frame for frame in extract_tb(error.__traceback__) if "<frozen" not in frame.filename]
    last = frames[-1] if frames else None
    is_inside = last is not None and last.filename not in own_files
    place_words = f" ({Path(last.filename).name}, line {last.lineno})" if last and is_inside else ""
    type_prefix = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
    return f"{type_prefix}{error}{place_words}"


def _member_class(module: ModuleType, name: str, target: str) -> type[Detector]:
    member_class = getattr(module, name, None)
    if not (isinstance(member_class, type) and issubclass(member_class, Detector)):
        class_names = [
            class_name
            for class_name, member in vars(module).items()
            if isinstance(member, type)
            and issubclass(member, Detector)
            and member.__module__ == module.__name__
        ]
        raise DetectorNotFound(
            f"{target}: expected a subclass of detectors.contract.Detector; "
            f"{module.__name__} has {', '.join(class_names) or 'none'}"
        )
    if inspect.isabstract(member_class):
        abstract_names = ", ".join(sorted(member_class.__abstractmethods__))
        raise DetectorNotFound(f"{target}: write {abstract_names} first; the class leaves it open")
    return member_class
