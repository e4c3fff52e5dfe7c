"""Alpha-beta search over whole turns."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memmove

from fanorona_core._bitboard cimport bit, bitboard_t, mix, popcount
from fanorona_core._clock cimport now_us
from fanorona_core._evaluate cimport Gains, best_first_captures, material
from fanorona_core._geometry cimport Tables
from fanorona_core._movegen cimport (
    SINGLE, TurnList, captured_of, capturers, end_of, free_turns, has_paika, list_chains, list_results,
    list_turns, moved, reserve, restriction, start_of, turn_t,
)
from fanorona_core._network cimport NetworkFile, static_value
from fanorona_core._position cimport RawPosition
from fanorona_core._resolve cimport DRAW, NO_MOVE_DRAW
from fanorona_core._tablebase cimport (
    NO_VALUE, TABLE_DRAW, TABLE_UNKNOWN, LoadedTables, probe_value, probe_wdl,
)
from fanorona_core._transposition cimport (
    EXACT, LOWER, UPPER, Found, HashTable, look_up, prefetch_bucket, store,
)

cdef extern from "_portable.h":
    int load_int "fanorona_load_int"(const int *word) noexcept nogil
    void keep_int "fanorona_store_int"(int *word, int value) noexcept nogil
    uint64_t load_word "fanorona_load"(const uint64_t *word) noexcept nogil
    void keep_word "fanorona_store"(uint64_t *word, uint64_t value) noexcept nogil

cdef enum:
    HISTORY_LIMIT = 1 << 14
    ORDER_TABLE = 1 << 30       # the turn that the table remembers goes first
    ORDER_CAPTURE = 1 << 16     # each captured stone
    LIMIT_HORIZON = 40          # plies before a limit within which results depend on it
    ASPIRATION = 30             # centipawns round the last score
    LATEST = 0x7FFFFFFF         # no list of turns is longer
    REDUCED_FROM = 3            # the turns of a node, in order, that are searched in full

# Reduction by depth and place in the order.
cdef int _reductions[64][64]
for _depth in range(1, 64):
    for _place in range(1, 64):
        _reductions[_depth][_place] = <int>(0.6 + log(_depth) * log(_place) / 1.9)


cdef inline uint64_t _key(bitboard_t own, bitboard_t enemy) noexcept nogil:
    """The stones seen from the side to move; colours do not matter to their value."""
    return mix(own + 0x9E3779B97F4A7C15ULL) ^ mix(enemy * 0xD6E8FEB86659FD93ULL + 1)


cdef inline uint64_t _key_after(bitboard_t own, bitboard_t enemy, turn_t turn) noexcept nogil:
    return _key(enemy & ~captured_of(turn), moved(own, turn))


cdef inline uint32_t _signature(turn_t turn) noexcept nogil:
    """What the table keeps of a turn; never 0."""
    return <uint32_t>(mix(turn) >> 32) | 1


cdef bint _signals(void *owner) noexcept with gil:
    """Let Python handle signals; keep what their handlers raise."""
    try:
        PyErr_CheckSignals()
        return False
    except BaseException as error:
        (<Search>owner).interruption = error
        return True


cdef void _poll(Worker *w) noexcept nogil:
    w.until_poll = POLL_NODES
    if load_int(&(<Search>w.owner).stop_flag):
        w.status = STOPPED
    elif w.node_limit and w.nodes >= w.node_limit:
        w.status = STOPPED
    elif w.deadline_us and now_us() >= w.deadline_us:
        w.status = STOPPED
    elif w.poll_signals and _signals(w.owner):
        w.status = INTERRUPTED
    if w.node_limit and w.node_limit - w.nodes < POLL_NODES:
        w.until_poll = <int>(w.node_limit - w.nodes)


cdef bint _is_drawn(const Worker *w, int ply, int quiet, int turn_number) noexcept nogil:
    """Whether the draw rules end the game here.

    In the tree a position is as good as drawn when it comes back once: what
    could be done there could have been done the first time.
    """
    cdef int at = w.root + ply, back, first = at - quiet, seen = 0
    cdef int needed = w.draws.repetition - 1 if w.draws.repetition else 2
    if w.draws.quiet_limit and quiet >= w.draws.quiet_limit:
        return True
    if w.draws.turn_limit and turn_number > w.draws.turn_limit:
        return True
    if first < 0:
        first = 0
    for back in range(at - 4, first - 1, -2):
        if w.path[back] == w.path[at]:
            seen += 1
            if back >= w.root or seen >= needed:
                return True
    return False


cdef int _room_for_order(Worker *w) noexcept nogil:
    cdef int32_t *grown
    if w.order_capacity < w.turns.count:
        grown = <int32_t *>realloc(w.order, w.turns.capacity * sizeof(int32_t))
        if grown == NULL:
            return -1
        w.order, w.order_capacity = grown, w.turns.capacity
    return 0


cdef turn_t _next(Worker *w, size_t at) noexcept nogil:
    """Bring the best of the turns from `at` on to that place and return it."""
    # In one word the place in the order and, among equals, how early a turn stands: no branches.
    cdef int64_t top = <int64_t>w.order[at] << 32 | (LATEST - at), each
    cdef size_t i, best
    for i in range(at + 1, w.turns.count):
        each = <int64_t>w.order[i] << 32 | (LATEST - i)
        top = each if each > top else top
    best = LATEST - (top & LATEST)
    w.turns.items[at], w.turns.items[best] = w.turns.items[best], w.turns.items[at]
    w.order[at], w.order[best] = w.order[best], w.order[at]
    return w.turns.items[at]


cdef void _remember(Worker *w, turn_t turn, int depth) noexcept nogil:
    """A paika cut off: try it earlier elsewhere."""
    cdef int32_t *entry = &w.history[start_of(turn)][end_of(turn)]
    cdef int bonus = depth * depth
    if bonus > HISTORY_LIMIT // 8:
        bonus = HISTORY_LIMIT // 8
    entry[0] += bonus - entry[0] * bonus // HISTORY_LIMIT


cdef void _put_line(Worker *w, int ply, turn_t turn) noexcept nogil:
    """The best line from a ply is a turn and the best line after it."""
    w.line[ply][0] = turn
    memcpy(&w.line[ply][1], &w.line[ply + 1][0], w.line_length[ply + 1] * sizeof(turn_t))
    w.line_length[ply] = w.line_length[ply + 1] + 1


cdef inline int _from_table(int score, int ply) noexcept nogil:
    """Distances in the table count from the position, in the search from the root."""
    return score - ply if score > FAR else score + ply if score < -FAR else score


cdef inline int _to_table(int score, int ply) noexcept nogil:
    return score + ply if score > FAR else score - ply if score < -FAR else score


cdef int _known(const Worker *w, bitboard_t own, bitboard_t enemy, int flags, int ply, int quiet,
                int turn_number) noexcept nogil:
    """The score by the endgame tables, exact or nearly so, or INFINITE if they do not say."""
    cdef int value, distance, stones = popcount(own | enemy)
    if stones > w.endings.most_stones:
        return INFINITE
    if w.draws.no_turn:
        flags |= NO_MOVE_DRAW
    value = probe_value(w.endings, w.tables, own, enemy, flags)
    if value == NO_VALUE:
        return _won_or_drawn(w, own, enemy, flags, ply) if stones <= w.most_stones else INFINITE
    if value == DRAW:
        return w.draw[ply & 1]
    # Tables know no limits: an end that lies beyond one is not sure.
    if w.draws.quiet_limit and quiet + value > w.draws.quiet_limit:
        return INFINITE
    if w.draws.turn_limit and turn_number + value - 1 > w.draws.turn_limit:
        return INFINITE
    distance = ply + value
    return WIN - distance if value & 1 else distance - WIN


cdef int _won_or_drawn(const Worker *w, bitboard_t own, bitboard_t enemy, int flags,
                       int ply) noexcept nogil:
    """The score by tables without distances: of wins the early one, and the one with more stones."""
    cdef int result = probe_wdl(w.endings, w.tables, own, enemy, flags)
    if result == TABLE_DRAW:
        return w.draw[ply & 1]
    if result == TABLE_UNKNOWN or w.draws.quiet_limit:
        return INFINITE
    return result * (WON - ply) + material(popcount(own), popcount(enemy))


cdef int _leaf(Worker *w, bitboard_t own, bitboard_t enemy, int ply) noexcept nogil:
    """The static value of a position in which both sides have stones."""
    cdef Gains gains = best_first_captures(w.tables, own, enemy)
    if not gains.own and not has_paika(w.tables, own, enemy):
        return w.draw[ply & 1] if w.draws.no_turn else ply - WIN
    return static_value(w.tables, w.net, own, enemy, &gains)


cdef int _search(Worker *w, bitboard_t own, bitboard_t enemy, int side, int depth, int alpha,
                 int beta, int ply, int quiet, int turn_number) noexcept nogil:
    """The value for the side to move, exact within (alpha, beta); its key is in the path."""
    cdef bint pv = beta - alpha > 1
    cdef int flags, score, best, bound, extension, reduction, gain, place
    cdef uint64_t key, following_key
    cdef Found found
    cdef uint32_t table_turn = 0
    cdef size_t base, i
    cdef turn_t turn, following, best_turn = 0
    cdef bitboard_t child_own, child_enemy

    w.line_length[ply] = 0
    # Another thread adds up the nodes of all meanwhile.
    keep_word(<uint64_t *>&w.nodes, <uint64_t>w.nodes + 1)
    w.until_poll -= 1
    if w.until_poll <= 0:
        _poll(w)
        if w.status:
            return 0
    if not own:
        return ply - WIN
    if _is_drawn(w, ply, quiet, turn_number):
        # A side without a turn has lost, even where a draw rule is met.
        if not w.draws.no_turn and not has_paika(w.tables, own, enemy) and not capturers(
            w.tables, own, enemy
        ):
            return ply - WIN
        return w.draw[ply & 1]
    # No line from here is better than winning, or worse than losing, at once.
    if alpha < ply - WIN:
        alpha = ply - WIN
    if beta > WIN - ply - 1:
        beta = WIN - ply - 1
    if alpha >= beta:
        return alpha

    flags = restriction(&w.rules, side, turn_number, enemy)
    if w.endings != NULL:
        score = _known(w, own, enemy, flags, ply, quiet, turn_number)
        if score != INFINITE:
            return score
    if depth <= 0 or ply >= MAX_PLY:
        return _leaf(w, own, enemy, ply)
    key = w.path[w.root + ply] ^ w.salt[ply & 1]
    if flags & SINGLE:
        key ^= 0x5851F42D4C957F2DULL
    if w.draws.turn_limit and turn_number + LIMIT_HORIZON > w.draws.turn_limit:
        key ^= mix(turn_number)
    if w.draws.quiet_limit and quiet + LIMIT_HORIZON > w.draws.quiet_limit:
        key ^= mix(~<uint64_t>quiet)
    if look_up(w.table, key, &found):
        table_turn = found.turn
        score = _from_table(found.score, ply)
        if not pv and found.depth >= depth and (
            found.bound == EXACT
            or (found.bound == LOWER and score >= beta)
            or (found.bound == UPPER and score <= alpha)
        ):
            return score

    base = w.turns.count
    if list_results(w.tables, own, enemy, flags, &w.turns) < 0 or _room_for_order(w) < 0:
        w.status = NO_MEMORY
        w.turns.count = base
        return 0
    if w.turns.count == base:
        return w.draw[ply & 1] if w.draws.no_turn else ply - WIN
    for i in range(base, w.turns.count):
        turn = w.turns.items[i]
        if table_turn and _signature(turn) == table_turn:
            w.order[i] = ORDER_TABLE
        elif captured_of(turn):
            w.order[i] = (
                ORDER_CAPTURE * popcount(captured_of(turn))
                + w.history[start_of(turn)][end_of(turn)]
            )
        else:
            w.order[i] = w.history[start_of(turn)][end_of(turn)]
    # A forced turn is no choice: the search goes on behind it.
    extension = 1 if w.turns.count - base == 1 else 0

    best, bound = -INFINITE, UPPER
    following = _next(w, base)
    following_key = _key_after(own, enemy, following)
    if depth >= 2:      # leaves are not looked up
        prefetch_bucket(w.table, following_key ^ w.salt[ply + 1 & 1])
    for i in range(base, w.turns.count):
        turn = following
        place = <int>(i - base)
        child_own = enemy & ~captured_of(turn)
        child_enemy = moved(own, turn)
        reduction = 0
        if depth >= 2 and place >= REDUCED_FROM:
            reduction = _reductions[depth if depth < 64 else 63][place if place < 64 else 63]
            if pv:
                reduction -= 1
            if reduction > depth - 1:
                reduction = depth - 1
            if reduction < 0:
                reduction = 0
        w.path[w.root + ply + 1] = following_key
        if i + 1 < w.turns.count:
            # Its memory has come by the time that this turn is searched.
            following = _next(w, i + 1)
            following_key = _key_after(own, enemy, following)
            if depth >= 2:
                prefetch_bucket(w.table, following_key ^ w.salt[ply + 1 & 1])
        if place == 0:
            score = -_search(
                w, child_own, child_enemy, side ^ 1, depth - 1 + extension, -beta, -alpha, ply + 1,
                0 if captured_of(turn) else quiet + 1, turn_number + 1,
            )
        else:
            score = -_search(
                w, child_own, child_enemy, side ^ 1, depth - 1 - reduction, -alpha - 1, -alpha,
                ply + 1, 0 if captured_of(turn) else quiet + 1, turn_number + 1,
            )
            if score > alpha and reduction and not w.status:
                score = -_search(
                    w, child_own, child_enemy, side ^ 1, depth - 1, -alpha - 1, -alpha, ply + 1,
                    0 if captured_of(turn) else quiet + 1, turn_number + 1,
                )
            if alpha < score < beta and not w.status:
                score = -_search(
                    w, child_own, child_enemy, side ^ 1, depth - 1, -beta, -alpha, ply + 1,
                    0 if captured_of(turn) else quiet + 1, turn_number + 1,
                )
        if w.status:
            w.turns.count = base
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_turn = turn
                alpha, bound = score, EXACT
                if pv:
                    _put_line(w, ply, turn)
                if score >= beta:
                    bound = LOWER
                    if not captured_of(turn):
                        _remember(w, turn, depth)
                    break
    w.turns.count = base
    store(
        w.table, key, _to_table(best, ply), depth, bound, _signature(best_turn) if best_turn else 0
    )
    return best


@cython.final
cdef class Search:
    """One thread's search from one position.

    `history` holds the keys (as Position.key) of the positions before the root
    since the last capture, oldest first; `draws` is (no turn draws, repetition,
    quiet limit, turn limit), 0 where there is none.  The network is used on
    the board it is made for, the endgame tables where they hold distances.
    The first `ranks` roots get lines of their own.  `kept`, if it is given,
    are the stones (own, enemy) after the only turns of the root to search.
    `contempt` is what a draw costs the side to move, in centipawns.
    Tables that hold only results count for positions of up to `result_stones`
    stones, as long as there are fewer than at the root.
    """

    def __cinit__(self, RawPosition position not None, HashTable hash_table not None,
                  list history not None, tuple draws not None, NetworkFile network=None,
                  LoadedTables endings=None, int ranks=1, set kept=None, int contempt=0,
                  int result_stones=0):
        cdef Worker *w = <Worker *>calloc(1, sizeof(Worker))
        cdef Tables *t = &position.geometry.tables
        cdef bitboard_t own = position.stones[position.to_move]
        cdef bitboard_t enemy = position.stones[position.to_move ^ 1]
        cdef int flags = position.flags(), status
        if w == NULL:
            raise MemoryError("no memory for a search")
        self.worker, self.position, self.hash_table = w, position, hash_table
        w.tables, w.rules, w.table = t, position.turn_rules, &hash_table.table
        w.draws.no_turn, w.draws.repetition, w.draws.quiet_limit, w.draws.turn_limit = draws
        w.draw[0], w.draw[1] = -contempt, contempt
        for i in range(2):
            w.salt[i] = mix(<uint64_t>(w.draw[i] + INFINITE)) if contempt else 0
        w.owner = <void *>self
        self.network = network
        if network is not None:
            w.net = network.for_board(t)
        self.endings = endings
        if endings is not None:
            w.endings = &endings.tables
            # With all stones still there the way to a win has to be searched for.
            w.most_stones = min(result_stones, popcount(own | enemy) - 1)
        self.stop_flag = 0
        for key in history[-MAX_HISTORY:]:
            white, black = key & t.mask, (key >> 45) & t.mask
            w.path[w.root] = _key(black, white) if key >> 90 else _key(white, black)
            w.root += 1
        w.path[w.root] = _key(own, enemy)
        if position.chain is None:
            status = list_results(t, own, enemy, flags, &self.roots)
        else:
            status = list_chains(t, own, enemy, &position.state, flags, &self.roots, NULL)
        if status < 0:
            raise MemoryError("the legal turns do not fit into memory")
        if kept is not None:
            _keep_roots(&self.roots, own, enemy, kept)
        self.ranks = min(ranks, <int>self.roots.count)
        self.scores = <int32_t *>calloc(self.roots.count + 1, sizeof(int32_t))
        self.lines = <turn_t *>calloc((self.ranks + 1) * (MAX_PLY + 1), sizeof(turn_t))
        self.lengths = <int *>calloc(self.ranks + 1, sizeof(int))
        if self.scores == NULL or self.lines == NULL or self.lengths == NULL:
            raise MemoryError("no memory for a search")
        _sort_roots(&self.roots)
        for i in range(self.ranks):
            self.lines[i * (MAX_PLY + 1)], self.lengths[i] = self.roots.items[i], 1

    def __dealloc__(self):
        if self.worker != NULL:
            free_turns(&self.worker.turns)
            free(self.worker.order)
            free(self.worker)
        free_turns(&self.roots)
        free(self.scores)
        free(self.lines)
        free(self.lengths)

    @property
    def count(self) -> int:
        """The number of different results that the root's turns have."""
        return self.roots.count

    @property
    def nodes(self) -> int:
        """Positions searched so far: each call of the search function, leaves included."""
        return load_word(<const uint64_t *>&self.worker.nodes)

    def stop(self) -> None:
        """End a running call of `deepen` soon; may be called from any thread."""
        keep_int(&self.stop_flag, 1)

    def deepen(self, int depth, int rank, int64_t node_limit, int64_t deadline_us,
               bint poll_signals) -> bool:
        """Search for the best root from place `rank` on and bring it there.

        Return whether the search was completed.  One that was not has still
        brought the best root so far to its place if it looked at any in full.
        `node_limit` counts from the first call, `deadline_us` is on the
        monotonic clock; 0 is no limit.  Releases the GIL.
        """
        cdef Worker *w = self.worker
        self.check(rank)
        w.node_limit, w.deadline_us, w.poll_signals = node_limit, deadline_us, poll_signals
        w.status, w.until_poll = COMPLETE, 0
        with nogil:
            self._aspire(depth, rank)
        if w.status == NO_MEMORY:
            raise MemoryError("the turns of the search do not fit into memory")
        if w.status == INTERRUPTED:
            error, self.interruption = self.interruption, None
            raise error
        return w.status == COMPLETE

    cdef int check(self, int rank) except -1:
        if not 0 <= rank < self.ranks:
            raise IndexError(f"no rank {rank}: there are {self.ranks}")
        return 0

    cdef void _aspire(self, int depth, int rank) noexcept nogil:
        """Search in a window round the last score, and widen it where the result lies outside."""
        cdef int last = self.scores[rank], below = ASPIRATION, above = ASPIRATION
        cdef int alpha = -INFINITE, beta = INFINITE, score
        if depth >= 5 and -DECIDED < last < DECIDED:
            alpha, beta = last - below, last + above
        while True:
            score = self._search_roots(depth, rank, alpha, beta)
            if self.worker.status:
                return
            if score <= alpha and alpha > -INFINITE:
                below *= 4
                alpha = last - below if below < 1000 else -INFINITE
            elif score >= beta and beta < INFINITE:
                above *= 4
                beta = last + above if above < 1000 else INFINITE
            else:
                return

    cdef int _search_roots(self, int depth, int rank, int alpha, int beta) noexcept nogil:
        cdef Worker *w = self.worker
        cdef bitboard_t own = self.position.stones[self.position.to_move]
        cdef bitboard_t enemy = self.position.stones[self.position.to_move ^ 1]
        cdef bitboard_t child_own, child_enemy
        cdef int side = self.position.to_move ^ 1, number = self.position.turn_number + 1
        cdef int best = -INFINITE, score, quiet, reduction
        cdef size_t i, first = rank
        cdef turn_t turn
        for i in range(first, self.roots.count):
            turn = self.roots.items[i]
            child_own = enemy & ~captured_of(turn)
            child_enemy = moved(own, turn)
            w.path[w.root + 1] = _key(child_own, child_enemy)
            quiet = 0 if captured_of(turn) or self.position.chain is not None else (
                self.position.quiet + 1
            )
            reduction = 1 if depth >= 4 and i >= first + 6 else 0
            if i == first:
                score = -_search(
                    w, child_own, child_enemy, side, depth - 1, -beta, -alpha, 1, quiet, number
                )
            else:
                score = -_search(
                    w, child_own, child_enemy, side, depth - 1 - reduction, -alpha - 1, -alpha, 1,
                    quiet, number,
                )
                if score > alpha and not w.status:
                    score = -_search(
                        w, child_own, child_enemy, side, depth - 1, -beta, -alpha, 1, quiet, number
                    )
            if w.status:
                return best
            if score > best:
                best = score
                if score > alpha or i == first:
                    self._promote(i, first, score)
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
        return best

    cdef void _promote(self, size_t at, size_t first, int score) noexcept nogil:
        """Bring a root to the front of those still to be ranked, and keep its line."""
        cdef turn_t turn = self.roots.items[at]
        cdef turn_t *line = self.lines + first * (MAX_PLY + 1)
        cdef size_t last = at if at < <size_t>self.ranks else self.ranks - 1
        memmove(&self.roots.items[first + 1], &self.roots.items[first],
                (at - first) * sizeof(turn_t))
        memmove(&self.scores[first + 1], &self.scores[first], (at - first) * sizeof(int32_t))
        self.roots.items[first], self.scores[first] = turn, score
        # Lines stay with their roots, should the search end before the next rank has its own.
        memmove(line + MAX_PLY + 1, line, (last - first) * (MAX_PLY + 1) * sizeof(turn_t))
        memmove(&self.lengths[first + 1], &self.lengths[first], (last - first) * sizeof(int))
        line[0] = turn
        memcpy(line + 1, &self.worker.line[1][0], self.worker.line_length[1] * sizeof(turn_t))
        self.lengths[first] = self.worker.line_length[1] + 1

    def sort_ranks(self) -> None:
        """Put the ranked roots in the order of their scores, which later searches may have changed.

        Equal scores keep their order.
        """
        cdef turn_t *lines = self.lines
        cdef turn_t line[MAX_PLY + 1]
        cdef turn_t turn
        cdef int i, k, score, length
        for i in range(1, self.ranks):
            turn, score, length = self.roots.items[i], self.scores[i], self.lengths[i]
            memcpy(line, lines + i * (MAX_PLY + 1), sizeof(line))
            k = i
            while k and self.scores[k - 1] < score:
                self.roots.items[k], self.scores[k] = self.roots.items[k - 1], self.scores[k - 1]
                self.lengths[k] = self.lengths[k - 1]
                memcpy(lines + k * (MAX_PLY + 1), lines + (k - 1) * (MAX_PLY + 1), sizeof(line))
                k -= 1
            self.roots.items[k], self.scores[k], self.lengths[k] = turn, score, length
            memcpy(lines + k * (MAX_PLY + 1), line, sizeof(line))

    def score(self, int rank) -> int:
        """Return the score of the root at a place: centipawns, or beyond DECIDED a distance."""
        self.check(rank)
        return self.scores[rank]

    def line(self, int rank) -> list:
        """Return the best line of the root at a place, as (start, end, captured) results."""
        cdef turn_t *line
        self.check(rank)
        line = self.lines + rank * (MAX_PLY + 1)
        return [
            (start_of(line[i]), end_of(line[i]), captured_of(line[i]))
            for i in range(self.lengths[rank])
        ]


cdef int _keep_roots(TurnList *roots, bitboard_t own, bitboard_t enemy, set kept) except -1:
    """Leave out the turns that do not lead to one of these pairs of stones."""
    cdef size_t i, count = 0
    for i in range(roots.count):
        if (moved(own, roots.items[i]), enemy & ~captured_of(roots.items[i])) in kept:
            roots.items[count] = roots.items[i]
            count += 1
    roots.count = count
    return 0


cdef void _sort_roots(TurnList *roots) noexcept nogil:
    """Largest captures first, for the first search; insertion keeps equals in order."""
    cdef size_t i, k
    cdef turn_t turn
    for i in range(1, roots.count):
        turn, k = roots.items[i], i
        while k and popcount(captured_of(roots.items[k - 1])) < popcount(captured_of(turn)):
            roots.items[k] = roots.items[k - 1]
            k -= 1
        roots.items[k] = turn


MAX_DEPTH = MAX_PLY
WIN_SCORE = WIN
DECIDED_SCORE = DECIDED
