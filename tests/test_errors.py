"""Exceptions: plain one-line texts, natural builtins, and pickling with all they carry."""

import pickle

import pytest

from fanorona_core import errors
from fanorona_core.errors import FanoronaError, InvalidPositionError, RecordError

BUILTINS = {
    "NotationError": ValueError,
    "IllegalTurnError": ValueError,
    "InvalidPositionError": ValueError,
    "RulesError": ValueError,
    "RecordError": ValueError,
    "UnsupportedVariantError": RecordError,
    "ExportError": ValueError,
    "MissingTableError": KeyError,
    "CorruptTableError": OSError,
    "CorruptProofError": OSError,
    "ProofError": ValueError,
    "EngineError": ValueError,
    "OutcomeError": ValueError,
}


def test_every_error_is_in_the_table():
    assert set(errors.__all__) == {"FanoronaError", *BUILTINS}


@pytest.mark.parametrize(("name", "builtin"), BUILTINS.items())
def test_errors_are_natural_builtins_with_plain_texts(name, builtin):
    error = getattr(errors, name)("a text with 'quotes'")
    assert isinstance(error, FanoronaError) and isinstance(error, builtin)
    assert str(error) == "a text with 'quotes'"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_errors_keep_what_they_carry_when_pickled():
    record = pickle.loads(pickle.dumps(RecordError("odd", line=3, game=2, turn=5)))
    assert (record.line, record.game, record.turn, record.reason) == (3, 2, 5, "odd")
    assert str(record) == "line 3, game 2, turn 5: odd"
    position = pickle.loads(pickle.dumps(InvalidPositionError(["one", "two"])))
    assert position.reasons == ("one", "two")
