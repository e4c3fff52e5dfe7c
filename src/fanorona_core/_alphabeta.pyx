"""Alpha-beta search over whole turns."""

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from fanorona_core._bitboard cimport bitboard_t, mix, popcount
from fanorona_core._clock cimport now_us
from fanorona_core._evaluate cimport Gains, best_first_captures, material
from fanorona_core._movegen cimport (
    SINGLE, captured_of, capturers, end_of, has_paika, list_results, moved, restriction, start_of,
    turn_t,
)
from fanorona_core._network cimport static_value
from fanorona_core._resolve cimport DRAW, NO_MOVE_DRAW
from fanorona_core._tablebase cimport (
    NO_VALUE, TABLE_DRAW, TABLE_UNKNOWN, probe_value, probe_wdl,
)
from fanorona_core._transposition cimport (
    EXACT, LOWER, UPPER, Found, look_up, prefetch_bucket, store,
)

cdef extern from "_portable.h":
    int load_int "fanorona_load_int"(const int *word) noexcept nogil
    void keep_word "fanorona_store"(uint64_t *word, uint64_t value) noexcept nogil

cdef enum:
    HISTORY_LIMIT = 1 << 14
    ORDER_TABLE = 1 << 30       # the turn that the table remembers goes first
    ORDER_CAPTURE = 1 << 16     # each captured stone
    LIMIT_HORIZON = 40          # plies before a limit within which results depend on it
    LONG_WIN = 137              # turns: no win of up to 8 stones takes longer
    LATEST = 0x7FFFFFFF         # no list of turns is longer
    REDUCED_FROM = 3            # the turns of a node, in order, that are searched in full
    REPEAT_PLIES = 3            # where tables wait for what may repeat the game's positions

# Reduction by depth and place in the order.
cdef int _reductions[64][64]
for _depth in range(1, 64):
    for _place in range(1, 64):
        _reductions[_depth][_place] = <int>(0.6 + log(_depth) * log(_place) / 1.9)


cdef inline uint64_t _key_after(bitboard_t own, bitboard_t enemy, turn_t turn) noexcept nogil:
    return stones_key(enemy & ~captured_of(turn), moved(own, turn))


cdef inline uint32_t _signature(turn_t turn) noexcept nogil:
    """What the table keeps of a turn; never 0."""
    return <uint32_t>(mix(turn) >> 32) | 1


cdef void _poll(Worker *w) noexcept nogil:
    w.until_poll = POLL_NODES
    if load_int(w.stop_flag):
        w.status = STOPPED
    elif w.node_limit and w.nodes >= w.node_limit:
        w.status = STOPPED
    elif w.deadline_us and now_us() >= w.deadline_us:
        w.status = STOPPED
    elif w.poll_signals and w.has_signals(w.owner):
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


cdef int _known(const Worker *w, bitboard_t own, bitboard_t enemy, int flags, int depth, int ply,
                int quiet, int turn_number) noexcept nogil:
    """The score by the endgame tables, exact or nearly so, or INFINITE if they do not say."""
    cdef int value, distance, stones = popcount(own | enemy)
    # Tables know nothing of the game: a loser may have a turn that repeats it and draws.
    if w.may_repeat and depth > 0 and ply <= REPEAT_PLIES and quiet >= ply:
        return INFINITE
    if stones > w.endings.most_stones:
        return INFINITE
    if w.draws.no_turn:
        flags |= NO_MOVE_DRAW
    value = probe_value(w.endings, w.tables, own, enemy, flags)
    if value == NO_VALUE:
        if stones > w.most_stones:
            return INFINITE
        return _won_or_drawn(w, own, enemy, flags, ply, turn_number)
    if value == DRAW:
        return INFINITE if w.past_draws else w.draw[ply & 1]
    # Tables know no limits: an end that lies beyond one is not sure.
    if w.draws.quiet_limit and quiet + value > w.draws.quiet_limit:
        return INFINITE
    if w.draws.turn_limit and turn_number + value - 1 > w.draws.turn_limit:
        return INFINITE
    distance = ply + value
    return WIN - distance if value & 1 else distance - WIN


cdef int _won_or_drawn(const Worker *w, bitboard_t own, bitboard_t enemy, int flags, int ply,
                       int turn_number) noexcept nogil:
    """The score by tables without distances: of wins the early one, and the one with more stones."""
    cdef int result = probe_wdl(w.endings, w.tables, own, enemy, flags)
    if result == TABLE_DRAW:
        return INFINITE if w.past_draws else w.draw[ply & 1]
    if result == TABLE_UNKNOWN or w.draws.quiet_limit:
        return INFINITE
    # A win may take longer than the turn limit leaves.
    if w.draws.turn_limit and turn_number + LONG_WIN > w.draws.turn_limit:
        return INFINITE
    return result * (WON - ply) + material(popcount(own), popcount(enemy))


cdef int _leaf(Worker *w, bitboard_t own, bitboard_t enemy, int ply) noexcept nogil:
    """The static value of a position in which both sides have stones."""
    cdef Gains gains = best_first_captures(w.tables, own, enemy)
    if not gains.own and not has_paika(w.tables, own, enemy):
        return w.draw[ply & 1] if w.draws.no_turn else ply - WIN
    return static_value(w.tables, w.net, own, enemy, &gains)


cdef int _expand(Worker *w, bitboard_t own, bitboard_t enemy, int side, int depth, int alpha,
                 int beta, int ply, int quiet, int turn_number) noexcept nogil:
    """The value of a position by its turns."""
    cdef bint pv = beta - alpha > 1
    # A leaf's key only serves to see that it has been there before.
    cdef bint keyed = depth > 1 or quiet >= 3
    cdef int flags = restriction(&w.rules, side, turn_number, enemy)
    cdef int score, best, bound, reduction, place, child_quiet
    cdef uint64_t key, following_key = 0
    cdef Found found
    cdef Recent *recent = NULL
    cdef bint known
    cdef uint32_t table_turn = 0
    cdef size_t base, i
    cdef turn_t turn, following, best_turn = 0
    cdef bitboard_t child_own, child_enemy

    key = w.path[w.root + ply] ^ w.salt[ply & 1]
    if flags & SINGLE:
        key ^= 0x5851F42D4C957F2DULL
    if w.draws.turn_limit and turn_number + LIMIT_HORIZON > w.draws.turn_limit:
        key ^= mix(turn_number)
    if w.draws.quiet_limit and quiet + LIMIT_HORIZON > w.draws.quiet_limit:
        key ^= mix(~<uint64_t>quiet)
    if depth == 1:
        recent = &w.recent[key & (RECENT - 1)]
        known = recent.key == key
        if known:
            found = recent.found
    else:
        known = look_up(w.table, key, &found)
    if known:
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

    best, bound = -INFINITE, UPPER
    following = _next(w, base)
    if keyed:
        following_key = _key_after(own, enemy, following)
    if depth >= 3:      # others are looked up in `recent`, or not at all
        prefetch_bucket(w.table, following_key ^ w.salt[ply + 1 & 1])
    for i in range(base, w.turns.count):
        turn = following
        place = <int>(i - base)
        child_own = enemy & ~captured_of(turn)
        child_enemy = moved(own, turn)
        reduction = 0
        if depth >= 2 and place >= REDUCED_FROM and -DECIDED < alpha < DECIDED:
            reduction = _reductions[depth if depth < 64 else 63][place if place < 64 else 63]
            if pv:
                reduction -= 1
            if reduction > depth - 1:
                reduction = depth - 1
            if reduction < 0:
                reduction = 0
        child_quiet = 0 if captured_of(turn) else quiet + 1
        w.path[w.root + ply + 1] = following_key
        if i + 1 < w.turns.count:
            # Its memory has come by the time that this turn is searched.
            following = _next(w, i + 1)
            if keyed:
                following_key = _key_after(own, enemy, following)
            if depth >= 3:
                prefetch_bucket(w.table, following_key ^ w.salt[ply + 1 & 1])
        if place == 0:
            score = -search(
                w, child_own, child_enemy, side ^ 1, depth - 1, -beta, -alpha, ply + 1,
                child_quiet, turn_number + 1,
            )
        else:
            score = -search(
                w, child_own, child_enemy, side ^ 1, depth - 1 - reduction, -alpha - 1, -alpha,
                ply + 1, child_quiet, turn_number + 1,
            )
            if score > alpha and reduction and not w.status:
                score = -search(
                    w, child_own, child_enemy, side ^ 1, depth - 1, -alpha - 1, -alpha, ply + 1,
                    child_quiet, turn_number + 1,
                )
            if alpha < score < beta and not w.status:
                score = -search(
                    w, child_own, child_enemy, side ^ 1, depth - 1, -beta, -alpha, ply + 1,
                    child_quiet, turn_number + 1,
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
    table_turn = _signature(best_turn) if best_turn else 0
    if depth == 1:
        recent.key = key
        recent.found.score, recent.found.depth = _to_table(best, ply), depth
        recent.found.bound, recent.found.turn = bound, table_turn
    else:
        store(w.table, key, _to_table(best, ply), depth, bound, table_turn)
    return best


cdef int search(Worker *w, bitboard_t own, bitboard_t enemy, int side, int depth, int alpha,
                 int beta, int ply, int quiet, int turn_number) noexcept nogil:
    """The value for the side to move, exact within (alpha, beta); its key is in the path."""
    cdef int score
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
    if w.endings != NULL:
        score = _known(
            w, own, enemy, restriction(&w.rules, side, turn_number, enemy), depth, ply, quiet,
            turn_number,
        )
        if score != INFINITE:
            return score
    if depth <= 0 or ply >= MAX_PLY:
        return _leaf(w, own, enemy, ply)
    return _expand(w, own, enemy, side, depth, alpha, beta, ply, quiet, turn_number)
