"""``fanorona show``: a position, or a game after some turn, as text, SVG or JSON."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click

from fanorona_core import Board, Position, Side, Turn
from fanorona_core.game import Game

from .marks import Marks, marks_on, points_in
from .options import json_option, position_options
from .output import check_new, print_json, write_file
from .records import board_of, read_game
from .render import board_text, legend_text, stones_text
from .terminal import Look, detect
from .words import outcome_text, played_text, rules_name, status_text, taken_points_text
from .wrapping import wrapped

__all__ = ["command", "show_data"]

# What begins like the rows of a board, and is no file, is meant as a position.
_POSITION = re.compile(r"[wb0-9]+(/[wb0-9]+)+", re.IGNORECASE)


@click.command(
    "show",
    epilog="""\b
Examples:
  fanorona show
  fanorona show --position '8b/9/bw2b4/9/9 w' --moves all
  fanorona show '8b/9/bw2b4/9/9 w'
  fanorona show game.fgn --turn 12
  fanorona show game.fgn --output last.svg
""",
)
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--turn", type=int, metavar="N", help="After N turns of both sides; 0 is the start.")
@click.option(
    "--game", "number", type=int, metavar="N", help="Which game of the file; -1 is the last."
)
@position_options
@click.option(
    "-m", "--moves", metavar="POINT", help="List and mark the turns of one stone, or of all."
)
@click.option("--svg", is_flag=True, help="Write a picture in SVG.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write to a file; one that ends in .svg is a picture."
)
@click.option("--force", is_flag=True, help="Replace a file that exists.")
@click.option("--flip", is_flag=True, help="Draw the board turned round.")
@click.option(
    "--unicode/--ascii", "unicode", default=None, help="How to draw; usually found out by itself."
)
@click.option("--stones", is_flag=True, help="List the stones in words instead of drawing.")
@json_option
@click.pass_context
def command(ctx: click.Context, /, start: Position, **options: Any) -> None:
    """Show a position, or a recorded game after one of its turns.

    Without FILE it is the start of the game, or the position of --position. FILE is a record in
    any format, - for standard input, shown after its last turn if --turn does not say another; or
    position text.
    """
    output = options["output"]
    if options["as_json"] and (options["svg"] or output not in (None, "-")):
        raise click.UsageError("--json reports on standard output: leave --svg and --output out")
    if output is not None:
        check_new(output, force=options["force"])
    board, ended = _board(ctx, start, options)
    turns = _turns(board.position, options["moves"])
    if options["as_json"]:
        print_json("show/1", show_data(board, turns, ended))
        return
    marks = _marks(board, turns)
    if options["svg"] or (output and output.lower().endswith(".svg")):
        from .svg import board_svg

        text = board_svg(board.position, marks, flip=options["flip"])
    else:
        text = _text(board, marks, turns, options, ended)
    if output is None or output == "-":
        click.echo(text.removesuffix("\n"))
    else:
        write_file(output, text.removesuffix("\n") + "\n")


def _board(
    ctx: click.Context, start: Position, options: dict[str, Any]
) -> tuple[Board, Game | None]:
    """The board to show, and the record whose end it is where that says a result."""
    file, number, turn = options["file"], options["number"], options["turn"]
    if file is None:
        if number is not None or turn is not None:
            raise click.UsageError("--game and --turn choose from a FILE, and none is given")
        return Board(start), None
    if any(
        ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        for name in ("rules", "board", "continuation", "position")
    ):
        raise click.UsageError("a FILE brings its own rules and position: leave those options out")
    if _POSITION.match(file) and not Path(file).exists():
        return Board.parse(file), None
    game = read_game(file, number)
    board = board_of(game, turn)
    at_end = len(board.turns) == len(game) and game.result != "*"
    return board, game if at_end and board.outcome() is None else None


def _turns(position: Position, moves: str | None) -> list[Turn] | None:
    """The legal turns that are asked for, or None."""
    if moves is None:
        return None
    turns = position.legal_turns()
    if moves.lower() == "all":
        return turns
    try:
        point = position.geometry.point(moves.lower())
    except ValueError as error:
        raise click.BadParameter(f"{error}, or all", param_hint="'--moves'") from None
    here = position.chain.end if position.chain is not None else None
    return [turn for turn in turns if (turn.start if here is None else here) == point]


def _marks(board: Board, turns: list[Turn] | None) -> Marks:
    """The last turn, or where the first step of the turns asked for leads."""
    if turns is None:
        return marks_on(board)
    chain = board.position.chain
    done = 1 if chain is None else len(chain) + 1
    targets = 0
    for turn in turns:
        if len(turn.points) > done:
            targets |= 1 << turn.points[done]
    return Marks(targets=targets)


def _text(
    board: Board,
    marks: Marks,
    turns: list[Turn] | None,
    options: dict[str, Any],
    ended: Game | None,
) -> str:
    position = board.position
    if options["output"] in (None, "-"):
        look = detect(sys.stdout, options["unicode"])
    else:  # a file is written in UTF-8
        look = Look(unicode=options["unicode"] is not False)
    lines = []
    if options["stones"]:
        lines += [wrapped(stones_text(position, side) for side in Side)]
    else:
        lines += [board_text(position, look, marks, flip=options["flip"]), legend_text(look)]
    lines.append("")
    if board.turns:
        before = board.position_before(len(board.turns) - 1)
        lines.append(wrapped([f"{played_text(before, board.turns[-1])}."]))
    outcome = board.outcome()
    lines.append(
        wrapped([outcome_text(board, outcome) if outcome else status_text(position, look)])
    )
    if ended is not None:
        why = "" if ended.termination is None else f" ({ended.termination})"
        lines.append(wrapped([f"The record ends with {ended.result}{why}."]))
    if turns is not None:
        width = max((len(str(turn)) for turn in turns), default=0)
        lines += [
            wrapped([f"{turn!s:{width}}  {taken_points_text(position, turn)}"]) for turn in turns
        ]
        if not turns:
            where = "" if options["moves"].lower() == "all" else f" from {options['moves'].lower()}"
            lines.append(f"{position.side} has no legal turn{where}.")
    # The text is for other programs as well: it stays in one line.
    lines.append(f"{rules_name(position.rules)}: {position.text()}")
    return "\n".join(lines)


def show_data(board: Board, turns: list[Turn] | None, ended: Game | None = None) -> dict[str, Any]:
    """A board as a report has it; ``ended`` is the record whose result it has."""
    position = board.position
    name = position.geometry.name
    outcome = board.outcome()
    result, reason = (None, None) if outcome is None else (outcome.result, outcome.reason.value)
    if ended is not None:
        result, reason = ended.result, ended.termination and str(ended.termination)
    data: dict[str, Any] = {
        "position": position.text(),
        "rules": str(position.rules),
        "columns": position.columns,
        "rows": position.rows,
        "side": str(position.side).lower(),
        "turn_number": position.turn_number,
        "white": [name(point) for point in points_in(position.white)],
        "black": [name(point) for point in points_in(position.black)],
        "turns": [str(turn) for turn in board.turns],
        "result": result,
        "reason": reason,
    }
    if turns is not None:
        data["legal_turns"] = [
            {
                "turn": str(turn),
                "taken": [
                    [name(point) for point in points_in(mask)] for mask in position.captured(turn)
                ],
            }
            for turn in turns
        ]
    return data
