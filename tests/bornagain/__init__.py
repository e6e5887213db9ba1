"""Ensembles, born-again trees and compressed models."""
