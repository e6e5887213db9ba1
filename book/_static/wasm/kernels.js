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

  /* Nodes with their rows counted by class: {feature, threshold, left, right, label, value, samples}. */
  function count(nodes, { X, y, n, d, k }) {
    for (const node of nodes) { node.value = new Array(k).fill(0); node.samples = 0; }
    for (let i = 0; i < n; i++) {
      for (let at = 0; ;) {
        const node = nodes[at];
        node.value[y[i]]++;
        node.samples++;
        if (node.feature === null) break;
        at = X[i * d + node.feature] <= node.threshold ? node.left : node.right;
      }
    }
    return nodes;
  }
  /* Counted nodes, each with the class of most of its rows; one without rows says what the closest one above it with
     rows says. */
  function relabel(nodes) {
    nodes.forEach((node) => {
      if (node.samples) node.label = node.value.indexOf(Math.max(...node.value));
      for (const child of node.feature === null ? [] : [node.left, node.right]) nodes[child].label = node.label;
    });
    return nodes;
  }

  /* All optimal dyadic trees down to `low` rows a leaf; as treelib/wasm/dyadic.py. The search is kept for
     `dyadicTree`. */
  let dyadic = null;
  async function dyadicPath({ table, low, parts = 1 }, instance, tell) {
    const { exports, room, put } = await instance(), { X, y, n, d, k } = table, start = performance.now();
    const search = exports.start(put(X), put(whole(y)), ...[n, d, k, low, parts].map(BigInt));
    if (!search) throw new RangeError("memory");
    const out = room(56);
    const facts = () => { exports.facts(search, out); return new Float64Array(exports.memory.buffer, out, 7); };
    let answer = 0, told = start;
    while (answer === 0) {
      answer = exports.step(search, 1.5e9);
      if (performance.now() - told > 200) { told = performance.now(); tell(facts()[1]); }
    }
    if (answer === 3) throw new globalThis.treelibTable.TableError("Its grid of halved intervals would be too fine for this page. Leave columns out, or fit it in Python.");
    if (answer !== 1) throw new RangeError("memory");
    const [size, looked] = facts(), pairs = room(16 * size), halvings = room(8 * d);
    exports.path(search, pairs, halvings);
    const at = Array.from(new BigInt64Array(exports.memory.buffer, pairs, 2 * size), Number);
    const trees = Array.from({ length: size }, (_, i) => ({ leaves: at[2 * i], errors: at[2 * i + 1] }));
    const ms = performance.now() - start;
    dyadic = { exports, room, search, table, trees };
    return { trees, looked, ms, halvings: Array.from(new BigInt64Array(exports.memory.buffer, halvings, d), Number) };
  }

  /* The optimal dyadic tree of a price; of several, the one of most leaves. */
  async function dyadicBest({ table, price }, instance, tell) {
    if (table.X.some(Number.isNaN)) throw new globalThis.treelibTable.TableError("Halving intervals needs a number in every row: leave out the columns with missing values, or take another method.");
    const cost = ({ errors, leaves }) => errors + price * table.n * leaves, parts = 1024;
    const low = Math.max(1, Math.floor(price * table.n * parts)); // in parts of a row, and not above the price
    const { trees, looked, ms, halvings } = await dyadicPath({ table, low, parts }, instance, tell);
    const least = Math.min(...trees.map(cost)), place = trees.findLastIndex((tree) => cost(tree) <= least + 1e-9 * table.n);
    const nodes = dyadicTree({ place });
    return { nodes, looked, halvings, ms, objective: least / table.n };
  }

  /* One of these trees. */
  function dyadicTree({ place }) {
    const { exports, room, search, table, trees } = dyadic, size = 2 * trees[place].leaves - 1;
    const nodes = room(40 * size), cuts = room(8 * size);
    if (exports.read(search, BigInt(place), BigInt(size), nodes, cuts) !== size) throw new RangeError("memory");
    const at = Array.from(new BigInt64Array(exports.memory.buffer, nodes, 5 * size), Number);
    const threshold = Array.from(new Float64Array(exports.memory.buffer, cuts, size));
    for (const place of [nodes, cuts]) exports.tl_free(place);
    return relabel(count(Array.from({ length: size }, (_, i) => (at[5 * i] < 0
      ? { feature: null, threshold: null, left: null, right: null, label: at[5 * i + 3] }
      : { feature: at[5 * i], threshold: threshold[i], left: i + 1, right: at[5 * i + 4], label: at[5 * i + 3] })), table));
  }

  /* A forest: trees of one depth, each of as many rows drawn with repetition as there are; and its leaves. Drawn with
     a generator of its own (mulberry32), so that a seed gives the same forest in every browser. */
  async function forest({ table, trees, depth, seed }, instance) {
    let state = seed;
    const random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    const { X, y, n, d, k } = table, found = [];
    for (let tree = 0; tree < trees; tree++) {
      const rows = Array.from({ length: n }, () => Math.floor(random() * n)), drawn = new Float64Array(n * d);
      rows.forEach((row, i) => drawn.set(X.subarray(row * d, row * d + d), i * d));
      const make = await grower({ X: drawn, y: rows.map((row) => y[row]), n, d, k }, instance);
      found.push(make({ alpha: 2, beta: 1, depth }));
    }
    return found;
  }

  /* The smallest tree with the votes of `trees`, proved; as treelib/wasm/bornagain.py. Its nodes are null where that
     takes too much memory or more `seconds`. */
  async function bornAgain({ trees, d, k, objective, seconds }, instance, tell) {
    const { exports, room, put } = await instance(), start = performance.now();
    const root = [], nodes = [];
    for (const tree of trees) {
      const first = nodes.length;
      root.push(first);
      for (const node of tree) nodes.push(node.feature === null ? [-1, -1, -2, node.label, -2] : [first + node.left, first + node.right, node.feature, 0, node.threshold]);
    }
    const fields = whole([0, 1, 2, 3].flatMap((field) => nodes.map((node) => node[field])));
    const search = exports.start(put(whole(root)), put(fields), put(Float64Array.from(nodes, (node) => node[4])),
      put(whole([trees.length, nodes.length, d, k])), BigInt(objective), 1.5e8);
    if (!search) throw new RangeError("memory");
    const out = room(64);
    const facts = () => { exports.facts(search, out); return Array.from(new Float64Array(exports.memory.buffer, out, 8)); };
    let answer = 0, told = start;
    while (answer === 0 && performance.now() - start < 1000 * seconds) {
      answer = exports.step(search);
      if (performance.now() - told > 200) { told = performance.now(); tell(facts()); }
    }
    const [cuts, cells, cutsKept, cellsKept, regions] = facts(), known = { cuts, cells, cutsKept, cellsKept, regions };
    if (answer !== 1) return { ...known, nodes: null, ms: performance.now() - start };
    for (let most = 1024; ; most *= 8) {
      const place = room(32 * most), thresholds = room(8 * most), size = exports.read(search, place, thresholds, BigInt(most));
      if (size < 0) throw new Error("the values of the regions contradict each other");
      if (size === 0) continue;
      const at = new BigInt64Array(exports.memory.buffer, place, 4 * most), cut = new Float64Array(exports.memory.buffer, thresholds, size);
      const field = (line, i) => Number(at[line * most + i]);
      return { ...known, ms: performance.now() - start, nodes: Array.from({ length: size }, (_, i) => (field(1, i) < 0
        ? { feature: null, threshold: null, left: null, right: null, label: field(3, i) }
        : { feature: field(1, i), threshold: cut[i], left: i + 1, right: field(0, i), label: field(3, i) })) };
    }
  }

  /* The paper's branch and bound on 0/1 columns, from a cold start; as treelib/wasm/branching.py. `on` has a 1 for each
     bound that is on. */
  async function branching({ table, price, on, paper }, instance) {
    const { exports, room, put } = await instance(), { X, y, n, d } = table;
    const search = exports.start(put(Uint8Array.from(X)), put(whole(y)), BigInt(n), BigInt(d), price, 0n, BigInt(paper), put(Uint8Array.from(on)));
    if (!search) throw new RangeError("memory");
    const out = room(96);
    const facts = () => {
      exports.facts(search, out);
      const [best, lower, pushed, toBest, taken, waiting, , , , bytes, ...leaves] = new Float64Array(exports.memory.buffer, out, 12);
      return { best, lower, pushed, toBest, taken, waiting, bytes, leaves };
    };
    /* The best tree, or the one `atHand`, counted; the root is the first column in the search's order that all leaves
       have, as treelib.sparse.paper.border.tree_of_leaves says, and equal counts are class 1. */
    const tree = (atHand) => {
      const most = facts().leaves[atHand] + 1, width = d + 1, place = room(8 * most * width), nodes = [];
      const size = exports.read(search, BigInt(atHand), place, BigInt(most));
      const rows = Array.from(new BigInt64Array(exports.memory.buffer, place, most * width), Number);
      exports.tl_free(place);
      const order = rows.slice(size * width, size * width + d);
      const build = (leaves) => {
        const at = nodes.push(null) - 1;
        if (leaves.length === 1) {
          nodes[at] = { feature: null, threshold: null, left: null, right: null, isOpen: leaves[0][d] === 1 };
          return at;
        }
        const root = order.find((j) => leaves.every((leaf) => leaf[j] >= 0));
        const [left, right] = [0, 1].map((value) => build(leaves.filter((leaf) => leaf[root] === value).map((leaf) => leaf.map((value, j) => (j === root ? -1 : value)))));
        nodes[at] = { feature: root, threshold: 0.5, left, right };
        return at;
      };
      build(Array.from({ length: size }, (_, i) => rows.slice(i * width, i * width + width)));
      for (const node of count(nodes, table)) node.label = Number(node.samples > 0 && node.value[1] >= node.value[0]);
      return nodes;
    };
    const step = (work, states) => exports.step(search, BigInt(work), BigInt(states), 1e9);
    return { facts, tree, step };
  }

  /* That search to its end, or to `most` trees evaluated: its counts, its best tree, and whether it ended. */
  async function branch({ most, ...problem }, instance, tell) {
    const search = await branching(problem, instance), start = performance.now();
    let answer = 0, told = start, now;
    while (answer === 0 && !(now?.pushed >= most)) {
      answer = search.step(20000, 2 ** 40);
      if (answer || performance.now() - told < 150) continue; // the bound looks at the whole queue
      tell(now = search.facts());
      told = performance.now();
    }
    return { ...search.facts(), nodes: search.tree(0), isEnded: answer === 1, isFull: answer !== 1 && answer !== 0, ms: performance.now() - start };
  }

  /* The same search where so many trees were taken off its queue; it is kept, and goes on from there. `points`: where
     the best tree or the bound changes on the way, [evaluated, best, bound, taken]. */
  let steps = null;
  async function branchTo({ taken, points: wanted, ...problem }, instance) {
    if (problem.table) steps = { problem, search: await branching(problem, instance) };
    else if (steps.search.facts().taken > taken) steps.search = await branching(steps.problem, instance);
    const { search } = steps, points = [];
    if (wanted) {
      for (let at = 0, answer = 0; answer === 0;) {
        answer = search.step(2 ** 30, at += Math.ceil((at + 1) / 50));
        const { pushed, best, lower, taken: last } = search.facts(), before = points.at(-1);
        if (!before || answer || before[1] !== best || before[2] !== lower) points.push([Math.max(1, pushed), best, lower, last]);
      }
    } else search.step(2 ** 30, taken);
    return { ...search.facts(), nodes: search.tree(0), hand: search.tree(1), points };
  }

  /* Rows of a table counted in the nodes of a tree that was made without them, and that keeps its classes. */
  const counted = ({ nodes, table }) => count(nodes, table);

  globalThis.treelibKernels = { grow, map, forest, bornAgain, branch, branchTo, counted, dyadicBest, dyadicPath, dyadicTree, source: `(${kernels})();\n` };
})();
