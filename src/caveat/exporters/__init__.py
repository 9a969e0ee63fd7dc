"""Evidence in the formats of other tools."""
