"""`python -m perftkit`."""

from perftkit.cli import main

if __name__ == "__main__":
    main()
