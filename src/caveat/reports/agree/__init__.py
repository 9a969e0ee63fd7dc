"""Sections of a report about the models of one benchmark."""
