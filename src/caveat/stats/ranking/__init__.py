"""Ratings and ranks from votes."""
