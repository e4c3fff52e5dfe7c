"""Files that are whole or not there: links, devices, permissions, and what goes wrong."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from fanorona_core._files import check_writable, replaced

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")


def write(path: Path, data: bytes = b"new") -> None:
    with replaced(path) as file:
        file.write(data)


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data in (b"old", b"new"):
        write(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("x"), OSError(5, "x")])
def test_a_failure_keeps_the_old_file(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(type(error)), replaced(path) as file:
        file.write(b"new")
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(OSError) as caught, replaced(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    with pytest.raises(FileNotFoundError) as missing, replaced(path):
        raise FileNotFoundError(errno.ENOENT, "No such file", "another")
    assert missing.value.filename == "another"
    for work in (write, check_writable):
        for wrong in (tmp_path / "none" / "file", tmp_path):
            with pytest.raises(OSError) as caught:
                work(wrong)
            assert caught.value.filename == str(wrong)
    assert list(tmp_path.iterdir()) == []


def test_what_can_be_written_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / ("long" * 60)
    check_writable(path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"old")
    check_writable(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    write(path)
    assert path.read_bytes() == b"new"


@POSIX
def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link, target = tmp_path / "link", tmp_path / "folder" / "file"
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert list((tmp_path / "folder").iterdir()) == [target]


@POSIX
def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        check_writable(pipe)
        write(pipe)
        assert os.read(reader, 10) == b"new"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@POSIX
def test_permissions_are_kept(tmp_path: Path) -> None:
    path, plain = tmp_path / "file", tmp_path / "plain"
    plain.touch()
    write(path)
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o606)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o606
