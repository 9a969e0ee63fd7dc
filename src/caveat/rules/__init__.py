"""Rules: results in, caveats out. One family a file, or two; `registry.py` lists them all."""
