"""Raw logs of FastChat's arena: one JSON object for each thing that users did."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import VOTES, Kind
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.case_fields import mapping
from caveat.importers.json_lines import line_records
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.tidy import read_records
from caveat.importers.translating import text_id
from caveat.results.provenance import Source

_KEYS = frozenset({"type", "models", "states"})
_VOTES = ("leftvote", "rightvote", "tievote", "bothbad_vote")
_THUMBS = ("upvote", "downvote")
_BRANDS = (
    "vicuna", "lmsys", "koala", "uc berkeley", "open assistant", "laion", "chatglm", "chatgpt",
    "gpt-4", "openai", "anthropic", "claude", "bard", "palm", "lamda", "google", "gemini", "llama",
    "qianwan", "qwen", "alibaba", "mistral", "zhipu", "keg lab", "01.ai", "ai2", "tülu", "tulu",
    "deepseek", "hermes", "cohere", "dbrx", "databricks",
)  # fmt: skip
_FAILED = (
    "network error due to high traffic. please regenerate or refresh this page.",
    "$moderation$ your input violates our content moderation guidelines.",
    "api request error. please increase the number of max tokens.",
    "**api request error**",
)
_UNFINISHED = ("▌", '<span class="cursor">')
NO_VOTE = "no vote (chats, shares and the like are in the log, too)"
NO_MODELS = "the log does not name two models"
NAMES = "names shown and names of the answering models differ"
EMPTY = "a message of the conversation is empty"
BRAND = "the conversation names a maker or a model, so that the vote was perhaps not blind"
FAILED = "an answer is an error message"
UNFINISHED = "an answer was not finished"
NOTICE = (
    "fastchat_log: read by the rules of FastChat's clean_battle_data.py, but models are not "
    "renamed; the voter is a hash of the address, which hides it from readers but not from "
    "somebody who tries all addresses: do not publish it"
)


class FastChatLog:
    """Reads the votes of a log; what FastChat's own cleaning drops is dropped and counted."""

    name = "fastchat_log"
    doc = "raw logs of FastChat's arena: JSON lines with type, models and states"
    kind: Kind = "votes"

    def recognises(self, head: Head) -> bool:
        """Look for an event with the states of two conversations."""
        return set(head.keys) >= _KEYS

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all votes."""
        stream = record_stream(lambda dropped: _votes(member, options, dropped))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return told(read_records(stream, VOTES, source, options), NOTICE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One of the two conversations."""

    public: str
    hidden: str
    messages: tuple[tuple[object, object], ...]


def _votes(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, dict[str, Any]]]:
    for row, record in line_records(member, options, dropped):
        kind = record.get("type")
        if kind not in _VOTES and ("vote" not in str(kind) or kind in _THUMBS):
            dropped(NO_VOTE, 1, f"{member.name}, row {row}")
            continue
        sides = _sides(record)
        reason = _why_not(sides)
        if sides is None or reason:
            dropped(reason or NO_MODELS, 1, f"{member.name}, row {row}")
            continue
        blind = sides[0].public in ("", "Model A")
        names = [side.hidden if blind else side.public for side in sides]
        asked = next((text for _, text in sides[0].messages), None)
        yield (
            row,
            {
                "model_a": names[0],
                "model_b": names[1],
                "outcome": kind,
                "battle": mapping(record["states"][0]).get("conv_id"),
                "voter": text_id(_text(record.get("ip"))),
                "item": text_id(_text(asked)),
                "turn": len(sides[0].messages) // 2,
                "at": record.get("tstamp"),
                "anony": blind,
                "chars_a": _answered(sides[0]),
                "chars_b": _answered(sides[1]),
            },
        )


def _sides(record: dict[str, Any]) -> tuple[_Side, _Side] | None:
    models, states = record.get("models"), record.get("states")
    if not (isinstance(models, list) and isinstance(states, list)):
        return None
    if len(models) != 2 or len(states) != 2 or None in models:
        return None
    public = [_plain(str(name)) for name in models]
    hidden = [mapping(state).get("model_name") for state in states]
    if hidden[0] is None:
        hidden = list(public)
    first, second = (
        _Side(public=public[k], hidden=str(hidden[k] or ""), messages=_messages(states[k]))
        for k in (0, 1)
    )
    return first, second


def _plain(name: str) -> str:
    """Return a name without the heading that the arena puts it in once it is shown."""
    return (
        name[name.find(": ") + 2 :].removesuffix("\n").removesuffix("</h3>")
        if (name.startswith("<h3>"))
        else name
    )


def _messages(state: object) -> tuple[tuple[object, object], ...]:
    listed, offset = mapping(state).get("messages"), mapping(state).get("offset")
    start = offset if isinstance(offset, int) and offset >= 0 else 0
    pairs = listed[start:] if isinstance(listed, list) else []
    return tuple((p[0], p[1]) for p in pairs if isinstance(p, list) and len(p) > 1)


def _why_not(sides: tuple[_Side, _Side] | None) -> str:
    """Return why FastChat would not count the vote; empty where it would."""
    if sides is None:
        return NO_MODELS
    first, second = sides
    shown = bool(first.public), bool(second.public)
    seen = first.public not in ("", "Model A")
    differs = seen and any(s.hidden not in s.public for s in sides)
    if shown[0] != shown[1] or differs or not first.messages:
        return NAMES if first.messages else EMPTY
    texts = [text for side in sides for _, text in side.messages]
    if not all(texts):
        return EMPTY
    said = "\n".join(str(text).lower() for text in texts)
    for words, reason in ((_BRANDS, BRAND), (_FAILED, FAILED), (_UNFINISHED, UNFINISHED)):
        if any(word in said for word in words):
            return reason
    return ""


def _answered(side: _Side) -> int:
    return sum(len(str(text)) for _, text in side.messages[1::2])


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
