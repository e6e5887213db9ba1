/* The package's kernels in a worker of their own. A worker takes one search at a time, tells how far it is, and keeps
   what it has when it is stopped, when its time is up and when the browser gives no more memory.
   A page from a disk may start no worker from a file, so the worker is made of the text of `work`. */
(function () {
  "use strict";

  /* Runs in the worker. Messages in: {load}, {solve}, {stop}. Out: {ready}, {progress}, {tree}, {error}. */
  function work() {
    const TURN = 60; // milliseconds between two looks at the messages
    let module, searching = false, stopping = false;

    const unpack = async (text) => {
      const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
      return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    };
    // a turn of the event loop, without the 4 ms that a timer waits
    const { port1, port2 } = new MessageChannel();
    const turn = () => new Promise((resolve) => { port1.onmessage = resolve; port2.postMessage(0); });

    async function solve({ bits, costs, n, p, k, price, depth, seconds, bytes }) {
      const start = performance.now();
      const { exports } = await WebAssembly.instantiate(await module, {});
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
        return { tree, objective, lower, optimal: optimal === 1, nodes, reason, ms: performance.now() - start, bytes: exports.memory.buffer.byteLength };
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
          if (upper < best) { best = upper; postMessage({ progress: read("running") }); }
          else postMessage({ bounds: { lower, nodes, ms: performance.now() - start } });
        }
        await turn();
      }
      if (answer === 2 || answer < 0) reason = "memory";
      return read(reason);
    }

    onmessage = async ({ data }) => {
      try {
        if (data.load) {
          const start = performance.now();
          module = unpack(data.load).then((bytes) => WebAssembly.compile(bytes)); // a search may ask before it is there
          await module;
          postMessage({ ready: performance.now() - start });
        } else if (data.stop) {
          stopping = searching;
        } else if (data.solve) {
          searching = true;
          stopping = false;
          const found = await solve(data.solve);
          searching = stopping = false;
          postMessage({ tree: found });
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

  /* A search in a worker. `on` takes progress, bounds, tree and error; one search at a time. */
  class Solver {
    constructor(name) {
      this.packed = globalThis.treelibWasm[name];
      this.start();
    }

    start() {
      this.last = null;
      const address = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
      this.worker = new Worker(address);
      this.worker.onmessage = ({ data }) => {
        if (data.ready !== undefined) this.ready = data.ready;
        if (data.progress) this.last = data.progress;
        if (data.bounds && this.last) Object.assign(this.last, data.bounds);
        if (data.tree || data.error) clearTimeout(this.patience);
        for (const [name, value] of Object.entries(data)) this.on?.[name]?.(value);
      };
      this.worker.onerror = (event) => this.on?.error?.(event.message || "The worker ended.");
      this.worker.postMessage({ load: this.packed });
    }

    solve(problem, on) {
      this.on = on;
      this.last = null;
      this.worker.postMessage({ solve: problem }, [problem.bits.buffer, problem.costs.buffer]);
    }

    /* End the search and keep its tree; a step that does not end within a second is cut off. */
    stop() {
      this.worker.postMessage({ stop: true });
      clearTimeout(this.patience);
      this.patience = setTimeout(() => {
        const { on, last } = this;
        this.worker.terminate();
        this.start();
        if (last) on?.tree?.({ ...last, reason: "stopped" });
        else on?.error?.("stopped");
      }, 1500);
    }
  }

  globalThis.treelibSolver = { Solver, missing };
})();
