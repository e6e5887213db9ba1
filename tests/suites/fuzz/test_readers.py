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
    from treelib.bornagain.boosting.reading import parse_boosted
    from treelib.bornagain.ensemble.text_format import parse_forest
    from treelib.tree.stored import Tree

    parsers = {
        "tree": Tree.from_json,
        "forest": parse_forest,
        "xgboost": parse_boosted,
        "lightgbm": parse_boosted,
    }
    for seed in seeds(name):
        READERS[name](seed)
        if name in parsers:
            parsers[name](seed.decode())


VALUES = (None, True, -1, 0, 1, 2**63, 1e308, 0.5, "", "inf", [], {}, [[]], "x" * 100)


def holders(value):
    """`value` and all lists and dicts in it that are not empty."""
    if isinstance(value, (dict, list)) and value:
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from holders(one)


@pytest.mark.parametrize("name", ["tree", "xgboost"])
@settings(max_examples=300)
@given(seed=st.integers(0, 2**32 - 1))
def test_json_with_other_values(name, seed):
    """A model of valid JSON whose arrays do not fit together, and that crashes where it predicts."""
    rng = random.Random(seed)
    document = json.loads(rng.choice(seeds(name)))
    for _ in range(rng.randint(1, 3)):
        place = rng.choice(list(holders(document)))
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
        kind = rng.random()
        if kind < 0.1:
            del place[key]
        elif kind < 0.2 and isinstance(place, list):
            place.append(copy.deepcopy(place[key]))
        else:
            place[key] = copy.deepcopy(rng.choice((*VALUES, *map(str, range(4)), *range(8))))
    READERS[name](json.dumps(document).encode())


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
