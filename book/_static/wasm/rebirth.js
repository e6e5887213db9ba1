/* The live part "bornagain": the reader sets a small forest, the package's own learner grows it, and the package's own
   search finds the smallest tree that says the same everywhere. Needs live.js, kernels.js, topdown.wasm.js and
   bornagain.wasm.js. */
(function () {
  "use strict";
  const T = globalThis.treelibTable, L = globalThis.treelibLive;
  const SECONDS = 20;
  const OBJECTIVES = [["leaves", 1], ["splits on the longest path", 0]];
  const NAMES = ["banana", "iris", "thyroid", "wine", "monk1", "monk3"];

  function bornagain(part) {
    const colours = part.dataset.colours.split(" ");
    const [choice, choiceRow] = L.choiceOf(part.dataset.table, NAMES);
    const [trees, treesRow] = L.sliderOf("Trees of the forest", 12, 3, () => show());
    const [depth, depthRow] = L.sliderOf("Their most splits on a path", 4, 2, () => show());
    const [seed, seedRow] = L.sliderOf("Another draw of the forest", 20, 1, () => show());
    trees.min = depth.min = seed.min = 1;
    const least = L.el("select", { id: "live-least", onchange: () => show() }, OBJECTIVES.map(([words, code]) => L.el("option", { value: code }, words)));
    const words = L.el("p", { role: "status", "aria-live": "polite" }), picture = L.el("div");
    const drawing = L.treeOf(part, "The born-again tree"), stop = L.stopOf(() => { again = false; grower.restart(); solver.restart(); });
    part.replaceChildren(choiceRow, treesRow, depthRow, seedRow, L.el("p", {}, L.el("label", { for: "live-least" }, "Fewest "), least, " ", stop),
      words, L.el("div", { class: "live-columns" }, picture, drawing.box));
    const grower = new globalThis.treelibSolver.Solver("topdown"), solver = new globalThis.treelibSolver.Solver("bornagain");
    let data, table, planes = null, working = false, again = false;
    const given = () => ({ ...table, X: table.X.slice() });

    /* Grow the forest of the sliders and its tree; of several moves meanwhile, the last one. */
    async function show() {
      again = working;
      if (working) { solver.restart(); return; }
      working = true;
      const asked = { trees: Number(trees.value), depth: Number(depth.value), seed: Number(seed.value) }, objective = Number(least.value), of = data;
      words.textContent = "Growing the forest …";
      stop.on(true);
      try {
        const forest = await grower.ask("forest", { table: given(), ...asked });
        const leaves = forest.map((tree) => tree.filter((node) => node.feature === null).length);
        const total = leaves.reduce((sum, n) => sum + n, 0), isLarge = (n) => n > 1e12;
        const said = `${asked.trees === 1 ? "1 tree" : `${asked.trees} trees`} with ${L.many(total)} in all`;
        const found = await solver.ask("bornAgain", { trees: forest, d: table.d, k: table.k, objective, seconds: SECONDS }, ([, , , , , rows, done]) => { words.textContent = `${said}; ${Math.floor((100 * done) / rows)} % of the regions solved …`; });
        const cells = `${found.cuts} thresholds make ${found.cells} cells`;
        if (of !== data) throw new Error("left"); // another set was chosen meanwhile
        if (!found.nodes) {
          const why = found.ms >= 1000 * SECONDS ? `not done within ${SECONDS} seconds` : "too many for the memory of this page";
          words.textContent = `${said}; ${cells}: ${why}. Take fewer trees or less depth.`;
          drawing.clear();
          planes?.forEach((plane) => plane.show([], ""));
        } else {
          const nodes = await solver.ask("counted", { nodes: found.nodes, table: given() }), n = nodes.filter((node) => node.feature === null).length;
          const regions = isLarge(found.regions) ? found.regions.toExponential(1) : found.regions;
          words.textContent = `${said} become one tree of ${L.many(n)}: the fewest ${objective ? "leaves" : "splits on its longest path"} of all trees that give the class of the vote everywhere. ${cells}; ${found.cutsKept} matter. ${regions} regions, solved here in ${L.fraction(found.ms / 1000)} s.`;
          if (of !== data) throw new Error("left");
          drawing.show(nodes, data);
          planes?.[0].vote(forest, `The plane with the class of the vote of ${asked.trees} trees in every cell`);
          planes?.[1].show(nodes, `The same plane cut into the ${n} leaves of the born-again tree`);
        }
        part.dataset.shown = `${choice.value} ${asked.trees} ${asked.depth} ${asked.seed} ${objective}`;
        part.dataset.forest = JSON.stringify(forest.map((tree) => tree.map(({ feature, threshold, left, right, label }) => [feature, threshold, left, right, label])));
      } catch (error) {
        if (!again) {
          words.textContent = error.message === "left" ? "Stopped. Take fewer trees or less depth." : `Nothing to show: ${error.message ?? error}.`;
          drawing.clear();
        }
      }
      working = false;
      stop.on(false);
      part.dataset.ready = "yes";
      if (again) show();
    }
    function load() {
      data = L.prepared(choice.value, 1, part);
      drawing.clear(); // of another data set
      table = L.tableOf(data);
      planes = null;
      picture.replaceChildren();
      if (table.d === 2) {
        const names = data.features.map((feature) => feature.name);
        planes = [L.planeOf(table, names, colours), L.planeOf(table, names, colours)];
        picture.replaceChildren(L.el("p", { class: "live-note" }, "The vote of the forest, cell by cell:"), planes[0].figure,
          L.el("p", { class: "live-note" }, "The leaves of the born-again tree:"), planes[1].figure);
      }
      show();
    }
    choice.addEventListener("change", load);
    load();
  }

  L.register("bornagain", bornagain);
})();
