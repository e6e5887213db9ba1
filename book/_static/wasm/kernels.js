/* What live parts ask of the package's kernels, beside the exact search: functions that run in the worker of solver.js,
   which takes them as the text `source`. Each gets what it is given, `instance` for a fresh copy of the module, and
   `tell`, which sends something on the way. */
(function kernels() {
  "use strict";
  const whole = (numbers) => BigInt64Array.from(numbers, BigInt);

  /* Trees of one table, whose rows are sorted once, each from the pair (alpha, beta) that it is asked for; as
     treelib/wasm/topdown.py. */
  async function grower({ X, y, n, d, k }, instance) {
    const { exports, room, put } = await instance();
    const most = 2 * n + 1, table = exports.start(put(X), put(whole(y)), ...[n, d, k].map(BigInt));
    if (!table) throw new RangeError("memory");
    const pair = room(16), limits = room(32), nodes = room(8 * 10 * most), reals = room(8 * 3 * most), counts = room(8 * k * most);
    return ({ alpha, beta, depth, leaves }) => {
      const { buffer } = exports.memory;
      new Float64Array(buffer, pair, 2).set([alpha, beta]);
      new BigInt64Array(buffer, limits, 4).set(whole([depth ?? -1, leaves ?? -1, 1, leaves ? 1 : 0]));
      const size = exports.grow(table, pair, limits, nodes, reals, counts);
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

  /* One tree and the milliseconds it took; without a table, of the one before. */
  let make = null;
  async function grow({ table, criterion }, instance) {
    if (table) make = await grower(table, instance);
    const start = performance.now(), nodes = make(criterion);
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
      if (performance.now() - told < 100) continue;
      told = performance.now();
      if (await tell(facts()[1])) return null;
    }
    if (answer === 3) throw new globalThis.treelibTable.TableError("Its grid of halved intervals would be too fine for this page. Leave columns out, or fit it in Python.");
    if (answer !== 1) throw new RangeError("memory");
    const [size, looked, , , , offset] = facts(), pairs = room(16 * size), halvings = room(8 * d);
    exports.path(search, pairs, halvings);
    const at = Array.from(new BigInt64Array(exports.memory.buffer, pairs, 2 * size), Number);
    const trees = Array.from({ length: size }, (_, i) => ({ leaves: at[2 * i], errors: at[2 * i + 1] }));
    const ms = performance.now() - start;
    dyadic = { exports, room, search, table, trees };
    return { trees, looked, ms, offset, halvings: Array.from(new BigInt64Array(exports.memory.buffer, halvings, d), Number) };
  }

  /* The optimal dyadic tree of a price; of several, the one of most leaves. Higher prices come first: each takes
     little time, and gives a tree and, as the least cost is concave in the price, a bound. */
  async function dyadicBest({ table, price }, instance, tell) {
    noMissing(table, "Halving intervals");
    const { n } = table, start = performance.now(), parts = 1024, low = Math.max(1, Math.floor(price * n * parts)); // in parts of a row, and not above the price
    const cost = (at) => ({ errors, leaves }) => errors + at * leaves;
    let last = null, looked = 0;
    for (const times of [256, 16, 1]) {
      if (times > 1 && times * low > n * parts) continue;
      const found = await dyadicPath({ table, low: times * low, parts }, instance, (more) => tell(looked + more));
      const ms = performance.now() - start;
      if (!found) return last ? { ...last, ms, reason: "stopped" } : stopped();
      const at = times > 1 ? (times * low) / parts : price * n, { trees, offset } = found;
      looked += found.looked;
      const least = Math.min(...trees.map(cost(price * n)));
      const place = trees.findLastIndex((tree) => cost(price * n)(tree) <= least + 1e-9 * n), nodes = dyadicTree({ place });
      const known = Math.min(...trees.map(cost(at))) - offset, lower = (offset + known * Math.min(1, (price * n) / at)) / n;
      last = { nodes, looked, halvings: found.halvings, ms, objective: least / n, lower };
      if (times > 1 && (await tell({ ...last }))) return { ...last, reason: "stopped" };
    }
    return { ...last, lower: last.objective, optimal: true };
  }
  const stopped = () => { throw new globalThis.treelibTable.TableError("Stopped before there was a tree."); };

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

  /* Numbers below a bound as numpy.random.RandomState(seed).randint draws them: the Mersenne Twister, whose numbers
     are cut to as many binary digits as the bound has, and drawn again where they are not below it. */
  function twister(seed) {
    const state = new Uint32Array(624);
    state[0] = seed;
    for (let i = 1; i < 624; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    let at = 624;
    const next = () => {
      if (at === 624) {
        for (let i = 0; i < 624; i++) {
          const y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
          state[i] = state[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
        }
        at = 0;
      }
      let y = state[at++];
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      return (y ^ (y >>> 18)) >>> 0;
    };
    return (bound) => {
      if (bound === 1) return 0;
      const mask = 0xffffffff >>> Math.clz32(bound - 1);
      for (;;) {
        const value = (next() & mask) >>> 0;
        if (value < bound) return value;
      }
    };
  }

  /* A forest: trees of one depth, each of as many rows drawn with repetition as there are. It is the one of
     treelib.TopDownForestClassifier with max_features=None and random_state=seed. */
  async function forest({ table, trees, depth, seed, alpha = 2, beta = 1 }, instance) {
    const { X, y, n, d, k } = table, found = [], draw = twister(seed);
    for (const one of Array.from({ length: trees }, () => draw(2 ** 31 - 1))) {
      const place = twister(one), rows = Array.from({ length: n }, () => place(n)), drawn = new Float64Array(n * d);
      rows.forEach((row, i) => drawn.set(X.subarray(row * d, row * d + d), i * d));
      const make = await grower({ X: drawn, y: rows.map((row) => y[row]), n, d, k }, instance);
      found.push(make({ alpha, beta, depth }));
    }
    return found;
  }

  /* A tree with the votes of `trees` that takes no search: one of them after another, as far as a region leaves the
     vote open. Null beyond `most` nodes. */
  function joined(trees, d, k, most = 20000) {
    const nodes = [], low = new Array(d).fill(-Infinity), high = new Array(d).fill(Infinity);
    const winner = (votes) => votes.indexOf(Math.max(...votes));
    const write = (t, at, votes) => {
      const first = winner(votes), rest = trees.length - t;
      const isOpen = rest > 0 && votes.some((n, c) => c !== first && (n + rest > votes[first] || (n + rest === votes[first] && c < first)));
      if (!isOpen) { nodes.push({ feature: null, threshold: null, left: null, right: null, label: first }); return; }
      const { feature, threshold, left, right, label } = trees[t][at];
      if (feature === null) { write(t + 1, 0, votes.map((n, c) => n + (c === label))); return; }
      if (high[feature] <= threshold) { write(t, left, votes); return; }
      if (low[feature] >= threshold) { write(t, right, votes); return; }
      if (nodes.length > most) throw new RangeError("large");
      const place = nodes.push({ feature, threshold, left: nodes.length + 1, right: null, label: first }) - 1, ends = [low[feature], high[feature]];
      high[feature] = threshold;
      write(t, left, votes);
      [low[feature], high[feature]] = [threshold, ends[1]];
      const second = nodes.length;
      write(t, right, votes);
      low[feature] = ends[0];
      const [one, other] = [nodes[place + 1], nodes[second]];
      if (one.feature === null && other.feature === null && one.label === other.label) nodes.splice(place, 3, one);
      else nodes[place].right = second;
    };
    try {
      write(0, 0, new Array(k).fill(0));
    } catch (error) {
      if (error.message !== "large") throw error;
      return null;
    }
    return nodes;
  }

  /* The smallest tree with the votes of `trees`, proved; as treelib/wasm/bornagain.py. Its nodes are null where that
     takes too much memory or more `seconds`, or where `tell` answers that it was stopped; `reason` says which. */
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
    const out = room(72);
    const facts = () => { exports.facts(search, out); return Array.from(new Float64Array(exports.memory.buffer, out, 9)); };
    let answer = 0, told = start, reason = "memory";
    while (answer === 0) {
      if (performance.now() - start > 1000 * seconds) { reason = "time"; break; }
      answer = exports.step(search);
      if (performance.now() - told < 100) continue;
      told = performance.now();
      if (await tell(facts())) { reason = "stopped"; break; }
    }
    const [cuts, cells, cutsKept, cellsKept, regions, , , , lower] = facts(), known = { cuts, cells, cutsKept, cellsKept, regions, lower };
    if (answer !== 1) return { ...known, reason, nodes: null, ms: performance.now() - start };
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

  const leavesOf = (nodes) => nodes.filter((node) => node.feature === null).length;
  const depthOf = (nodes, at = 0) => (nodes[at].feature === null ? 0 : 1 + Math.max(depthOf(nodes, nodes[at].left), depthOf(nodes, nodes[at].right)));
  const noMissing = (table, what) => { if (table.X.some(Number.isNaN)) throw new globalThis.treelibTable.TableError(`${what} needs a number in every row: leave out the columns with missing values, or take another method.`); };

  /* The forest of a table and its born-again tree; until that is found, `tell` gets the one that takes no search. */
  async function reborn({ table, trees, depth, seed, alpha, beta, objective, seconds }, instance, tell) {
    noMissing(table, "A born-again tree");
    const start = performance.now(), { d, k } = table, measure = objective ? leavesOf : depthOf;
    const grown = await forest({ table, trees, depth, seed, alpha, beta }, () => instance("topdown"));
    const simple = joined(grown, d, k), born = { trees, objective, leaves: grown.reduce((sum, tree) => sum + leavesOf(tree), 0) };
    const first = simple && { nodes: count(simple, table), forest: grown, born, objective: measure(simple), lower: 1 };
    if (first) tell({ ...first, ms: performance.now() - start });
    const found = await bornAgain({ trees: grown, d, k, objective, seconds }, () => instance("bornagain"), (facts) => tell({ lower: facts[8], nodes: null, ms: performance.now() - start }));
    const ms = performance.now() - start, { lower, cells } = found;
    if (!found.nodes && !first && found.reason === "stopped") stopped();
    if (!found.nodes && !first) throw new globalThis.treelibTable.TableError(`The forest makes ${cells.toExponential(1)} cells, too many for this page. Take fewer trees or less depth.`);
    if (!found.nodes) return { ...first, lower, ms, reason: found.reason, optimal: lower >= first.objective };
    const least = measure(found.nodes);
    return { nodes: count(found.nodes, table), forest: grown, born, objective: least, lower: least, ms, optimal: true, reason: "proved" };
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

  globalThis.treelibKernels = { grow, map, forest, bornAgain, reborn, branch, branchTo, counted, dyadicBest, dyadicPath, dyadicTree, source: `(${kernels})();\n` };
})();
