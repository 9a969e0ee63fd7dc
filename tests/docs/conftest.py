from dataclasses import dataclass

import pytest

from caveat.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty repository to work in, with the small files that the README names."""
    (tmp_path / ".git").mkdir()  # no settings file from above is found
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.csv").write_text(votes())
    (tmp_path / "responses.csv").write_text(responses())
    (tmp_path / "claims.toml").write_text('[[claim]]\nsays = "x beats y on t0"\n')
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "responses.csv").write_text(responses())
    return tmp_path


@pytest.fixture
def run(folder, capsys):
    """Run a command line in this process."""

    def call(*arguments: str) -> Ran:
        code = main([*arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


def votes() -> str:
    """Three models in a line, and one that was never beaten."""
    rows = ["model_a,model_b,winner"]
    for a, b, wins in (("x", "y", 6), ("y", "z", 6), ("x", "z", 7)):
        rows += [f"{a},{b},model_a"] * wins + [f"{a},{b},model_b"] * (10 - wins)
    return "\n".join([*rows, "top,x,model_a"]) + "\n"


def responses() -> str:
    """Two models of equal score that never agree; one with two answers, one of them unreadable."""
    rows = ["benchmark,item,model,task,prediction,target,n_options"]
    for item in range(40):
        for model, right in (("x", item % 2 == 0), ("y", item % 2 == 1)):
            rows.append(f"quiz,{item},{model},t{item % 4},{'A' if right else 'B'},A,4")
    return "\n".join([*rows, "quiz,1,z,t1,A,A,4", "quiz,2,z,t2,,A,4"]) + "\n"
