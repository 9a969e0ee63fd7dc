"""A board fitted by maximum likelihood, as the checks on it need it."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat._blas import single_threaded
from caveat.errors import InputError
from caveat.kernels import paired
from caveat.kernels.connectivity import Component, components
from caveat.kernels.counts import VoteCells, win_matrix
from caveat.kernels.paired import PairedFit, Units
from caveat.kernels.position_limits import position_exists
from caveat.kernels.tie_limits import tie_parameter_exists
from caveat.kernels.ties import TieModel
from caveat.stats.ranking.counting import CountedVotes

Floats = npt.NDArray[np.float64]
Method = Literal["auto", "bradley-terry", "davidson", "rao-kupper"]
LIKELIHOODS: tuple[Method, ...] = get_args(Method)
_TIES: dict[Method, TieModel] = {
    "bradley-terry": "half-win",
    "davidson": "davidson",
    "rao-kupper": "rao-kupper",
}


@dataclass(frozen=True, slots=True, eq=False)
class FittedBoard:
    """The rated group of models with its fit.

    Attributes
    ----------
    votes : CountedVotes
        All votes, also of models that are not rated.
    groups : tuple of Component
        Groups of models tied together by their votes, the rated one first.
    method : str
        `bradley-terry`, `davidson` or `rao-kupper`.
    position : bool
        Whether the fit has a first-shown advantage.
    names : tuple of str
        The m rated models, in the order of `fit.theta`.
    cells : VoteCells
        Votes between rated models, under their new codes.
    units : Units
        The same, added up for the fit.
    fit : PairedFit
        Ratings in logits that sum to zero.
    """

    votes: CountedVotes
    groups: tuple[Component, ...]
    method: Method
    position: bool
    names: tuple[str, ...]
    cells: VoteCells
    units: Units
    fit: PairedFit

    @property
    def members(self) -> npt.NDArray[np.intp]:
        """Codes of the rated models among all models of the votes."""
        return self.groups[0].members

    def code(self, model: str) -> int:
        """Place of a rated model in `names`.

        Raises
        ------
        InputError
            If no rated model has this name.
        """
        _validate.choice("model", model, self.names)
        return self.names.index(model)


def fit_board(
    votes: CountedVotes,
    *,
    method: Method = "auto",
    position: bool = False,
    start: FittedBoard | None = None,
) -> FittedBoard:
    """Fit ratings to the largest group of models that the votes tie together.

    Parameters
    ----------
    votes : CountedVotes
    method : str
        `bradley-terry` counts a tie as half a win of each; `davidson` and `rao-kupper` model it.
        `auto` is `davidson` where the tie parameter has an estimate, else `bradley-terry`.
    position : bool
        Whether to fit an advantage of the answer shown first.
    start : FittedBoard, optional
        An earlier board to start from; it changes the number of steps, not the result.

    Returns
    -------
    FittedBoard
        `fit.theta` is nan for a single model.

    Raises
    ------
    InputError
        If the method is unknown, cannot be fitted to these votes, or the order of display is needed
        and not known.

    References
    ----------
    Bradley and Terry (1952), https://doi.org/10.2307/2334029; Davidson (1970),
    https://doi.org/10.1080/01621459.1970.10481082; Rao and Kupper (1967),
    https://doi.org/10.1080/01621459.1967.10482901; Davidson and Beaver (1977) on order effects,
    https://doi.org/10.2307/2529467.
    """
    _validate.choice("method", method, LIKELIHOODS)
    if position and not votes.order_known:
        raise InputError("position must be off: the source does not say which answer came first")
    groups = components(win_matrix(votes.cells, votes.cells.weight))
    cells = within(votes.cells, groups[0].members)
    chosen = _chosen(cells, method)
    if position and cells.n_models > 1 and not position_exists(cells, ties=_TIES[chosen]):
        raise InputError(
            "position must be off: these votes cannot tell an advantage of the answer shown first "
            "from the ratings"
        )
    units = paired.units_of(cells, position=position)
    names = tuple(votes.models[i] for i in groups[0].members)
    with single_threaded():
        if len(names) < 2:
            fitted = _unfitted(_TIES[chosen])
        else:
            known = None if start is None else _carried(start, names, _TIES[chosen], position)
            fitted = paired.fit(units, ties=_TIES[chosen], start=known)
    return FittedBoard(votes, groups, chosen, position, names, cells, units, fitted)


def _unfitted(ties: TieModel) -> PairedFit:
    nothing = np.zeros(0)
    return PairedFit(ties, np.full(1, np.nan), np.nan, nothing, 0.0, 0, converged=True)


def _chosen(cells: VoteCells, method: Method) -> Method:
    if method in ("davidson", "rao-kupper") and cells.n_models > 1:
        if not tie_parameter_exists(cells):
            why = "no tie" if not (cells.outcome >= 2).any() else "no finite tie parameter fits"
            raise InputError(
                f"method must be bradley-terry for these votes, got {method!r}: {why} among them"
            )
        return method
    if method == "auto":
        modelled = cells.n_models > 1 and tie_parameter_exists(cells)
        return "davidson" if modelled else "bradley-terry"
    return method


def _carried(
    start: FittedBoard,
    names: tuple[str, ...],
    ties: TieModel,
    position: bool,  # noqa: FBT001
) -> Floats | None:
    """Ratings of an earlier board for the models of this one; new models start at the mean."""
    if start.fit.ties != ties or start.position != position or len(start.names) < 2:
        return None
    known = dict(zip(start.names, start.fit.theta.tolist(), strict=True))
    theta = np.array([known.get(name, 0.0) for name in names])
    tie = start.fit.tie if start.fit.has_tie else None
    return paired.pack(theta, tie, start.fit.coefficients)


def within(cells: VoteCells, members: npt.NDArray[np.intp]) -> VoteCells:
    """Cells between members, renumbered in their order."""
    place = np.full(cells.n_models, -1, dtype=np.int64)
    place[members] = np.arange(members.size)
    keep = (place[cells.a] >= 0) & (place[cells.b] >= 0)
    return VoteCells(
        members.size,
        place[cells.a[keep]],
        place[cells.b[keep]],
        cells.outcome[keep],
        cells.count[keep],
        cells.weight[keep],
        cells.weight2[keep],
    )


def without(votes: CountedVotes, cells: VoteCells) -> CountedVotes:
    """Return the votes with other cells, cut off from their source."""
    return replace(votes, cells=cells, source=None)
