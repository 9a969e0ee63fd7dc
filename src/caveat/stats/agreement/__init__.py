"""Answers of models compared with each other."""
