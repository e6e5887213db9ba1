/* Live parts of chapters: a control, and the package's own kernel behind it. A part is <div data-live="price"
   data-table="monk1" data-needs="table.js solver.js"> with words for readers without scripts inside. What it needs are
   scripts beside this file, loaded in their order when the part comes near the view, and not before. Kinds of parts
   other than the price stand in files of their own, which say `treelibLive.register`. */
(function () {
  "use strict";
  if (globalThis.treelibLive) return; // a page with two parts names this script twice
  const SVG = "http://www.w3.org/2000/svg";
  const here = document.currentScript.src, loaded = {}, makers = {};
  let T, serial = 0;

  /* Load scripts in their order, each once a page; as elements, so that pages from a disk load them too. */
  function needed(names) {
    return Promise.all(names.map((name) => loaded[name] ??= new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), {
        src: new URL(name, here).href, async: false, onload: resolve, onerror: () => reject(new Error(`${name} is missing`)),
      });
      document.head.append(script);
    })));
  }

  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat());
    return node;
  }
  const many = (n) => (n === 1 ? "1 leaf" : `${n} leaves`);
  const counted = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
  const named = () => "live-" + ++serial;
  const fraction = (value) => String(Number(value.toPrecision(3)));

  /* A choice among the data sets that pages offer, `chosen` first; itself, and its label with what the set is. */
  function choiceOf(chosen, names = Object.keys(globalThis.treelibTables)) {
    const id = named(), tables = globalThis.treelibTables, about = el("p", { class: "live-note" });
    const tell = () => { about.textContent = tables[choice.value].about; };
    const choice = el("select", { id, onchange: tell }, names.map((name) => el("option", { value: name, selected: name === chosen }, tables[name].title)));
    tell();
    return [choice, el("div", {}, el("p", {}, el("label", { for: id }, "Data set "), choice), about)];
  }
  /* A slider over the places 0 to `most`; itself and its row, with the number that it stands at: `say(place)`. It keeps
     the focus while there is nothing to show: `tell(false)`. */
  function sliderOf(words, most, value, oninput, say = String) {
    const id = named(), output = el("output", { for: id });
    const input = el("input", { id, type: "range", min: 0, max: most, value, oninput: () => {
      if (input.getAttribute("aria-disabled")) return;
      input.tell();
      oninput();
    } });
    input.tell = (isOn = true) => {
      isOn ? input.removeAttribute("aria-disabled") : input.setAttribute("aria-disabled", "true");
      output.textContent = isOn ? say(Number(input.value)) : "";
    };
    input.tell(most > 0); // of one place there is nothing to show yet
    return [input, el("p", { class: "live-slider" }, el("label", { for: id }, words), input, output)];
  }
  /* A button that ends what a part computes. It keeps its place and the focus: `stop.on(true)` while there is something
     to stop. */
  function stopOf(onstop) {
    const stop = el("button", { type: "button", class: "live-stop", "aria-disabled": "true", onclick: () => {
      if (stop.getAttribute("aria-disabled")) return;
      stop.on(false);
      onstop();
    } }, "Stop");
    stop.on = (isOn) => (isOn ? stop.removeAttribute("aria-disabled") : stop.setAttribute("aria-disabled", "true"));
    return stop;
  }
  /* The place of a tree, drawn as the figures of the pages are. */
  function treeOf(part, label) {
    const colours = part.dataset.classes.split(" ");
    const box = el("div", { class: "live-tree", tabindex: 0, role: "region", "aria-label": label });
    return {
      box,
      clear: () => box.replaceChildren(),
      show: (nodes, data) => box.replaceChildren(globalThis.treelibDrawing.draw(nodes, data, colours)),
    };
  }
  /* A data set as the search takes it: its classes are in the last column. Features and classes have the names of the
     pages' figures, where `part` knows them. */
  function prepared(name, cuts, part) {
    const table = T.read(globalThis.treelibTables[name].csv);
    const data = T.prepare(table, table.names[table.names.length - 1], cuts);
    const { features = {}, classes = {} } = JSON.parse(part.dataset.words)[globalThis.treelibTables[name].name] ?? {};
    for (const feature of data.features) feature.name = features[feature.name] ?? feature.name;
    data.classes = data.classes.map((one) => classes[one] ?? one);
    return data;
  }

  /* The plane of two features: a drawing, and a function that colours the leaves of a tree in it. */
  function planeOf(table, names, colours) {
    const colour = (k) => `fill:${colours[k % colours.length]}`;
    const size = 300, edge = (j, pick) => pick(...Array.from({ length: table.n }, (_, i) => table.X[2 * i + j]));
    const low = [0, 1].map((j) => edge(j, Math.min)), high = [0, 1].map((j) => edge(j, Math.max));
    const at = (j, value) => size * Math.max(0, Math.min(1, (value - low[j]) / (high[j] - low[j] || 1)));
    const boxes = draw("g"), root = draw("svg", { viewBox: `0 0 ${size} ${size}`, class: "live-plane", role: "img" }, boxes);
    const every = Math.ceil(table.n / 700);
    for (let i = 0; i < table.n; i += every) {
      root.append(draw("circle", { cx: at(0, table.X[2 * i]).toFixed(1), cy: (size - at(1, table.X[2 * i + 1])).toFixed(1), r: 1.8, style: colour(table.y[i]) }));
    }
    const figure = el("figure", {}, root, el("figcaption", {}, `${names[0]} to the right, ${names[1]} upwards`));
    const box = ([x0, y0], [x1, y1], label) => draw("rect", { x: at(0, x0), y: size - at(1, y1), width: at(0, x1) - at(0, x0), height: at(1, y1) - at(1, y0), style: colour(label) });
    /* The leaves of a tree; of none, nothing. */
    function show(nodes, words) {
      const rectangles = [];
      const walk = (node, [x0, y0], [x1, y1]) => {
        const { feature, threshold, left, right, label } = nodes[node];
        if (feature === null) {
          rectangles.push(box([x0, y0], [x1, y1], label));
          return;
        }
        walk(left, [x0, y0], feature === 0 ? [Math.min(x1, threshold), y1] : [x1, Math.min(y1, threshold)]);
        walk(right, feature === 0 ? [Math.max(x0, threshold), y0] : [x0, Math.max(y0, threshold)], [x1, y1]);
      };
      if (nodes.length) walk(0, low, high);
      boxes.replaceChildren(...rectangles);
      root.setAttribute("aria-label", words);
    }
    /* The cells of some trees, each in the class of most votes; ties go to the smaller class. */
    function vote(trees, words) {
      const cuts = [0, 1].map((j) => [low[j], ...[...new Set(trees.flat().filter((node) => node.feature === j).map((node) => node.threshold))].filter((cut) => cut > low[j] && cut < high[j]).sort((a, b) => a - b), high[j]]);
      const say = (tree, x) => { let node = tree[0]; while (node.feature !== null) node = tree[x[node.feature] <= node.threshold ? node.left : node.right]; return node.label; };
      const cells = [];
      for (let i = 1; i < cuts[0].length; i++) {
        for (let j = 1; j < cuts[1].length; j++) {
          const votes = new Array(table.k).fill(0); // of the upper end, which belongs to the cell
          for (const tree of trees) votes[say(tree, [cuts[0][i], cuts[1][j]])]++;
          cells.push(box([cuts[0][i - 1], cuts[1][j - 1]], [cuts[0][i], cuts[1][j]], votes.indexOf(Math.max(...votes))));
        }
      }
      boxes.replaceChildren(...cells);
      root.setAttribute("aria-label", words);
    }
    return { figure, show, vote };
  }

  /* One search as a promise. */
  const search = (solver, data, price) => new Promise((resolve, reject) => {
    solver.solve({ ...T.flatten(data), price, depth: null, seconds: 60, bytes: 1e9 }, { tree: resolve, error: reject });
  });

  /* Every tree that is optimal for a range of prices from `least` up: between two neighbours the price at which both
     are as good is searched, until nothing lies between them. Ascending in leaves. `found` has those known so far. */
  async function path(solver, data, least, tell, found) {
    let n = 0;
    const at = async (price) => {
      const answer = await search(solver, data, price);
      const nodes = T.grow(answer.tree, data), leaves = nodes.filter((node) => node.feature === null);
      const errors = leaves.reduce((sum, node) => sum + node.samples - node.value[node.label], 0);
      if (!answer.optimal) throw new Error("the search took longer than a minute");
      const one = { nodes, price, leaves: leaves.length, errors, cost: errors / data.n + price * leaves.length };
      if (!found.some((other) => other.leaves === one.leaves)) found.push(one);
      tell(++n);
      return one;
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
    const [choice, choiceRow] = choiceOf(part.dataset.table);
    const [input, row] = sliderOf("Leaf penalty, from low to high", 0, 0, () => show(), (at) => many(trees[trees.length - 1 - at].leaves));
    const words = el("p", { role: "status", "aria-live": "polite" }), stop = stopOf(() => end());
    const tree = treeOf(part, "The optimal tree at this price");
    const solver = new globalThis.treelibSolver.Solver("sparse");
    let trees = [], data, least, said = "", isWhole = false, turn = 0, found = [], clock = null;
    part.replaceChildren(choiceRow, row, el("p", {}, stop), words, tree.box);
    function show() {
      const k = trees.length - 1 - Number(input.value), one = trees[k]; // to the right a leaf costs more
      const edge = (a, b) => (a.errors - b.errors) / data.n / (b.leaves - a.leaves);
      const high = k > 0 ? edge(trees[k - 1], one) : null, low = k + 1 < trees.length ? edge(one, trees[k + 1]) : least;
      const range = !isWhole ? `a price of ${fraction(one.price)}` : high === null ? `prices above ${fraction(low)}` : `prices from ${fraction(low)} to ${fraction(high)}`;
      const text = `${many(one.leaves)}, ${one.errors} of ${counted(data.n, "row")} wrong: optimal for ${range}.`;
      input.setAttribute("aria-valuetext", text);
      words.textContent = `${text} ${said}`;
      tree.show(one.nodes, data);
    }
    /* Show trees, ascending in leaves, with what is said of all of them. */
    function showAll(some, isAll, text) {
      clearInterval(clock);
      [trees, isWhole, said] = [some, isAll, text];
      input.max = trees.length - 1;
      input.value = Math.floor(trees.length / 2);
      input.tell();
      show();
      stop.on(false);
      part.dataset.ready = "yes";
    }
    /* Stopped, or ended by what `why` says: what was found is shown. */
    function end(why = "Stopped") {
      turn++;
      solver.restart();
      if (!found.length) {
        clearInterval(clock);
        stop.on(false);
        words.textContent = `${why} before a tree was proved optimal.`;
        part.dataset.ready = "yes";
        return;
      }
      showAll(found.sort((a, b) => a.leaves - b.leaves), false, `${why}: ${counted(found.length, "optimal tree")} found and proved; there may be others between them.`);
    }
    async function load() {
      const mine = ++turn, start = performance.now();
      if (mine > 1) solver.restart();
      clearInterval(clock);
      delete part.dataset.ready;
      input.tell(false);
      tree.clear();
      stop.on(true);
      const seconds = (digits) => `${((performance.now() - start) / 1000).toFixed(digits)} s`;
      let n = 0;
      const tell = () => { words.textContent = `${counted(n, "search", "searches")} done, ${counted(found.length, "optimal tree")} found, ${seconds(0)} …`; };
      try {
        data = prepared(choice.value, 10, part);
        least = tables[choice.value].least;
        found = [];
        clock = setInterval(tell, 500);
        tell();
        const whole = await path(solver, data, least, (done) => { if (mine === turn) { n = done; tell(); } }, found);
        if (mine !== turn) return;
        showAll(whole.trees, true, `All ${counted(whole.trees.length, "optimal tree")} for prices of ${least} and more were found and proved here, in ${counted(whole.n, "search", "searches")} and ${seconds(2)}.`);
      } catch (error) {
        if (mine === turn) end(`Ended, ${error.message ?? error}`);
      }
    }
    choice.addEventListener("change", load);
    load();
  }

  /* Say how a kind of part is made, by `make(part)`. */
  const register = (kind, make) => { makers[kind] = make; };

  async function start(part) {
    try {
      await needed(part.dataset.needs.split(" "));
    } catch (error) {
      part.append(el("p", {}, `Nothing to show: ${error.message}.`));
      return;
    }
    T = globalThis.treelibTable;
    const why = globalThis.treelibSolver.missing();
    if (why) part.append(el("p", {}, why));
    else makers[part.dataset.live](part);
  }

  globalThis.treelibLive = { el, draw, many, counted, fraction, choiceOf, sliderOf, stopOf, treeOf, prepared, tableOf: (data) => T.matrix(data), planeOf, register };
  register("price", priceOfALeaf);

  for (const part of document.querySelectorAll("[data-live]")) {
    const seen = new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting) { seen.disconnect(); start(part); }
    }, { rootMargin: "300px" });
    seen.observe(part);
  }
})();
