"""What the rules cores share: a position in one flat block, and Python names for its parts."""

from sfida.cython_ext.state cimport GameState

# Features of a move that learned priors read in every game; those of the game follow.
COMMON_MOVE_FEATURES = ("prior", "best", "behind", "prior_late", "prior_many")
assert len(COMMON_MOVE_FEATURES) == M_OWN


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

    def __init__(self, game, rules):
        self.set_knowledge(getattr(game, "knowledge", None))

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
        cdef GameState twin = kind.__new__(kind, self.game, self.rules)
        twin.judge_like(self)
        return twin

    @property
    def phase(self):
        """Name of the phase."""
        return self.phases[self.phase_at[0]]

    @property
    def viewer(self):
        """Seat whose view this copy is, or -1."""
        return -1 if self.viewer_at == NULL else <int> self.viewer_at[0] - 1
