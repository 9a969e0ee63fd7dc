"""`caveat rank` with its models of ties, anchor, position, clusters and counts."""

import json
import math

import pytest

LIKELIHOODS = ("bradley-terry", "davidson", "rao-kupper")


def write(folder, rows, *, name="ties.csv", head="model_a,model_b,winner"):
    path = folder / name
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


@pytest.fixture
def ties(folder):
    """Three models, both orders, a fifth of the votes ties, ten voters."""
    rows, k = [], 0
    for a, b, wins in (("x", "y", 60), ("y", "z", 60), ("z", "x", 40), ("y", "x", 50)):
        for winner, n in (("model_a", wins), ("model_b", 100 - wins), ("tie", 25)):
            for _ in range(n):
                k += 1
                rows.append(f"{a},{b},{winner},v{k * k % 37}")
    return write(folder, rows, head="model_a,model_b,winner,voter")


def answer(run, *arguments):
    ran = run("rank", *arguments, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_every_option_reaches_the_board(run, ties, method):
    found = answer(run, ties, "--method", method, "--position", "--cluster", "voter",
                   "--anchor", "z", "--bootstrap", "100", "--level", "0.9")  # fmt: skip
    assert found["method"] == method
    assert found["interval"] == "cluster bootstrap"
    assert (found["anchor"], found["cluster"]) == ("z", "voter")
    assert found["n_clusters"] == len({k * k % 37 for k in range(1, 501)})
    assert found["position"]["low"] < found["position"]["high"]
    assert (found["tie_parameter"] is None) == (method == "bradley-terry")
    z = next(m for m in found["models"] if m["model"] == "z")
    assert (z["rating"], z["se"], z["win_probability"]) == (1000, 0, 0.5)
    assert found["settings"]["position"] is True
    assert sum(m["best"] for m in found["models"]) == pytest.approx(1)
    assert [c["above"] for c in found["comparisons"]] == [
        found["models"][0]["model"], found["models"][0]["model"], found["models"][1]["model"]
    ]  # fmt: skip


def test_ties_are_modelled_unless_there_are_none(run, ties, votes):
    assert answer(run, ties)["method"] == "davidson"
    assert answer(run, votes)["method"] == "bradley-terry"


def test_counts_are_votes_again(run, ties, folder):
    plain = answer(run, ties)
    assert run("rank", ties, "--counts", "counts.parquet").code == 0
    again = answer(run, "counts.parquet")
    assert again["n_votes"] == plain["n_votes"]
    for one, other in zip(again["models"], plain["models"], strict=True):
        assert one["model"] == other["model"]
        assert one["rating"] == pytest.approx(other["rating"], abs=1e-9)
        assert one["se"] == pytest.approx(other["se"], rel=1e-9)
    # as many votes again: the same board, errors smaller by the root of two
    twice = answer(run, "counts.parquet", ties)
    assert twice["lead"]["difference"] == pytest.approx(plain["lead"]["difference"], abs=1e-9)
    assert twice["lead"]["se"] * math.sqrt(2) == pytest.approx(plain["lead"]["se"], rel=1e-9)


BAD = [
    (("--anchor", "nobody"), "anchor must be a rated model, got 'nobody': no vote names it"),
    (("--cluster", "colour"), "cluster must name a column that the votes have, got 'colour'"),
    (("--bootstrap", "20"), "bootstrap must be at least 100, got 20"),
    (("--level", "95"), "level must be strictly between 0 and 1, got 95"),
]


@pytest.mark.parametrize(("options", "says"), BAD, ids=[o[0] for o, _ in BAD])
def test_bad_options_are_errors_that_say_why(run, ties, options, says):
    ran = run("rank", ties, *options)
    assert ran.code == 2
    assert says in " ".join(ran.err.split())
    assert ran.out == ""


UNFIT = [
    ("davidson without ties", ["x,y,model_a", "x,y,model_b"], ("--method", "davidson"),
     "method must be bradley-terry for these votes, got 'davidson': no tie among them"),
    ("all ties", ["x,y,tie"] * 5, ("--method", "rao-kupper"),
     "method must be bradley-terry for these votes, got 'rao-kupper': no finite tie parameter"),
    ("always first", ["x,y,model_a", "x,y,model_b"], ("--position",),
     "position must be off: these votes cannot tell"),
    ("an anchor that is unbeaten", ["x,y,model_a", "x,y,model_b", "top,x,model_a"],
     ("--anchor", "top"), "anchor must be a rated model, got 'top': it has no rating"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "options", "says"), [u[1:] for u in UNFIT], ids=[u[0] for u in UNFIT]
)
def test_votes_that_do_not_fit_are_errors_that_say_why(run, folder, rows, options, says):
    ran = run("rank", write(folder, rows), *options)
    assert ran.code == 2
    assert says in " ".join(ran.err.split())


def test_all_ties_are_a_board_on_which_nothing_is_separable(run, folder):
    found = answer(run, write(folder, ["x,y,tie"] * 50))
    assert found["method"] == "bradley-terry"
    assert [m["rating"] for m in found["models"]] == [1000, 1000]
    assert all(m["se"] is None and m["reason"] and m["best"] is None for m in found["models"])
    assert [(m["rank_low"], m["rank_high"]) for m in found["models"]] == [(1, 2), (1, 2)]
    assert found["lead"]["separable"] is False
    assert found["comparisons"][0]["p_adjusted"] is None


def test_two_islands_and_an_unbeaten_model(run, folder):
    rows = ["x,y,model_a", "x,y,model_b", "x,y,tie", "u,v,model_a", "v,u,model_a", "top,x,model_a"]
    found = answer(run, write(folder, [*rows, "y,x,model_a"]))
    assert [g["relation"] for g in found["groups"]] == ["main", "isolated", "unbeaten"]
    unrated = [m for m in found["models"] if m["rating"] is None]
    assert {m["model"] for m in unrated} == {"u", "v", "top"}
    assert all(m["reason"] for m in unrated)
    assert all((m["rank_low"], m["rank_high"]) == (1, 5) for m in unrated)


def test_weights_of_zero_or_below_are_refused_and_bootstraps_of_weights_are(run, folder):
    head = "model_a,model_b,winner,weight"
    for weight in ("0", "-1", "inf"):
        rows = ["x,y,model_a,1", f"x,y,model_b,{weight}"]
        ran = run("rank", write(folder, rows, head=head))
        assert ran.code == 2
        assert "weight" in ran.err
    rows = ["x,y,model_a,1", "x,y,model_b,2", "x,y,tie,1"]
    path = write(folder, rows, head=head)
    assert run("rank", path).code == 0
    ran = run("rank", path, "--bootstrap", "100")
    assert ran.code == 2
    assert "bootstrap must be 0 for weighted votes" in ran.err
    ran = run("rank", path, "--counts", "counts.parquet")
    assert ran.code == 2
    assert not (folder / "counts.parquet").exists()


def test_a_voter_with_one_vote_and_votes_without_voter(run, folder):
    rows = [f"x,y,model_{'ab'[k % 3 == 0]},v{k // 3}" for k in range(60)]
    rows += ["x,y,tie,once", "x,y,tie,", "y,x,model_a,"]
    found = answer(run, write(folder, rows, head="model_a,model_b,winner,voter"),
                   "--cluster", "voter")  # fmt: skip
    assert found["n_clusters"] == 20 + 1 + 2
    assert found["models"][1]["se"] > 0
