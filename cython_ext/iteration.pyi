"""One iteration of the search; the Python face is `search.Search`."""

class Tree:
    seat: int
