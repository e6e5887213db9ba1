/* Live parts of chapters: a control, and the package's own kernel behind it. A part is <div data-live="price"
   data-table="monk1" data-least="0.01"> with words for readers without scripts inside. What it needs (table.js,
   tables.js, solver.js, sparse.wasm.js beside this file) is loaded when it comes near the view, and not before. */
(function () {
  "use strict";
  const NEEDS = ["table.js", "tables.js", "sparse.wasm.js", "solver.js"];
  const here = document.currentScript.src;
  let T, loaded, serial = 0;

  /* The scripts behind the parts, once for all parts of a page; as elements, so that pages from a disk load them too. */
  function needed() {
    loaded ??= Promise.all(NEEDS.map((name) => new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), {
        src: new URL(name, here).href, async: false, onload: resolve, onerror: () => reject(new Error(`${name} is missing`)),
      });
      document.head.append(script);
    }))).then(() => { T = globalThis.treelibTable; });
    return loaded;
  }

  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat());
    return node;
  }
  const many = (n) => (n === 1 ? "1 leaf" : `${n} leaves`);

  /* One search as a promise. */
  const search = (solver, data, price) => new Promise((resolve, reject) => {
    solver.solve({ ...T.flatten(data), price, depth: null, seconds: 60, bytes: 1e9 }, { tree: resolve, error: reject });
  });

  /* Every tree that is optimal for a range of prices from `least` up: between two neighbours the price at which both
     are as good is searched, until nothing lies between them. Ascending in leaves. */
  async function path(solver, data, least, tell) {
    let n = 0;
    const at = async (price) => {
      const found = await search(solver, data, price);
      const nodes = T.grow(found.tree, data), leaves = nodes.filter((node) => node.feature === null);
      const errors = leaves.reduce((sum, node) => sum + node.samples - node.value[node.label], 0);
      tell(++n);
      if (!found.optimal) throw new Error("the search took longer than a minute");
      return { nodes, leaves: leaves.length, errors, cost: errors / data.n + price * leaves.length };
    };
    const between = async (small, large) => {
      if (large.leaves - small.leaves < 2) return [];
      const price = (small.errors - large.errors) / data.n / (large.leaves - small.leaves);
      const middle = await at(price);
      // as good as both, up to rounding: nothing is strictly better in between
      if (middle.cost > small.errors / data.n + price * small.leaves - 1e-10) return [];
      return [...(await between(small, middle)), middle, ...(await between(middle, large))];
    };
    const small = await at(1), large = await at(least);
    const trees = small.leaves === large.leaves ? [small] : [small, ...(await between(small, large)), large];
    return { trees, n };
  }

  function priceOfALeaf(part) {
    const tables = globalThis.treelibTables;
    const id = "live-" + ++serial;
    const choice = el("select", { id: id + "-data" }, Object.keys(tables).map((name) => el("option", { value: name, selected: name === part.dataset.table }, name)));
    const input = el("input", { id, type: "range", min: 0, max: 0, value: 0, disabled: true });
    const words = el("p", { role: "status", "aria-live": "polite" });
    const drawing = el("pre", { tabindex: 0, role: "region", "aria-label": "The optimal tree at this price" });
    part.replaceChildren(
      el("p", {}, el("label", { for: id + "-data" }, "Data set "), choice),
      el("p", { class: "live-slider" }, el("label", { for: id }, "Price of a leaf, from high to low"), input), words, drawing);
    const solver = new globalThis.treelibSolver.Solver("sparse");
    let trees = [], data, least, running = false, said = "";
    const fraction = (value) => String(Number(value.toPrecision(3)));
    function show() {
      const k = Number(input.value), tree = trees[k];
      const edge = (a, b) => (a.errors - b.errors) / data.n / (b.leaves - a.leaves);
      const high = k > 0 ? edge(trees[k - 1], tree) : null, low = k + 1 < trees.length ? edge(tree, trees[k + 1]) : least;
      const range = high === null ? `above ${fraction(low)}` : `from ${fraction(low)} to ${fraction(high)}`;
      const text = `${many(tree.leaves)}, ${tree.errors} of ${data.n} rows wrong: optimal for prices ${range}.`;
      input.setAttribute("aria-valuetext", text);
      words.textContent = `${text} ${said}`;
      drawing.textContent = T.toText(tree.nodes, data);
    }
    async function load() {
      if (running) return;
      running = true;
      choice.disabled = input.disabled = true;
      drawing.textContent = "";
      const start = performance.now(), chosen = tables[choice.value];
      try {
        const table = T.read(chosen.csv);
        data = T.prepare(table, table.names[table.names.length - 1], 10);
        least = chosen.least;
        const found = await path(solver, data, least, (n) => { words.textContent = `${n} searches …`; });
        trees = found.trees;
        said = `All ${trees.length} optimal trees for prices of ${least} and more were found and proved here, in ${found.n} searches and ${((performance.now() - start) / 1000).toFixed(2)} s.`;
        input.max = trees.length - 1;
        input.value = Math.floor(trees.length / 2);
        input.disabled = false;
        show();
      } catch (error) {
        words.textContent = `Nothing to show: ${error.message ?? error}.`;
      }
      choice.disabled = running = false;
      part.dataset.ready = "yes";
    }
    input.addEventListener("input", show);
    choice.addEventListener("change", load);
    load();
  }

  async function start(part) {
    try {
      await needed();
    } catch (error) {
      part.append(el("p", {}, `Nothing to show: ${error.message}.`));
      return;
    }
    const why = globalThis.treelibSolver.missing();
    if (why) part.append(el("p", {}, why));
    else priceOfALeaf(part);
  }

  for (const part of document.querySelectorAll("[data-live='price']")) {
    const seen = new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting) { seen.disconnect(); start(part); }
    }, { rootMargin: "300px" });
    seen.observe(part);
  }
})();
