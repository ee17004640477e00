"""Results in the memory of a process: those used last, up to a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")
Default = TypeVar("Default")


def _weigh_one(_key: object, _result: object) -> int:
    return 1


class LatestUsed(Generic[Key, Result]):
    """Results by key, shared by threads; the one unused for longest makes room for another.

    most   sum of the weights of all results
    weigh  weight of a result, which never changes; without it, each weighs 1
    least  results that stay whatever they weigh
    """

    def __init__(
        self, most: int, weigh: Callable[[Key, Result], int] = _weigh_one, *, least: int = 0
    ) -> None:
        self.most, self.weigh, self.least = most, weigh, least
        self._results: OrderedDict[Key, Result] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def __iter__(self) -> Iterator[Key]:
        """Keys, the one unused for longest first."""
        return iter(list(self._results))

    def get(self, key: Key, default: Default) -> Result | Default:
        """Return the result of `key`, used last from now on, or `default`."""
        with self._lock:
            if key not in self._results:
                return default
            self._results.move_to_end(key)
            return self._results[key]

    def keep(self, key: Key, result: Result) -> Result:
        """Keep `result`, unless another thread has kept one of `key`; return the kept one."""
        with self._lock:
            if key not in self._results:
                self._weight += self.weigh(key, result)
            kept_result = self._results.setdefault(key, result)
            self._results.move_to_end(key)
            while len(self._results) > self.least and self._weight > self.most:
                self._weight -= self.weigh(*self._results.popitem(last=False))
            return kept_result

    def clear(self) -> None:
        with self._lock:
            self._results.clear()
            self._weight = 0
