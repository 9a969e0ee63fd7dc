import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from caveat.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty repository to work in, so that no settings file from above is found."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run a command line in this process."""

    def call(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


@pytest.fixture
def spawn(folder):
    """Run a command line in a process of its own."""

    def call(*arguments: object, **env: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "caveat", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=folder,
            env={**os.environ, **env},
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def votes(folder):
    """Three models in a line: each beats the next in 60 of 100 votes, ends meet in 70 of 100."""
    rows = ["model_a,model_b,winner"]
    for a, b, wins in (("x", "y", 60), ("y", "z", 60), ("x", "z", 70)):
        rows += [f"{a},{b},model_a"] * wins + [f"{a},{b},model_b"] * (100 - wins)
    path = folder / "votes.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def apart(folder):
    """Two pairs of models that never met: the board falls apart, a serious caveat."""
    rows = ["model_a,model_b,winner"]
    for a, b in (("x", "y"), ("v", "w")):
        rows += [f"{a},{b},model_a"] * 60 + [f"{a},{b},model_b"] * 40
    path = folder / "apart.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def responses(folder):
    """Two models with 50 of 100 items right each, never the same items."""
    rows = ["benchmark,item,model,prediction,target,score"]
    for item in range(100):
        for model, right in (("x", item % 2 == 0), ("y", item % 2 == 1)):
            rows.append(f"quiz,{item},{model},{'A' if right else 'B'},A,{int(right)}")
    path = folder / "responses.csv"
    path.write_text("\n".join(rows) + "\n")
    return path
