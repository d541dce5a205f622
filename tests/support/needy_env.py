"""An environment that needs a package that does not exist, for tests of the error message."""

raise ModuleNotFoundError("No module named 'no_such_package'", name="no_such_package")
