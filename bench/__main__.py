"""`python -m bench NAME ...`."""

import sys

from bench import main

if __name__ == "__main__":         # worker processes import this module, too
    sys.exit(main())
