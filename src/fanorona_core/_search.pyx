"""The search of one thread: iterative deepening's single steps, from the root."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memmove

from fanorona_core._alphabeta cimport (
    COMPLETE, DECIDED, FAR, INFINITE, INTERRUPTED, MAX_HISTORY, MAX_PLY, NO_MEMORY, WIN, Worker,
    search, stones_key,
)
from fanorona_core._bitboard cimport bitboard_t, mix, popcount
from fanorona_core._geometry cimport Tables
from fanorona_core._movegen cimport (
    TurnList, captured_of, end_of, free_turns, list_chains, list_results, moved, start_of, turn_t,
)
from fanorona_core._network cimport NetworkFile
from fanorona_core._position cimport RawPosition
from fanorona_core._resolve cimport DRAW, NO_MOVE_DRAW
from fanorona_core._tablebase cimport (
    NO_VALUE, TABLE_DRAW, LoadedTables, probe_value, probe_wdl,
)
from fanorona_core._transposition cimport HashTable

cdef extern from "_portable.h":
    void keep_int "fanorona_store_int"(int *word, int value) noexcept nogil
    uint64_t load_word "fanorona_load"(const uint64_t *word) noexcept nogil

cdef enum:
    ASPIRATION = 30             # centipawns round the last score

# Keeps results apart in which draws of tables were searched through.
cdef uint64_t PAST_DRAWS = mix(0x5041535444524157ULL)


cdef bint _has_signals(void *owner) noexcept with gil:
    """Let Python handle signals; keep what their handlers raise."""
    try:
        PyErr_CheckSignals()
        return False
    except BaseException as error:
        (<Search>owner).interruption = error
        return True


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
        w.owner, w.has_signals, w.stop_flag = <void *>self, _has_signals, &self.stop_flag
        self.network = network
        if network is not None:
            w.net = network.for_board(t)
        self.endings = endings
        if endings is not None:
            w.endings = &endings.tables
            w.most_stones = result_stones
            if position.chain is None and _is_drawn(w, own, enemy, flags):
                # Every turn that keeps the draw would be as good as another.
                w.past_draws = True
                w.salt[0] ^= PAST_DRAWS
                w.salt[1] ^= PAST_DRAWS
            else:
                # With all stones still there the way to a win has to be searched for.
                w.most_stones = min(result_stones, popcount(own | enemy) - 1)
        self.stop_flag = 0
        for key in history[-MAX_HISTORY:]:
            white, black = key & t.mask, (key >> 45) & t.mask
            w.path[w.root] = stones_key(black, white) if key >> 90 else stones_key(white, black)
            w.root += 1
        w.path[w.root] = stones_key(own, enemy)
        w.may_repeat = _has_repeated(w, position.quiet)
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
        brought the best root so far to its place if `looked_at` is not 0.
        `node_limit` counts from the first call, `deadline_us` is on the
        monotonic clock; 0 is no limit.  Releases the GIL.
        """
        self.check(rank)
        self._begin(node_limit, deadline_us, poll_signals)
        with nogil:
            self._aspire(depth, rank)
        return self._ended() == COMPLETE

    def find_win(self, int depth, int64_t node_limit, int64_t deadline_us,
                 bint poll_signals) -> bool:
        """Look for a root that wins by force and bring it to the front; return whether one does.

        Limits are those of `deepen`.  Releases the GIL.
        """
        cdef int score
        self._begin(node_limit, deadline_us, poll_signals)
        with nogil:
            score = self._search_roots(depth, 0, FAR, INFINITE)
        self._ended()
        return score > FAR

    def narrow(self) -> None:
        """Leave out all roots but the first."""
        self.roots.count = self.ranks = 1

    cdef void _begin(self, int64_t node_limit, int64_t deadline_us, bint poll_signals) noexcept:
        cdef Worker *w = self.worker
        w.node_limit, w.deadline_us, w.poll_signals = node_limit, deadline_us, poll_signals
        w.status, w.until_poll, self.looked_at = COMPLETE, 0, 0

    cdef int _ended(self) except -1:
        """Why the search ended, or what it must raise."""
        cdef int status = self.worker.status
        if status == NO_MEMORY:
            raise MemoryError("the turns of the search do not fit into memory")
        if status == INTERRUPTED:
            error, self.interruption = self.interruption, None
            raise error
        return status

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
            w.path[w.root + 1] = stones_key(child_own, child_enemy)
            quiet = 0 if captured_of(turn) or self.position.chain is not None else (
                self.position.quiet + 1
            )
            reduction = 1 if depth >= 4 and i >= first + 6 else 0
            if i == first:
                score = -search(
                    w, child_own, child_enemy, side, depth - 1, -beta, -alpha, 1, quiet, number
                )
            else:
                score = -search(
                    w, child_own, child_enemy, side, depth - 1 - reduction, -alpha - 1, -alpha, 1,
                    quiet, number,
                )
                if score > alpha and not w.status:
                    score = -search(
                        w, child_own, child_enemy, side, depth - 1, -beta, -alpha, 1, quiet, number
                    )
            if w.status:
                return best
            self.looked_at += 1
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
        """Return the score of the root at a place: centipawns, or beyond DECIDED a distance.

        Where tables know the position as a draw, that of a draw; the best turns by search come
        first all the same.
        """
        self.check(rank)
        if self.worker.past_draws and -FAR < self.scores[rank] < FAR:
            return self.worker.draw[0]
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


cdef bint _has_repeated(const Worker *w, int quiet) noexcept nogil:
    """Whether a position that may come back has been there so often that once more is a draw."""
    cdef int at, back, seen, first = w.root - quiet
    if first < 0:
        first = 0
    for at in range(first, w.root + 1):
        seen = 1
        for back in range(at - 2, first - 1, -2):
            seen += w.path[back] == w.path[at]
        if w.draws.repetition and seen >= w.draws.repetition - 1:
            return True
    return False


cdef bint _is_drawn(const Worker *w, bitboard_t own, bitboard_t enemy, int flags) noexcept nogil:
    """Whether tables know a position as a draw."""
    cdef int value
    if w.draws.no_turn:
        flags |= NO_MOVE_DRAW
    value = probe_value(w.endings, w.tables, own, enemy, flags)
    if value != NO_VALUE:
        return value == DRAW
    return popcount(own | enemy) <= w.most_stones and (
        probe_wdl(w.endings, w.tables, own, enemy, flags) == TABLE_DRAW
    )


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
