"""Positions: stones, side to move, chain in progress, counters and rules."""

from libc.stdint cimport uint8_t, uint64_t

from fanorona_core._bitboard cimport bit, bitboard_t, ctz
from fanorona_core._geometry cimport Geometry, NO_DIRECTION, Ray, Tables, get_geometry
from fanorona_core._movegen cimport (
    COMPULSORY, MAX_STEPS, SINGLE, WITHDRAWAL, PathList, TurnList, approached, can_continue,
    capturers, count_turns, free_paths, free_turns, has_paika, list_chains, list_turns,
    restriction, withdrawn,
)
from fanorona_core._turn cimport Step, Turn, new_turn

cdef enum:
    MAX_COUNT = 999_999_999  # as in rules.py: a position text must be read back


# What a position has that was made by __new__ alone, as nobody should.
cdef Geometry _standard = get_geometry(9, 5)


cdef class RawPosition:
    """What the facade's Position is made of: all but text and checks.

    `_setup` must be called once, before anything else.  Methods that make a
    position make one of the same class.
    """

    def __cinit__(self):
        self.geometry = _standard
        self.state.last = NO_DIRECTION

    def _setup(self, Geometry geometry not None, bitboard_t white, bitboard_t black, int side, rules,
               tuple turn_rules not None, Turn chain, int quiet, int turn_number):
        """Fill in a new position; `turn_rules` is (compulsory, first turn, start counts).

        Raises:
            ValueError: stones, a side or a chain that the board does not have.
        """
        if white & black or (white | black) & ~geometry.tables.mask or side not in (0, 1) or (
            chain is not None and chain.columns != geometry.columns
        ):
            raise ValueError("no such stones, side or chain on this board")
        self.geometry = geometry
        self.stones[0], self.stones[1] = white, black
        self.to_move = side
        self.rules = rules
        (
            self.turn_rules.compulsory, self.turn_rules.first_turn,
            self.turn_rules.start_count[0], self.turn_rules.start_count[1],
        ) = turn_rules
        self.quiet, self.turn_number = quiet, turn_number
        self.chain = chain
        self.state.last, self.state.visited = NO_DIRECTION, 0
        if chain is not None:
            self.state.point = chain.path[chain.length]
            for i in range(chain.length):
                self.state.visited |= bit(chain.path[i])
            self.state.last = geometry.tables.direction[chain.path[chain.length - 1]][
                self.state.point
            ]

    cdef int flags(self) noexcept:
        """The flags that this turn is generated under."""
        cdef bitboard_t enemy = self.stones[self.to_move ^ 1]
        # A turn of one capture never leaves a chain in progress, so that this turn is none; its
        # stones are no longer those that the restriction looks at.
        if self.chain is not None:
            return COMPULSORY if self.turn_rules.compulsory else 0
        return restriction(&self.turn_rules, self.to_move, self.turn_number, enemy)

    @property
    def columns(self) -> int:
        """The number of columns of the board."""
        return self.geometry.columns

    @property
    def rows(self) -> int:
        """The number of rows of the board."""
        return self.geometry.rows

    @property
    def side_index(self) -> int:
        """The side to move: 0 White, 1 Black."""
        return self.to_move

    @property
    def white(self) -> int:
        """A mask of White's stones."""
        return self.stones[0]

    @property
    def black(self) -> int:
        """A mask of Black's stones."""
        return self.stones[1]

    @property
    def key(self) -> int:
        """The stones and the side to move as one number, the same for the same position.

        White's stones in bits 0-44, Black's in bits 45-89, the side in bit 90.
        Repetitions are counted by it; it is exact, never a hash.
        """
        return self.stones[0] | <object>self.stones[1] << 45 | <object>self.to_move << 90

    @property
    def must_capture(self) -> bool:
        """Whether the side to move has a capture, and so no paika."""
        cdef Tables *t = &self.geometry.tables
        cdef bitboard_t own = self.stones[self.to_move], enemy = self.stones[self.to_move ^ 1]
        return self.chain is not None or capturers(t, own, enemy) != 0

    @property
    def can_stop(self) -> bool:
        """Whether a chain is in progress and may end here."""
        return self.chain is not None and not self.turn_rules.compulsory

    def has_turn(self) -> bool:
        """Say whether the side to move has a legal turn."""
        cdef Tables *t = &self.geometry.tables
        cdef bitboard_t own = self.stones[self.to_move], enemy = self.stones[self.to_move ^ 1]
        if self.chain is not None:
            return True
        return enemy != 0 and (has_paika(t, own, enemy) or capturers(t, own, enemy) != 0)

    def count_turns(self) -> int:
        """Return the number of legal turns without making them."""
        if self.chain is not None:
            return len(self.legal_turns())
        return count_turns(
            &self.geometry.tables, self.stones[self.to_move], self.stones[self.to_move ^ 1],
            self.flags(),
        )

    def legal_turns(self) -> list:
        """Return every legal turn: chains that differ in a point or a kind are different turns.

        With a chain in progress these are the whole turns, steps already played
        included, that can still be made.  In a position where a side has no
        stones there are none.

        Raises:
            MemoryError: the turns do not fit into memory.
        """
        cdef Tables *t = &self.geometry.tables
        cdef bitboard_t own = self.stones[self.to_move], enemy = self.stones[self.to_move ^ 1]
        cdef TurnList turns
        cdef PathList paths
        cdef int status, columns = t.columns
        cdef size_t i
        cdef bint capture
        cdef uint8_t *path
        cdef list found = []
        turns.items, turns.count, turns.capacity = NULL, 0, 0
        paths.bytes, paths.size, paths.capacity = NULL, 0, 0
        try:
            if self.chain is not None:
                status = list_chains(t, own, enemy, &self.state, self.flags(), &turns, &paths)
            else:
                status = list_turns(t, own, enemy, self.flags(), &turns, &paths)
            if status < 0:
                raise MemoryError("the legal turns do not fit into memory")
            path = paths.bytes
            for i in range(turns.count):
                capture = self.chain is not None or turns.items[i] & 0x1FFFFFFFFFFFULL
                found.append(new_turn(
                    columns, self.chain, <int>(turns.items[i] >> 45) & 63, path + 1, path[0], capture
                ))
                path += path[0] + 1
            return found
        finally:
            free_turns(&turns)
            free_paths(&paths)

    def turn_with_result(self, int start, int end, bitboard_t captured):
        """Return the shortest legal turn with a result, or None.

        `start` is where the stone stands now, also with a chain in progress.
        """
        cdef Turn turn, best = None
        cdef bitboard_t taken[MAX_STEPS]
        cdef bitboard_t total
        cdef int i, at
        for turn in self.legal_turns():
            at = turn.path[0] if self.chain is None else self.state.point
            if at != start or turn.path[turn.length] != end:
                continue
            if best is not None and best.length <= turn.length:
                continue
            self.follow(turn, taken)
            total = 0
            for i in range(turn.length):
                total |= taken[i]
            if total == captured:
                best = turn
        return best

    def steps(self) -> list:
        """Return the single steps possible now, each as a Step.

        They begin a turn or continue the chain in progress; paikas are steps too.
        """
        cdef Tables *t = &self.geometry.tables
        cdef bitboard_t own = self.stones[self.to_move], enemy = self.stones[self.to_move ^ 1]
        cdef bitboard_t empty = t.mask & ~(own | enemy), movers
        cdef list found = []
        cdef int point
        if self.chain is not None:
            self.steps_of(found, self.state.point, empty & ~self.state.visited, True)
            return found
        if not enemy:
            return found
        movers = capturers(t, own, enemy)
        capturing = movers != 0
        if not capturing:
            movers = own
        while movers:
            point = ctz(movers)
            movers &= movers - 1
            self.steps_of(found, point, empty, capturing)
        return found

    cdef int steps_of(self, list found, int point, bitboard_t open, bint capturing) except -1:
        cdef Tables *t = &self.geometry.tables
        cdef bitboard_t enemy = self.stones[self.to_move ^ 1], landings, taken
        cdef const Ray *ray
        cdef int landing, d
        landings = t.neighbours[point] & open
        while landings:
            landing = ctz(landings)
            landings &= landings - 1
            d = t.direction[point][landing]
            ray = &t.rays[point][d]
            if not capturing:
                found.append(Step(point, landing, "", 0, t.columns))
            elif d != self.state.last:
                taken = approached(ray, enemy, d)
                if taken:
                    found.append(Step(point, landing, "A", taken, t.columns))
                taken = withdrawn(ray, enemy, d)
                if taken:
                    found.append(Step(point, landing, "W", taken, t.columns))
        return 0

    cdef int follow(self, Turn turn, bitboard_t *taken) except -1:
        """Walk along a turn; return whether it is legal, and what each step takes.

        Steps already played as the chain in progress take nothing.
        """
        cdef Tables *t = &self.geometry.tables
        cdef bitboard_t own = self.stones[self.to_move], enemy = self.stones[self.to_move ^ 1]
        cdef bitboard_t open = t.mask & ~(own | enemy)
        cdef Chain state = self.state
        cdef int i, d, landing, flags = self.flags()
        cdef const Ray *ray
        if turn.columns != t.columns or not enemy:
            return False
        if self.chain is None:
            state.point, i = turn.path[0], 0
            if not own & bit(state.point):
                return False
            if not turn.capture:
                taken[0] = 0
                return bool(
                    t.neighbours[state.point] & open & bit(turn.path[1])
                    and not capturers(t, own, enemy)
                )
        else:
            if not turn.starts_with(self.chain):
                return False
            for i in range(self.chain.length):
                taken[i] = 0
            i = self.chain.length
        if flags & SINGLE and turn.length > 1:
            return False
        own &= ~bit(state.point)
        open &= ~state.visited
        while i < turn.length:
            landing = turn.path[i + 1]
            d = t.direction[state.point][landing]
            if d == NO_DIRECTION or d == state.last or not open & bit(landing):
                return False
            ray = &t.rays[state.point][d]
            taken[i] = (
                withdrawn(ray, enemy, d) if turn.withdrawals >> i & 1 else approached(ray, enemy, d)
            )
            if not taken[i]:
                return False
            enemy &= ~taken[i]
            open = (open | taken[i]) & ~bit(landing)
            state.visited |= bit(state.point)
            state.point, state.last = landing, d
            i += 1
        if flags & COMPULSORY:
            return not can_continue(t, own | bit(state.point), enemy, &state)
        return True

    def is_legal(self, Turn turn not None) -> bool:
        """Say whether a turn may be played here."""
        cdef bitboard_t taken[MAX_STEPS]
        return self.follow(turn, taken) != 0

    def _captured(self, Turn turn not None):
        """Return the masks that each step takes, or None if the turn is not legal."""
        cdef bitboard_t taken[MAX_STEPS]
        if not self.follow(turn, taken):
            return None
        return tuple([taken[i] for i in range(turn.length)])

    cdef RawPosition like(self):
        """A new position with the same board and rules, still without the rest."""
        cls = type(self)
        cdef RawPosition new = cls.__new__(cls)
        new.geometry, new.rules, new.turn_rules = self.geometry, self.rules, self.turn_rules
        new.state.last, new.state.visited = NO_DIRECTION, 0
        return new

    cdef RawPosition after(self, int start, int end, bitboard_t captured, bint capture):
        """The position after a whole turn."""
        cdef RawPosition new = self.like()
        cdef int side = self.to_move
        new.stones[side] = (self.stones[side] & ~bit(start)) | bit(end)
        new.stones[side ^ 1] = self.stones[side ^ 1] & ~captured
        new.to_move = side ^ 1
        new.quiet = 0 if capture else min(self.quiet + 1, MAX_COUNT)
        new.turn_number = min(self.turn_number + 1, MAX_COUNT)
        return new

    def _play(self, Turn turn not None):
        """Return the position after a turn, or None if the turn is not legal."""
        cdef bitboard_t taken[MAX_STEPS]
        cdef bitboard_t captured = 0
        cdef int i, start
        if not self.follow(turn, taken):
            return None
        for i in range(turn.length):
            captured |= taken[i]
        start = turn.path[0] if self.chain is None else self.state.point
        return self.after(start, turn.path[turn.length], captured, turn.capture)

    def _play_step(self, Step step not None):
        """Return the position after one step, or None if it is not possible.

        A step that ends the turn, as a paika or a capture that cannot go on,
        gives the position after the turn.
        """
        cdef RawPosition new
        cdef int side = self.to_move
        cdef uint8_t path
        if step not in self.steps():
            return None
        if not step.kind:
            return self.after(step.start, step.end, 0, False)
        path = step.end + (WITHDRAWAL if step.kind == "W" else 0)
        new = self.like()
        new.stones[side] = (self.stones[side] & ~bit(step.start)) | bit(step.end)
        new.stones[side ^ 1] = self.stones[side ^ 1] & ~step.taken
        new.to_move, new.quiet, new.turn_number = side, self.quiet, self.turn_number
        new.chain = new_turn(self.geometry.columns, self.chain, step.start, &path, 1, True)
        new.state.point = step.end
        new.state.visited = self.state.visited | bit(step.start)
        new.state.last = self.geometry.tables.direction[step.start][step.end]
        if self.flags() & SINGLE or not can_continue(
            &self.geometry.tables, new.stones[side], new.stones[side ^ 1], &new.state
        ):
            return new.after(step.end, step.end, 0, True)
        return new

    def _stop(self):
        """Return the position after the chain in progress ends here, or None if it may not."""
        if not self.can_stop:
            return None
        return self.after(self.state.point, self.state.point, 0, True)

    def __eq__(self, other):
        cdef RawPosition that
        if not isinstance(other, RawPosition):
            return NotImplemented
        that = <RawPosition>other
        return (
            self.stones[0] == that.stones[0]
            and self.stones[1] == that.stones[1]
            and self.to_move == that.to_move
            and self.quiet == that.quiet
            and self.turn_number == that.turn_number
            and self.chain == that.chain
            and self.rules == that.rules
        )

    def __hash__(self):
        return hash((self.key, self.quiet, self.turn_number, self.chain, self.rules))
