"""Command line: parse, call one workflow, show."""

from caveat.cli.app import main

__all__ = ["main"]
