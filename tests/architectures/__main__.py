"""`python -m tests.architectures`."""

import sys

from tests.architectures.table import main

if __name__ == "__main__":
    sys.exit(main())
