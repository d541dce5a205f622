"""Choice of a module's build: the portable one, or the one for the instructions of newer processors."""

from collections.abc import Iterable

def check_baseline(able: bool | None = None) -> None:
    """Refuse a processor that lacks the instructions of this build; raises ImportError."""
def has_avx2() -> bool:
    """Whether the modules in folders `avx2` run here, and run faster."""
def with_faster(path: Iterable[str]) -> list[str]:
    """Return the folders of a package, preceded by the folders of faster modules that run here."""
