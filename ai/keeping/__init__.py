"""The games that people play: those to be finished, and those that are."""
