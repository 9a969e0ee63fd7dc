"""May one model stand for another?"""

from collections import Counter
from collections.abc import Iterator, Mapping

from caveat.reports.numbers import counted, one, percent, whole
from caveat.reports.plots.verdict_map import verdict_map
from caveat.reports.section import Section
from caveat.reports.tables.interchange import clusters_table, verdicts_table
from caveat.results.comparison.interchange import Interchange, PairVerdict
from caveat.results.report import BenchmarkFindings

CRITERIA: Mapping[str, str] = {
    "score": "score",
    "disagreement": "answers",
    "tasks": "profile over tasks",
}
_SHOWN = 3


def section(found: BenchmarkFindings) -> Section | None:
    """Say which models are interchangeable, which are not, and what would decide the rest."""
    part = found.part(Interchange)
    if part is None:
        return None
    plot = verdict_map(part, found.agreement)
    tables = [verdicts_table(part)]
    if part.clusters:
        tables.insert(0, clusters_table(part))
    return Section(
        name="interchangeable",
        title="May one model stand for another?",
        sentences=tuple(_sentences(part)),
        tables=tuple(tables),
        plots=(plot,) if plot else (),
        finding=_finding(part),
        codes=("AGR311",),
    )


def _finding(part: Interchange) -> str:
    return (
        f"{whole(part.counts['interchangeable'])} of {counted(len(part.pairs), 'pair')} "
        f"interchangeable, {whole(part.counts['different'])} different, "
        f"{whole(part.counts['undecided'])} undecided"
    )


def _sentences(part: Interchange) -> Iterator[str]:
    yield (
        f"Of {counted(len(part.pairs), 'pair')} of models, "
        f"{whole(part.counts['interchangeable'])} are interchangeable, "
        f"{whole(part.counts['different'])} are different and "
        f"{whole(part.counts['undecided'])} are undecided, each judged by itself at "
        f"{100 * part.level:g}%."
    )
    yield _limits(part)
    for cluster in part.clusters[:_SHOWN]:
        yield (
            f"{_listed(cluster.models)} may stand for each other; they still disagree on up to "
            f"{percent(cluster.most_disagree)} of the items."
        )
    fails = Counter(name for pair in part.pairs for name in pair.failed)
    if fails:
        yield (
            "What fails: "
            + "; ".join(
                f"{CRITERIA[name]} in {counted(number, 'pair')}"
                for name, number in fails.most_common()
            )
            + "."
        )
    undecided = next((pair for pair in part.pairs if pair.verdict == "undecided"), None)
    if undecided is not None:
        yield _nearest(undecided)


def _limits(part: Interchange) -> str:
    points = {name: _points(100 * limit) for name, limit in part.limits.items()}
    said = f"Two models are interchangeable if their scores differ by at most {points['score']}"
    if part.floor:
        said += f", their answers differ on at most {points['excess']} more than the noise floor"
    elif part.limits["disagree"] == part.limits["disagree"]:
        said += f", their answers differ on at most {points['disagree']} of the items"
    if part.tasks > 1:
        said += (
            f", and the difference varies little over tasks (standard deviation at most "
            f"{points['tasks']})"
        )
    said += f": each must be shown at {100 * part.level:g}%, not merely observed."
    if not part.floor and part.limits["disagree"] != part.limits["disagree"]:
        said += (
            " No noise floor is known and no largest disagreement was stated, so no pair can be "
            "more than undecided on its answers: run a model twice, or name two that are one with "
            "--same."
        )
    return said


def _points(number: float) -> str:
    return f"{number:g} point" if number == 1 else f"{number:g} points"


def _nearest(pair: PairVerdict) -> str:
    left = [CRITERIA[test.name] for test in pair.criteria if test.state == "open"]
    said = (
        f"The nearest of the undecided are {pair.a} and {pair.b}: scores equal within "
        f"{one(100 * pair.equal_within)} points, answers different on {percent(pair.disagree)}; "
        f"open: {_listed(left)}"
    )
    if pair.items is not None:
        said += f"; about {counted(pair.items, 'item')} would decide, if the estimates stayed"
    return said + "."


def _listed(names: "tuple[str, ...] | list[str]") -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
