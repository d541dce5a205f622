"""The table in the browser: tables with their sessions, the scene of each seat, the application, and the server."""
