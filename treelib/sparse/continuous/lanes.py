"""The inner loop: one pass over the sorted rows of a feature scores 32 splits of the root at once.

A *lane* is one split of the root: it sends some rows left and the others right. A row carries a 32-bit mask
that says for every lane on which side it is. While the rows pass in the order of one feature, every lane
keeps count of what a second split on this feature would gain on its left and on its right::

    row   mask (lanes 3 2 1 0)    weight of lane 0    1    2    3
     7         0 1 1 0                      right left left right
     2         1 1 1 0                      right left left left

The counts of all lanes are one vector; LLVM lowers it to what the processor has (one register with AVX-512,
two with AVX2, four with SSE2 or on ARM), so the answer is the same on each. Lanes hold 16-bit integers where
the weight of all rows allows it, else 32 or 64 bits: `lane_type` says which.
"""

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

LANES = 32
# rows of `state`, two classes: largest and least sum on the left, on the right, and the sum on the left; a
# sum is the weight of class 1 less that of class 0
TOP_LEFT, LOW_LEFT, TOP_RIGHT, LOW_RIGHT, SUM_LEFT = range(5)
# more classes: most weight that two leaves label rightly, and that one leaf does
BEST_LEFT, BEST_RIGHT, WHOLE_LEFT, WHOLE_RIGHT = range(4)


def lane_type(total):
    """The narrowest integers that can hold the weight of all rows."""
    for kind in (np.int16, np.int32):
        if total <= np.iinfo(kind).max:
            return kind
    return np.int64


def _scan_python(codes, start, count, mask, weight, classes, state, counts, running):
    """What `scan_feature` does, lane by lane: for a Python without the compiler, and to test against.

    Parameters
    ----------
    codes : int32, ``codes[start : start + count]`` are the rows in the order of one feature, each as
        4 * row + (bit 1: free for the caller) + (bit 0: its value is larger than that of the row before).
    mask : uint32 (n,), bit l of row i: the row is on the left in lane l.
    weight : lane type (n,). Two classes: positive for class 1, negative for class 0.
    classes : int32 (n,), read for more than two classes only.
    state : lane type (5, 32), gathered over features; zeros before the first. See `TOP_LEFT` and following.
    counts : lane type (0,) for two classes, else (2 n_classes, 32), scratch.
    running : lane type (2 count or more, 32) for more than two classes, scratch.
    """
    order = codes[start : start + count].astype(np.int64)
    rows, is_cut = order >> 2, order & 1 == 1
    for lane in range(LANES):
        for side in range(2):
            here = (mask[rows] >> np.uint32(lane)) & 1 == 1 - side
            moved = np.where(here, weight[rows], 0).astype(np.int64)
            if counts.ndim == 1:
                sums = np.concatenate([[0], np.cumsum(moved)])
                at_cuts = sums[:-1][is_cut]
                at_cuts = np.append(at_cuts, sums[-1])
                state[2 * side, lane] = max(state[2 * side, lane], at_cuts.max())
                state[2 * side + 1, lane] = min(state[2 * side + 1, lane], at_cuts.min())
                if side == 0:
                    state[SUM_LEFT, lane] = sums[-1]
            else:
                table = np.zeros((count + 1, int(classes.max()) + 1), np.int64)
                table[np.arange(1, count + 1), classes[rows]] = moved
                below = table.cumsum(axis=0)
                both = below.max(axis=1) + (below[-1] - below).max(axis=1)
                state[side, lane] = max(state[side, lane], both[:-1][is_cut].max(initial=0))
                state[2 + side, lane] = below[-1].max()


class _Builder:
    """LLVM code of one vector width: loads, minima and splats of 32 lanes."""

    def __init__(self, context, builder, bits):
        self.context, self.builder = context, builder
        self.lane = ir.IntType(bits)
        self.vector = ir.VectorType(self.lane, LANES)
        self.flags = ir.VectorType(ir.IntType(1), LANES)
        self.zero = ir.Constant(self.vector, None)
        self.bytes = bits // 8

    def pointer(self, kind, array):
        """Pointer to the first item of a numba array."""
        return make_array(kind)(self.context, self.builder, value=array).data

    def vectors(self, kind, array):
        return self.builder.bitcast(self.pointer(kind, array), self.vector.as_pointer())

    def load(self, vectors, i):
        loaded = self.builder.load(self.builder.gep(vectors, [self.index(i)]))
        loaded.align = self.bytes
        return loaded

    def store(self, value, vectors, i):
        stored = self.builder.store(value, self.builder.gep(vectors, [self.index(i)]))
        stored.align = self.bytes

    def index(self, i):
        return ir.Constant(ir.IntType(64), i) if isinstance(i, int) else i

    def splat(self, x):
        undef = ir.Constant(self.vector, ir.Undefined)
        first = self.builder.insert_element(undef, x, ir.Constant(ir.IntType(32), 0))
        return self.builder.shuffle_vector(
            first, undef, ir.Constant(ir.VectorType(ir.IntType(32), LANES), None)
        )

    def most(self, a, b):
        return self.builder.select(self.builder.icmp_signed(">", a, b), a, b)

    def least(self, a, b):
        return self.builder.select(self.builder.icmp_signed("<", a, b), a, b)

    def row(self, codes, at, mask):
        """Row, its mask as flags, and whether a cut before it is possible."""
        b, i32 = self.builder, ir.IntType(32)
        code = b.load(b.gep(codes, [at]))
        row = b.zext(b.lshr(code, ir.Constant(i32, 2)), ir.IntType(64))
        sides = b.bitcast(b.load(b.gep(mask, [row])), self.flags)
        is_cut = b.trunc(code, ir.IntType(1))
        return row, sides, is_cut

    def loop(self, first, step, n, values, body):
        """`n` times ``values = body(j, values)``, j = first, first + step, ...; returns the last values."""
        b, i64 = self.builder, ir.IntType(64)
        entry = b.block
        head, inside, done = (b.append_basic_block(name) for name in ("head", "inside", "done"))
        b.branch(head)
        b.position_at_end(head)
        k, j = b.phi(i64), b.phi(i64)
        k.add_incoming(ir.Constant(i64, 0), entry)
        j.add_incoming(first, entry)
        now = []
        for value in values:
            now.append(b.phi(value.type))
            now[-1].add_incoming(value, entry)
        b.cbranch(b.icmp_signed("<", k, n), inside, done)
        b.position_at_end(inside)
        after = body(j, now)
        k.add_incoming(b.add(k, ir.Constant(i64, 1)), b.block)
        j.add_incoming(b.add(j, ir.Constant(i64, step)), b.block)
        for phi, value in zip(now, after, strict=True):
            phi.add_incoming(value, b.block)
        b.branch(head)
        b.position_at_end(done)
        return now

    def where(self, condition, values, changed):
        """``changed()`` where `condition` holds, else `values`, as a branch: cuts can be rare."""
        b = self.builder
        before = b.block
        then, join = b.append_basic_block("then"), b.append_basic_block("join")
        b.cbranch(condition, then, join)
        b.position_at_end(then)
        new = changed()
        end = b.block
        b.branch(join)
        b.position_at_end(join)
        out = []
        for old, value in zip(values, new, strict=True):
            out.append(b.phi(old.type))
            out[-1].add_incoming(old, before)
            out[-1].add_incoming(value, end)
        return out


def _two_classes(code, codes, start, count, mask, weight, state):
    """Sums of signed weights on both sides of all lanes, and their extremes at the cuts."""
    b = code.builder

    def extremes(values):
        total, left, top, low, top_right, low_right = values
        right = b.sub(code.splat(total), left)
        return [
            code.most(top, left),
            code.least(low, left),
            code.most(top_right, right),
            code.least(low_right, right),
        ]

    def body(j, values):
        row, sides, is_cut = code.row(codes, j, mask)
        ends = code.where(is_cut, values[2:], lambda: extremes(values))
        moved = b.load(b.gep(weight, [row]))
        left = b.add(values[1], b.select(sides, code.splat(moved), code.zero))
        return [b.add(values[0], moved), left, *ends]

    known = [code.load(state, i) for i in range(4)]
    values = code.loop(start, 1, count, [ir.Constant(code.lane, 0), code.zero, *known], body)
    for i, value in enumerate(extremes(values)):
        code.store(value, state, i)
    code.store(values[1], state, SUM_LEFT)


def _many_classes(code, n_classes, codes, start, count, arrays):
    """Most weight that two leaves label rightly: largest counts from below, kept, then from above.

    The work of a row does not grow with the number of classes: a row changes one count, and a largest count
    only rises when rows are added.
    """
    mask, weight, classes, state, counts, running = arrays
    b, i64 = code.builder, ir.IntType(64)
    last = b.sub(b.add(start, count), ir.Constant(i64, 1))

    # after the vectors of the classes come their sums over all lanes, one number each
    sums = b.bitcast(b.gep(counts, [b.mul(n_classes, ir.Constant(i64, 1))]), code.lane.as_pointer())

    def clear():
        code.loop(ir.Constant(i64, 0), 1, n_classes, [], clear_one)

    def clear_one(j, _):
        code.store(code.zero, counts, j)
        b.store(ir.Constant(code.lane, 0), b.gep(sums, [j]))
        return []

    def add(row, sides, tops):
        moved = b.load(b.gep(weight, [row]))
        at = b.sext(b.load(b.gep(classes, [row])), i64)
        left = b.add(code.load(counts, at), b.select(sides, code.splat(moved), code.zero))
        code.store(left, counts, at)
        both = b.add(b.load(b.gep(sums, [at])), moved)
        b.store(both, b.gep(sums, [at]))
        return [code.most(tops[0], left), code.most(tops[1], b.sub(code.splat(both), left))]

    def upwards(j, values):
        row, sides, is_cut = code.row(codes, j, mask)

        def keep():
            at = b.mul(values[0], ir.Constant(i64, 2))
            code.store(values[1], running, at)
            code.store(values[2], running, b.add(at, ir.Constant(i64, 1)))
            return [b.add(values[0], ir.Constant(i64, 1))]

        n_kept = code.where(is_cut, values[:1], keep)
        return [*n_kept, *add(row, sides, values[1:])]

    def downwards(j, values):
        row, sides, is_cut = code.row(codes, j, mask)
        tops = add(row, sides, values[1:3])

        def combine():
            k = b.sub(values[0], ir.Constant(i64, 1))
            at = b.mul(k, ir.Constant(i64, 2))
            below = code.load(running, at), code.load(running, b.add(at, ir.Constant(i64, 1)))
            return [k, *(code.most(values[3 + s], b.add(below[s], tops[s])) for s in range(2))]

        k, left, right = code.where(is_cut, [values[0], *values[3:]], combine)
        return [k, *tops, left, right]

    clear()
    n_kept, *whole = code.loop(start, 1, count, [ir.Constant(i64, 0), code.zero, code.zero], upwards)
    clear()
    best = [code.load(state, BEST_LEFT), code.load(state, BEST_RIGHT)]
    found = code.loop(last, -1, count, [n_kept, code.zero, code.zero, *best], downwards)
    for i, value in enumerate((*found[3:], *whole)):
        code.store(value, state, i)


@intrinsic
def _scan_compiled(typing, codes, start, count, mask, weight, classes, state, counts, running):
    signature = types.void(codes, start, count, mask, weight, classes, state, counts, running)

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        code = _Builder(context, builder, kinds[4].dtype.bitwidth)
        first, number = (context.cast(builder, arguments[i], kinds[i], types.int64) for i in (1, 2))
        row_codes, row_mask, row_weight, row_class = (
            code.pointer(kinds[i], arguments[i]) for i in (0, 3, 4, 5)
        )
        lanes = code.vectors(kinds[6], arguments[6])
        if kinds[7].ndim == 1:
            _two_classes(code, row_codes, first, number, row_mask, row_weight, lanes)
        else:
            n_counts = builder.extract_value(
                make_array(kinds[7])(context, builder, value=arguments[7]).shape, 0
            )
            n_classes = builder.lshr(n_counts, ir.Constant(n_counts.type, 1))
            scratch = code.vectors(kinds[7], arguments[7]), code.vectors(kinds[8], arguments[8])
            arrays = row_mask, row_weight, row_class, lanes, *scratch
            _many_classes(code, n_classes, row_codes, first, number, arrays)
        return context.get_dummy_value()

    return signature, generate


# numba calls the first; its twin serves where numba is told not to compile
scan_feature = _scan_python if numba.config.DISABLE_JIT else _scan_compiled
