"""Files that are at any moment either the old one or the new one, whole."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

__all__ = ["check_writable", "replaced"]

# So much of a name goes into that of its part, which may not become too long.
_NAME_LETTERS: Final = 40


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of the one at ``path`` when the block has ended well.

    Until then it has another name, and if the block fails it is removed. A link stays one; devices
    and pipes are written as they are.

    Raises:
        OSError: the file cannot be written; ``filename`` is its path.
    """
    part = None
    try:
        if _is_special(path):
            with open(path, "wb") as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        part = _part_of(target)
        with _created(part, target) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(part, target.stat().st_mode & 0o777)
        os.replace(part, target)
        part = None
    except OSError as error:
        # What the system says of the part, or of no file, is said of the file that was named.
        if error.errno is None or error.filename not in (None, part):
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    finally:
        if part is not None:
            with suppress(OSError):
                os.unlink(part)


def check_writable(path: str | os.PathLike[str]) -> None:
    """See that ``replaced`` could begin to write a file, without touching it.

    Raises:
        OSError: it could not; ``filename`` is the path.
    """
    try:
        if _is_special(path):
            if os.path.isdir(path):
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not os.access(path, os.W_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))
            return
        target = Path(os.path.realpath(path))
        part = _part_of(target)
        _created(part, target).close()
        os.unlink(part)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _is_special(path: str | os.PathLike[str]) -> bool:
    """Whether it is a device or a pipe, which cannot be renamed over; or a folder."""
    return os.path.exists(path) and not os.path.isfile(path)


def _part_of(target: Path) -> str:
    name = f".{target.name[:_NAME_LETTERS]}.{os.urandom(8).hex()}.part"
    return str(target.with_name(name))


def _created(part: str, target: Path) -> IO[bytes]:
    """A new file that nobody may read who may not read the old one."""
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666
    return open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode))
