"""What stress tests of a board found: one file per test."""
