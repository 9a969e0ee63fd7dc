"""Rules: results in, caveats out. One family a file; `registry.py` lists them all."""
