"""`python -m sfida` is the program `sfida`."""

from sfida.cli.main import main

if __name__ == "__main__":
    main(prog_name="sfida")
