"""What a run of HELM says about itself: `run_spec.json` or the adapter in its states."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from caveat.errors import SourceError
from caveat.importers.case_fields import mapping

_MODEL = ("model", "model_deployment", "tokenizer", "groups")
_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """One run.

    Attributes
    ----------
    model, benchmark : str
        The benchmark is the name of the scenario, without its arguments.
    task : str or None
        Arguments of the scenario that are in the run's name, such as the subject.
    prompt : str or None
        The other arguments in the run's name, such as the method.
    method : str
        How the adapter asks.
    """

    model: str
    benchmark: str
    task: str | None = None
    prompt: str | None = None
    method: str = ""


def read_spec(run_spec: Mapping[str, Any], adapter: Mapping[str, Any], *, name: str) -> Spec:
    """Return what is known of a run; an error names what is missing."""
    adapter = mapping(run_spec.get("adapter_spec")) or adapter
    model, run = adapter.get("model"), run_spec.get("name")
    if not isinstance(model, str) or not model:
        raise SourceError(f"{name}: a run of HELM must have adapter_spec.model, got none")
    if not isinstance(run, str) or not run:
        raise SourceError(
            f"{name}: the scenario of a run of HELM is named in run_spec.json, which is not beside "
            "it or has no name; name the whole run folder"
        )
    scenario, _, arguments = run.partition(":")
    given = dict(pair.partition("=")[::2] for pair in arguments.split(",") if "=" in pair)
    own = mapping(mapping(run_spec.get("scenario_spec")).get("args"))
    inside = {key: value for key, value in given.items() if key in own}
    rest = [f"{k}={v}" for k, v in given.items() if k not in inside and k not in _MODEL]
    single = next(iter(inside.values())) if len(inside) == 1 else None
    return Spec(
        model=model,
        benchmark=scenario,
        task=single or ", ".join(f"{k}={v}" for k, v in inside.items()) or None,
        prompt=", ".join(rest)[:_LONGEST] or None,
        method=str(adapter.get("method", "")),
    )
