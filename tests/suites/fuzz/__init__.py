"""Readers of files on texts that are nearly right."""
