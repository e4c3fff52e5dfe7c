"""Settings that all tests share."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from fanorona_cli.i18n import use_language

# The same examples in every run, and no clock: a slow machine is no failure.
settings.register_profile("steady", derandomize=True, deadline=None)
# HYPOTHESIS_PROFILE=explore pytest: new examples in every run, more of them.
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# A shell starts background jobs with interrupts ignored, and the programs that the tests start and
# interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What the tests expect to read is English, whatever the locale is or the test before has chosen.
os.environ["LANGUAGE"] = "en"


@pytest.fixture(autouse=True)
def english():
    yield
    use_language(None)


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """The folder of this test's games, and a terminal of 80 columns."""
    folder = tmp_path / "data"
    monkeypatch.setenv("FANORONA_DATA_DIR", str(folder))
    monkeypatch.setenv("COLUMNS", "80")
    return folder
