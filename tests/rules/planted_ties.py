"""RNK218: votes that are ties."""


def planted(make):
    """Pairs by code."""
    return {
        "RNK218": make.Planted(
            make.findings(ranking=make.board(n_ties=2000)),
            make.findings(ranking=make.board(n_ties=1900)),
        )
    }
