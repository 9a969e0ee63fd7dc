"""How many threads linear algebra may use."""

from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits


def single_threaded() -> AbstractContextManager[object]:
    """Keep BLAS on one thread: on matrices of a few hundred rows, the others only spin."""
    limits: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="blas")
    return limits
