/* The live part "dyadic": all optimal dyadic trees of a data set by the leaf penalty. Needs live.js, kernels.js and
   dyadic.wasm.js. */
(function () {
  "use strict";
  const T = globalThis.treelibTable, L = globalThis.treelibLive;
  const NAMES = ["banana", "thyroid", "iris", "monk1", "monk2", "monk3", "compas"];
  const LOWEST = 2; // rows that a leaf must save: what the estimator takes where no price is given

  function dyadic(part) {
    const [choice, choiceRow] = L.choiceOf(part.dataset.table, NAMES);
    const [input, row] = L.sliderOf("Leaf penalty, from low to high", 0, 0, () => show(), (at) => L.many(found.trees[found.trees.length - 1 - at].leaves));
    const words = L.el("p", { role: "status", "aria-live": "polite" }), picture = L.el("div");
    const drawing = L.treeOf(part, "The optimal dyadic tree at this price"), stop = L.stopOf(() => solver.restart());
    part.replaceChildren(choiceRow, row, L.el("p", {}, stop), words, L.el("div", { class: "live-columns" }, picture, drawing.box));
    const solver = new globalThis.treelibSolver.Solver("dyadic");
    let data, found, plane, said, reading = false, again = false, turn = 0;

    /* The exact price at which two neighbours are as good, as a share of the rows. */
    const edge = (one, other) => (one.errors - other.errors) / data.n / (other.leaves - one.leaves);
    async function show() {
      again = reading;
      if (reading) return;
      reading = true;
      const { trees } = found, at = Number(input.value), k = trees.length - 1 - at, tree = trees[k]; // to the right a leaf costs more
      const low = k + 1 < trees.length ? edge(tree, trees[k + 1]) : LOWEST / data.n;
      const range = k === 0 ? `above ${L.fraction(low)}` : `from ${L.fraction(low)} to ${L.fraction(edge(trees[k - 1], tree))}`;
      const text = `${L.many(tree.leaves)}, ${tree.errors} of ${L.counted(data.n, "row")} wrong: optimal for prices ${range}.`;
      try {
        const nodes = await solver.ask("dyadicTree", { place: k });
        input.setAttribute("aria-valuetext", text);
        words.textContent = `${text} ${said}`;
        drawing.show(nodes, data);
        plane?.show(nodes, `The plane cut into ${tree.leaves} boxes, each in the colour of its class`);
        part.dataset.shown = `${choice.value} ${at}`;
      } catch (error) {
        if (error.message !== "left") words.textContent = `Nothing to show: ${error.message ?? error}.`;
      }
      reading = false;
      if (again) show();
    }
    async function load() {
      const mine = ++turn;
      if (mine > 1) solver.restart();
      input.tell(false);
      stop.on(true);
      delete part.dataset.ready;
      drawing.clear();
      picture.replaceChildren();
      plane = null;
      try {
        data = L.prepared(choice.value, 1, part);
        const table = L.tableOf(data);
        if (table.d === 2) {
          plane = L.planeOf(table, data.features.map((feature) => feature.name), part.dataset.colours.split(" "));
          picture.replaceChildren(plane.figure);
        }
        words.textContent = "Looking at rectangles …";
        found = await solver.ask("dyadicPath", { table, low: LOWEST }, (looked) => { words.textContent = `${L.counted(looked, "rectangle")} looked at …`; });
        said = `All ${L.counted(found.trees.length, "optimal tree")} for prices of ${L.fraction(LOWEST / data.n)} and more were found and proved here, in one pass over ${found.looked} rectangles and ${L.fraction(found.ms / 1000)} s.`;
        input.max = found.trees.length - 1;
        input.value = found.trees.length - 1 - Math.floor(found.trees.length / 3);
        input.tell();
        stop.on(false);
        await show();
      } catch (error) {
        if (mine !== turn) return;
        words.textContent = error.message === "left" ? "Stopped: the trees come all at once, at the end." : `Nothing to show: ${error.message ?? error}.`;
        stop.on(false);
      }
      if (mine !== turn) return;
      part.dataset.ready = "yes";
    }
    choice.addEventListener("change", load);
    load();
  }

  L.register("dyadic", dyadic);
})();
