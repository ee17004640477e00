"""The decorator of every kernel: compiled at its first call, not when it is imported."""

from __future__ import annotations

import os
import threading
import types
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar, cast

from detectors.cache import place_kernel_cache
from detectors.compiling import one_at_a_time

P = ParamSpec("P")
R = TypeVar("R")

# One dispatcher for each kernel, and the same thread may go on to a callee.
_making = threading.RLock()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` when it is first called, and keep its types for mypy.

    Importing a kernel costs nothing: numba (about a second) is imported by the first call.
    Plain IEEE arithmetic: no fastmath, so no answer depends on the compiler. The GIL is
    released and the code cached. No signature: ``float64[::1]`` would refuse the contract's
    arrays, which are read-only. A kernel calls others by their bare names, from any module.
    With ``NUMBA_DISABLE_JIT=1`` the function runs as it is written.
    """
    return cast("Callable[P, R]", CompiledKernel(function))


class CompiledKernel:
    """A function that stands for its compiled self."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.compiled: Callable[..., Any] | None = None
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        return (self.compiled or self.compile())(*args)

    def __reduce__(self) -> str:
        return self.function.__qualname__

    def compile(self) -> Callable[..., Any]:
        """The compiled function; made once, with those that it calls."""
        if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
            return self.function
        with _making:
            if self.compiled is None:
                self.compiled = _compile(self)
            return self.compiled


def _compile(kernel: CompiledKernel) -> Callable[..., Any]:
    folder = place_kernel_cache()
    import numba  # noqa: PLC0415  # late on purpose, and after its cache has a place

    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # if imported earlier
    function = kernel.function
    # Numba looks up globals when it compiles, and knows its own functions only: the copy
    # sees the compiled ones where the module has the `CompiledKernel`s.
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = names.get(name)
        if isinstance(called, CompiledKernel) and called is not kernel:
            names[name] = called.compile()
    copy = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    copy.__doc__ = function.__doc__
    # No C callback calls a kernel: compiling takes less without that wrapper.
    options: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
    compiled = numba.njit(**options)(copy)
    lock = folder / "locks" / f"{function.__module__}.{function.__qualname__}"
    compile_ = one_at_a_time(_for_plain_types(compiled.compile), lock)
    compiled.compile = compile_
    names[function.__name__] = compiled  # for a kernel that calls itself
    return cast("Callable[..., Any]", compiled)


def _for_plain_types(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """`compile_`, for any integer where a caller writes a certain one.

    numba would compile a callee once more for every number that is written in a call.
    """
    from numba.core import types as numba_types  # noqa: PLC0415  # late, as numba is

    plain: Callable[[Any], Any] = numba_types.unliteral

    def compiled(types_of_arguments: tuple[Any, ...]) -> Any:
        return compile_(tuple(map(plain, types_of_arguments)))

    return compiled
