"""The games that measurements run over."""

from __future__ import annotations

EVERY = (*(f"carcassonne:players={n}" for n in (2, 3, 4, 5)), *(f"zarahemla:players={n}" for n in (2, 3, 4)),
         *(f"risiko:players={n}" for n in (3, 4, 5, 6)), "acres", *(f"attila:players={n}" for n in (2, 3, 4, 5)))
"""The five board games with every number of players."""

FIVE = ("carcassonne", "zarahemla", "risiko:players=3", "attila:players=2", "a_few_acres_of_snow")
"""The five board games with as few players as they allow."""
