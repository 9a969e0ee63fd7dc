"""Models as judges: against people, in both orders, and among themselves."""
