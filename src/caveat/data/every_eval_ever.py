"""What reading and writing of Every Eval Ever share: its version, and the keys of our own cells."""

SCHEMA_VERSION = "0.3.0"
"""Version of the schema that is written, and the one that reading was tested with."""

PREFIX = "caveat."
"""Begins every key of ours in the places that the schema leaves free."""

COLUMNS = PREFIX + "columns"
"""Key of the types of columns that are kept as text in `metadata`, as JSON."""

KIND, ORDER_KNOWN = PREFIX + "kind", PREFIX + "order_known"
STATUS, SCORE = PREFIX + "status", PREFIX + "score"

CONVERTED_BY = PREFIX + "converted_by"

NOT_SCORED = "not scored: score and is_correct are placeholders"
"""Said in `error` of rows without a score; the schema knows no missing score."""

WHOLE_EXTRAS = ("num_turns", "tool_calls_count")
"""Whole numbers beside the score; extra columns in the evidence."""

TOKEN_EXTRAS = ("input_tokens_cache_write", "input_tokens_cache_read", "reasoning_tokens")
"""Counts beside input and output tokens; extra columns in the evidence."""

TIME_EXTRAS = ("time_to_first_token_ms", "generation_time_ms")
"""Times beside the latency; extra columns in the evidence."""
