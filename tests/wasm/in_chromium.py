"""Random problems of every method in Chromium: the answers are those of wasmtime and of Python, bit for bit.

``python -m tests.wasm.in_chromium FOLDER [N [METHOD ...]]`` compares N random problems (1,000) of each method
and writes the counts to ``chromium.json`` in the folder, where `tests.suites.record_figures` reads them.
"""

import base64
import json
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from tests.wasm import browsers, machine
from treelib.wasm import manifest

# what stands for the comparison of a kernel, and the seed of its random problems
METHODS = {
    "exact search": ("test_sparse", 41),
    "exact search on numbers": ("test_numbers", 42),
    "dyadic path": ("test_dyadic", 43),
    "born-again tree": ("test_bornagain", 44),
    "top-down tree": ("test_topdown", 45),
    "the paper's branch and bound": ("test_branching", 46),
}
# what a problem did under wasmtime, done again in a page: what comes out otherwise, a list of texts
SCRIPT = """
globalThis.again = async (packed, problems) => {
  const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)), modules = {}, found = [];
  for (const name in packed) modules[name] = await WebAssembly.compile(bytes(packed[name]));
  // the functions that solver.js hands over
  const { expm1, log, log1p, log2 } = Math, env = { exp2: (power) => 2 ** power, expm1, log, log1p, log2 };
  for (const steps of problems) {
    const bad = [];
    let own = null;
    for (const [kind, name, given, kinds, expected] of steps) {
      if (kind === "begin") own = (await WebAssembly.instantiate(modules[name], { env })).exports;
      if (kind === "put") new Uint8Array(own.memory.buffer, name).set(bytes(given));
      if (kind === "call") {
        const values = given.map((value, i) => (kinds[i] === "i64" ? BigInt(value) : Number(value)));
        const answer = String(own[name](...values));
        if (answer !== expected) bad.push(`${name}: ${answer} for ${expected}`);
      }
      if (kind === "get") {
        const here = new Uint8Array(own.memory.buffer, name, kinds), there = bytes(expected);
        const at = here.findIndex((byte, i) => byte !== there[i]);
        if (at >= 0) bad.push(`memory, byte ${at} of ${kinds}`);
      }
    }
    found.push(bad);
  }
  return found;
};
"""


class Recorder(machine.Machine):
    """An instance under wasmtime that notes what is asked of it, and what it answers."""

    steps = None

    def __init__(self, name, most_bytes=None):
        super().__init__(name, most_bytes)
        self.kinds = {
            one.name: [str(kind) for kind in one.type.params]
            for one in machine.compiled(name)[1].exports
            if hasattr(one.type, "params")
        }
        self.steps.append(["begin", name])

    def call(self, name, *values):
        found, kinds = super().call(name, *values), self.kinds[name]
        given = [
            repr(float(one)).replace("inf", "Infinity") if kind == "f64" else str(int(one))
            for one, kind in zip(values, kinds, strict=True)
        ]
        self.steps.append(["call", name, given, kinds, "undefined" if found is None else str(found)])
        return found

    def put(self, array):
        address = super().put(array)
        content = np.ascontiguousarray(array).tobytes()
        self.steps.append(["put", address, base64.b64encode(content).decode()])
        return address

    def get(self, address, dtype, *shape):
        found = super().get(address, dtype, *shape)
        content = base64.b64encode(found.tobytes()).decode()
        self.steps.append(["get", address, None, found.nbytes, content])
        return found


@contextmanager
def chromium():
    """An empty page in Chromium, and the browser's version."""
    session, browser = browsers.launch()
    try:
        page = browser.new_page()
        page.add_script_tag(content=SCRIPT)
        yield page, browser.version
    finally:
        browser.close()
        session.stop()


def compare(page, method, n_problems, together=100):
    """The random problems of a method whose answers differ from Python's, a dict of number to differences.

    Python and wasmtime are compared first. Then the page is asked, `together` problems at a time, for every
    answer and every byte that was read.
    """
    name, seed = METHODS[method]
    suite, bad, steps, packed = import_module(f"tests.wasm.{name}"), {}, [], {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "Machine", Recorder)
        for case in range(n_problems):
            steps.append([])
            patch.setattr(Recorder, "steps", steps[-1])
            found = suite.differences(*suite.random_problem(np.random.default_rng([seed, case])))
            if found:
                bad[case] = found
            for module in {step[1] for step in steps[-1] if step[0] == "begin"} - set(packed):
                packed[module] = base64.b64encode((manifest.FOLDER / f"{module}.wasm").read_bytes()).decode()
            if len(steps) == together or case == n_problems - 1:
                answers = page.evaluate("([packed, problems]) => again(packed, problems)", [packed, steps])
                first = case + 1 - len(steps)
                bad |= {first + i: answer for i, answer in enumerate(answers) if answer}
                steps.clear()
    return bad


def main(folder, n_problems=1000, *methods):
    path = Path(folder, "chromium.json")
    found = json.loads(path.read_text()) if path.is_file() else {}
    with chromium() as (page, version):
        for method in methods or METHODS:
            bad = compare(page, method, int(n_problems))
            found[method] = {"problems": int(n_problems), "failures": len(bad), "version": version}
            print(method, found[method], dict(list(bad.items())[:5]), flush=True)
            path.write_text(json.dumps({name: found[name] for name in METHODS if name in found}, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
