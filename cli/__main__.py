"""Run the command line as ``python -m fanorona_cli``."""

from .start import main

if __name__ == "__main__":
    main()
