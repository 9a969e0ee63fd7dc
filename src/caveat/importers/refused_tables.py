"""Tables of known tools that are no evidence, though their columns look like some."""

from dataclasses import dataclass

from caveat.errors import UnrecognisedError


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedTable:
    """A table that is told apart from evidence by its columns, and what it is."""

    name: str
    columns: frozenset[str]
    why: str


REFUSED = (
    RefusedTable(
        name="compar:IA reactions",
        columns=frozenset({"model_a_name", "refers_to_model", "msg_index", "liked", "disliked"}),
        why="a thumb on one message of one model is no vote between two; read the votes table",
    ),
    RefusedTable(
        name="compar:IA conversations",
        columns=frozenset({"model_a_name", "model_b_name", "conversation_pair_id", "conv_turns"}),
        why="nobody voted in it; read the votes table",
    ),
    RefusedTable(
        name="promptfoo's CSV",
        columns=frozenset({"Status", "Score", "Named Scores", "Grader Reason"}),
        why="its score counts latency and cost, and what failed is not told; write the results as "
        "JSON (promptfoo eval -o results.json)",
    ),
    RefusedTable(
        name="PRISM metadata",
        columns=frozenset({"column_id", "pii_flag", "moderation_flag", "user_id"}),
        why="flags of texts are neither votes nor voters; read utterances.jsonl and survey.jsonl",
    ),
)


def refuse_known(names: tuple[str, ...], *, file: str) -> None:
    """Raise the error that says what a table is that would be mistaken for evidence.

    To be asked once no known table of votes has been found.
    """
    for table in REFUSED:
        if table.columns <= set(names):
            raise UnrecognisedError(f"{file}: is {table.name}, no evidence: {table.why}")
