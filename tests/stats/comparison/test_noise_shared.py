"""Noise floors, families and variants on real answers."""

import pytest

from caveat.results.comparison.interchange import Interchange
from caveat.results.comparison.noise import NoiseFloor
from caveat.results.comparison.sensitivity import Sensitivity
from caveat.workflows.agree_noise import interchangeable, noise, sensitivity
from caveat.workflows.agree_parts import Desk
from caveat.workflows.options import Options

pytestmark = pytest.mark.shared
HOSTS = (
    ("llama-3.3-70b", "llama-3.3-70b:yandex"),  # labels 05 and 13
    ("llama-3.1-8b", "llama-3.1-8b:yandex"),  # labels 04 and 10
)


def desk(path, benchmark, **options):
    import caveat
    from caveat.data.matrix import response_matrix, rows_of
    from caveat.stats.agreement.pairs import agreement
    from caveat.stats.scores.accuracy import scores

    evidence = caveat.read_responses(path)
    matrix = response_matrix(evidence, benchmark)
    return Desk(
        rows=rows_of(evidence, benchmark),
        matrix=matrix,
        scores=scores(matrix),
        agreement=agreement(matrix),
        options=Options(**options),
    )


@pytest.fixture(scope="module")
def hosts(shared):
    return shared / "items" / "simple_evals_ru_mc.parquet"


@pytest.mark.parametrize("margin", [0.01, 0.05])
def test_the_same_weights_on_two_hosts_are_found_near_the_top(hosts, margin):
    found = interchangeable(desk(hosts, "mmlu_pro_s200", margin=margin))
    assert isinstance(found, Interchange)
    place = {frozenset((p.a, p.b)): k for k, p in enumerate(found.pairs, start=1)}
    pairs = {frozenset((p.a, p.b)): p for p in found.pairs}
    big, small = (frozenset(pair) for pair in HOSTS)
    assert len(found.pairs) == 325
    assert (place[big], place[small]) == (1, 15)
    assert pairs[big].disagree == pytest.approx(0.128, abs=5e-4)
    assert pairs[small].disagree == pytest.approx(0.434, abs=5e-4)
    # no floor: nothing is more than undecided
    assert found.counts["interchangeable"] == 0


def test_named_as_one_they_make_the_floor(hosts):
    given = desk(hosts, "mmlu_pro_s200", same=HOSTS)
    found = noise(given)
    assert isinstance(found, NoiseFloor)
    (source,) = found.sources
    assert source.source == "host"
    assert [round(one.disagree, 3) for one in source.models] == [0.434, 0.128]
    assert source.disagree == pytest.approx(0.281, abs=5e-4)
    assert 0 < found.matched_within < found.matched
    assert found.left_out["prediction_displayed"] == "letters as displayed, options shuffled"
    judged = interchangeable(given)
    assert judged.floor == "host"
    assert sum(pair.same_weights for pair in judged.pairs) == 2


def test_a_strict_parser_costs_one_model_ten_points(shared):
    given = desk(shared / "items" / "mmlu_pro.parquet", "mmlu_pro")
    (found,) = sensitivity(given).sources
    assert isinstance(sensitivity(given), Sensitivity)
    assert [one.variant for one in found.variants] == [
        "prediction",
        "strict",
        "lenient",
        "published",
    ]
    mover = max(found.models, key=lambda one: one.moved)
    assert mover.model == "DeepSeek-Coder-V2"
    assert [round(100 * score, 1) for score in mover.scores[:2]] == [63.4, 53.7]
    assert mover.ranks[:2] == (4, 6)
    assert found.p < 0.01
    assert found.tau < found.tau_expected
    assert {one.first for one in found.variants} == {"gemini-1.5-pro-002"}


def test_prompts_of_gpqa_are_noise_and_variants(shared, tmp_path):
    import pyarrow.parquet as pq

    table = pq.read_table(shared / "items" / "gpqa_original_baselines.parquet")
    names = {"model": "configuration", "base_model": "model", "prompt_style": "prompt"}
    table = table.rename_columns([names.get(name, name) for name in table.column_names])
    path = tmp_path / "gpqa.parquet"
    pq.write_table(table, path)
    given = desk(path, "gpqa_extended")
    (source,) = noise(given).sources
    assert source.source == "prompt"
    assert source.disagree == pytest.approx(0.452, abs=5e-4)
    (found,) = sensitivity(given).sources
    assert found.left_out == {"retrieval": "few models have it"}
    assert {one.first for one in found.variants} == {"gpt-4-0613"}
