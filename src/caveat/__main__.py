"""`python -m caveat` is the `caveat` command."""

import sys

from caveat.cli import main

if __name__ == "__main__":
    sys.exit(main())
