"""Models compared item by item, beyond how often they agree."""
