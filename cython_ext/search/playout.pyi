"""The playout of an iteration, for compiled modules only; the Python face is `search.Search`."""
