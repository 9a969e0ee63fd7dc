"""The page of a code: what it says, why it matters, how it is computed, what to do."""

from importlib.resources import files

from caveat.rules.registry import RULES

HEADINGS = (
    "What it says",
    "Why it matters",
    "How it is computed",
    "Threshold and how to change it",
    "What to do",
    "Source",
)


def page(code: str) -> str:
    """Return the page of one code as Markdown; an unknown code is an `InputError`.

    Examples
    --------
    >>> page("RNK201").splitlines()[0]
    '# RNK201: first place not separable'
    """
    name = f"{RULES.get(code).code}.md"
    return files("caveat.rules").joinpath("pages", name).read_text(encoding="utf-8")


def index(*, folder: str) -> str:
    """Return a Markdown table of all codes, linking to their pages in `folder`."""
    rows = ["| code | says | usual severity | reads | thresholds |", "|---|---|---|---|---|"]
    for rule in RULES:
        limits = ", ".join(f"`{name}` {value:g}" for name, value in rule.thresholds.items())
        rows.append(
            f"| [{rule.code}]({folder}/{rule.code}.md) | {rule.title} | {rule.severity.value} "
            f"| {rule.needs} | {limits or 'none'} |"
        )
    return "\n".join(rows)
