"""Scores of models on items."""
