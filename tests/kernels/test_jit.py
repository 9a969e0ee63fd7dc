import subprocess
import sys

import numba

from caveat.kernels import _jit


def double(x):
    return 2 * x


def test_without_a_folder_to_keep_code_in_it_compiles_all_the_same(monkeypatch):
    asked = []

    def njit(*, cache=False, **options):
        asked.append(cache)
        if cache:
            raise RuntimeError("cannot cache function 'double': no locator available for file")
        return numba.njit(**options)

    monkeypatch.setattr(_jit, "njit", njit)
    made = _jit.compiled(double)
    assert made(21) == 42
    assert made.py_func(21) == 42
    assert asked == [True, False]


def test_a_likelihood_board_needs_no_numba():
    code = (
        "import sys, caveat; import caveat.stats.ranking.systems;"
        "caveat.rank({'model_a': ['x', 'y'], 'model_b': ['y', 'x'], 'winner': ['a', 'a']});"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
