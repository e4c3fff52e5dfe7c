"""Board sizes: points, lines and the move generator's tables."""

cimport cython

from fanorona_core._bitboard cimport bit, bitboard_t
from fanorona_core.errors import NotationError

_LETTERS = "abcdefghijklmno"
# (column step, row step) of each direction, in the order of the tables.
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1))
_DIRECTION_NAMES = (
    "east", "west", "north", "south", "north-east", "south-west", "north-west", "south-east"
)


@cython.final
cdef class Geometry:
    """The points and lines of one board size.

    Made by `geometry`, which keeps one object for each size. `points` is their number; a point is
    (row - 1) * columns + column, a1 = 0, and a mask has a bit for each.

    Examples:
        >>> from fanorona_core import geometry
        >>> board = geometry(9, 5)
        >>> board.points, len(board.lines()), board.point("e3")
        (45, 108, 22)
        >>> [board.name(point) for point in board.neighbors(board.point("d3"))]
        ['d2', 'c3', 'e3', 'd4']
        >>> board.is_strong(board.point("d3")), board.direction_name(22, 32)
        (False, 'north-east')
    """

    def __cinit__(self, Py_ssize_t columns, Py_ssize_t rows):
        if columns % 2 == 0 or rows % 2 == 0 or not (
            3 <= columns <= MAX_POINTS // 3 and 3 <= rows <= MAX_POINTS // 3
        ) or columns * rows > MAX_POINTS:
            raise ValueError(
                f"no board of {columns}x{rows}: columns and rows must be odd, at least 3, "
                f"with at most {MAX_POINTS} points together"
            )
        self.columns = columns
        self.rows = rows
        self.points = columns * rows
        self.names = tuple(
            _LETTERS[p % columns] + str(p // columns + 1) for p in range(self.points)
        )
        _fill(&self.tables, columns, rows)

    @property
    def mask(self) -> int:
        """A mask of all points."""
        return self.tables.mask

    @property
    def strong(self) -> int:
        """A mask of the strong points, those with diagonal lines."""
        return self.tables.strong

    def name(self, Py_ssize_t point) -> str:
        """Return the name of a point, as "e3".

        Raises:
            IndexError: the point is not on this board.
        """
        if not 0 <= point < self.points:
            raise IndexError(f"point {point} is not on a {self.columns}x{self.rows} board")
        return self.names[point]

    def point(self, str name not None) -> int:
        """Return the index of the point called `name`, in any case.

        Raises:
            NotationError: no point of this board has that name.
        """
        try:
            return self.names.index(name.lower())
        except ValueError:
            raise NotationError(
                f"no point {name!r} on a {self.columns}x{self.rows} board: "
                f"points are a1 to {self.names[self.points - 1]}"
            ) from None

    def is_strong(self, Py_ssize_t point) -> bool:
        """Say whether diagonal lines meet at a point.

        Raises:
            IndexError: the point is not on this board.
        """
        self.name(point)
        return (self.tables.strong >> point) & 1 != 0

    def neighbors(self, Py_ssize_t point) -> tuple:
        """Return the points joined to `point` by a line, in rising order.

        Raises:
            IndexError: the point is not on this board.
        """
        self.name(point)
        return tuple(q for q in range(self.points) if (self.tables.neighbours[point] >> q) & 1)

    def lines(self) -> tuple:
        """Return every line once, as pairs of neighbouring points in rising order."""
        return tuple((p, q) for p in range(self.points) for q in self.neighbors(p) if p < q)

    def direction_name(self, Py_ssize_t start, Py_ssize_t end) -> str:
        """Return the compass direction of the line from a point to its neighbour.

        Raises:
            ValueError: no line joins the two points.
        """
        self.name(start)
        self.name(end)
        if self.tables.direction[start][end] != NO_DIRECTION:
            return _DIRECTION_NAMES[self.tables.direction[start][end]]
        raise ValueError(f"no line joins {self.name(start)} and {self.name(end)}")

    def __reduce__(self):
        return geometry, (self.columns, self.rows)

    def __repr__(self):
        return f"geometry({self.columns}, {self.rows})"


cdef int _fill(Tables *t, int columns, int rows) except -1:
    cdef int p, q, d, column, row, shift
    cdef Ray *ray
    t.columns, t.rows, t.points = columns, rows, columns * rows
    t.mask = (1ULL << (columns * rows)) - 1
    t.strong = 0
    for p in range(t.points):
        # Strong: column number + row number is even (rules, "Board").
        if (p % columns + p // columns) & 1 == 0:
            t.strong |= bit(p)
    for d in range(DIRECTIONS):
        shift = _STEPS[d][0] + _STEPS[d][1] * columns
        t.shift[d] = abs(shift)
        t.has_neighbour[d] = t.has_second[d] = 0
        for p in range(t.points):
            ray = &t.rays[p][d]
            ray.path, ray.back = _beyond(t, p, d), _beyond(t, p, d ^ 1)
            ray.step = ray.ahead = ray.behind = 0
            if ray.back:
                ray.behind = bit(p - shift)
            if ray.path:
                t.has_neighbour[d] |= bit(p)
                ray.step = bit(p + shift)
                ray.path &= ~ray.step
            if ray.path:
                t.has_second[d] |= bit(p)
                ray.ahead = bit(p + 2 * shift)
    for p in range(t.points):
        t.neighbours[p] = 0
        for q in range(t.points):
            t.direction[p][q] = NO_DIRECTION
            for d in range(DIRECTIONS):
                if t.rays[p][d].step == bit(q):
                    t.direction[p][q] = d
                    t.neighbours[p] |= bit(q)
    return 0


cdef bitboard_t _beyond(const Tables *t, int point, int d) except? 0:
    """Return every point that the lines in direction d reach from a point."""
    cdef int dc = _STEPS[d][0], dr = _STEPS[d][1]
    cdef int c = point % t.columns + dc, r = point // t.columns + dr
    cdef bitboard_t path = 0
    while 0 <= c < t.columns and 0 <= r < t.rows and (d < 4 or t.strong & bit(point)):
        path |= bit(r * t.columns + c)
        c, r = c + dc, r + dr
    return path


cdef dict _cache = {}


cdef Geometry get_geometry(Py_ssize_t columns, Py_ssize_t rows):
    cdef Geometry found = _cache.get((columns, rows))
    if found is None:
        found = _cache.setdefault((columns, rows), Geometry(columns, rows))
    return found


def geometry(Py_ssize_t columns, Py_ssize_t rows) -> Geometry:
    """Return the points and lines of a board, the same object for the same size.

    Raises:
        ValueError: not odd by odd, smaller than 3x3, or more than 45 points.

    Examples:
        >>> geometry(5, 5) is geometry(5, 5)
        True
    """
    return get_geometry(columns, rows)
