"""How games are drawn: what their pictures and their views in a terminal share.

A game draws a position with `board_text`, `status_text`, `stock_text` and `legend_text` in a terminal, and with
`board_svg` as a picture. Parameters of one name mean the same in all of them:

position
    What the viewer sees, as plain data; what it may not know is not in it.
seat : int, optional
    The seat whose view is drawn, marked as "you".
color : bool
    Use 256 terminal colours; the characters are the same without.
width : int
    Columns that no line exceeds.
height : int, optional
    Lines to fit into; None for as many as it takes.
size : int
    Width of a picture in pixels; the height follows from it.
labels : bool
    Write what moves are typed with, and mark the places.
places : collection of (kind, number)
    Where the mover may play; with `labels` they stand out.

A picture is a well-formed document without outside resources; equal positions give equal documents.
"""
