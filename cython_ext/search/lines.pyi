"""The moves that a tree expects, for compiled modules only; the Python face is `search.Search`."""
