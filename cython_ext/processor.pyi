"""Which build of a module is imported: that for any processor, or that for the instructions of newer ones."""

from collections.abc import Iterable

def has_avx2() -> bool:
    """Tell whether the modules in folders `avx2` run here, and run faster."""
def with_faster(path: Iterable[str]) -> list[str]:
    """Return the folders of a package, those of its faster modules in front where there are any that run here."""
