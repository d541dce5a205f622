"""`python -m sfida` is the program `sfida`."""

from sfida.cli.start import main

if __name__ == "__main__":
    main()
