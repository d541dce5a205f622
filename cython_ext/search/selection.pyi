"""Which edge of a node is followed, for compiled modules only; the Python face is `search.Search`."""
