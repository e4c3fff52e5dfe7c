"""The pages of the guide: a first game, strategy, usual mistakes, history."""

from __future__ import annotations

from typing import Final

from ..i18n import N_
from .pages import Page

__all__ = ["GUIDE"]

GUIDE: Final = (
    Page(
        N_("Your first game: two lines"),
        (
            N_(
                "Two lines matter when a stone moves: the one straight ahead of the point it "
                "lands on, and the one straight behind the point it comes from. Nothing else is "
                "ever taken, however near it stands."
            ),
            N_(
                "Before anything else look whether one of your stones can capture. If so, only "
                "captures are legal, and only with those stones."
            ),
            N_(
                "Check that the line is drawn: at weak points there are no diagonals, so stones "
                "that look like neighbours may not be."
            ),
        ),
        position="5/1w1bb/5 w",
        turn="b2-c2A",
    ),
    Page(
        N_("Your first game: the first turn"),
        (
            N_(
                "Where one move captures both ways, compare the two groups, and look where the "
                "chain could go on from the landing point, before you choose."
            ),
            N_(
                "White's first turn is one of five, all to the centre: from d2, e2 and f2 by "
                "approach, and from d3 by approach (taking f3) or by withdrawal (taking c3). "
                "Trying the two from d3 is the quickest way to feel both kinds of capture."
            ),
        ),
        position="bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w",
        turn="d3-e3A",
    ),
    Page(
        N_("Strategy: captures"),
        (
            N_(
                "The most stones now are often not the best: two stones and a safe strong point "
                "can be worth more than five and a stone that is lost in return."
            ),
            N_(
                "That capture is compulsory is a weapon: offer a stone so that the answer lands "
                "where you want it."
            ),
            N_(
                "Plan a chain from its end: choose the last point, then check for each step its "
                "direction against the step before, and the points already visited."
            ),
            N_(
                "Where the rules let you stop, stopping early is a real choice: one more capture "
                "may lead the stone out of shelter, or spoil a line that was forced."
            ),
        ),
    ),
    Page(
        N_("Strategy: places"),
        (
            N_(
                "Strong points have eight directions: they are where chains turn, and they can be "
                "attacked from eight sides."
            ),
            N_("A long row of stones can be lost to a single withdrawal."),
            N_(
                "The opening is a wave of exchanges on a full board: count what the other side "
                "takes back before you attack, and end chains where nothing can."
            ),
            N_("When you are ahead, take away moves: a side with stones but no turn has lost."),
        ),
    ),
    Page(
        N_("Usual mistakes"),
        (
            N_("Trying to enclose stones between two others: nothing is taken that way here."),
            N_("Making a quiet move while a capture exists, or taking the largest for compulsory."),
            N_("Expecting to take both groups at once."),
            N_(
                "Going on with another stone, twice in the same direction, or back to a point "
                "already visited in the turn."
            ),
            N_("Taking two points on a diagonal for neighbours where no line is drawn."),
            N_("Expecting a capture to go on across an empty point or a stone of one's own."),
        ),
        position="1b1b1/1bw2/1b3 w",
        played="c2-d2W-d1W-c1A",
    ),
    Page(
        N_("What kind of game it is"),
        (
            N_(
                "Nothing is jumped over or surrounded: the direction of a move captures, forward "
                "or backward, a whole row at once. A lead can turn over within one or two turns."
            ),
            N_(
                "There are three traditional sizes: Fanoron-Telo on 3x3 points, Fanoron-Dimy on "
                "5x5, and Fanoron-Tsivy on 9x5, the usual one and the one for competition."
            ),
            N_(
                "In 2007 and 2008 Maarten Schadd and others in Maastricht solved the large game: "
                "it is a draw if both sides play best."
            ),
        ),
        position="bbb/b1w/www w",
    ),
    Page(
        N_("History"),
        (
            N_(
                "Fanorona is Madagascar's national game, described since the 17th century. It is "
                "related to alquerque, the medieval Mediterranean game on the same kind of lines "
                "that is an ancestor of draughts. It also served for divination and in rituals."
            ),
            N_(
                "A legend tells of King Ralambo's succession: the elder prince, "
                "Andriantompokoindrindra, was so absorbed in an ending of three against five, "
                "telo noho dimy, that he came too late when he was called; the throne went to "
                "Andrianjaka."
            ),
            N_(
                "Another legend has the royal diviners of 1895 study a game of Fanorona, and not "
                "the reports of scouts, while the French army advanced on the capital."
            ),
        ),
    ),
)
