"""How games are drawn: what their pictures and their views in a terminal share."""
