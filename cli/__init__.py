"""The command line: one file a command; formatting lives here, logic does not."""
