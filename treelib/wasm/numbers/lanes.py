"""The inner loop of `treelib.sparse.continuous.lanes` in the widths that WebAssembly has: 128 bits.

The loops over the rows are the package's (`_two_classes`, `_many_classes`). A processor may hold 32 lanes in
one register; a page needs several for each vector of the loop, and more than it has would stay in memory. So
the rows are passed several times, each time for some of the lanes. A set whose weight fits takes lanes
of 16 bits, though the page's arrays hold 32.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from treelib.compiled.jit import kernel
from treelib.sparse.continuous import deep, shallow
from treelib.sparse.continuous.lanes import LANES, _Builder, _many_classes, _two_classes
from treelib.wasm.language.words import in_words

# lanes of 16 and of 32 bits that pass together: two registers for a vector
TOGETHER = {16: 16, 32: 8}
# weight that lanes of 16 bits hold
MOST_NARROW = 2**15 - 1
I32 = ir.IntType(32)


class _State:
    """Where the lanes `first` .. `first` + n - 1 of the state begin: int32, whatever their width."""

    def __init__(self, pointer):
        self.pointer = pointer


class _Some(_Builder):
    """LLVM code of some of the lanes.

    The state is read and written as int32, vectors of the scratch are the builder's own. A weight, which is
    loaded through the pointer of `weights`, comes in the width of the lanes.
    """

    def __init__(self, context, builder, bits, first):
        super().__init__(context, builder, bits)
        self.n, self.first = TOGETHER[bits], first
        self.vector = ir.VectorType(self.lane, self.n)
        self.zero = ir.Constant(self.vector, None)
        self.wide = ir.VectorType(I32, self.n)
        signed = [1 << place if place < bits - 1 else -(1 << place) for place in range(self.n)]
        self.places = ir.Constant(self.vector, signed)

    def vectors(self, kind, array):
        return self.builder.bitcast(self.pointer(kind, array), self.vector.as_pointer())

    def state(self, kind, array):
        first = self.builder.gep(self.pointer(kind, array), [self.index(self.first)])
        return _State(self.builder.bitcast(first, self.wide.as_pointer()))

    def load(self, vectors, i):
        if not isinstance(vectors, _State):
            return super().load(vectors, i)
        loaded = self.builder.load(self.builder.gep(vectors.pointer, [self.index(i * (LANES // self.n))]))
        loaded.align = 4
        return loaded if self.vector == self.wide else self.builder.trunc(loaded, self.vector)

    def store(self, value, vectors, i):
        if not isinstance(vectors, _State):
            super().store(value, vectors, i)
            return
        value = value if self.vector == self.wide else self.builder.sext(value, self.wide)
        place = self.builder.gep(vectors.pointer, [self.index(i * (LANES // self.n))])
        self.builder.store(value, place).align = 4

    def splat(self, x):
        one = self.builder.insert_element(ir.Constant(self.vector, ir.Undefined), x, ir.Constant(I32, 0))
        zeros = ir.Constant(ir.VectorType(I32, self.n), None)
        return self.builder.shuffle_vector(one, ir.Constant(self.vector, ir.Undefined), zeros)

    def row(self, codes, at, mask):
        """Row, its mask as flags, and whether a cut before it is possible."""
        b = self.builder
        code = b.load(b.gep(codes, [at]))
        row = b.zext(b.lshr(code, ir.Constant(I32, 2)), ir.IntType(64))
        part = ir.IntType(self.n)  # of the mask
        parts = b.bitcast(b.gep(mask, [row]), part.as_pointer())
        bits = b.load(b.gep(parts, [self.index(self.first // self.n)]))
        # a page compares for equality: what is not on the right is on the left
        bits = b.not_(bits)
        bits = bits if self.n == self.lane.width else b.zext(bits, self.lane)
        sides = b.icmp_signed("==", b.and_(self.splat(bits), self.places), self.zero)
        return row, sides, b.trunc(code, ir.IntType(1))


class _Weights(ir.IRBuilder):
    """A builder that hands over what is loaded from a record of one number in as many bits as lanes have."""

    bits = None

    def load(self, *arguments, **options):
        loaded = super().load(*arguments, **options)
        if not isinstance(loaded.type, ir.LiteralStructType):
            return loaded
        whole = self.extract_value(loaded, 0)
        return whole if self.bits == 32 else self.trunc(whole, ir.IntType(self.bits))


def _scanner(bits):
    """What `treelib.sparse.continuous.lanes.scan_feature` does, in lanes of so many bits on arrays of 32."""

    @intrinsic
    def scan(typing, codes, start, count, mask, weight, classes, state, counts, running):
        signature = types.void(codes, start, count, mask, weight, classes, state, counts, running)

        def generate(context, builder, signature, arguments):
            kinds = signature.args
            start, count = (context.cast(builder, arguments[i], kinds[i], types.int64) for i in (1, 2))
            n_counts = make_array(kinds[7])(context, builder, value=arguments[7]).shape
            n_counts = builder.extract_value(n_counts, 0)
            n_classes = builder.lshr(n_counts, ir.Constant(n_counts.type, 1))
            is_two = builder.icmp_signed("==", n_counts, ir.Constant(n_counts.type, 0))
            for first in range(0, LANES, TOGETHER[bits]):
                with builder.if_else(is_two) as (two, many):
                    for way in (two, many):
                        with way:
                            own = _Weights(builder.block)
                            own.bits = bits
                            code = _Some(context, own, bits, first)
                            codes, mask, weight, classes = (
                                code.pointer(kinds[i], arguments[i]) for i in (0, 3, 4, 5)
                            )
                            weights = own.bitcast(weight, ir.LiteralStructType([I32]).as_pointer())
                            lanes = code.state(kinds[6], arguments[6])
                            if way is two:
                                _two_classes(code, codes, start, count, mask, weights, lanes)
                            else:
                                scratch = (code.vectors(kinds[i], arguments[i]) for i in (7, 8))
                                arrays = mask, weights, classes, lanes, *scratch
                                _many_classes(code, n_classes, codes, start, count, arrays)
                            builder.position_at_end(own.block)
            return context.get_dummy_value()

        return signature, generate

    return scan


SCAN = (
    "scan_feature(pool, start, m, shallow.mask, shallow.weight, shallow.classes, shallow.state, "
    "shallow.counts, shallow.running)"
)
_scan_16, _scan_32 = _scanner(16), _scanner(32)


@kernel(inner=True)
def scan_narrow(codes, start, count, shallow):
    """`treelib.sparse.continuous.lanes.scan_feature` of a set whose weight 16 bits hold."""
    mask, weight, classes = shallow.mask, shallow.weight, shallow.classes
    _scan_16(codes, start, count, mask, weight, classes, shallow.state, shallow.counts, shallow.running)


@kernel(inner=True)
def scan_wide(codes, start, count, shallow):
    """`treelib.sparse.continuous.lanes.scan_feature` of any set."""
    mask, weight, classes = shallow.mask, shallow.weight, shallow.classes
    _scan_32(codes, start, count, mask, weight, classes, shallow.state, shallow.counts, shallow.running)


@kernel(inner=True)
def mark_rows(shallow, n_lanes, m):
    """The masks that `treelib.sparse.continuous.shallow._choose_lanes` fills, four lanes at a time."""
    mask, lanes, last, none = shallow.mask, shallow.lanes, n_lanes - 1, np.uint32(0)
    for a in range(0, n_lanes, 4):
        b, c, d = min(a + 1, last), min(a + 2, last), min(a + 3, last)
        of_a, of_b = shallow.position[lanes[a]["feature"]], shallow.position[lanes[b]["feature"]]
        of_c, of_d = shallow.position[lanes[c]["feature"]], shallow.position[lanes[d]["feature"]]
        at_a = shallow.cut_at[lanes[a]["feature"], lanes[a]["cut"]]
        at_b = shallow.cut_at[lanes[b]["feature"], lanes[b]["cut"]]
        at_c = shallow.cut_at[lanes[c]["feature"], lanes[c]["cut"]]
        at_d = shallow.cut_at[lanes[d]["feature"], lanes[d]["cut"]]
        # numba would make 64 bits of them, and half as many rows fit into a register
        bit_a, bit_b = np.uint32(1 << a), np.uint32(1 << b)
        bit_c, bit_d = np.uint32(1 << c), np.uint32(1 << d)
        for i in range(m):
            low = np.uint32((bit_a if of_a[i] < at_a else none) | (bit_b if of_b[i] < at_b else none))
            high = np.uint32((bit_c if of_c[i] < at_c else none) | (bit_d if of_d[i] < at_d else none))
            mask[i] |= np.uint32(low | high)


FILL = """
for lane in range(n_lanes):
    g = np.int64(shallow.lanes[lane]["feature"])
    at = shallow.cut_at[g, shallow.lanes[lane]["cut"]]
    bit = np.uint32(1) << np.uint32(lane)
    places = shallow.position[g]
    for i in range(m):
        mask[i] |= bit if places[i] < at else np.uint32(0)
"""
choose_lanes = kernel(inner=True)(
    in_words(
        shallow._choose_lanes.py_func, {FILL: "mark_rows(shallow, n_lanes, m)"}, {"mark_rows": mark_rows}
    )
)
SCANS = {
    "scan_narrow": scan_narrow,
    "scan_wide": scan_wide,
    "MOST_NARROW": MOST_NARROW,
    "_choose_lanes": choose_lanes,
}
CHOICE = """
if now["total"] <= MOST_NARROW:
    scan_narrow(pool, start, m, shallow)
else:
    scan_wide(pool, start, m, shallow)
"""
advance_shallow = kernel(inner=True)(in_words(shallow.advance_shallow.py_func, {SCAN: CHOICE}, SCANS))
advance = kernel(inner=True)(in_words(deep.advance.py_func, {}, {"advance_shallow": advance_shallow}))
