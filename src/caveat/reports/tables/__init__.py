"""Results as tables of written figures: sorting, formatting and picking only."""
