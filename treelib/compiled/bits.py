"""Sets of rows as 64-bit words: population count, hashing and packing, for use inside kernels."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from treelib.compiled.jit import kernel

WORD = 64
ONE = np.uint64(1)
ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@intrinsic
def _ctpop(typingctx, word):
    """Number of one bits in a uint64 word; one machine instruction, vectorised in loops."""

    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _ctlz(typingctx, word):
    """Number of zero bits above the highest one bit of a uint64 word; one machine instruction."""

    def generate(context, builder, signature, args):
        return builder.ctlz(args[0], ir.IntType(1)(0))

    return types.uint64(types.uint64), generate


@intrinsic
def fetch_early(typingctx, array, i):
    """Ask the memory for entry i of a one-dimensional array (C order), which is read a little later.

    Changes nothing; i may lie behind the end. On a page it is nothing at all.
    """

    def generate(context, builder, signature, args):
        whole = context.make_array(signature.args[0])(context, builder, args[0])
        size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
        first = builder.ptrtoint(whole.data, ir.IntType(64))
        place = builder.add(first, builder.mul(builder.sext(args[1], ir.IntType(64)), ir.IntType(64)(size)))
        pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [pointer], ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        )
        builder.call(fetch, [builder.inttoptr(place, pointer), flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@kernel(allocates=False)
def popcount(word):
    """Number of one bits of `word` (uint64), as int64."""
    return np.int64(_ctpop(np.uint64(word)))


@kernel(allocates=False)
def n_bits(word):
    """Number of bits that `word` (uint64) needs, as int64; 0 for 0."""
    return np.int64(WORD) - np.int64(_ctlz(np.uint64(word)))


@kernel(allocates=False)
def lowest_bit(word):
    """Index of the lowest one bit of `word` (uint64, not zero), as int64."""
    return popcount((word & (~word + ONE)) - ONE)


@kernel(allocates=False)
def hash_words(words, keys, seed):
    """Universal hash of a row of words (the NH family: sums of products of 32-bit halves), then mixed.

    words, keys : uint64 (n_words,); seed : uint64. Returns uint64, never 0. O(n_words), no branches.
    """
    h = seed
    for w in range(words.shape[0]):
        mixed = words[w] + keys[w]
        h += (mixed & LOW_HALF) * (mixed >> HALF) + words[w] * keys[w]
    h ^= h >> np.uint64(33)
    h *= np.uint64(0xFF51AFD7ED558CCD)
    h ^= h >> np.uint64(33)
    h *= np.uint64(0xC4CEB9FE1A85EC53)
    h ^= h >> np.uint64(33)
    return h | ONE
