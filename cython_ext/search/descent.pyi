"""The way down the tree, for compiled modules only; the Python face is `search.Search`."""
