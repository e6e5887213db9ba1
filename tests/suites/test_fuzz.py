"""Readers on texts that are nearly right: refused with the promised error, or accepted and sound.

The same functions are fuzzed under coverage for as long as one likes by ``make fuzz``.
"""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites.fuzz.readers import READERS, seeds

# what breaks readers: signs, numbers at the ends of their range, and texts that are not what they seem
PIECES = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\r", b'"', b"'", b",", b";", b"\t", b"-1",
    b"0", b"1e999", b"-1e999", b"NaN", b"Infinity", b"null", b"true", b"{}", b"[]", b"[[", b"1" * 400,
    b"9223372036854775808", b"-9223372036854775809", b"99999999999", b"\xe2\x80\xa8", b"\xed\xa0\x80",
    b"1e-400", b"\\ud800", "١٢".encode(), "ß".encode(), b"inf", b"[TREE 0]", b"IN", b"LN", b"NB_NODES: 3",
)  # fmt: skip


def changed(text, moves):
    """`text` after some (place, length, piece): a piece in the place of so many bytes, or these twice."""
    for place, length, piece in moves:
        start = int(place * (len(text) + 1))
        end = start + length
        middle = PIECES[piece] if piece < len(PIECES) else 2 * text[start:end]
        text = text[:start] + middle + text[end:]
    return text


moves = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 40), st.integers(0, len(PIECES))),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=200)
@given(data=st.data())
def test_texts_that_are_nearly_right(name, data):
    """An error of another kind than promised, or a damaged text that is read as something else."""
    READERS[name](changed(data.draw(st.sampled_from(seeds(name))), data.draw(moves)))


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=50)
@given(data=st.binary(max_size=300))
def test_noise(name, data):
    """A crash on what is no text at all."""
    READERS[name](data)


@pytest.mark.parametrize("name", READERS)
def test_seeds_are_accepted(name):
    """A fuzzer that starts from what is refused at once, and never gets further."""
    from treelib.bornagain.ensemble.text_format import parse_forest
    from treelib.tree.stored import Tree

    for seed in seeds(name):
        READERS[name](seed)
        if name == "tree":
            Tree.from_json(seed)
        if name == "forest":
            parse_forest(seed.decode())


VALUES = (None, True, -1, 0, 1, 2**63, 1e308, 0.5, "", "inf", [], {}, [[]], "x" * 100)


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32 - 1))
def test_trees_with_other_values(seed):
    """A tree of valid JSON whose arrays do not fit together, and that crashes where it predicts."""
    rng = random.Random(seed)
    document = json.loads(rng.choice(seeds("tree")))
    for _ in range(rng.randint(1, 3)):
        place = rng.choice([one for one in (document, document["nodes"]) if isinstance(one, dict) and one])
        key = rng.choice(list(place))
        if isinstance(place[key], list) and place[key] and rng.random() < 0.7:
            place[key][rng.randrange(len(place[key]))] = copy.deepcopy(rng.choice((*VALUES, *range(8))))
        else:
            place[key] = copy.deepcopy(rng.choice(VALUES))
    READERS["tree"](json.dumps(document).encode())


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_json_is_refused(opening, tmp_path):
    """Brackets that nest so deep that the stack of the process ends."""
    from treelib.ledger.store import lines
    from treelib.tree.stored import Tree

    text = opening * 200_000
    with pytest.raises(ValueError, match=r"nest|JSON"):
        Tree.from_json(text)
    path = tmp_path / "a.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(lines.StoreError, match="damaged"):
        lines.read(path)
