"""Battles of FastChat and Chatbot Arena: JSON array or JSON lines, with conversations."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

from caveat.data.evidence import Evidence
from caveat.data.schema import VOTES, Kind
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.json_objects import object_records
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.style_counts import style_counts
from caveat.importers.tidy import read_records
from caveat.importers.translating import text_id
from caveat.results.provenance import Source

_VOTE = {"model_a", "model_b", "winner"}
_ARENA = {"conversation_a", "anony", "tstamp", "conv_metadata", "full_conversation"}
_VOTER = "arena_user"


class FastChatBattles:
    """Reads who met whom and who won; of the conversations only the counts of style."""

    name = "fastchat"
    doc = "FastChat / Chatbot Arena battles: JSON array or lines with model_a, model_b, winner"
    kind: Kind = "votes"

    def recognises(self, head: Head) -> bool:
        """Look for a vote with a conversation or an arena's marks."""
        return set(head.keys) >= _VOTE and bool(_ARENA & set(head.keys))

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all battles."""
        stream = record_stream(lambda dropped: _flat(member, options, dropped))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return read_records(stream, VOTES, source, options)


def _flat(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, record in object_records(member, options, dropped):
        yield number, _battle(record)


def _battle(record: dict[str, Any]) -> dict[str, Any]:
    flat = {k: v for k, v in record.items() if not isinstance(v, (dict, list))}
    judge = record.get("judge")
    if isinstance(judge, str) and judge.startswith(_VOTER):
        flat["voter"] = pseudonym(judge)
        flat["judge"] = None
    else:
        flat["voter"] = flat.pop("judge_hash", None) or flat.get("voter")
        flat["judge"] = "/".join(map(str, judge)) if isinstance(judge, list) else judge
    if "conv_metadata" in record:
        flat |= style_counts(record["conv_metadata"])
        if "question_id" not in flat and "id" in flat:
            flat["battle"] = flat.pop("id")
    flat["tokens_a"] = _tokens(record, "a")
    flat["tokens_b"] = _tokens(record, "b")
    return flat


def pseudonym(voter: str) -> str:
    """Return a voter's name; an address of the internet, as raw logs have it, as a hash.

    Examples
    --------
    >>> pseudonym("arena_user_973"), pseudonym("arena_user_10.0.0.1")
    ('arena_user_973', 'arena_user_f5047344122f')
    """
    known = voter.removeprefix(f"{_VOTER}_")
    try:
        ip_address(known)
    except ValueError:
        return voter
    return f"{_VOTER}_{text_id(known)}"


def _tokens(record: dict[str, Any], side: str) -> int | None:
    """Return the tokens of one side's answers, or None where any of them is not counted."""
    known = record.get(f"tokens_{side}")
    metadata = record.get("conv_metadata")
    if isinstance(metadata, dict):
        known = style_counts(metadata)[f"tokens_{side}"]
    turns = record.get(f"conversation_{side}")
    if isinstance(turns, list):
        answers = [t for t in turns if isinstance(t, dict) and t.get("role") == "assistant"]
        counts = [t["num_tokens"] for t in answers if isinstance(t.get("num_tokens"), int)]
        if counts and len(counts) == len(answers):
            return int(sum(counts))
    return known if isinstance(known, int) else None
