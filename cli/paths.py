"""Paths that people type: in options, in variables, and inside a game."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

__all__ = ["named_folder", "user_path"]


def user_path(text: str) -> Path:
    """The path that a text names; ``~`` at its beginning is a home folder.

    Raises:
        OSError: no file can have that name; ``filename`` is the text.

    Examples:
        >>> user_path("~no-such-user/game.fgn")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] there is no such user: '~no-such-user/game.fgn'
    """
    try:
        path = Path(text).expanduser()
        if b"\0" in os.fsencode(path):
            raise OSError(errno.EINVAL, "a NUL character is in the name", text)
    except RuntimeError:
        raise FileNotFoundError(errno.ENOENT, "there is no such user", text) from None
    except UnicodeEncodeError:
        fault = f"the encoding of file names here, {sys.getfilesystemencoding()}, lacks a letter"
        raise OSError(errno.EILSEQ, fault, text) from None
    return path


def named_folder(text: str) -> Path:
    """The folder that a text names, which must be there.

    Raises:
        OSError: it is not; ``filename`` is the text.
    """
    path = user_path(text)
    if not path.is_dir():
        code = errno.ENOTDIR if path.exists() else errno.ENOENT
        raise OSError(code, os.strerror(code), text)
    return path
