"""What a search has found, for compiled modules only; the Python face is `search.Search`."""
