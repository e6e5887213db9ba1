/* What live parts ask of the package's kernels, beside the exact search: functions that run in the worker of solver.js,
   which takes them as the text `source`. Each gets what it is given, `instance` for a fresh copy of the module, and
   `tell`, which sends something on the way. */
(function kernels() {
  "use strict";
  const whole = (numbers) => BigInt64Array.from(numbers, BigInt);

  /* Trees of one table, each from the pair (alpha, beta) that it is asked for; as treelib/wasm/topdown.py. */
  async function grower({ X, y, n, d, k }, instance) {
    const { exports, room, put } = await instance();
    const most = 2 * n + 1, table = [put(X), put(whole(y)), put(whole([n, d, k]))];
    const pair = room(16), limits = room(32), nodes = room(8 * 10 * most), reals = room(8 * 3 * most), counts = room(8 * k * most);
    return ({ alpha, beta, depth, leaves }) => {
      const { buffer } = exports.memory;
      new Float64Array(buffer, pair, 2).set([alpha, beta]);
      new BigInt64Array(buffer, limits, 4).set(whole([depth ?? -1, leaves ?? -1, 1, leaves ? 1 : 0]));
      const size = exports.grow(...table, pair, limits, nodes, reals, counts);
      if (size < 0) throw new RangeError("memory");
      const at = new BigInt64Array(exports.memory.buffer, nodes, 10 * size), real = new Float64Array(exports.memory.buffer, reals, 3 * size);
      const value = new Float64Array(exports.memory.buffer, counts, k * size);
      return Array.from({ length: size }, (_, i) => {
        const field = (column) => Number(at[10 * i + column]), inner = field(3) >= 0, here = Array.from(value.subarray(k * i, k * i + k));
        return {
          feature: inner ? field(3) : null, threshold: inner ? real[3 * i + 2] : null, missingLeft: field(5) === 1,
          left: inner ? field(6) : null, right: inner ? field(7) : null,
          value: here, samples: field(1) - field(0), label: here.indexOf(Math.max(...here)),
        };
      });
    };
  }
  const wrong = (nodes) => nodes.reduce((sum, node) => sum + (node.feature === null ? node.samples - node.value[node.label] : 0), 0);

  /* One tree and the milliseconds it took. */
  async function grow({ table, criterion }, instance) {
    const make = await grower(table, instance), start = performance.now();
    const nodes = make(criterion);
    return { nodes, errors: wrong(nodes), ms: performance.now() - start };
  }

  /* Errors of the trees of all pairs, row by row of `betas`; and how many different trees there are. */
  async function map({ table, alphas, betas, depth }, instance, tell) {
    const make = await grower(table, instance), known = new Set(), start = performance.now();
    for (const beta of betas) {
      tell(alphas.map((alpha) => {
        const nodes = make({ alpha, beta, depth });
        known.add(nodes.map((node) => `${node.feature}/${node.threshold}/${node.left}`).join());
        return wrong(nodes);
      }));
    }
    return { n: known.size, ms: performance.now() - start };
  }

  globalThis.treelibKernels = { grow, map, source: `(${kernels})();\n` };
})();
