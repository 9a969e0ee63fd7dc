import subprocess
import sys

import pytest

import caveat
from caveat import _optional
from caveat.errors import MissingExtraError

VOTES = {"model_a": ["x", "y", "x"], "model_b": ["y", "x", "y"], "winner": ["a", "a", "tie"]}
ANSWERS = {
    "benchmark": ["b"] * 4,
    "item": ["1", "2", "1", "2"],
    "model": ["x", "x", "<script>y", "<script>y"],
    "prediction": ["A", "B", "A", "A"],
    "target": ["A", "A", "A", "A"],
}


@pytest.mark.parametrize("name", caveat.__all__)
def test_every_exported_name_loads_and_is_documented(name):
    assert getattr(caveat, name).__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = caveat.nothing


def test_bare_import_loads_nothing_heavy():
    heavy = ("numpy", "scipy", "pyarrow", "narwhals", "rich", "jinja2", "vl_convert", "cyclopts")
    code = f"import sys, caveat; print([m for m in {heavy!r} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_statistics_load_no_frames_plots_or_command_line():
    code = (
        "import sys, caveat; caveat.rank, caveat.agree, caveat.report; "
        "import caveat.stats.ranking.rate, caveat.stats.agreement.pairs; "
        "print([m for m in ('pandas', 'polars', 'vl_convert', 'cyclopts', 'rich', 'scipy.stats') "
        "if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("make", ["dict", "arrow", "pandas", "polars"])
def test_frames_of_all_kinds_give_the_same_board(make):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    frame = {"dict": dict, "arrow": pa.table, "pandas": pd.DataFrame, "polars": pl.DataFrame}
    assert caveat.rank(frame[make](VOTES)).models == caveat.rank(VOTES).models


def test_results_become_frames_of_all_kinds():
    board = caveat.rank(VOTES)
    assert board.to_pandas()["model"].tolist() == board.to_arrow()["model"].to_pylist()
    assert board.to_polars()["rating"].to_list() == board.to_arrow()["rating"].to_pylist()
    pairs = caveat.agree(ANSWERS)
    assert pairs.to_pandas().loc[0, "disagree"] == 0.5


def test_notebooks_show_names_as_text():
    shown = caveat.agree(ANSWERS)._repr_html_()
    assert "&lt;script&gt;y" in shown
    assert "<script>" not in shown


def test_a_report_of_frames_says_the_same_as_its_check():
    report = caveat.report([VOTES, ANSWERS])
    assert report.caveats == caveat.check([VOTES, ANSWERS])
    assert report.findings.ranking is not None
    assert report.findings.benchmarks[0].benchmark == "b"


def test_a_report_is_written_where_it_is_wanted(tmp_path):
    caveat.report(VOTES, out=tmp_path / "r.html", options=caveat.Options(title="Mine & yours"))
    assert "Mine &amp; yours" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert [p.name for p in tmp_path.iterdir()] == ["r.html"]


def test_the_callers_data_is_not_changed():
    import pandas as pd

    frame = pd.DataFrame(VOTES)
    before = frame.copy(deep=True)
    caveat.report(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_a_missing_package_names_its_extra(monkeypatch):
    def refuse(package):
        raise ImportError(package)

    monkeypatch.setattr(_optional, "import_module", refuse)
    with pytest.raises(MissingExtraError, match=r"to_pandas\(\) needs .*caveat\[pandas\]"):
        caveat.rank(VOTES).to_pandas()
