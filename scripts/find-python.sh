#!/bin/sh
# Print a Python of 3.11 or newer that can make virtual environments, or say what to do.
for name in "$@" python3 python3.13 python3.12 python3.11 python3.14 python; do
  command -v "$name" >/dev/null 2>&1 || continue
  "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
  echo "$name"
  exit 0
done
echo "Caveat needs Python 3.11 or newer with the venv module (Debian: apt install python3-venv)." >&2
exit 1
