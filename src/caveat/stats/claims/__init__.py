"""Claims about models held against their answers."""
