"""Settings that all tests share."""

import os

from hypothesis import settings

# The same examples in every run, and no clock: a slow machine is no failure.
settings.register_profile("steady", derandomize=True, deadline=None)
# HYPOTHESIS_PROFILE=explore pytest: new examples in every run, more of them.
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
