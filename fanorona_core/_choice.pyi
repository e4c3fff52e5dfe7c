# For other modules of the core only: nothing to call from Python.
