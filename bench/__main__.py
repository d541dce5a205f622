"""`python -m bench NAME ...`."""

import sys

from bench import main

if __name__ == "__main__":         # not in the processes that it starts
    sys.exit(main())
