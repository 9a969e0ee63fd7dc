"""First and second: the section on position."""

from caveat.reports.numbers import UNDEFINED, between, counted, one, percent, whole
from caveat.reports.plots.board_change import board_change_plot
from caveat.reports.section import Section
from caveat.reports.stress.changed import change_sentences, first_words
from caveat.reports.tables.both_orders import both_orders_table
from caveat.reports.tables.quality import probability
from caveat.results.board_change import BoardChange
from caveat.results.stress.position import BothOrders, FirstShown
from caveat.results.stress.stress import Stress


def section(stress: Stress) -> Section | None:
    """Return the advantage of the first answer, and the board without it."""
    found = stress.part(FirstShown)
    if found is None:
        return None
    pairs = found.both_orders
    averaged = pairs.change if pairs is not None else None
    change = averaged or found.change
    after = "both orders averaged" if averaged is not None else "position allowed for"
    said = [_advantage(found), *(_pairs(pairs) if pairs is not None else ())]
    if pairs is None:
        said.append(f"Nothing is known of the same answers in both orders: {found.why_not}.")
    said += change_sentences(change, before="As voted", after=f"With {after}")
    plot = board_change_plot(
        change,
        name="position-change",
        title=f"Ratings as voted and with {after}",
        before="as voted",
        after=after,
    )
    return Section(
        name="position",
        title="Order of display: which answer was shown first",
        sentences=tuple(said),
        tables=() if pairs is None else (both_orders_table(pairs),),
        plots=(plot,),
        finding=_finding(found, change),
        codes=("RNK215",),
    )


def _finding(found: FirstShown, change: BoardChange) -> str:
    doubt = "" if found.clear else ", which may be nothing"
    worth = one(found.advantage.advantage)
    return f"Going first is worth {worth} points{doubt}; without that {first_words(change)}"


def _advantage(found: FirstShown) -> str:
    worth = found.advantage
    together = ""
    if found.cluster is not None and found.n_clusters is not None:
        together = (
            f", the votes of one {found.cluster} counted together "
            f"({counted(found.n_clusters, found.cluster)})"
        )
    verdict = "" if found.clear else ", which may be nothing"
    observed = (
        f", and {percent(found.first_share)} of the {whole(found.n_decisive)} there are"
        if found.n_decisive
        else "; there are none"
    )
    return (
        f"The answer shown first is worth {one(worth.advantage)} points "
        f"({_limits(worth.low, worth.high)}{together}){verdict}: it wins "
        f"{percent(worth.win_probability)} of decisive votes between equals{observed}."
    )


def _limits(low: float, high: float) -> str:
    limits = between(low, high, one)
    return "no error known" if limits == UNDEFINED else limits


def _pairs(pairs: BothOrders) -> list[str]:
    said = [
        f"Of {counted(pairs.n_pairs, 'pair')} of verdicts on the same answers in both orders, "
        f"{percent(pairs.consistent)} agree{_agree(pairs)}; whatever was shown first won both "
        f"times in {whole(pairs.first_both)}, whatever was shown second in "
        f"{whole(pairs.second_both)}{_sign_test(pairs.p)}."
    ]
    if pairs.advantage == pairs.advantage:
        said.append(
            f"From these pairs alone, going first is worth {one(pairs.advantage)} points "
            f"({_limits(pairs.low, pairs.high)}) where a judge is in doubt."
        )
    return said


def _agree(pairs: BothOrders) -> str:
    limits = between(pairs.consistent_low, pairs.consistent_high, percent)
    return "" if limits == UNDEFINED else f" ({limits})"


def _sign_test(p: float) -> str:
    """Give the test; nothing where no verdict turns."""
    text = probability(p)
    if text == UNDEFINED:
        return ""
    said = text if text.startswith("<") else f"= {text}"
    return f" (exact sign test of all that turn: p {said})"
