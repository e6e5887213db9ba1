"""Chapters and pages as they are written."""
