import krippendorff
import numpy as np
import pytest

from caveat.data.matrix import response_matrix
from caveat.errors import InputError, TooFewError
from caveat.stats.agreement.groups import agreement_of_groups, group_agreement


def of(evidence, **options):
    return group_agreement(response_matrix(evidence, "bench"), **options)


def test_by_hand(grid):
    # A A A, A A B, A B B: as in the kernel's test
    found = of(grid("AAA", x="AAA", y="AAB", z="ABB"))
    assert found.observed.value == pytest.approx(5 / 9)
    assert found.fleiss.value == pytest.approx(0)
    assert found.alpha.value == pytest.approx(1 - 32 / 36)
    assert (found.n_items, found.n_dropped, found.n_labels) == (3, 0, 2)
    assert found.reason == ""


def test_policies(grid):
    evidence = grid("AAAA", x="AAB.", y="AA..", z="AB..")
    drop, apart, option = (of(evidence, policy=p) for p in ("drop", "as-disagreement", "as-option"))
    # items with two answers or more: 2, 4 and 4; the last has three unread ones
    assert (drop.n_items, drop.n_dropped) == (2, 2)
    assert (apart.n_items, option.n_items) == (4, 4)
    # pairs that agree: (3 + 1) of 6; (3 + 1 + 0 + 0) of 12; (3 + 1 + 1 + 3) of 12
    assert drop.observed.value == pytest.approx((1 + 1 / 3) / 2)
    assert apart.observed.value == pytest.approx((1 + 1 / 3) / 4)
    assert option.observed.value == pytest.approx((1 + 1 / 3 + 1 / 3 + 1) / 4)
    assert np.isnan(apart.gwet.value)
    assert "gwet" in apart.reason


def test_a_group_of_some_models(grid):
    evidence = grid("AABB", x="AABB", y="AABB", z="BBAA")
    everyone, two = of(evidence), of(evidence, models=["x", "y"])
    assert everyone.observed.value == pytest.approx(1 / 3)
    assert two.observed.value == 1
    assert two.alpha.value == pytest.approx(1)
    assert "intervals" in two.reason
    matrix = response_matrix(evidence, "bench")
    (same,) = agreement_of_groups(matrix, [("named", "g", ["x", "y"])])
    assert same.alpha == two.alpha or same.alpha.value == two.alpha.value
    assert (same.kind, same.group) == ("named", "g")


def test_wrong_calls(grid, responses):
    evidence = grid("AAB", x="AAB", y="AAB")
    with pytest.raises(InputError, match="got nobody"):
        of(evidence, models=["x", "nobody"])
    with pytest.raises(TooFewError, match="models of a group"):
        of(evidence, models=["x", "x"])
    with pytest.raises(InputError, match="policy must be one of"):
        of(evidence, policy="zero")
    with pytest.raises(InputError, match="weights must be one of"):
        of(evidence, weights="cubic")
    with pytest.raises(InputError, match="must be numbers"):
        of(evidence, weights="linear")
    with pytest.raises(InputError, match="policy must be drop"):
        of(evidence, weights="linear", policy="as-option")
    scores = [{"item": i, "model": m, "score": 1.0} for m in "xy" for i in range(3)]
    with pytest.raises(InputError, match="must hold predictions"):
        of(responses(scores))


@pytest.mark.parametrize(
    ("letters", "why"),
    [("AAA", "chance alone"), ("...", "no item with two answers")],
)
def test_undefined_has_its_reason(grid, letters, why):
    found = of(grid("AAA", x="AAA", y="AAA" if letters == "AAA" else letters))
    assert np.isnan(found.alpha.value)
    assert why in found.reason


def test_free_text_has_plain_agreement_only(responses):
    rows = [
        {"item": i, "model": m, "prediction": f"{m if i % 2 else ''}{i}", "status": "unscored"}
        for m in "xy"
        for i in range(300)
    ]
    found = of(responses(rows))
    assert found.observed.value == pytest.approx(0.5)
    assert np.isnan(found.alpha.value)
    assert "free text" in found.reason


def numbers(rng, items=60):
    truth = rng.integers(1, 6, items)
    return [
        {
            "item": i,
            "model": m,
            "prediction": str(np.clip(truth[i] + rng.integers(-1, 2), 1, 5)),
            "status": "unscored",
        }
        for m in "wxyz"
        for i in range(items)
        if rng.random() > 0.1
    ]


@pytest.mark.parametrize(("weights", "scale"), [("nominal", "nominal"), ("quadratic", "interval")])
def test_alpha_equals_krippendorff(responses, weights, scale):
    rows = numbers(np.random.default_rng(4))
    ratings = np.full((4, 60), np.nan)
    for row in rows:
        ratings["wxyz".index(row["model"]), row["item"]] = float(row["prediction"])
    found = of(responses(rows), weights=weights)
    peer = krippendorff.alpha(ratings, level_of_measurement=scale)
    assert found.alpha.value == pytest.approx(float(peer), abs=1e-12)
    assert found.weights == weights


def test_clusters_are_the_units(responses):
    rows = [{**row, "cluster": f"c{row['item'] // 6}"} for row in numbers(np.random.default_rng(5))]
    found = of(responses(rows))
    assert found.n_clusters == 10
    assert found.alpha.low < found.alpha.value < found.alpha.high


def draw(rng, *, clusters, per_cluster):
    """Three models whose answers are one of three labels, alike as far as the item is easy."""
    n = clusters * per_cluster
    easy = np.repeat(rng.beta(2.0, 1.5, clusters), per_cluster)
    truth = rng.choice(3, n, p=(0.5, 0.3, 0.2))
    own = rng.choice(3, (n, 3), p=(0.5, 0.3, 0.2))
    return np.where(rng.random((n, 3)) < easy[:, None], truth[:, None], own)


@pytest.mark.slow
@pytest.mark.parametrize(("clusters", "per_cluster"), [(40, 1), (300, 1), (40, 8)])
def test_coverage_of_groups_and_pairs(clusters, per_cluster):
    # alpha, AC1, Fleiss' kappa of three models, Cohen's kappa of two
    from caveat.kernels.group_agreement import answer_counts
    from caveat.kernels.group_agreement import group_agreement as kernel
    from caveat.kernels.pair_kappas import pair_kappas

    rng = np.random.default_rng(17)

    def measure(answers, cluster):
        counts, answered = answer_counts(answers.astype(np.int32), 3)
        found = kernel(counts, answered, cluster=cluster, level=0.95)
        pair = pair_kappas(
            answers.astype(np.int32),
            answers == 0,
            first=np.array([0]),
            second=np.array([1]),
            n_labels=3,
            n_options=np.full(len(answers), 3.0),
            cluster=cluster,
            level=0.95,
        )
        figures = {name: getattr(found, name) for name in ("observed", "fleiss", "gwet", "alpha")}
        limits = {name: (f.value, f.low, f.high) for name, f in figures.items()}
        for name in ("kappa", "error_consistency"):
            f = getattr(pair, name)
            limits[name] = (f.value[0], f.low[0], f.high[0])
        return limits

    truth = measure(draw(rng, clusters=200_000, per_cluster=1), None)
    runs = 1_500
    held = dict.fromkeys(truth, 0)
    cluster = np.repeat(np.arange(clusters), per_cluster) if per_cluster > 1 else None
    for _ in range(runs):
        for name, (_, low, high) in measure(
            draw(rng, clusters=clusters, per_cluster=per_cluster), cluster
        ).items():
            held[name] += low <= truth[name][0] <= high
    found = {name: number / runs for name, number in held.items()}
    gap = 4 * np.sqrt(0.95 * 0.05 / runs)  # 4 binomial standard errors
    assert all(abs(share - 0.95) < gap for share in found.values()), found
