"""A Few Acres of Snow."""
