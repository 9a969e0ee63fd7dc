"""Judgments of MT-bench: ratings of single answers, and verdicts on pairs in both orders."""

from collections.abc import Iterator
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, VOTES, Kind
from caveat.errors import CellError
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.case_fields import number
from caveat.importers.json_objects import object_records
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_SINGLE = frozenset({"question_id", "model", "judge", "score", "judgment"})
_PAIR = frozenset({"question_id", "model_1", "model_2", "g1_winner", "g2_winner"})
_NOT_READ = -1
_OUTCOMES = {"model_1": "a", "model_2": "b", "tie": "tie"}
_TURNED = {"a": "b", "b": "a", "tie": "tie"}
ERROR = "the judge's verdict could not be read (error)"
RATING = "must be a rating from 1 to 10, or -1 where none could be read"
WINNER = "must be model_1, model_2, tie or error"
REMEDY = "bad_rows='drop' (--bad-rows drop) leaves such rows out and counts them"
SINGLE_NOTICE = (
    "mt_bench: ratings are kept on the scale of 1 to 10; both turns of a question are items of "
    "their own in one cluster; the metric is the judge, for two judges' ratings are not the same"
)
NOT_READ = (
    "mt_bench: {n} ratings could not be read out of the judge's text (-1); they have no score"
)
PAIR_NOTICE = (
    "mt_bench: every pair was judged in both orders; these are two votes of one battle and not "
    "independent, and a verdict that turns with the order is a vote for either side, no tie"
)
ONE_VERDICT = (
    "mt_bench: {n} verdicts were made out of two ratings, without any order; each is one vote"
)


class MTBenchSingle:
    """Reads the rating of each answer; one the judge did not give is unparsed, not -1."""

    name = "mt_bench_single"
    doc = "MT-bench ratings of single answers (*_single.jsonl)"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for a rating with the judge's text."""
        return set(head.keys) >= _SINGLE

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all ratings."""
        tally = Tally()
        stream = record_stream(lambda dropped: _ratings(member, options, dropped, tally))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        evidence = read_records(stream, RESPONSES, source, options)
        return tally.told(told(evidence, SINGLE_NOTICE))


class MTBenchPair:
    """Reads both verdicts on each pair, each with the answer that was shown first."""

    name = "mt_bench_pair"
    doc = "MT-bench verdicts on pairs of answers (*_pair.jsonl)"
    kind: Kind = "votes"

    def recognises(self, head: Head) -> bool:
        """Look for the winners of two games."""
        return set(head.keys) >= _PAIR

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all verdicts; rows are numbered by verdict, two for each line."""
        tally = Tally()
        stream = record_stream(lambda dropped: _verdicts(member, options, dropped, tally))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        evidence = read_records(stream, VOTES, source, options)
        return tally.told(told(evidence, PAIR_NOTICE))


def _ratings(
    member: Member, options: ReadOptions, dropped: Dropped, tally: Tally
) -> Iterator[tuple[int, dict[str, Any]]]:
    tally.clear()
    for row, record in object_records(member, options, dropped):
        rating = number(record.get("score"))
        read = rating is not None and rating != _NOT_READ
        if read and not 1 <= float(rating or 0) <= 10:
            if options.bad_rows == "error":
                raise _bad(member, row, "score", RATING, record.get("score"))
            dropped(f"score: {RATING}", 1, f"{member.name}, row {row}")
            continue
        tally.add(NOT_READ, int(not read))
        judge, template = _judge(record.get("judge"))
        turn = record.get("turn") or 1
        yield (
            row,
            {
                "benchmark": "mt_bench",
                "item": f"{record.get('question_id')}, turn {turn}",
                "model": options.model_name or record.get("model"),
                "metric": judge,
                "score": rating if read else None,
                "status": "scored" if read else "unparsed",
                "cluster": record.get("question_id"),
                "at": record.get("tstamp"),
                "turn": turn,
                "judge": judge,
                "judge_template": template,
            },
        )


def _verdicts(
    member: Member, options: ReadOptions, dropped: Dropped, tally: Tally
) -> Iterator[tuple[int, dict[str, Any]]]:
    tally.clear()
    row = 0
    for line, record in object_records(member, options, dropped):
        rated = "m1_score" in record
        tally.add(ONE_VERDICT, int(rated))
        for game in (1,) if rated else (1, 2):
            row += 1
            place = f"{member.name}, row {line}"
            winner = record.get(f"g{game}_winner")
            if winner == "error":
                dropped(ERROR, 1, place)
            elif not isinstance(winner, str) or winner not in _OUTCOMES:
                if options.bad_rows == "error":
                    raise _bad(member, line, f"g{game}_winner", WINNER, winner)
                dropped(f"winner: {WINNER}", 1, place)
            else:
                yield row, _vote(record, game, _OUTCOMES[winner])


def _vote(record: dict[str, Any], game: int, outcome: str) -> dict[str, Any]:
    """Return one verdict; in the second game the answer of `model_2` was shown first."""
    models = str(record.get("model_1")), str(record.get("model_2"))
    first, second = models if game == 1 else models[::-1]
    judge, template = _judge(record.get("judge"))
    turn = record.get("turn") or 1
    question = record.get("question_id")
    return {
        "model_a": first,
        "model_b": second,
        "outcome": outcome if game == 1 else _TURNED[outcome],
        "battle": f"{question}, turn {turn}, {' and '.join(sorted(models))}",
        "item": question,
        "turn": turn,
        "at": record.get("tstamp"),
        "judge": judge,
        "judge_template": template,
        "game": game,
    }


def _judge(value: object) -> tuple[str | None, str | None]:
    """Return the judge's name and the name of its template."""
    if isinstance(value, list):
        names = [str(part) for part in value]
        return (names[0] if names else None), (names[1] if len(names) > 1 else None)
    return (None if value is None else str(value)), None


def _bad(member: Member, row: int, column: str, rule: str, value: object) -> CellError:
    return CellError(
        file=member.name, row=row, column=column, rule=rule, value=repr(value)[:80], remedy=REMEDY
    )
