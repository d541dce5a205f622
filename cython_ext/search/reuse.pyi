"""What a search keeps for the next decision, for compiled modules only; the Python face is `search.Search`."""
