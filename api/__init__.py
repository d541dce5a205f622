"""Sfida: Monte Carlo opponents for hobby board games."""
