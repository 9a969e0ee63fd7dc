"""Command line: parse, call one workflow, show."""

from caveat.cli.entry import main

__all__ = ["main"]
