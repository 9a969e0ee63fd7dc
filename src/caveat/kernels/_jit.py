"""Compiled loops: the one place that knows numba. A kernel that imports this loads numba."""

from collections.abc import Callable
from typing import Generic, ParamSpec, Protocol, TypeVar, cast

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


class Compiled(Protocol, Generic[P, R]):
    """A compiled function; `py_func` is the plain Python one, which tests hold it to."""

    py_func: Callable[P, R]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it, compiled for the types of its arguments."""


def compiled(function: Callable[P, R]) -> Compiled[P, R]:
    """Compile a loop at its first call, and keep the machine code for the next process.

    Where no folder can be written to (beside the package or in the user's cache), each process
    compiles anew.
    """
    try:
        made = njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # numba: "cannot cache function: no locator available for file"
        made = njit(nogil=True, error_model="numpy")(function)
    return cast("Compiled[P, R]", made)
