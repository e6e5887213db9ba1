/* The live parts "bounds" and "steps": the paper's branch and bound, its bounds switched by the reader and its trees
   counted, and the same search tree by tree. Needs live.js, kernels.js and branching.wasm.js; "steps" also chart.js. */
(function () {
  "use strict";
  const T = globalThis.treelibTable, L = globalThis.treelibLive;
  const NAMES = ["compas", "monk1", "monk2", "monk3", "tic-tac-toe"], PRICES = [0.1, 0.05, 0.025, 0.01, 0.005, 0.0025];
  const MOST = 2e6; // trees evaluated: a few seconds
  const grouped = (n) => n.toLocaleString("en-US"), plain = (name) => name.replaceAll("_", " ");
  const isProved = ({ best, lower }) => lower >= best - 1e-12;

  function priceOf(chosen, prices) {
    const choice = L.el("select", {}, prices.map((price) => L.el("option", { selected: price === chosen }, String(price))));
    return [choice, L.el("p", {}, L.el("label", {}, "Leaf penalty ", choice))];
  }
  /* A data set of 0/1 columns as it is: the search orders the columns itself. */
  function problemOf(name, part) {
    const data = L.prepared(name, 1, part);
    return { data, table: L.tableOf(data) };
  }

  function bounds(part) {
    const known = part.dataset.bounds.split(" "), usual = part.dataset.usual.split(" ");
    const [choice, choiceRow] = L.choiceOf(part.dataset.table, NAMES), [price, priceRow] = priceOf(Number(part.dataset.price), PRICES);
    const boxes = known.map((name) => L.el("input", { type: "checkbox", value: name, checked: usual.includes(name), onchange: () => run() }));
    const switches = L.el("fieldset", {}, L.el("legend", {}, "Bounds that are on"), boxes.map((box) => L.el("label", {}, box, " " + plain(box.value))));
    const words = L.el("p", { role: "status", "aria-live": "polite" });
    const body = L.el("tbody"), heads = ["bounds", "trees evaluated", "to the best tree", "objective", "seconds"];
    const table = L.el("div", { class: "live-table", tabindex: 0, role: "region", "aria-label": "Searches so far" }, L.el("table", { class: "table w5" }, L.el("thead", {}, L.el("tr", {}, heads.map((head) => L.el("th", { scope: "col" }, head)))), body));
    const drawing = L.treeOf(part, "The best tree of this search"), stop = L.stopOf(() => end());
    const each = L.el("button", { type: "button", onclick: () => sweep() }, "Switch each off in turn");
    part.replaceChildren(choiceRow, priceRow, switches, L.el("p", {}, each, " ", stop), words, table, drawing.box);
    const solver = new globalThis.treelibSolver.Solver("branching");
    const done = new Map(); // searches of this data set and price, by their bounds
    let turn = 0, busy = false, data, problem;

    const said = (on) => {
      const off = usual.filter((name) => !on.includes(name)), more = on.filter((name) => !usual.includes(name));
      return [off.length ? "without " + off.map(plain).join(", ") : "all of the paper's", ...more.map((name) => "with " + plain(name))].join(", ");
    };
    /* One search, its row in the table in place of an earlier one of the same bounds. */
    async function search(on, mine) {
      const label = said(on), given = { table: { ...problem, X: problem.X.slice() }, price: Number(price.value), on: known.map((name) => Number(on.includes(name))), paper: 1, most: MOST };
      const found = done.get(label) ?? await solver.ask("branch", given, ({ pushed, best, lower }) => {
        if (mine === turn) words.textContent = `${label}: ${grouped(pushed)} trees, best objective ${best.toFixed(6)}, at least ${lower.toFixed(6)} …`;
      });
      if (mine !== turn) return;
      done.set(label, found);
      const end = found.isEnded ? "" : "more than ", leaves = found.nodes.filter((node) => node.feature === null).length;
      const row = L.el("tr", { "data-bounds": label }, L.el("th", { scope: "row" }, label),
        [end + grouped(found.pushed), grouped(found.toBest), found.best.toFixed(6), (found.ms / 1000).toFixed(2)].map((cell) => L.el("td", {}, cell)));
      const old = [...body.children].find((one) => one.dataset.bounds === label);
      old ? old.replaceWith(row) : body.append(row);
      const proof = isProved(found) ? "proved optimal." : found.isEnded ? `the queue is empty, but the strict leaf count bound of the paper drops trees that it cannot exclude: at least ${found.lower.toFixed(6)}.`
        : `stopped${found.isFull ? ", since its memory is full" : ""}; no tree is below ${found.lower.toFixed(6)}.`;
      words.textContent = `${label}: ${end}${grouped(found.pushed)} trees evaluated, the best after ${grouped(found.toBest)}: ${L.many(leaves)}, objective ${found.best.toFixed(6)}, ${proof}`;
      drawing.show(found.nodes, data);
    }
    /* Stopped: what was found before stays in the table. */
    function end() {
      turn++;
      solver.restart();
      busy = false;
      words.textContent = `Stopped. ${words.textContent.replace(/ …$/, ".")}`;
      part.dataset.ready = "yes";
    }
    /* What is asked last is shown: a search that still runs is left. */
    async function begin(action) {
      const mine = ++turn;
      if (busy) solver.restart();
      busy = true;
      stop.on(true);
      delete part.dataset.ready;
      try {
        await action(mine);
      } catch (error) {
        if (mine === turn) words.textContent = `Nothing to show: ${error.message ?? error}.`;
      }
      if (mine !== turn) return;
      busy = false;
      stop.on(false);
      part.dataset.ready = "yes";
    }
    const run = () => begin((mine) => search(boxes.filter((box) => box.checked).map((box) => box.value), mine));
    const sweep = () => begin(async (mine) => {
      for (const without of [null, ...usual]) if (mine === turn) await search(usual.filter((name) => name !== without), mine);
    });
    function load() {
      ({ data, table: problem } = problemOf(choice.value, part));
      body.replaceChildren();
      drawing.clear();
      done.clear();
      run();
    }
    for (const one of [choice, price]) one.addEventListener("change", load);
    load();
  }

  function steps(part) {
    const usual = part.dataset.usual.split(" "), on = part.dataset.bounds.split(" ").map((name) => Number(usual.includes(name)));
    const [choice, choiceRow] = L.choiceOf(part.dataset.table, NAMES.slice(1, 4)), [price, priceRow] = priceOf(Number(part.dataset.price), [0.2, 0.15, 0.1, 0.075, 0.05]);
    const [input, row] = L.sliderOf("Trees taken off the queue", 1, 1, () => { pause(); show(); });
    const words = L.el("p", {}), figure = L.el("section", {});
    const hand = L.treeOf(part, "The tree taken now"), best = L.treeOf(part, "The best tree so far");
    const stop = L.stopOf(() => { pause(); solver.restart(); });
    const button = L.el("button", { type: "button", onclick: () => (timer ? pause() : play()) }, "Play");
    const jump = L.el("button", { type: "button", onclick: () => { pause(); better(); } }, "To the next better tree");
    input.min = 1;
    const column = (head, ...nodes) => L.el("div", {}, L.el("p", {}, L.el("strong", {}, head)), nodes);
    part.replaceChildren(choiceRow, priceRow, row, L.el("p", {}, button, " ", jump, " ", stop), words, figure,
      L.el("div", { class: "live-columns" }, column("Taken now", hand.box), column("Best so far", best.box)));
    const solver = new globalThis.treelibSolver.Solver("branching"), calm = matchMedia("(prefers-reduced-motion: reduce)");
    let data, points, chart, timer = null, busy = false, again = false, turn = 0;

    function draw(found) {
      const k = Number(input.value), gap = (found.best - found.lower) / found.best;
      const text = `${grouped(k)} of ${grouped(Number(input.max))} taken, ${grouped(found.pushed)} evaluated, ${grouped(found.waiting)} waiting: best objective ${found.best.toFixed(6)}, lower bound ${found.lower.toFixed(6)}` +
        (isProved(found) ? ": proved optimal." : `, a gap of ${(100 * gap).toFixed(2)} %.`);
      words.textContent = text;
      input.setAttribute("aria-valuetext", text);
      hand.show(found.hand, data);
      best.show(found.nodes, data);
      chart.mark([[Math.max(1, found.pushed), found.best], [Math.max(1, found.pushed), found.lower]]);
      part.dataset.shown = `${choice.value} ${price.value} ${k}`;
    }
    /* The state of the slider; of several moves while it is computed, the last one. */
    async function show() {
      again = busy;
      if (busy) return;
      busy = true;
      try {
        draw(await solver.ask("branchTo", { taken: Number(input.value) }));
      } catch (error) {
        if (error.message !== "left") words.textContent = `Nothing to show: ${error.message ?? error}.`;
      }
      busy = false;
      if (again) show();
    }
    function set(k) { input.value = k; input.tell(); show(); }
    function better() {
      const k = Number(input.value), now = points.findLast((point) => point[3] <= k) ?? points[0];
      set((points.find((point) => point[3] > k && point[1] < now[1]) ?? points.at(-1))[3]);
    }
    function pause() { clearInterval(timer); timer = null; button.textContent = "Play"; }
    function play() {
      if (Number(input.value) >= Number(input.max)) set(1);
      button.textContent = "Pause";
      timer = setInterval(() => {
        set(Number(input.value) + Math.max(1, Math.round(input.value / 20))); // later steps change less
        if (Number(input.value) >= Number(input.max)) pause();
      }, calm.matches ? 1500 : 400);
    }
    async function load() {
      pause();
      delete part.dataset.ready;
      const mine = ++turn;
      if (mine > 1) solver.restart();
      busy = again = false;
      input.tell(false);
      stop.on(true);
      hand.clear();
      best.clear();
      figure.replaceChildren();
      words.textContent = "Searching …";
      const { data: cut, table } = problemOf(choice.value, part);
      data = cut;
      try {
        const found = await solver.ask("branchTo", { table, price: Number(price.value), on, paper: 0, points: true, taken: 0 });
        points = found.points;
        input.max = found.taken;
        const [line, dash] = part.dataset.colours.split(" "), path = (place) => points.map((point) => [point[0], point[place]]);
        const lines = [{ name: "best tree found", color: line, step: true, points: path(1) }, { name: "lower bound", color: dash, dash: "5 4", step: true, points: path(2) }];
        chart = globalThis.treelibChart(lines, { x: "trees evaluated", y: "objective", log: true, label: "Objective of the best tree and lower bound against trees evaluated; they meet at the end",
          picks: points.map((point) => point[0]), pick: (i) => { pause(); set(Math.max(1, points[i][3])); } });
        figure.replaceChildren(chart.node);
        input.value = 1;
        input.tell();
        await show();
      } catch (error) {
        if (mine !== turn) return;
        words.textContent = error.message === "left" ? "Stopped." : `Nothing to show: ${error.message ?? error}.`;
      }
      if (mine !== turn) return;
      stop.on(false);
      part.dataset.ready = "yes";
    }
    for (const one of [choice, price]) one.addEventListener("change", load);
    load();
  }

  L.register("bounds", bounds);
  L.register("steps", steps);
})();
