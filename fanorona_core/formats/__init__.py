"""Readers and writers of other programs' game records."""
