"""The checker of the book's page gives the answers of `checktree.py`, to proofs and to forgeries."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.sparse.proofs.problems import random_case
from tests.sparse.proofs.test_checktree import forged
from treelib.sparse.proofs import checktree

SCRIPT = Path(__file__).resolve().parents[3] / "book" / "_static" / "checktree.js"
PROGRAM = """
const fs = require("fs");
require(process.argv[2]);
(async () => {
  for (const [table, proof] of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const read = (path) => new Uint8Array(fs.readFileSync(path));
    try {
      const found = await checktree.check(read(table), read(proof));
      console.log(JSON.stringify([found.bound, found.cost, found.trees]));
    } catch (error) {
      console.log(JSON.stringify(error.message.split(":")[0]));
    }
  }
})();
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_page_agrees_with_checktree(tmp_path):
    """A proof that one of the two accepts and the other refuses, or at another place."""
    program = tmp_path / "program.js"
    program.write_text(PROGRAM)
    rng, pairs = np.random.default_rng(0), []
    for seed in range(100):
        case = random_case(seed, tmp_path)
        pairs += [(case.table, case.proof)]
        pairs += [(case.table, forged(case, rng, tmp_path / f"{seed}-{k}.jsonl")) for k in range(5)]
    given = json.dumps([[str(path) for path in pair] for pair in pairs])
    command = ["node", str(program), str(SCRIPT)]
    out = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=True).stdout
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(pairs)
    for pair, answer in zip(pairs, answers, strict=True):
        try:
            bound, cost, trees = checktree.check(*pair)
            wanted = [str(bound), str(cost), trees]
        except ValueError as error:
            wanted = str(error).partition(":")[0]
        assert answer == wanted, pair
    assert sum(isinstance(answer, list) for answer in answers) > 100
    assert sum(isinstance(answer, str) for answer in answers) > 100
