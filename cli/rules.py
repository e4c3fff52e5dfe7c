"""``fanorona rules``: the rules in short, with the options that a profile sets."""

from __future__ import annotations

from typing import Any

import click

from fanorona_core import DEFAULT_RULES, PROFILES, RuleSet

from .explain import option_lines, profile_lines, rules_lines
from .options import RulesParam, json_option
from .output import print_json
from .wrapping import wrapped

__all__ = ["command", "rules_data"]


@click.command(
    "rules",
    epilog="""\b
Examples:
  fanorona rules
  fanorona rules youzai dimy
  fanorona rules tsivy,quiet=40 --json
""",
)
@click.argument("rules", nargs=-1, type=RulesParam(), metavar="[RULES]...")
@json_option
def command(rules: tuple[str, ...], as_json: bool) -> None:
    """Explain the rules in short, and the options of profiles.

    RULES is a profile, options such as board=5x5,quiet=40, or a profile with options behind it.
    Without RULES: the rules of the usual game, and a table of all profiles.
    """
    chosen = [(text, RuleSet.parse(text)) for text in rules]
    if as_json:
        listed = chosen or list(PROFILES.items())
        print_json("rules/1", {"rules": [rules_data(text, value) for text, value in listed]})
        return
    # Several are compared by their options; what is the same in all of them is said once.
    first = chosen[0][1] if len(chosen) == 1 else DEFAULT_RULES
    lines = ["Fanorona in short", ""]
    lines += [f"{number}. {line}" for number, line in enumerate(rules_lines(first), 1)]
    if len(chosen) > 1:
        lines[0] += " (the usual rules; what follows says where others differ)"
    for text, value in chosen or [("tsivy", DEFAULT_RULES)]:
        usual = "" if chosen else " (the usual rules)"
        lines += ["", f"Options of {text}{usual}:", *option_lines(value)]
    if not chosen:
        lines += ["", "Profiles, with the number that each kind of draw needs:", *profile_lines()]
        lines += ["", "Choose them with --rules, as in: fanorona play --rules youzai"]
    click.echo(wrapped(lines))


def rules_data(text: str, rules: RuleSet) -> dict[str, Any]:
    """A rule set as a report has it."""
    return {
        "name": text if text in PROFILES else rules.name,
        "text": str(rules),
        "columns": rules.columns,
        "rows": rules.rows,
        "variant": rules.variant,
        "continuation": "compulsory" if rules.compulsory else "optional",
        "no_move": "draw" if rules.no_move_draw else "loss",
        "repetition": rules.repetition,
        "quiet_limit": rules.quiet_limit,
        "turn_limit": rules.turn_limit,
        "first_turn": rules.first_turn,
        "start": rules.start_text,
    }
