"""Attila."""
