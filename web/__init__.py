"""The table in the browser: rooms in which games are played, what each seat is shown, and the server."""
