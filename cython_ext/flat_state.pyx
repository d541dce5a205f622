"""What the rules cores share: a position in one flat block, and the names that Python uses for its parts."""

from sfida.cython_ext.state cimport GameState


cdef class FlatState(GameState):
    """A position in one flat block of bytes, with tables that all states of a game share.

    Attributes
    ----------
    rules : object
        The tables and options of the game.
    """

    def __cinit__(self, game, rules):
        self.game = game
        self.rules = rules
        self.phases = ()
        self.feature_names = ()

    cdef void* lay_out(self, size_t size, int players, int max_legal, tuple phases) except NULL:
        self.allocate(size)
        self.players = players
        self.max_legal = max_legal
        self.phases = phases
        self.has_evaluation = True
        self.has_priors = True
        return self.data

    cdef GameState blank(self):
        kind = type(self)
        return kind.__new__(kind, self.game, self.rules)

    cdef int list_features(self, int seat, int viewer, double* out) except -1:
        return 0

    @property
    def phase(self):
        """Name of the phase."""
        return self.phases[self.phase_at[0]]

    @property
    def viewer(self):
        """Seat whose view this copy is, or -1."""
        return -1 if self.viewer_at == NULL else <int> self.viewer_at[0] - 1

    def features(self, int seat, int viewer=-1):
        """Return what the evaluation reads of a seat.

        Parameters
        ----------
        seat : int
        viewer : int
            Seat whose secrets count; -1: nobody's.

        Returns
        -------
        dict of str to float
            Empty where the game does not list them.

        Raises
        ------
        ValueError
            If a seat does not exist.
        """
        cdef double x[MOST_FEATURES]
        self.check_seat(seat)
        if viewer >= 0:
            self.check_seat(viewer)
        self.list_features(seat, viewer, x)
        return {name: x[i] for i, name in enumerate(self.feature_names)}
