"""Stress tests in words, tables and plots: one file per test."""
