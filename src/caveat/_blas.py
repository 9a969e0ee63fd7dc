"""How many threads linear algebra may use."""

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


def single_threaded() -> AbstractContextManager[object]:
    """Keep BLAS on one thread: on matrices of a few hundred rows, the others only spin."""
    limits: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> ThreadpoolController:
    """Find the libraries once: it takes milliseconds, as long as a small board in all."""
    import numpy.linalg  # noqa: F401  # what is looked for has to be loaded
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()
