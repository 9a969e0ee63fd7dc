"""Who voted, and what the board would be with other voters."""
