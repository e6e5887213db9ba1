/* The live part "dyadic": all optimal dyadic trees of a data set by the price of a leaf. Needs live.js, kernels.js and
   dyadic.wasm.js. */
(function () {
  "use strict";
  const T = globalThis.treelibTable, L = globalThis.treelibLive;
  const NAMES = ["banana", "thyroid", "iris", "monk1", "monk2", "monk3", "compas"];
  const LOWEST = 2; // rows that a leaf must save: what the estimator takes where no price is given

  function dyadic(part) {
    const [choice, choiceRow] = L.choiceOf(part.dataset.table, NAMES);
    const [input, row] = L.sliderOf("Price of a leaf, from low to high", 0, 0, () => show());
    const words = L.el("p", { role: "status", "aria-live": "polite" }), picture = L.el("div");
    const drawing = L.el("pre", { tabindex: 0, role: "region", "aria-label": "The optimal dyadic tree at this price" });
    part.replaceChildren(choiceRow, row, words, L.el("div", { class: "live-columns" }, picture, drawing));
    const solver = new globalThis.treelibSolver.Solver("dyadic");
    let data, found, plane, said, reading = false, again = false;

    /* The exact price at which two neighbours are as good, as a share of the rows. */
    const edge = (one, other) => (one.errors - other.errors) / data.n / (other.leaves - one.leaves);
    async function show() {
      again = reading;
      if (reading) return;
      reading = true;
      const { trees } = found, at = Number(input.value), k = trees.length - 1 - at, tree = trees[k]; // to the right a leaf costs more
      const low = k + 1 < trees.length ? edge(tree, trees[k + 1]) : LOWEST / data.n;
      const range = k === 0 ? `above ${L.fraction(low)}` : `from ${L.fraction(low)} to ${L.fraction(edge(trees[k - 1], tree))}`;
      const text = `${L.many(tree.leaves)}, ${tree.errors} of ${data.n} rows wrong: optimal for prices ${range}.`;
      try {
        const nodes = await solver.ask("dyadicTree", { place: k });
        input.setAttribute("aria-valuetext", text);
        words.textContent = `${text} ${said}`;
        drawing.textContent = T.toText(nodes, data);
        plane?.show(nodes, `The plane cut into ${tree.leaves} boxes, each in the colour of its class`);
        part.dataset.shown = `${choice.value} ${at}`;
      } catch (error) {
        words.textContent = `Nothing to show: ${error.message ?? error}.`;
      }
      reading = false;
      if (again) show();
    }
    async function load() {
      choice.disabled = input.disabled = true;
      delete part.dataset.ready;
      drawing.textContent = "";
      picture.replaceChildren();
      plane = null;
      try {
        data = L.prepared(choice.value, 1);
        const table = L.tableOf(data);
        if (table.d === 2) {
          plane = L.planeOf(table, data.features.map((feature) => feature.name), part.dataset.colours.split(" "));
          picture.replaceChildren(plane.figure);
        }
        words.textContent = "Looking at rectangles …";
        found = await solver.ask("dyadicPath", { table, low: LOWEST }, (looked) => { words.textContent = `${looked} rectangles looked at …`; });
        said = `All ${found.trees.length} optimal trees for prices of ${L.fraction(LOWEST / data.n)} and more were found and proved here, in one pass over ${found.looked} rectangles and ${L.fraction(found.ms / 1000)} s.`;
        input.max = found.trees.length - 1;
        input.value = found.trees.length - 1 - Math.floor(found.trees.length / 3);
        input.disabled = false;
        await show();
      } catch (error) {
        words.textContent = `Nothing to show: ${error.message ?? error}.`;
      }
      choice.disabled = false;
      part.dataset.ready = "yes";
    }
    choice.addEventListener("change", load);
    load();
  }

  L.register("dyadic", dyadic);
})();
