"""The file of results of Every Eval Ever: which run it was, and the scores that it publishes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from caveat.data import every_eval_ever as eee
from caveat.errors import SourceError
from caveat.importers.case_fields import mapping, number
from caveat.importers.opening import Member

_LM_EVAL, _INSPECT, _HELM = "lm_eval", ("inspect", "inspect_ai"), "helm"
_NO_FILTER = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one result is of."""

    benchmark: str
    metric: str | None = None
    filter: str | None = None
    split: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """A file of results, as far as it is used.

    Attributes
    ----------
    name : str
        For messages.
    document : mapping
        All of it.
    library : str
        Evaluation library; empty where there is no file of results.
    """

    name: str = ""
    document: Mapping[str, Any] = field(default_factory=dict)
    library: str = ""

    @property
    def results(self) -> list[Mapping[str, Any]]:
        """Its results."""
        found = self.document.get("evaluation_results")
        return [r for r in found if isinstance(r, dict)] if isinstance(found, list) else []

    @property
    def ids(self) -> frozenset[str]:
        """Ids of its results."""
        ids = (result.get("evaluation_result_id") for result in self.results)
        return frozenset(i for i in ids if isinstance(i, str))

    @property
    def kind(self) -> str | None:
        """Kind of evidence that it was written from, where this program wrote it."""
        return self._own.get(eee.KIND)

    @property
    def order_known(self) -> bool:
        """Votes of ours: whether the model named first was shown first."""
        return self._own.get(eee.ORDER_KNOWN) != "false"

    @property
    def types(self) -> dict[str, str]:
        """Types of the columns that this program wrote as text."""
        samples = mapping(self.document.get("detailed_evaluation_results"))
        text = mapping(samples.get("additional_details")).get(eee.COLUMNS)
        try:
            types = orjson.loads(text) if isinstance(text, str) else {}
        except orjson.JSONDecodeError:
            return {}
        return {str(n): str(t) for n, t in types.items()} if isinstance(types, dict) else {}

    @property
    def _own(self) -> Mapping[str, Any]:
        source = mapping(self.document.get("source_metadata"))
        return mapping(source.get("additional_details"))


def load(member: Member) -> Aggregate:
    """Read a file of results.

    Raises
    ------
    SourceError
        When it is too large, cut short or no JSON object.
    """
    limit = member.limits.line
    with member.open() as file:
        text = file.read(limit + 1)
    if len(text) > limit:
        raise SourceError(f"{member.name}: a file of results may hold {limit:,} bytes")
    try:
        document = orjson.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise SourceError(f"{member.name}: not valid JSON or cut short ({error})") from error
    if not isinstance(document, dict):
        raise SourceError(f"{member.name}: must be a JSON object")
    library = mapping(document.get("eval_library")).get("name")
    return Aggregate(
        name=member.name, document=document, library=library if isinstance(library, str) else ""
    )


def reading_of(aggregate: Aggregate, evaluation: str, result_id: str | None) -> Reading:
    """Say what a result is of, by the rules of the library that was evaluated with.

    lm-eval writes `metric:filter` and names the evaluation `task/filter`, Inspect `scorer:metric`,
    HELM `metric:split`. The id of any other library is the name of its metric as it stands.
    """
    if result_id is None:
        return Reading(benchmark=evaluation)
    first, colon, last = result_id.partition(":")
    if colon and evaluation.endswith(f"/{last}"):
        benchmark = evaluation.removesuffix(f"/{last}")
        return Reading(benchmark=benchmark, metric=first, filter=last)
    if aggregate.library == _LM_EVAL:
        return Reading(benchmark=evaluation, metric=first, filter=last or _NO_FILTER)
    if aggregate.library in _INSPECT and colon and _of_scorer(aggregate)[first] == 1:
        return Reading(benchmark=evaluation, metric=first)
    if aggregate.library == _HELM and colon:
        return Reading(benchmark=evaluation, metric=first, split=last)
    return Reading(benchmark=evaluation, metric=result_id)


def published(aggregate: Aggregate) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield number and figure of each result, on the scale on which it was published."""
    document = aggregate.document
    source = mapping(document.get("source_metadata"))
    model = mapping(document.get("model_info"))
    for place, result in enumerate(aggregate.results, 1):
        details = mapping(result.get("score_details"))
        uncertainty = mapping(details.get("uncertainty"))
        metric = mapping(result.get("metric_config"))
        own = mapping(metric.get("additional_details"))
        name = str(result.get("evaluation_name") or "")
        result_id = result.get("evaluation_result_id")
        found = reading_of(aggregate, name, result_id if isinstance(result_id, str) else None)
        ours = aggregate.kind is not None
        yield (
            place,
            {
                "benchmark": found.benchmark or None,
                "model": model.get("id"),
                "metric": metric.get("metric_name") if ours else found.metric,
                "filter": own.get(eee.PREFIX + "filter") if ours else found.filter,
                "value": number(details.get("score")),
                "n": number(uncertainty.get("num_samples")),
                "se": number(mapping(uncertainty.get("standard_error")).get("value")),
                "run": document.get("evaluation_id"),
                "source": source.get("source_organization_name"),
                "url": source.get("source_organization_url"),
                "date": time_of(aggregate, result),
                "notes": own.get(eee.PREFIX + "prompt") if ours else found.split,
                "metric_unit": metric.get("metric_unit"),
                "lower_is_better": metric.get("lower_is_better"),
                "relationship": source.get("evaluator_relationship"),
                "library": aggregate.library,
            },
        )


def time_of(aggregate: Aggregate, result: Mapping[str, Any]) -> float | str | None:
    """Return when a result was made: a Unix time, or text of another form."""
    given = result.get("evaluation_timestamp") or aggregate.document.get("evaluation_timestamp")
    if not isinstance(given, str):
        return number(given)
    try:
        return number(float(given))
    except ValueError:
        return given


def _of_scorer(aggregate: Aggregate) -> Counter[str]:
    """Count the metrics of each scorer; only one of several could be read as the scorer's."""
    return Counter(result_id.partition(":")[0] for result_id in aggregate.ids)
