"""Command line: parse, call one workflow, show."""


def main() -> None:
    """Entry point of the `caveat` command."""
