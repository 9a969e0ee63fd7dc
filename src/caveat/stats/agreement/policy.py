"""What an answer without a readable choice counts as when two models are compared."""

from typing import Literal

Policy = Literal["drop", "as-disagreement", "as-option"]
POLICIES: tuple[Policy, ...] = ("drop", "as-disagreement", "as-option")
