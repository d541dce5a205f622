"""The command line: one file per command; formatting lives here, logic does not."""
