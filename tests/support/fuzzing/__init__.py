"""Generated cases for every door through which outside data come in, and the effects that no case may have."""
