"""Settings of the whole suite."""

import signal

# A suite that was started in the background ignores Ctrl-C, and so would every program it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
