"""RNK212, RNK213, RNK216, GOV801 and GOV802: who was shown, picked, removed, tied and fitted."""

from dataclasses import replace

import numpy as np

from caveat.results.stress.connections import Comparison, Connections, WeakSplit
from caveat.results.stress.fit import AllPairs, Cycle, Cycles, Fit, LeadFit, ModelFit, PairFit
from caveat.results.stress.removal import GoneModel, Refit, Removal
from caveat.results.stress.sampling import ModelSampling, ProviderSampling, Sampling
from caveat.results.stress.stress import Stress
from caveat.results.stress.variants import LuckyLead, VariantModel, Variants

MODELS = "ABCD"


def shown(model="A", *, relative=1.0, provider=None):
    return ModelSampling(
        model=model,
        provider=provider,
        n_votes=round(1200 * relative),
        share=0.5 * relative,
        relative=relative,
    )


def sampling(*relative, gini=0.39, providers=()):
    return Sampling(
        models=tuple(shown(m, relative=r) for m, r in zip(MODELS, relative, strict=True)),
        providers=providers,
        n_unknown=4,
        gini=gini,
        gini_relative=gini,
        top_models=1,
        top_share=0.3,
        median=1200.0,
        dated=False,
        n_undated=2400,
        months=(),
        monthly=np.zeros((4, 0)),
    )


def maker(relative):
    return ProviderSampling(provider="P", n_models=2, n_votes=2400, share=0.5, relative=relative)


def comparison(**changes):
    base = Comparison(
        above="A",
        below="B",
        rank_above=1,
        rank_below=2,
        n_votes=400,
        direct=0.5,
        worth=800.0,
        through="C",
        through_share=0.25,
        pair=("A", "B"),
        pair_share=0.5,
        together=30,
    )
    return replace(base, **changes)


def connections(*, share=0.5, n_models=4, comparisons=None, holders=()):
    return Connections(
        n_models=n_models,
        n_pairs=6,
        n_met=6,
        n_disjoint=0,
        split=WeakSplit(models=("C", "D"), n_others=2, across=round(2400 * share), share=share),
        holders=holders,
        top=4,
        comparisons=comparisons or (comparison(),),
    )


def circles(**changes):
    base = Cycles(
        n_triples=4,
        n_cyclic=0,
        expected=0.2,
        low=0.0,
        high=1.0,
        p=1.0,
        zeta=1.0,
        n_beyond_doubt=0,
        listed=(),
    )
    return replace(base, **changes)


CIRCLE = Cycle(models=("A", "B", "C"), shares=(0.6, 0.6, 0.6), p_adjusted=0.001)


def lead_fit(*, z=5.6, departing=4.5):
    return LeadFit(
        leader="A",
        runner_up="B",
        z=z,
        se=2.5,
        se_departing=2.5 * z / departing,
        z_departing=departing,
        critical=3.1,
    )


def fit(*, tau=0.019, p=0.002, cycles=None, lead=None):
    nothing = np.zeros(0)
    return Fit(
        method="bradley-terry",
        n_models=4,
        n_pairs=6,
        n_votes=2400,
        pearson=20.0,
        df=3,
        p_chi2=p,
        p=p,
        deviance=20.0,
        deviance_df=3,
        deviance_p=p,
        sparse=0.0,
        tau=tau,
        low=tau / 2,
        high=2 * tau,
        level=0.95,
        models=(
            ModelFit(
                model="D",
                n_pairs=3,
                n_votes=1200,
                pearson=15.0,
                expected=1.5,
                tau=2 * tau,
                p=0.001,
                p_adjusted=0.004,
            ),
        ),
        pairs=(
            PairFit(a="D", b="A", n_votes=400, observed=0.3, expected=0.2, z=5.0, p_adjusted=0.001),
        ),
        n_pairs_off=1,
        lead=lead or lead_fit(),
        cycles=cycles or circles(),
        shared=None,
        replicates=499,
        seed=0,
        all_pairs=AllPairs(
            a=nothing.astype(int),
            b=nothing.astype(int),
            n_votes=nothing,
            observed=nothing,
            expected=nothing,
            z=nothing,
            off=nothing.astype(bool),
            names=tuple(MODELS),
        ),
    )


def gone(model="D", *, retired=False):
    return GoneModel(
        model=model,
        provider=None,
        status="retired" if retired else None,
        retired=retired,
        last="2024-03-01",
        days_silent=150,
        expected=200.0,
        n_votes=1200,
        rank=4,
    )


def refit(*, swapped=0, certain=0, after="A"):
    return Refit(
        n_models=3,
        n_votes=1200,
        n_lost=0,
        tau=1 - 2 * swapped / 3,
        swapped=swapped,
        swapped_separable=certain,
        leader_before="A",
        leader_after=after,
        moves=(),
    )


def removal(*models, refitted=None, declared=False):
    return Removal(
        start="2023-08-01",
        end="2024-07-31",
        n_models=4,
        n_undated=0,
        declared=declared,
        gone=models,
        refit=(refitted or refit()) if models else None,
        min_days=30.0,
        min_share=0.05,
        min_expected=10.0,
        min_votes=10.0,
    )


def lucky(*, inflation=float("nan"), enough=5.0):
    return LuckyLead(
        leader="A",
        runner_up="B",
        difference=14.0,
        sigma=4.0,
        enough=enough,
        inflation=inflation,
    )


def variant(model="A", number=2, *, inflation=2.26):
    return VariantModel(
        model=model,
        provider="P",
        n_variants=number,
        source="models table",
        n_votes=1200,
        votes=1200.0,
        votes_declared=False,
        sigma=4.0,
        spread=0.0,
        expected_maximum=0.5642,
        inflation=inflation,
        carried=inflation,
    )


def variants(*models, inflation=float("nan")):
    return Variants(models=models, lead=lucky(inflation=inflation))


def stressed(make, part):
    board = make.board()
    stress = Stress(board=board, parts=(part,), provenance=board.provenance)
    return make.findings(ranking=board, stress=stress)


def planted(make):
    """One pair for each of the five codes."""

    def pair(fires, silent):
        return make.Planted(stressed(make, fires), stressed(make, silent))

    return {
        "RNK212": pair(connections(share=0.099), connections(share=0.1)),
        "RNK213": pair(sampling(1.0, 1.0, 1.0, 1.0, gini=0.4), sampling(1.9, 0.7, 0.7, 0.7)),
        "RNK216": pair(fit(tau=0.02), fit(tau=0.019)),
        "GOV801": pair(variants(variant(), inflation=2.26), variants()),
        "GOV802": pair(removal(gone()), removal(gone(retired=True), declared=True)),
    }
