"""What the processor can do."""


def has_avx2():
    """Tell whether the modules in folders `avx2` run here, and run faster."""
    return bool(runs_avx2())
