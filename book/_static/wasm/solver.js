/* The package's kernels in a worker of their own. A worker takes one search at a time, tells how far it is, and keeps
   what it has when it is stopped, when its time is up and when the browser gives no more memory. It also reads a table
   and cuts its columns: a million rows take many seconds, in which the page must answer.
   A page from a disk may start no worker from a file, so the worker is made of the texts of table.js, of kernels.js
   where a page has it, and of `work`. */
(function () {
  "use strict";

  /* Runs in the worker. Messages in: {load}, {read}, {fit}, {solve}, {stop}, {run}. Out: {ready}, {table}, {prepared},
     {progress}, {bounds}, {tree}, {judging} and {judged} on held-out rows, {refused} with words for the reader, {part} and {done} of a task of kernels.js,
     {error}. */
  function work() {
    const FOLDS = 5;
    const TURN = 60; // milliseconds between two looks at the messages
    const TOO_LARGE = "The table is too large for this page's memory. Take a sample of its rows, or fit it in Python.";
    const T = globalThis.treelibTable;
    const modules = {};
    let table = null, searching = false, stopping = false;

    const unpack = async (text) => {
      const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
      return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    };
    // a turn of the event loop, without the 4 ms that a timer waits
    const { port1, port2 } = new MessageChannel();
    const turn = () => new Promise((resolve) => { port1.onmessage = resolve; port2.postMessage(0); });

    /* A fresh copy of a module (that of the worker, where it has one) with its own memory. WebAssembly has no
       logarithms: it gets the browser's. */
    async function instance(name = Object.keys(modules)[0]) {
      const { expm1, log, log1p, log2 } = Math, exp2 = (power) => 2 ** power;
      const { exports } = await WebAssembly.instantiate(await modules[name], { env: { exp2, expm1, log, log1p, log2 } });
      const room = (size) => {
        const place = exports.tl_alloc(BigInt(Math.max(size, 1)));
        if (!place) throw new RangeError("memory");
        return place >>> 0;
      };
      const put = (array) => {
        const place = room(array.byteLength);
        new Uint8Array(exports.memory.buffer, place, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
        return place;
      };
      return { exports, room, put };
    }

    /* Of a table that was cut here, `cut`, the nodes of the tree come along with their rows counted. */
    async function solve({ bits, costs, n, p, k, price, depth, seconds, bytes }, cut, tell = (part) => postMessage(part)) {
      const start = performance.now();
      const { exports, room, put } = await instance();
      const sizes = [BigInt(n), BigInt(p), BigInt(k)];
      const columns = put(bits), prices = put(costs), numbers = room(64);
      const search = exports.start(columns, prices, ...sizes, price, n, BigInt(depth ?? -1), bytes);
      if (!search) throw new RangeError("memory");
      const read = (reason) => {
        exports.bounds(search, numbers);
        const places = new Float64Array(exports.memory.buffer, numbers, 5)[4];
        const out = room(8 * 4 * places);
        const size = exports.read(search, columns, prices, ...sizes, out, BigInt(places), numbers);
        if (size < 0) throw new RangeError("memory");
        const all = new BigInt64Array(exports.memory.buffer, out, 4 * places);
        const tree = [0, 1, 2, 3].map((line) => Array.from(all.subarray(line * places, line * places + size), Number));
        const [objective, lower, optimal, nodes] = new Float64Array(exports.memory.buffer, numbers, 8);
        exports.tl_free(out);
        const grown = cut ? T.grow(tree, cut) : null;
        return { tree, grown, objective, lower, optimal: optimal === 1, nodes, reason, ms: performance.now() - start, bytes: exports.memory.buffer.byteLength };
      };
      let shown = 0, best = Infinity, answer = 0, reason = "proved";
      while (answer === 0) {
        if (stopping) { reason = "stopped"; break; }
        if (performance.now() - start > 1000 * seconds) { reason = "time"; break; }
        const until = performance.now() + TURN;
        while (answer === 0 && performance.now() < until) answer = exports.step(search, bytes);
        if (answer === 0 && performance.now() - shown > 200) {
          shown = performance.now();
          exports.bounds(search, numbers);
          const [upper, lower, nodes] = new Float64Array(exports.memory.buffer, numbers, 5);
          // a tree is read where it is new: that takes as long as a step
          if (upper < best) { best = upper; tell({ progress: read("running") }); }
          else tell({ bounds: { lower, nodes, ms: performance.now() - start } });
        }
        await turn();
      }
      if (answer === 2 || answer < 0) reason = "memory";
      return read(reason);
    }

    /* Run what may refuse a table: its words then go to the page, and the answer is null. */
    function guarded(action) {
      try {
        return action();
      } catch (error) {
        if (!(error instanceof T.TableError || error instanceof RangeError)) throw error;
        postMessage({ refused: error instanceof T.TableError ? error.message : TOO_LARGE });
        return null;
      }
    }
    function read(content) {
      table = null;
      table = guarded(() => T.read(typeof content === "string" ? content : T.decode(content)));
      if (table) postMessage({ table: { names: table.names, n: table.n } });
    }
    function prepare({ target, limit, drop }) {
      return guarded(() => {
        const cut = T.prepare(table, target, limit, drop), problem = T.flatten(cut);
        postMessage({ prepared: T.outline(cut) });
        return { cut, problem };
      });
    }
    /* A task of kernels.js on the table, whose answer has the `nodes` of a tree. */
    async function grow({ task, given }, cut) {
      const table = T.matrix(cut);
      /* What it says on the way: a tree, a bound or a number; the answer is whether it was stopped. */
      const tell = async (part) => {
        const { nodes, ...facts } = part;
        postMessage(nodes ? { progress: { ...facts, grown: nodes, reason: "running" } } : nodes === null ? { bounds: facts } : { part });
        await turn();
        return stopping;
      };
      [searching, stopping] = [true, false];
      try {
        const { nodes, ...facts } = await globalThis.treelibKernels[task]({ table, ...given }, instance, tell);
        postMessage({ tree: { reason: "done", ...facts, grown: nodes } });
        return facts.ms;
      } catch (error) {
        if (!(error instanceof T.TableError)) throw error;
        postMessage({ refused: error.message });
        return null;
      } finally {
        searching = stopping = false;
      }
    }
    async function search(problem, cut) {
      searching = true;
      stopping = false;
      const found = await solve(problem, cut);
      searching = stopping = false;
      postMessage({ tree: found });
      return found.ms;
    }

    /* Fold of each row: each class is spread over all, in an order that a seed draws. */
    function foldsOf(y, k) {
      let state = 1;
      const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
      const keys = Float64Array.from(y, random), fold = new Uint8Array(y.length), counts = new Uint32Array(k).map((_, c) => c);
      for (const i of [...keys.keys()].sort((a, b) => keys[a] - keys[b])) fold[i] = counts[y[i]]++ % FOLDS;
      return fold;
    }
    /* A cut table of some rows. */
    const ofRows = (cut, rows) => ({
      ...cut, n: rows.length, y: Int32Array.from(rows, (i) => cut.y[i]),
      features: cut.features.map((feature) => ({ ...feature, values: Float64Array.from(rows, (i) => feature.values[i]) })),
      columns: cut.columns.map((column) => ({ ...column, bits: Uint8Array.from(rows, (i) => column.bits[i]) })),
    });
    function labelOf(nodes, features, i) {
      let node = nodes[0];
      while (node.feature !== null) {
        const value = features[node.feature].values[i], isLeft = value <= node.threshold || (value !== value && node.missingLeft === true);
        node = nodes[isLeft ? node.left : node.right];
      }
      return node.label;
    }
    /* Errors on held-out rows, of trees fitted to the other folds with the same settings; `seconds` for each, the
       folds that were finished count. */
    async function judge(cut, seconds, fit) {
      const fold = foldsOf(cut.y, cut.classes.length), all = [...fold.keys()], judged = { errors: 0, rows: 0, folds: 0 };
      [searching, stopping] = [true, false];
      try {
        for (let f = 0; f < FOLDS && cut.n >= 2 * FOLDS; f++) {
          postMessage({ judging: { fold: f + 1, of: FOLDS } });
          await turn();
          const nodes = stopping ? null : await fit(ofRows(cut, all.filter((i) => fold[i] !== f)), seconds);
          if (stopping || !nodes) break;
          const held = all.filter((i) => fold[i] === f);
          judged.errors += held.filter((i) => labelOf(nodes, cut.features, i) !== cut.y[i]).length;
          judged.rows += held.length;
          judged.folds++;
        }
      } catch (error) { // no memory for another search, or a fold that the method does not take
        if (!(error instanceof T.TableError || error instanceof RangeError || /memory/i.test(String(error)))) throw error;
      }
      searching = stopping = false;
      postMessage({ judged });
    }
    /* Find a tree of the table that is open, and judge it where that is wanted. */
    async function fitTable(wanted) {
      const { options, judge: isJudged } = wanted, ready = prepare(options.task ? { ...wanted, limit: 1 } : wanted);
      if (!ready) return;
      const { cut, problem } = ready, { task, given } = options;
      const ms = task ? await grow({ task, given }, cut) : await search({ ...problem, ...options }, cut);
      if (!isJudged || ms === null) return;
      const quietly = async () => { await turn(); return stopping; };
      await judge(cut, Math.max(1, ms / 1000 / FOLDS), async (part, seconds) => {
        if (!task) return (await solve({ ...T.flatten(part), ...options, seconds }, part, () => {})).grown;
        return (await globalThis.treelibKernels[task]({ table: T.matrix(part), ...given, seconds }, instance, quietly)).nodes;
      });
    }

    onmessage = async ({ data }) => {
      try {
        if (data.load) {
          const start = performance.now();
          // a search may ask before they are there
          for (const [name, packed] of Object.entries(data.load)) modules[name] = unpack(packed).then((bytes) => WebAssembly.compile(bytes));
          await Promise.all(Object.values(modules));
          postMessage({ ready: performance.now() - start });
        } else if (data.stop) {
          stopping = searching;
        } else if (data.read !== undefined) {
          read(data.read);
        } else if (data.fit) {
          await fitTable(data.fit);
        } else if (data.solve) {
          await search(data.solve);
        } else if (data.run) {
          const task = globalThis.treelibKernels[data.run.task];
          postMessage({ done: await task(data.run.given, instance, (part) => postMessage({ part })) });
        }
      } catch (error) {
        searching = stopping = false;
        const isMemory = error instanceof RangeError || /memory/i.test(String(error));
        postMessage({ error: isMemory ? "memory" : String(error) });
      }
    };
  }

  /* Whether this browser has all that is needed, or words for what is missing. */
  function missing() {
    if (typeof WebAssembly !== "object") return "This browser runs no WebAssembly (or its settings forbid it).";
    if (typeof Worker !== "function") return "This browser runs no workers.";
    if (typeof DecompressionStream !== "function") return "This browser is too old: it cannot unpack the solver (it needs Chrome 80, Firefox 113, Safari 16.4 or later).";
    return "";
  }

  /* Tables and searches in a worker. `on` takes what the worker says, by its names; one thing at a time. */
  class Solver {
    constructor(...names) {
      this.take(names);
      this.turn = 0; // goes up with all that makes what was begun before void
      this.start();
    }

    start() {
      this.last = this.found = null;
      this.holds = false; // whether the worker has the table
      const address = URL.createObjectURL(new Blob([globalThis.treelibTable.source, globalThis.treelibKernels?.source ?? "", `(${work})()`], { type: "text/javascript" }));
      const worker = new Worker(address);
      this.worker = worker;
      this.worker.onmessage = ({ data }) => {
        if (worker !== this.worker) return;
        if (data.ready !== undefined) this.ready = data.ready;
        if (data.progress) this.last = data.progress;
        if (data.bounds && this.last) Object.assign(this.last, data.bounds);
        if (data.tree) this.found = data.tree;
        if (data.tree || data.judged || data.refused || data.error) clearTimeout(this.patience);
        for (const [name, value] of Object.entries(data)) this.on?.[name]?.(value);
      };
      this.worker.onerror = (event) => this.on?.error?.(event.message || "The worker ended.");
      this.worker.postMessage({ load: this.packed });
    }

    take(names) {
      this.packed = Object.fromEntries(names.map((name) => [name, globalThis.treelibWasm[name]]));
    }
    /* Take other kernels from here on; the table is read again when it is needed. */
    change(...names) {
      this.take(names);
      this.restart();
    }

    /* Leave whatever it does, without a word. */
    restart() {
      clearTimeout(this.patience);
      this.refuse?.(new Error("left"));
      this.turn++;
      this.on = null;
      this.worker.terminate();
      this.start();
    }

    /* Read a table, which stays in the worker. `give` gives its text or its bytes, and again for a new worker. */
    async open(give, on) {
      this.give = give;
      this.turn++;
      this.holds = false;
      await this.hand(on);
    }
    /* Hand the table over; whether that was still wanted when it was there. */
    async hand(on) {
      const turn = this.turn;
      let content;
      try {
        content = await this.give();
      } catch (error) {
        if (turn === this.turn) throw error;
      }
      if (turn !== this.turn) return false;
      this.on = on;
      this.worker.postMessage({ read: content }, typeof content === "string" ? [] : [content.buffer]);
      this.holds = true;
      return true;
    }

    /* Cut the table, {target, limit, drop, judge: whether on held-out rows too}, and search it, {price, depth, seconds, bytes}, or do {task, given}. */
    async fit(options, { target, limit, drop, judge = false }, on) {
      this.last = this.found = null;
      this.on = on;
      try {
        if (!this.holds && !(await this.hand({ ...on, table: null }))) return;
      } catch {
        on.error?.("the file can no longer be read; open it again");
        return;
      }
      this.worker.postMessage({ fit: { target, limit, drop, judge, options } });
    }

    solve(problem, on) {
      this.on = on;
      this.last = null;
      this.worker.postMessage({ solve: problem }, [problem.bits.buffer, problem.costs.buffer]);
    }

    /* A task of kernels.js as a promise; `part` takes what it says on the way. One at a time; `restart` breaks it. */
    ask(task, given, part) {
      return new Promise((resolve, reject) => {
        this.refuse = reject;
        this.on = { part, done: resolve, error: reject };
        this.worker.postMessage({ run: { task, given } });
      });
    }

    /* End the search and keep its tree; a step that does not end within a second is cut off. */
    stop() {
      this.worker.postMessage({ stop: true });
      clearTimeout(this.patience);
      this.patience = setTimeout(() => {
        const { on, last, found } = this;
        this.restart();
        if (!last && !found) { on?.error?.("stopped"); return; }
        if (!found) on?.tree?.({ ...last, reason: "stopped" });
        on?.judged?.({ errors: 0, rows: 0, folds: 0 });
      }, 1500);
    }
  }

  globalThis.treelibSolver = { Solver, missing };
})();
