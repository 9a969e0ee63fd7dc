"""Result objects: frozen, self-describing, free of any plotting or file code."""
