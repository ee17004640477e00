"""The decorator of every kernel: compiled at its first call, or later, not when it is imported."""

from __future__ import annotations

import os
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property, update_wrapper
from importlib.util import find_spec
from pathlib import Path
from time import thread_time
from typing import Any, Final, ParamSpec, TypeVar, cast

import numpy as np

from detectors.compilation.cache import place_kernel_cache
from detectors.compilation.compiling import serialise

P = ParamSpec("P")
R = TypeVar("R")

COMPILE_SECONDS: Final = (
    0.4  # seconds of one kernel, about; and before it was worth that, it took as long
)
IMPORT_SECONDS: Final = 0.5  # of numba, about: as long as it takes to read what was compiled

SHORT: Final = 4000  # values: of longer series one call of a kernel as written may take minutes

# One dispatcher for each kernel, and the same thread may go on to a callee.
_making = threading.RLock()


@dataclass
class KernelUse:
    """Use of kernels within a block: calls and seconds."""

    as_written: bool = False


_waiting: ContextVar[KernelUse | None] = ContextVar("waiting", default=None)


@contextmanager
def compile_when_hot() -> Iterator[KernelUse]:
    """Kernels that no process has compiled run as written until they are hot: for a few series.

    The answers are the same. For the calls of this thread within; says whether there was one.
    """
    kernel_use = KernelUse()
    token = _waiting.set(kernel_use)
    try:
        with np.errstate(all="ignore"):  # compiled code does not warn either
            yield kernel_use
    finally:
        _waiting.reset(token)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` when it is first called, and keep its types for mypy.

    Importing a kernel costs nothing: numba (about a second) is imported by the first call.
    Plain IEEE arithmetic: no fastmath, so no answer depends on the compiler. The GIL is
    released and the code cached. No signature: ``float64[::1]`` would refuse the contract's
    arrays, which are read-only. A kernel calls others by their bare names, from any module.
    Without numba, or with ``NUMBA_DISABLE_JIT=1``, the function runs as it is written.
    """
    return cast("Callable[P, R]", CompiledKernel(function))


def long_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel of which one call takes many seconds as written: it never runs so."""
    kernel = CompiledKernel(function)
    kernel.long = True
    return cast("Callable[P, R]", kernel)


def numpy_version_of(kernel: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator of a function with equal answers that is quick as written: it runs until
    `kernel` is compiled.
    """

    def register(function: Callable[P, R]) -> Callable[P, R]:
        cast("CompiledKernel", kernel).written = function
        return function

    return register


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that one place of one kernel calls: a part of that one when it is compiled.

    To compile it by itself as well would take as long again, for nobody.
    """
    kernel = CompiledKernel(function)
    kernel.inlined = True
    return cast("Callable[P, R]", kernel)


class CompiledKernel:
    """A function that stands for its compiled self."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.written = function  # or an equal one for NumPy
        self.compiled: Callable[..., Any] | None = None
        self.seconds = 0.0  # taken as written
        self.long = False
        self.inlined = False
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        return (self.compiled or self._choose_function())(*args)

    def __reduce__(self) -> str:
        return self.function.__qualname__

    @property
    def lock(self) -> Path:
        """The file that is locked by who compiles; it is left, and tells that somebody did."""
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        return place_kernel_cache() / "locks" / name

    def callees(self) -> dict[str, CompiledKernel]:
        """The kernels that it calls, by the names that it calls them by."""
        names = self.function.__globals__
        called_objects = {name: names.get(name) for name in self.function.__code__.co_names}
        return {
            name: kernel
            for name, kernel in called_objects.items()
            if isinstance(kernel, CompiledKernel)
        }

    def tree(self) -> set[CompiledKernel]:
        """Kernels compiled together with this one: itself, those that it calls, and their
        callees.
        """
        reached_kernels, waiting_kernels = {self}, [self]
        while waiting_kernels:
            new_kernels = set(waiting_kernels.pop().callees().values()) - reached_kernels
            reached_kernels |= new_kernels
            waiting_kernels += new_kernels
        return reached_kernels

    def _choose_function(self) -> Callable[..., Any]:
        kernel_use = _waiting.get()
        if kernel_use is None or not has_numba() or self.seconds > self._worth:
            return self.compile()
        if self._worth == IMPORT_SECONDS and "numba" in sys.modules:
            return self.compile()
        kernel_use.as_written = True
        return self._as_written

    @cached_property
    def _worth(self) -> float:
        """Seconds as written after which it is compiled, or read if some process did so."""
        if self.long:
            return -1.0
        return IMPORT_SECONDS if self.lock.exists() else COMPILE_SECONDS * len(self.tree())

    def _as_written(self, *args: Any) -> Any:
        began_at = thread_time()
        answer = self.written(*args)
        self.seconds += thread_time() - began_at
        return answer

    def compile(self) -> Callable[..., Any]:
        """The compiled function; made once, with those that it calls."""
        if not can_compile():
            self.compiled = np.errstate(all="ignore")(self.written)  # compiled code does not warn
            return self.compiled
        with _making:
            if self.compiled is None:
                self.compiled = _compile(self)
            return self.compiled


@cache
def has_numba() -> bool:
    """Return whether numba is installed; a mere folder of that name has no origin."""
    spec = find_spec("numba")
    return spec is not None and spec.origin is not None


def can_compile() -> bool:
    """True where numba is installed (`plateau-perf[fast]`) and not switched off."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") == "0" and has_numba()


def _compile(kernel: CompiledKernel) -> Callable[..., Any]:
    folder = place_kernel_cache()
    import numba  # noqa: PLC0415  # late on purpose, and after its cache has a place

    from detectors.compilation.kernel_cache import KernelCache  # noqa: PLC0415  # imports numba

    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # if imported earlier
    function = kernel.function
    # Numba looks up globals when it compiles, and knows its own functions only: the copy
    # sees the compiled ones where the module has the `CompiledKernel`s.
    names = dict(function.__globals__)
    for name, called_name in kernel.callees().items():
        if called_name is not kernel:
            names[name] = called_name.compile()
    copy = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    copy.__doc__ = function.__doc__
    # No C callback calls a kernel: compiling takes less without that wrapper.
    options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
    if kernel.inlined:
        options["inline"] = "always"
    compiled_kernel = numba.njit(**options)(copy)
    cache = KernelCache(copy)  # type: ignore[no-untyped-call]
    compiled_kernel._cache = cache  # noqa: SLF001  # no public way to another cache
    compiled_kernel.compile = serialise(_accept_plain_types(compiled_kernel.compile), kernel.lock)
    names[function.__name__] = compiled_kernel  # for a kernel that calls itself
    return cast("Callable[..., Any]", compiled_kernel)


def _accept_plain_types(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """`compile_`, for any integer where a caller writes a certain one.

    numba would compile a callee once more for every number that is written in a call.
    """
    from numba.core import types as numba_types  # noqa: PLC0415  # late, as numba is

    plain_type: Callable[[Any], Any] = numba_types.unliteral

    def compile_plain(types_of_arguments: tuple[Any, ...]) -> Any:
        return compile_(tuple(map(plain_type, types_of_arguments)))

    return compile_plain
