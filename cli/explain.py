"""The rules in short, what a rule set's options mean, and the help inside a game."""

from __future__ import annotations

from fanorona_core import PROFILES, Position, RuleSet

from .i18n import N_, _, ngettext
from .sentences import side_to_move
from .words import counted

__all__ = [
    "ALIASES",
    "GAME_COMMANDS",
    "game_help",
    "guide_lines",
    "option_lines",
    "profile_lines",
    "rules_lines",
]

# Command inside a game -> its argument and what it does, in the order of the help.
GAME_COMMANDS = {
    "help": ("", N_("this list")),
    "moves": ("[POINT]", N_("all legal turns, or those of one stone, with the stones each takes")),
    "hint": ("", N_("a good turn, and what it does")),
    "rules": ("", N_("the rules in short")),
    "guide": ("", N_("a first game, strategy, usual mistakes, history")),
    "board": ("", N_("draw the board again")),
    "stones": ("", N_("list the stones of both sides in words")),
    "flip": ("", N_("turn the board round")),
    "stop": ("", N_("end your turn where the stone stands, after a capture that could go on")),
    "undo": ("", N_("take back your last turn, or the last step of the turn you have begun")),
    "redo": ("", N_("play again what was taken back")),
    "draw": ("", N_("offer a draw")),
    "resign": ("", N_("give the game up")),
    "save": ("FILE", N_("write the game to a file")),
    "load": ("FILE [N]", N_("go on with a game from a file")),
    "new": ("", N_("begin again")),
    "quit": ("", N_("leave; the game is kept for the next time")),
}

# Other words for them.
ALIASES = {
    "?": "help",
    "h": "help",
    "m": "moves",
    "move": "moves",
    "turns": "moves",
    "b": "board",
    "show": "board",
    "s": "stop",
    "end": "stop",
    "done": "stop",
    ".": "stop",
    "u": "undo",
    "back": "undo",
    "q": "quit",
    "exit": "quit",
}


def game_help() -> list[str]:
    """What can be typed during a game."""
    lines = [
        _(
            "A turn: the point a stone leaves, the points it goes to, and after each the letter of "
            "the capture: A for approach, W for withdrawal. For example d3-e3A, or d2-c3A-d3A for "
            "two captures. Where only one of the two is possible the letter may be left out; d2e3, "
            "D2 E3 and d2-e3a are the same."
        ),
        _(
            "You may type a chain of captures whole or step by step. When it could go on you are "
            "asked: type the next point, or stop. A full stop ends it at once: d2-e3A."
        ),
        _("A number plays that turn from the last list of moves."),
        "",
    ]
    width = max(len(f"{name} {argument}") for name, (argument, _text) in GAME_COMMANDS.items())
    for name, (argument, text) in GAME_COMMANDS.items():
        lines.append(f"  {f'{name} {argument}'.strip():{width}}  {_(text)}")
    return lines


def guide_lines() -> list[str]:
    """The guide of the full-screen board, without its pictures."""
    from .tui.guide_pages import GUIDE

    lines: list[str] = []
    for page in GUIDE:
        lines += ["", _(page.title), *(f"- {_(text)}" for text in page.paragraphs)]
    return lines[1:]


def rules_lines(rules: RuleSet) -> list[str]:
    """The rules in short, one thought a line, as these options make them."""
    board = _("Board: {columns} x {rows} points joined by lines.")
    begins = (
        _("White begins, from the lower rows.")
        if rules.start is None
        else f"{side_to_move(Position.start(rules).side)}."
    )
    moving = _(
        "A stone moves along a line to the next point if that is empty. Diagonal lines meet only "
        "at the strong points, every second one (a1, c1, b2, ...); the weak points have none."
    )
    chains = _(
        "After a capture the same stone may go on capturing in the same turn: never twice in a row "
        "in the same direction, and never to a point it has already stood on in this turn."
    )
    stopping = (
        _("Here it must go on as long as it can.")
        if rules.compulsory
        else _("You may stop after any capture.")
    )
    lines = [
        " ".join([board.format(columns=rules.columns, rows=rules.rows), begins, moving]),
        _(
            "Capture by approach (A): you move towards enemy stones. The stones straight ahead of "
            "the point you land on are taken, as far as they stand without a gap."
        ),
        _(
            "Capture by withdrawal (W): you move away from enemy stones. The stones straight "
            "behind the point you left are taken, as far as they stand without a gap."
        ),
        _("If one move could do both, you choose one; never both."),
        _(
            "If you can capture, you must, but any capture will do. Only if you have none may you "
            "move without capturing (a paika)."
        ),
        f"{chains} {stopping}",
    ]
    if rules.first_turn == "white-single":
        lines.append(_("White's first turn may have one capture only."))
    elif rules.first_turn == "both-single":
        lines.append(_("The first capturing turn of each side may have one capture only."))
    lines.append(
        _("A side without stones has lost. A side that has stones but no legal turn draws.")
        if rules.no_move_draw
        else _(
            "A side without stones has lost. "
            "A side that has stones but no legal turn has lost, too."
        )
    )
    draws = ", ".join([*_draws(rules), _("by agreement")])
    lines.append(_("Draw: {ways}.").format(ways=draws))
    return lines


def _draws(rules: RuleSet) -> list[str]:
    draws = []
    if rules.repetition == 3:
        draws.append(_("when a position occurs for the third time"))
    elif rules.repetition is not None:
        times = rules.repetition
        draws.append(
            ngettext(
                "when a position has occurred {count} time",
                "when a position has occurred {count} times",
                times,
            )
        )
    if rules.quiet_limit is not None:
        draws.append(
            ngettext(
                "after {count} turn in a row without a capture",
                "after {count} turns in a row without a capture",
                rules.quiet_limit,
            )
        )
    if rules.turn_limit is not None:
        draws.append(
            ngettext("after {count} turn in all", "after {count} turns in all", rules.turn_limit)
        )
    return draws


def _ordinal(number: int) -> str:
    words = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number // 10 % 10 == 1 else endings.get(number % 10, "th")
    return words.get(number, f"{number}{ending}")


def option_lines(rules: RuleSet) -> list[str]:
    """Every option of a rule set: its name and value as they are typed, and what it means."""

    def count(value: int | None) -> str:
        return "none" if value is None else str(value)

    repetition, quiet, turns = rules.repetition, rules.quiet_limit, rules.turn_limit
    options = [
        (f"board={rules.columns}x{rules.rows}", rules.variant or "columns x rows"),
        (
            f"continuation={'compulsory' if rules.compulsory else 'optional'}",
            "a chain must go on while it can"
            if rules.compulsory
            else "a chain may stop after any capture",
        ),
        (
            f"no-move={'draw' if rules.no_move_draw else 'loss'}",
            f"a side with stones but no legal turn {'draws' if rules.no_move_draw else 'has lost'}",
        ),
        (
            f"repetition={count(repetition)}",
            "repeating a position is no draw"
            if repetition is None
            else f"the {_ordinal(repetition)} time a position occurs is a draw",
        ),
        (
            f"quiet={count(quiet)}",
            "turns without a capture are not counted"
            if quiet is None
            else "a turn without a capture is a draw"
            if quiet == 1
            else f"{quiet} turns in a row without a capture are a draw",
        ),
        (
            f"turns={count(turns)}",
            "the length of a game has no limit"
            if turns is None
            else f"a game undecided after {counted(turns, 'turn')} is a draw",
        ),
        (
            f"first-turn={rules.first_turn}",
            {
                "none": "the first turn is like any other",
                "white-single": "White's first turn may have one capture only",
                "both-single": "the first capturing turn of each side may have one capture only",
            }[rules.first_turn],
        ),
    ]
    if rules.start is not None:
        options.append((f"start={rules.start.replace(' ', ':')}", "a start of its own"))
    width = max(len(name) for name, _ in options[:7])
    return [f"  {name:{width}}  {text}" for name, text in options]


def profile_lines() -> list[str]:
    """A table of the profiles, one a line."""
    rows: list[tuple[str, ...]] = [
        ("profile", "board", "chain", "no turn", "repetition", "quiet", "turns")
    ]
    for name, rules in PROFILES.items():
        counts = (rules.repetition, rules.quiet_limit, rules.turn_limit)
        rows.append(
            (
                name,
                f"{rules.columns}x{rules.rows}",
                "must go on" if rules.compulsory else "may stop",
                "draw" if rules.no_move_draw else "loss",
                *("-" if count is None else str(count) for count in counts),
            )
        )
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
