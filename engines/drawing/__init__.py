"""Drawing of games: tools shared by pictures and terminal views.

A game draws a position with `board_text`, `status_text`, `stock_text` and `legend_text` in a terminal, and with
`board_svg` as a picture. Parameters with the same name have the same meaning in all of these functions:

position
    The viewer's view as plain data, without information that is hidden from the viewer.
seat : int, optional
    The seat whose view is drawn, marked as "you".
color : bool
    Use 256 terminal colours; the characters are the same without colours.
width : int
    Largest width of a line, in columns.
height : int, optional
    Largest number of lines; None for no limit.
size : int
    Width of a picture in pixels; the height follows from it.
labels : bool
    Write the labels used in the notation of moves, and mark the places.
places : collection of (kind, number)
    Places where the mover may play; highlighted with `labels`.

A picture is a well-formed document without outside resources; equal positions give equal documents.
"""
