"""Sittings of fanorona play for tests: lines in, output out, games in a folder of their own."""

from pathlib import Path

from cli_runs import invoke

from fanorona_core.fgn import read


def play(*args: str, text: str = "", **env: str) -> str:
    result = invoke("play", *args, text=text, **env)
    assert result.exit_code == 0, result.output
    return result.output


def kept(data: Path) -> list[Path]:
    return sorted((data / "unfinished").glob("*")) if data.exists() else []


def filed(data: Path) -> list:
    return [result.unwrap() for path in (data / "games").glob("*.fgn") for result in read(path)]
