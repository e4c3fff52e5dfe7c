"""Proof-number search of one question by one thread, from Python."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._dfpn cimport (
    INTERRUPTED, LONGEST_PATH, NO_LIMIT, NO_MEMORY, SETTLED, Outcome, Seeker, fold, key_of,
    make_guesses, search,
)
from fanorona_core._movegen cimport COMPULSORY, free_turns
from fanorona_core._network cimport NetworkFile
from fanorona_core._proofhash cimport FAILS, LARGEST, SUCCEEDS, Known, ProofTable, recall
from fanorona_core._resolve cimport NO_MOVE_DRAW
from fanorona_core._tablebase cimport LoadedTables

cdef extern from "_portable.h":
    void keep_int "fanorona_store_int"(int *word, int value) noexcept nogil


cdef bint _has_signals(void *owner) noexcept with gil:
    """Let Python handle signals and report; keep what is raised."""
    cdef Prover prover = <Prover>owner
    try:
        PyErr_CheckSignals()
        if prover.report is not None:
            prover.report()
        return False
    except BaseException as error:
        prover.interruption = error
        return True


@cython.final
cdef class Prover:
    """One thread's search; several may share a hash table.

    The network, on the board it is made for, helps to tell where to search first.
    Threads that work on one question have numbers from 1 on.
    """

    def __cinit__(self, LoadedTables tables, ProofTable hash_table, bint compulsory,
                  bint no_move_draw, int most_stones, NetworkFile network=None,
                  int number=0):
        cdef Seeker *s = <Seeker *>calloc(1, sizeof(Seeker))
        if s == NULL:
            raise MemoryError("no memory for a search")
        self.seeker = s
        self.hash_table, self.loaded, self.set_index = hash_table, tables, tables.index
        s.board, s.tables, s.index = &tables.geometry.tables, &tables.tables, &tables.index.index
        s.table = &hash_table.table
        s.flags = COMPULSORY if compulsory else 0
        s.no_move_draw = no_move_draw
        if (s.tables.flags & COMPULSORY != 0) == compulsory and (
            (s.tables.flags & NO_MOVE_DRAW != 0) == no_move_draw
        ):
            s.most_stones = min(most_stones, s.tables.most_stones)
        s.owner, s.has_signals, s.stop_flag = <void *>self, _has_signals, &self.stop_flag
        s.number = number
        self.network = network
        if network is not None:
            s.net = network.for_board(s.board)
        s.largest, s.widen = LARGEST, 4
        make_guesses(s)

    def __dealloc__(self):
        if self.seeker != NULL:
            free_turns(&self.seeker.turns)
            free(self.seeker.children)
            free(self.seeker)

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return self.seeker.nodes

    @property
    def numbers(self) -> tuple:
        """The proof numbers of the root, of its mover's success and of his failure."""
        return self.seeker.root_phi, self.seeker.root_delta

    @property
    def deepest(self) -> int:
        """The longest path so far, in turns."""
        return self.seeker.deepest

    def stop(self) -> None:
        """End a running search soon; may be called from any thread."""
        keep_int(&self.stop_flag, 1)

    def prove(self, bitboard_t own, bitboard_t enemy, bint holder, int64_t node_limit,
              int64_t deadline_us, report) -> bool | None:
        """Return whether the mover succeeds, or None if a limit came first.

        The mover wants to hold if he is the holder, else to win.  `node_limit`
        counts from the prover's beginning, `deadline_us` is on the monotonic
        clock; 0 is no limit.  `report` is called now and then.  Releases the GIL.

        Raises:
            MemoryError: the turns do not fit into memory.
            RecursionError: the answer depends on a path of more than LONGEST_PATH turns.
        """
        cdef Seeker *s = self.seeker
        cdef Outcome out
        self.begin(node_limit, deadline_us, report)
        fold(s.index, &own, &enemy)
        with nogil:
            search(s, own, enemy, key_of(own, enemy, holder), holder, 0, 0, NO_LIMIT, NO_LIMIT,
                   &out)
        if self.ended() != SETTLED:
            return None
        if (out.phi == 0) == holder and out.tie < 0:
            raise RecursionError(f"the search has reached a depth of {LONGEST_PATH} turns")
        return out.phi == 0

    cdef int begin(self, int64_t node_limit, int64_t deadline_us, object report) except -1:
        cdef Seeker *s = self.seeker
        s.node_limit, s.deadline_us, self.report = node_limit, deadline_us, report
        s.status, s.until_poll, s.count, s.turns.count = SETTLED, 0, 0, 0
        s.report_us = 0
        memset(s.met, 0, sizeof(s.met))
        return 0

    cdef int ended(self) except -1:
        """Why the search ended, or what it must raise."""
        cdef int status = self.seeker.status
        self.report = None
        if status == INTERRUPTED:
            error, self.interruption = self.interruption, None
            raise error
        if status == NO_MEMORY:
            raise MemoryError("the turns of the search do not fit into memory")
        return status

    def known(self, bitboard_t own, bitboard_t enemy, bint holder) -> bool | None:
        """Return whether the mover succeeds, if the hash table knows."""
        cdef Known known
        fold(self.seeker.index, &own, &enemy)
        recall(self.seeker.table, key_of(own, enemy, holder), &known)
        if known.kind == SUCCEEDS or known.kind == FAILS:
            return known.kind == SUCCEEDS
        return None
