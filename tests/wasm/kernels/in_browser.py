"""Random problems of every method in browsers: the answers are those of wasmtime and of Python, bit for bit.

``python -m tests.wasm.kernels.in_browser FOLDER [N [METHOD ...]]`` compares N random problems (1,000) of each
method in Chromium and in Firefox, where they are there, and writes the counts to ``browsers.json`` in the
folder, from which `tests.suites.record_figures` takes them.
"""

import base64
import json
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from tests.wasm import browsers
from tests.wasm.kernels import in_wasmtime
from treelib.wasm import manifest

# what stands for the comparison of a kernel, and the seed of its random problems
METHODS = {
    "exact search": ("test_sparse", 41),
    "dyadic path": ("test_dyadic", 43),
    "born-again tree": ("test_bornagain", 44),
    "top-down tree": ("test_topdown", 45),
    "the paper's branch and bound": ("test_branching", 46),
}
# what a problem did under wasmtime, done again in a page: what comes out otherwise, two lists of texts. First
# with the functions that solver.js hands over; if it differs, with the values of this machine's C library
SCRIPT = """
globalThis.again = async (packed, problems) => {
  const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)), modules = {};
  for (const name in packed) modules[name] = await WebAssembly.compile(bytes(packed[name]));
  const { expm1, log, log1p, log2 } = Math, exp2 = (power) => 2 ** power;
  const browsers = () => ({ exp2, expm1, log, log1p, log2 });
  const library = (asked) => Object.fromEntries(Object.entries(asked).map(([name, text]) => {
    const pairs = new Float64Array(bytes(text).buffer);
    let at = 0;
    return [name, (value) => (Object.is(pairs[at], value) ? pairs[(at += 2) - 1] : NaN)];
  }));
  const run = async (steps, functions) => {
    const bad = [];
    let own = null;
    for (const [kind, name, given, kinds, expected] of steps) {
      if (kind === "begin") {
        own = (await WebAssembly.instantiate(modules[name], { env: functions(given) })).exports;
      }
      if (kind === "put") new Uint8Array(own.memory.buffer, name).set(bytes(given));
      if (kind === "call") {
        const values = given.map((value, i) => (kinds[i] === "i64" ? BigInt(value) : Number(value)));
        const answer = String(own[name](...values));
        if (answer !== expected) bad.push(`${name}: ${answer} for ${expected}`);
      }
      if (kind === "get") {
        const here = new Uint8Array(own.memory.buffer, name, kinds), there = bytes(expected);
        const at = here.findIndex((byte, i) => byte !== there[i]);
        if (at >= 0) bad.push(`memory, ${given}, byte ${at} of ${kinds}`);
      }
    }
    return bad;
  };
  const found = [];
  for (const steps of problems) {
    const first = await run(steps, browsers);
    found.push([first, first.length ? await run(steps, library) : first]);
  }
  return found;
};
"""


class Recorder(in_wasmtime.Machine):
    """An instance under wasmtime that notes what is asked of it, and what it answers."""

    steps = None

    def __init__(self, name, most_bytes=None):
        self.asked = {}
        super().__init__(name, most_bytes)
        self.kinds = {
            one.name: [str(kind) for kind in one.type.params]
            for one in in_wasmtime.compiled(name)[1].exports
            if hasattr(one.type, "params")
        }
        self.steps.append(["begin", name, self.asked])

    def library(self, name):
        """The function, which notes in `asked` what it is asked for and what it answers."""
        function, pairs = super().library(name), self.asked.setdefault(name, [])

        def answer(value):
            found = function(value)
            pairs.extend((value, found))
            return found

        return answer

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
        self.steps.append(["put", address, _text(array)])
        return address

    def get(self, address, dtype, *shape):
        found = super().get(address, dtype, *shape)
        self.steps.append(["get", address, str(found.dtype), found.nbytes, _text(found)])
        return found


@contextmanager
def empty_page(name):
    """An empty page in a browser of `browsers.PROGRAMS`, and the browser's version."""
    with browsers.running(name) as browser:
        page = browser.new_page()
        page.add_script_tag(content=SCRIPT)
        yield page, browser.version


def compare(page, method, n_problems, together=100):
    """The random problems of a method whose answers differ from Python's, two dicts of number to differences.

    Python and wasmtime are compared first. Then the page is asked, `together` problems at a time, for every
    answer and every byte that was read. The first dict is of the kernels: in it a problem that differs was
    asked again with the logarithms and powers of this machine's C library. The second is with the browser's.
    """
    name, seed = METHODS[method]
    suite, bad, own, steps, packed = import_module(f"tests.wasm.kernels.{name}"), {}, {}, [], {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_wasmtime, "Machine", Recorder)
        for case in range(n_problems):
            steps.append([])
            patch.setattr(Recorder, "steps", steps[-1])
            found = suite.differences(*suite.random_problem(np.random.default_rng([seed, case])))
            if found:
                bad[case] = found
            for begin in (step for step in steps[-1] if step[0] == "begin"):
                begin[2] = {name: _text(np.array(pairs, np.float64)) for name, pairs in begin[2].items()}
                if begin[1] not in packed:
                    content = (manifest.FOLDER / f"{begin[1]}.wasm").read_bytes()
                    packed[begin[1]] = base64.b64encode(content).decode()
            if len(steps) == together or case == n_problems - 1:
                answers = page.evaluate("([packed, problems]) => again(packed, problems)", [packed, steps])
                first = case + 1 - len(steps)
                own |= {first + i: answer for i, (answer, _) in enumerate(answers) if answer}
                bad |= {first + i: answer for i, (_, answer) in enumerate(answers) if answer}
                steps.clear()
    return bad, own


def _text(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def counted(bad, own, n_problems, version):
    """What is stored of a method in a browser, from the answer of `compare`.

    ``functions``: problems that only the browser's logarithms and powers answer otherwise. ``trees``: those
    of them where more differs than real numbers, so at most so many trees.
    """
    told = [own[case] for case in own.keys() - bad.keys()]
    others = sum(not all("float64" in text for text in texts) for texts in told)
    counts = {"problems": n_problems, "failures": len(bad), "functions": len(told), "trees": others}
    return counts | {"version": version}


def main(folder, n_problems=1000, *methods):
    path = Path(folder, "browsers.json")
    found = json.loads(path.read_text()) if path.is_file() else {}
    for name in browsers.PROGRAMS:
        try:
            with empty_page(name) as (page, version):
                for method in methods or METHODS:
                    bad, own = compare(page, method, int(n_problems))
                    row = counted(bad, own, int(n_problems), version)
                    found.setdefault(method, {})[name] = row
                    print(name, method, row, dict(list((bad or own).items())[:5]), flush=True)
                    ordered = {one: found[one] for one in METHODS if one in found}
                    path.write_text(json.dumps(ordered, indent=2))
        except pytest.skip.Exception as reason:
            print(name, reason, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
