"""Claims of a file held against responses."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caveat import _validate
from caveat.errors import InputError, SourceError
from caveat.results.claims import VERDICTS, Claim, ClaimChange, Claims, JudgedClaim
from caveat.workflows.agree import read_beside
from caveat.workflows.agree_noise import floors_of_desk
from caveat.workflows.agree_parts import Desk
from caveat.workflows.claim_file import Entry, Said, said_in
from caveat.workflows.claim_words import claim_of
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence
    from caveat.stats.claims.ground import Ground


def claim(
    claims: str | Path | Sequence[Entry],
    sources: Sources = None,
    *,
    options: Options = DEFAULTS,
    baseline: str | Path | None = None,
) -> Claims:
    """Say of each claim whether the responses support it, contradict it, or leave it open.

    Parameters
    ----------
    claims : path, or sequence of str and mapping
        A TOML file with tables `[[claim]]`; or sentences, or what such a table holds.
    sources
        Responses, as anything `caveat.read` takes; those that the file names by default.
    options : Options
        `level` is that of all verdicts together; a file may say another.
    baseline : path, optional
        JSON of an earlier `caveat claim --json`, to tell what has changed since.

    Returns
    -------
    Claims

    Raises
    ------
    InputError
        When a claim cannot be understood, or names what the responses lack.

    Examples
    --------
    >>> import caveat
    >>> n = 200
    >>> rows = {"benchmark": ["b"] * 2 * n, "item": [str(i) for i in range(n)] * 2,
    ...         "model": ["x"] * n + ["y"] * n, "score": [1] * n + [1, 0] * (n // 2)}
    >>> caveat.claim(["x beats y"], rows).claims[0].verdict
    'supported'
    """
    file = said_in(claims) if isinstance(claims, str | Path) else Said(entries=tuple(claims))
    if sources is None:
        sources = file.sources
    if not file.entries:
        raise InputError("claims must hold at least one claim, got none")
    if file.level is not None:
        options = replace(options, level=file.level)
    before = _baseline(baseline) if baseline is not None else None
    beside = read_beside(sources, options=options)
    responses = beside.responses
    grounds = _Grounds(responses, beside.models, options)
    entries = [_entry(one) for one in file.entries]
    found = [_read(one, grounds, file) for one in entries]
    each = 1.0 - (1.0 - options.level) / len(found)
    judged = tuple(_judged(one, grounds, each) for one in found)
    return Claims(
        claims=judged,
        level=options.level,
        each=each,
        changes=None if before is None else _changes(before, judged),
        settings=options.to_dict(),
        provenance=responses.provenance,
    )


def _entry(entry: Entry) -> Mapping[str, Any]:
    return {"says": entry} if isinstance(entry, str) else entry


class _Grounds:
    """The benchmarks of the responses, each arranged once."""

    def __init__(
        self,
        responses: "Evidence",
        models: Mapping[str, Mapping[str, Any]],
        options: Options,
    ) -> None:
        from caveat.data.matrix import benchmarks

        self._responses, self._models, self._options = responses, models, options
        self.names = benchmarks(responses)
        self._made: dict[str, Ground] = {}

    def of(self, benchmark: str, says: str) -> "Ground":
        """Return what claims about a benchmark are held against; the only one for ''."""
        listed = ", ".join(self.names)
        if not benchmark and len(self.names) > 1:
            raise InputError(
                f"claim {says!r}: benchmark must be one of {listed}: there are several"
            )
        name = benchmark or self.names[0]
        if name not in self.names:
            raise InputError(f"claim {says!r}: benchmark must be one of {listed}, got {name!r}")
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> "Ground":
        from caveat.data.item_values import item_values
        from caveat.data.matrix import matrix_of, rows_of
        from caveat.data.readings import one_reading
        from caveat.stats.claims.ground import Ground
        from caveat.stats.scores.accuracy import scores

        options = self._options
        every = rows_of(self._responses, name)
        rows, readings = one_reading(every, metric=options.metric, filter=options.filter)
        matrix = matrix_of(rows, name, readings=readings)
        desk = Desk(
            rows=every,
            matrix=matrix,
            scores=scores(matrix, level=options.level),
            models=self._models,
            options=options,
        )
        return Ground(
            matrix=matrix,
            values=lambda column: item_values(rows, matrix, column),
            floors=floors_of_desk(desk) if matrix.has_answers else (),
            policy=options.policy,
        )


def _read(entry: Mapping[str, Any], grounds: _Grounds, file: Said) -> Claim:
    name = entry.get("benchmark", file.benchmark)
    if not isinstance(name, str):
        raise InputError(f"benchmark of a claim must be a text, got {name!r}")
    says = str(entry.get("says", entry.get("kind", "")))
    matrix = grounds.of(name, says).matrix
    return claim_of(
        entry,
        models=matrix.models,
        tasks=matrix.tasks,
        benchmark=matrix.benchmark,
        **({} if file.margin is None else {"margin": file.margin}),
    )


def _judged(one: Claim, grounds: _Grounds, level: float) -> JudgedClaim:
    from caveat.stats.claims.judging import judge_claim

    return judge_claim(one, grounds.of(one.benchmark, one.says), level=level)


def _baseline(path: str | Path) -> dict[tuple[str, str, str], str]:
    """Verdicts of an earlier run by what was claimed, and where."""
    try:
        told = json.loads(Path(path).read_bytes())
        return {
            (str(c["says"]), str(c.get("benchmark", "")), str(c.get("task", ""))): _verdict(c)
            for c in told["claims"]
        }
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path}: must be the JSON of `caveat claim --json`, got something else ({error})"
        ) from error


def _verdict(told: Mapping[str, Any]) -> str:
    return _validate.choice("verdict", str(told["verdict"]), VERDICTS)


def _changes(
    before: Mapping[tuple[str, str, str], str], now: Sequence[JudgedClaim]
) -> tuple[ClaimChange, ...]:
    after = {(c.claim.says, c.claim.benchmark, c.claim.task): c.verdict for c in now}
    keys = dict.fromkeys((*after, *before))
    return tuple(
        ClaimChange(
            says=key[0],
            before=before.get(key, ""),
            now=after.get(key, ""),
            worse=_worse(before.get(key, ""), after.get(key, "")),
        )
        for key in keys
        if before.get(key, "") != after.get(key, "")
    )


def _worse(before: str, now: str) -> bool:
    """Whether a claim was supported and is not, or is contradicted and was not."""
    return (before == "supported" and now != "supported") or (
        bool(before) and now == "contradicted"
    )
