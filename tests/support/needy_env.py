"""An environment that needs a package which nobody has: for tests of what is said then."""

raise ModuleNotFoundError("No module named 'no_such_package'", name="no_such_package")
