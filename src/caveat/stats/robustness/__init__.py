"""Stress tests of a board: one file per test."""
