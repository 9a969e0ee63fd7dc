"""Evidence tables: their columns, the names other tools give them, and the rules of each cell."""

from dataclasses import dataclass
from typing import Literal

from caveat._registry import Registry

Kind = Literal["votes", "responses", "models", "voters", "published"]
Cell = Literal["id", "label", "text", "number", "count", "weight", "flag", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of an evidence table.

    Attributes
    ----------
    name : str
    cell : str
        What a cell holds: `id` (names things; kept as text, dictionary-coded, Unicode-normalised),
        `label` (one of `labels`), `text` (dictionary-coded as it is), `number` (finite float64 or
        null), `count` (whole number, 0 to 2**53), `weight` (finite, above 0), `flag` (true or
        false), `any` (kept as it is).
    required : bool
        Whether a row without it is dropped, and a table without it refused.
    aliases : tuple of str
        Column names of other tools that mean the same, lower case.
    labels : mapping as tuple of (spelling, label)
        Accepted spellings, lower case, for `label` cells.
    doc : str
        Meaning and unit, one line.
    """

    name: str
    cell: Cell
    doc: str
    required: bool = False
    aliases: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Columns of one kind of evidence, and the key under which a row may stand only once."""

    kind: Kind
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    def column(self, name: str) -> Column | None:
        """Return the column called `name`, or None for an extra column."""
        return next((c for c in self.columns if c.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns of the schema."""
        return tuple(c.name for c in self.columns)

    @property
    def required(self) -> tuple[Column, ...]:
        """Columns that every table of this kind has."""
        return tuple(c for c in self.columns if c.required)


OUTCOMES = ("a", "b", "tie", "both_bad")
_OUTCOME_SPELLINGS = (
    ("a", "a"),
    ("model_a", "a"),
    ("b", "b"),
    ("model_b", "b"),
    ("tie", "tie"),
    ("both_bad", "both_bad"),
    ("bothbad", "both_bad"),
    ("tie (bothbad)", "both_bad"),
    ("bothbad_vote", "both_bad"),
    ("leftvote", "a"),
    ("rightvote", "b"),
    ("tievote", "tie"),
)
STATUSES = ("scored", "unparsed", "refused", "error", "unscored")

VOTES = Schema(
    kind="votes",
    columns=(
        Column(
            name="model_a",
            cell="id",
            required=True,
            aliases=("model_1", "model_a_name", "left_model", "a"),
            doc="Model shown first, unless the source lost the order.",
        ),
        Column(
            name="model_b",
            cell="id",
            required=True,
            aliases=("model_2", "model_b_name", "right_model", "b"),
            doc="Model shown second.",
        ),
        Column(
            name="outcome",
            cell="label",
            required=True,
            aliases=("winner", "result", "vote", "preference", "win"),
            labels=_OUTCOME_SPELLINGS,
            doc="Who won: a, b, tie or both_bad.",
        ),
        Column(
            name="count",
            cell="count",
            aliases=("n", "n_votes", "votes", "freq", "frequency"),
            doc="Identical votes this row stands for; 1 where absent.",
        ),
        Column(
            name="weight",
            cell="weight",
            aliases=("weights", "vote_weight"),
            doc="Weight of the vote; 1 where absent.",
        ),
        Column(
            name="voter",
            cell="id",
            aliases=("voter_id", "user", "user_id", "worker", "worker_id", "visitor_id"),
            doc="Who voted, as a pseudonym.",
        ),
        Column(
            name="task",
            cell="id",
            aliases=("category", "subject", "topic", "domain"),
            doc="Category of the prompt.",
        ),
        Column(name="language", cell="id", aliases=("lang",), doc="Language of the conversation."),
        Column(
            name="battle",
            cell="any",
            aliases=("battle_id", "question_id", "conversation_pair_id", "comparison_id"),
            doc="The conversation or comparison voted on.",
        ),
        Column(
            name="item",
            cell="id",
            aliases=("item_id", "prompt_id", "instruction_id"),
            doc="The prompt that both models answered; votes on one item are not independent.",
        ),
        Column(name="turn", cell="any", doc="Turn of the conversation at which the vote came."),
        Column(
            name="at",
            cell="any",
            aliases=("tstamp", "timestamp", "time", "date", "created_at"),
            doc="When the vote was cast.",
        ),
        Column(name="judge", cell="id", aliases=("annotator", "rater"), doc="Person or model."),
    ),
    key=("battle", "turn", "voter", "judge", "model_a", "model_b"),
)

RESPONSES = Schema(
    kind="responses",
    columns=(
        Column(
            name="benchmark",
            cell="id",
            required=True,
            aliases=("dataset", "benchmark_name", "eval", "eval_name"),
            doc="Name of the benchmark.",
        ),
        Column(
            name="item",
            cell="id",
            required=True,
            aliases=(
                "item_id",
                "question_id",
                "sample_id",
                "example_id",
                "instance_id",
                "doc_id",
                "question",
                "id",
                "uid",
            ),
            doc="Identifier of the item within the benchmark.",
        ),
        Column(
            name="model",
            cell="id",
            required=True,
            aliases=("model_name", "model_id", "system", "llm", "generator", "engine"),
            doc="Name of the model.",
        ),
        Column(
            name="task",
            cell="id",
            aliases=("category", "subject", "subtask", "domain", "topic"),
            doc="Part of the benchmark the item belongs to.",
        ),
        Column(name="run", cell="id", aliases=("run_id",), doc="One execution of the evaluation."),
        Column(name="repeat", cell="id", aliases=("epoch", "trial", "seed"), doc="Repeat number."),
        Column(name="prompt", cell="id", aliases=("prompt_id", "template"), doc="Prompt variant."),
        Column(
            name="metric",
            cell="id",
            aliases=("metric_name", "scorer", "scorer_name"),
            doc="What the score measures, or who gave it; each metric is a row of its own.",
        ),
        Column(
            name="filter",
            cell="id",
            aliases=("filter_name", "parser"),
            doc="How the answer was read out of the text; each reading is a row of its own.",
        ),
        Column(
            name="prediction",
            cell="text",
            aliases=("pred", "predicted", "response", "output", "model_answer", "choice"),
            doc="The model's answer as parsed; null where none could be read.",
        ),
        Column(
            name="target",
            cell="text",
            aliases=("answer", "gold", "label", "reference", "expected", "correct_answer", "truth"),
            doc="The right answer.",
        ),
        Column(
            name="score",
            cell="number",
            aliases=("correct", "is_correct", "acc", "accuracy", "exact_match", "value"),
            doc="Score of the answer; null where it was not scored. Null is not zero.",
        ),
        Column(
            name="status",
            cell="label",
            labels=tuple((name, name) for name in STATUSES),
            doc="scored, unparsed, refused, error, or unscored (answered, no gold to score by).",
        ),
        Column(
            name="cluster",
            cell="id",
            aliases=("passage", "passage_id", "group", "document"),
            doc="Items that share something (a passage, a repository) and are not independent.",
        ),
        Column(
            name="n_options",
            cell="number",
            aliases=("num_options", "n_choices", "num_choices"),
            doc="Options the item offers.",
        ),
        Column(
            name="input_tokens",
            cell="number",
            aliases=("tokens_in", "prompt_tokens"),
            doc="Tokens.",
        ),
        Column(
            name="output_tokens",
            cell="number",
            aliases=("tokens_out", "completion_tokens"),
            doc="Tokens.",
        ),
        Column(name="cost_usd", cell="number", aliases=("cost",), doc="US dollars; null unknown."),
        Column(name="latency_s", cell="number", aliases=("latency",), doc="Seconds."),
        Column(name="at", cell="any", aliases=("timestamp", "tstamp", "created_at"), doc="When."),
    ),
    key=("benchmark", "item", "model", "run", "repeat", "prompt", "metric", "filter"),
)

MODELS = Schema(
    kind="models",
    columns=(
        Column(
            name="model",
            cell="id",
            required=True,
            aliases=("model_name", "model_id", "name", "system"),
            doc="Name of the model as votes and responses spell it.",
        ),
        Column(name="provider", cell="id", aliases=("developer", "organization"), doc="Maker."),
        Column(name="family", cell="id", doc="Model family."),
        Column(
            name="weights",
            cell="id",
            aliases=("checkpoint", "same_weights"),
            doc="Name of its weights: models of the same weights are one model on several hosts.",
        ),
        Column(
            name="kind",
            cell="id",
            aliases=("annotator_kind",),
            doc="`human` for a person who labels or judges among the models.",
        ),
        Column(name="released", cell="any", aliases=("release_date",), doc="Date of release."),
        Column(
            name="status",
            cell="id",
            aliases=("state", "availability"),
            doc="Whether it is still on the board, in a word: active, retired, removed, ...",
        ),
        Column(
            name="retired",
            cell="any",
            aliases=("retired_on", "removed_on", "deprecated_on", "retirement_date"),
            doc="When it was taken off the board, or true; null while it is there.",
        ),
        Column(
            name="variants_tested",
            cell="number",
            aliases=("private_variants", "n_variants"),
            doc="Variants tested in private before this one was shown, itself included.",
        ),
        Column(
            name="variant_votes",
            cell="number",
            doc="Votes each of these variants was tested with; null unknown.",
        ),
        Column(
            name="variant_spread",
            cell="number",
            doc="Standard deviation of the variants' true ratings in points; null unknown.",
        ),
        Column(name="open_weights", cell="flag", doc="Whether the weights can be downloaded."),
        Column(name="licence", cell="id", aliases=("license",), doc="Licence of the weights."),
        Column(
            name="price_input",
            cell="number",
            aliases=("input_price", "input_cost"),
            doc="USD per million input tokens; null unknown.",
        ),
        Column(
            name="price_output",
            cell="number",
            aliases=("output_price", "output_cost"),
            doc="USD per million output tokens; null unknown.",
        ),
        Column(name="price_source", cell="text", doc="Where the price was read."),
        Column(name="price_date", cell="any", doc="When the price was read."),
    ),
    key=("model",),
)

VOTERS = Schema(
    kind="voters",
    columns=(
        Column(
            name="voter",
            cell="id",
            required=True,
            aliases=(
                "voter_id",
                "user",
                "user_id",
                "worker",
                "worker_id",
                "visitor_id",
                "participant",
                "participant_id",
                "respondent",
                "respondent_id",
            ),
            doc="Who voted, as votes spell it; every other column is a declared attribute.",
        ),
    ),
    key=("voter",),
)

PUBLISHED = Schema(
    kind="published",
    columns=(
        Column(
            name="benchmark",
            cell="id",
            required=True,
            aliases=("dataset", "benchmark_name"),
            doc="Name of the benchmark.",
        ),
        Column(
            name="model",
            cell="id",
            required=True,
            aliases=("model_name", "model_id"),
            doc="Name of the model.",
        ),
        Column(
            name="task",
            cell="id",
            aliases=("subset", "subject", "category"),
            doc="Part of the benchmark; null for the whole.",
        ),
        Column(
            name="metric",
            cell="id",
            aliases=("metric_name",),
            doc="What was measured; null where the publisher does not say.",
        ),
        Column(
            name="filter",
            cell="id",
            aliases=("filter_name", "parser"),
            doc="How answers were read out of the texts.",
        ),
        Column(
            name="value",
            cell="number",
            required=True,
            aliases=("score", "accuracy"),
            doc="The figure as published, on whatever scale it was published.",
        ),
        Column(
            name="n",
            cell="number",
            aliases=("n_items", "num_samples", "n_samples"),
            doc="Items behind it; null unknown.",
        ),
        Column(
            name="se",
            cell="number",
            aliases=("stderr", "standard_error"),
            doc="Published standard error, on the scale of the value.",
        ),
        Column(name="run", cell="id", aliases=("run_id",), doc="The execution it belongs to."),
        Column(name="source", cell="id", aliases=("publisher",), doc="Who published it."),
        Column(name="url", cell="text", aliases=("source_url", "link"), doc="Where."),
        Column(
            name="date",
            cell="any",
            aliases=("published_on", "evaluated_on"),
            doc="When it was measured or published.",
        ),
        Column(
            name="revision", cell="id", aliases=("version",), doc="Version of the benchmark's data."
        ),
        Column(
            name="notes",
            cell="id",
            aliases=("setting", "setup"),
            doc="Setting that tells it from another figure of the same name: tools, no-tools, ...",
        ),
    ),
    key=(
        "benchmark", "model", "task", "metric", "filter", "run", "source", "url", "date",
        "revision", "notes",
    ),
)  # fmt: skip

SCHEMAS: Registry[Schema] = Registry(
    "kind of evidence", lambda s: s.kind, (VOTES, RESPONSES, MODELS, VOTERS, PUBLISHED)
)


def key_of(name: str) -> str:
    """Return a column's name without case, blanks and hyphens, as aliases are written."""
    return name.strip().lstrip("\ufeff").lower().replace(" ", "_").replace("-", "_")
