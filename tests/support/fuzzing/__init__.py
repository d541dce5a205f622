"""Generated cases for every door through which something from outside comes in, and what no case may do."""
