"""A board with the style of the answers held equal."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.special import ndtri, stdtrit

from caveat._blas import single_threaded
from caveat.data.keys import codes_of
from caveat.errors import InputError
from caveat.kernels import style
from caveat.kernels.few_clusters import FEW_CLUSTERS, clusters_of_models, taken_away
from caveat.kernels.paired import PairedFit, pack
from caveat.kernels.style_errors import Steadying, clustered, sandwich
from caveat.kernels.ties import decisive
from caveat.kernels.vote_rows import VoteRows, vote_rows
from caveat.results.control import Coefficient, Controls
from caveat.results.ranking import Position, Ranking
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.covariates import Contrast, Covariates, covariates
from caveat.stats.ranking.fitted import FittedBoard, fit_board
from caveat.stats.ranking.rate import PLAIN, Errors, rate_fitted
from caveat.stats.ranking.rated_votes import RatedVotes, has_values, votes_between
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sharing import clusters_of

Floats = npt.NDArray[np.float64]

_SAID = "it says nothing that ratings and the other columns do not"


@dataclass(frozen=True, slots=True, eq=False)
class ControlledBoard:
    """A board with covariates of its votes.

    Attributes
    ----------
    plain : FittedBoard
        The same votes without control.
    fit : PairedFit
        Ratings and coefficients, the latter per typical difference; the first-shown position last,
        where `plain` has it.
    rows : VoteRows
    kept : bool array
        Rows of the source of `plain` that are votes between rated models.
    covariates : Covariates
        Between rated models, by their typical difference.
    spread : float array, shape (k,)
        Typical difference of each property.
    contrast : str
    n_incomplete : int
        Votes left out for a missing value.
    """

    plain: FittedBoard
    fit: PairedFit
    rows: VoteRows
    kept: npt.NDArray[np.bool_]
    covariates: Covariates
    spread: Floats
    contrast: Contrast
    n_incomplete: int

    @property
    def n_votes(self) -> float:
        """Votes between rated models."""
        rows = self.rows
        return float(rows.n_rows if rows.count is None else rows.count.sum())

    def clusters(self, column: str) -> npt.NDArray[np.int64]:
        """Code of what each vote shares, -1 where it has no value.

        Raises
        ------
        InputError
            If the votes have no such column.
        """
        source = self.plain.votes.source
        if source is None or not has_values(source.table, column):
            raise InputError(f"cluster must name a column that the votes have, got {column!r}")
        return codes_of(source.table[column])[self.kept] - 1

    def n_clusters(self, column: str) -> int:
        """Clusters that hold a vote; a vote without a value is one by itself."""
        code, count = self.clusters(column), self.rows.count
        alone = code < 0
        singles = alone.sum() if count is None else count[alone].sum()
        return int(np.unique(code[~alone]).size + round(float(singles)))

    def covariance(self, column: str | None = None) -> Floats:
        """Covariance of all parameters, in logits; with the votes of a column counted together."""
        with single_threaded():
            if column is None:
                return sandwich(self.rows, self.fit)
            cells = self.plain.cells
            models = clusters_of_models(cells, clusters_of(self.plain, column))
            behind = None
            if (models.effective < FEW_CLUSTERS).any():
                behind = Steadying(models, taken_away(cells))
            return clustered(self.rows, self.fit, self.clusters(column), behind=behind)


def fit_controlled(
    board: FittedBoard, *, columns: tuple[str, ...] = (), contrast: Contrast = "relative"
) -> ControlledBoard:
    """Fit ratings with properties of the answers held equal.

    Use it where one model may win because it writes longer answers, or more lists: a rating is then
    what is left at equal style. It is not the quality of the answers: where better answers are
    longer, some of the quality is held equal as well.

    Parameters
    ----------
    board : FittedBoard
        With its source, whose tie model and position are kept.
    columns : tuple of str
        Names of pairs of columns (`chars` for `chars_a` and `chars_b`); all that can be used where
        empty.
    contrast : str
        `relative`, (a - b) / (a + b), or `difference`, a - b.

    Returns
    -------
    ControlledBoard

    Raises
    ------
    InputError
        If a property cannot be used, says nothing of its own, or decides the votes; if only counts
        are left of the votes.

    References
    ----------
    Li, Angelopoulos and Chiang (2024), "Does style matter? Disentangling style and substance in
    Chatbot Arena", https://lmsys.org/blog/2024-08-28-style-control/.
    """
    source = board.votes.source
    if source is None:
        raise InputError("votes must be given one by one to hold style equal, got counts")
    found = covariates(source.table, columns=columns, contrast=contrast)
    complete, whole = found.complete, board.votes.cells.n_votes
    if not complete.all():
        if not complete.any():
            raise InputError("no vote has a value of every property that is to be held equal")
        kept = replace(source, table=source.table.filter(pa.array(complete)), places=None)
        board = fit_board(
            count_votes(kept), method=board.method, position=board.position, start=board
        )
        source, found = kept, replace(found, values=found.values[:, complete])
    if len(board.names) < 2:
        raise InputError("fewer than two models are rated by the votes with known style")
    votes = votes_between(source.table, board.names, theta=board.fit.theta)
    if not votes.rows.all():
        found = replace(found, values=found.values[:, votes.rows])
    spread = _spread(found.values, votes)
    for row, size in zip(found.values, spread, strict=True):
        row /= size if size > 0 else 1.0
    made = _Made(board, votes, contrast, round(whole - board.votes.cells.n_votes))
    return made.fit(found, spread, named=bool(columns))


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """Votes with known style, and the board they make without control."""

    board: FittedBoard
    votes: RatedVotes
    contrast: Contrast
    incomplete: int

    def fit(self, found: Covariates, spread: Floats, *, named: bool) -> ControlledBoard:
        """Fit with covariates of size 1, the last of those that say nothing new left out."""
        if not found.pairs:
            raise InputError(f"no pair of columns can be held equal: {_SAID}")
        board, names = self.board, [pair.name for pair in found.pairs]
        rows = self.rows(found.values)
        with single_threaded():
            got = style.fit(rows, ties=board.fit.ties, start=_start(board, len(names)))
        if got.indistinct.any():
            last = min(int(np.flatnonzero(got.indistinct)[-1]), len(names) - 1)
            if named:
                why = f"control must be of columns that tell, got {names[last]!r}: {_SAID}"
                raise InputError(why)
            return self.fit(found.without(last, _SAID), np.delete(spread, last), named=named)
        if not got.fitted.converged:
            why = f"control must leave votes undecided, got {', '.join(names)}"
            raise InputError(f"{why}: no finite worth fits")
        return ControlledBoard(
            board, got.fitted, rows, self.votes.rows, found, spread, self.contrast, self.incomplete
        )

    def rows(self, values: Floats) -> VoteRows:
        """Put votes and covariates together, the first-shown position last."""
        votes, board = self.votes, self.board
        if board.position:
            values = np.vstack([values, np.ones(values.shape[1])])
        return vote_rows(
            votes.a,
            votes.b,
            votes.outcome,
            n_models=len(board.names),
            covariates=values,
            count=votes.count,
            weight=votes.weight,
        )


def _spread(values: Floats, votes: RatedVotes) -> Floats:
    """Root mean square: which answer stands first is arbitrary, so differences centre at zero."""
    if votes.count is None and votes.weight is None:
        square = np.array([row @ row for row in values]) / values.shape[1]
    else:
        number = np.ones(values.shape[1]) if votes.count is None else votes.count
        number = number if votes.weight is None else number * votes.weight
        square = np.array([(row * number) @ row for row in values]) / number.sum()
    return np.asarray(np.sqrt(square), dtype=np.float64)


def _start(board: FittedBoard, k: int) -> Floats:
    fitted = board.fit
    tie = fitted.tie if fitted.has_tie else None
    return pack(fitted.theta, tie, np.concatenate([np.zeros(k), fitted.coefficients]))


def rate_controlled(
    board: ControlledBoard, *, anchor: str | None = None, errors: Errors = PLAIN
) -> Ranking:
    """Turn ratings at equal style into a board with intervals, ranks and tiers.

    Parameters
    ----------
    board : ControlledBoard
    anchor : str, optional
        As for `rate`.
    errors : Errors
        Without a bootstrap.

    Returns
    -------
    Ranking
        With `controls`.

    Raises
    ------
    InputError
        If an option does not fit.
    """
    if errors.bootstrap:
        raise InputError("bootstrap must be 0 with control: its votes cannot be added up")
    covariance = board.covariance(errors.cluster)
    made = rate_fitted(
        replace(board.plain, fit=board.fit, position=False),
        anchor=anchor,
        errors=errors,
        covariance=covariance,
    )
    k = len(board.covariates.pairs)
    position = None
    if board.plain.position:
        place = covariance.shape[0] - 1
        worth = _worth(board, k, float(covariance[place, place]), made.n_clusters, errors.level)
        position = Position(
            advantage=worth.points,
            se=worth.se,
            low=worth.low,
            high=worth.high,
            win_probability=worth.win_probability,
        )
    return replace(
        made, position=position, controls=controls_of(board, covariance, made.n_clusters, errors)
    )


def controls_of(
    board: ControlledBoard, covariance: Floats, n_clusters: int | None, errors: Errors
) -> Controls:
    """Say what the properties are worth.

    Parameters
    ----------
    board : ControlledBoard
    covariance : float array, shape (p, p)
        Of all parameters.
    n_clusters : int or None
        Clusters it was made from: their number less one are the degrees of freedom.
    errors : Errors
        Whose level and cluster are told.
    """
    head = board.fit.parameters.size - board.fit.coefficients.size
    pairs = board.covariates.pairs
    variance = np.diag(covariance)[head:]
    return Controls(
        contrast=board.contrast,
        coefficients=tuple(
            replace(
                _worth(board, j, float(variance[j]), n_clusters, errors.level),
                name=pair.name,
                columns=pair.columns,
            )
            for j, pair in enumerate(pairs)
        ),
        left_out=board.covariates.left_out,
        n_votes=round(board.n_votes),
        n_incomplete=board.n_incomplete,
        cluster=errors.cluster,
        n_clusters=n_clusters,
        level=errors.level,
    )


def _worth(
    board: ControlledBoard, j: int, variance: float, n_clusters: int | None, level: float
) -> Coefficient:
    tail = (1.0 + level) / 2.0
    quantile = ndtri(tail) if n_clusters is None else stdtrit(max(n_clusters - 1.0, 1.0), tail)
    logit = board.fit.coefficients[j]
    points, se = float(POINTS * logit), float(POINTS * np.sqrt(variance))
    spread = float(board.spread[j]) if j < board.spread.size else 1.0
    relative = board.contrast == "relative"
    return Coefficient(
        name="",
        columns=("", ""),
        spread=spread,
        points=points,
        se=se,
        low=points - float(quantile) * se,
        high=points + float(quantile) * se,
        z=points / se if se > 0 else float("nan"),
        per_unit=points / spread,
        twice=points / spread / 3.0 if relative else float("nan"),
        win_probability=float(
            decisive(board.fit.ties, eta=np.array([logit]), tie=board.fit.tie)[0]
        ),
    )
