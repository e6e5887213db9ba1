/* The live part "criterion": the reader moves alpha, beta and the depth, and the package's own learner grows the tree.
   Behind the sliders stands a map of all their places. Needs live.js, kernels.js and topdown.wasm.js. */
(function () {
  "use strict";
  const T = globalThis.treelibTable, L = globalThis.treelibLive;
  const ALPHAS = Array.from({ length: 21 }, (_, i) => i / 4), BETAS = Array.from({ length: 16 }, (_, i) => (i + 1) / 2);
  const NAMED = [["Gini impurity", 2, 1], ["entropy", 1, 1], ["Kearns–Mansour", 0.5, 2]];
  const SIZE = 16, LEFT = 34, BOTTOM = 34;

  const isConcave = (alpha, beta) => (alpha >= 1 && alpha * beta >= 1) || (alpha <= 1 && alpha * beta <= 1);
  const depthOf = (nodes, at = 0) => (nodes[at].feature === null ? 0 : 1 + Math.max(depthOf(nodes, nodes[at].left), depthOf(nodes, nodes[at].right)));

  function criterion(part) {
    const colours = part.dataset.colours.split(" ");
    const [choice, choiceRow] = L.choiceOf(part.dataset.table);
    const [alpha, alphaRow] = L.sliderOf("α", ALPHAS.length - 1, 8, () => show(), (at) => String(ALPHAS[at]));
    const [beta, betaRow] = L.sliderOf("β", BETAS.length - 1, 1, () => show(), (at) => String(BETAS[at]));
    const [depth, depthRow] = L.sliderOf("Most splits on a path", 8, 3, () => { show(); fillMap(); });
    depth.min = 1;
    const words = L.el("p", { role: "status", "aria-live": "polite" }), mapWords = L.el("p", { class: "live-note" });
    const drawing = L.treeOf(part, "The tree of this criterion"), stop = L.stopOf(() => end());
    const height = BETAS.length * SIZE + BOTTOM, width = LEFT + ALPHAS.length * SIZE + 4;
    const place = (i, j) => ({ x: LEFT + i * SIZE, y: (BETAS.length - 1 - j) * SIZE });
    const cells = BETAS.map((_, j) => ALPHAS.map((__, i) => L.draw("rect", { ...place(i, j), width: SIZE - 1, height: SIZE - 1, class: "empty", onclick: () => set(ALPHAS[i], BETAS[j]) })));
    const here = L.draw("rect", { width: SIZE - 1, height: SIZE - 1, class: "here" });
    const text = (x, y, anchor, said) => L.draw("text", { x, y, "text-anchor": anchor }, said);
    // the sliders say all that the map shows: it is for the eye and the pointer
    const map = L.draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "live-map", "aria-hidden": "true" }, cells.flat(), here,
      ALPHAS.flatMap((value, i) => (i % 4 ? [] : [text(place(i, 0).x + SIZE / 2, height - 18, "middle", value)])),
      BETAS.flatMap((value, j) => (value % 2 ? [] : [text(LEFT - 5, place(0, j).y + SIZE - 4, "end", value)])),
      text(LEFT + ALPHAS.length * SIZE / 2, height - 3, "middle", "α"), text(8, BETAS.length * SIZE / 2, "middle", "β"));
    const buttons = L.el("p", { class: "live-buttons" }, NAMED.flatMap(([name, a, b]) => [L.el("button", { type: "button", onclick: () => set(a, b) }, name), " "]));
    buttons.append(stop);
    part.replaceChildren(choiceRow, alphaRow, betaRow, depthRow, buttons, words,
      L.el("div", { class: "live-columns" }, L.el("div", {}, map, mapWords), drawing.box));
    const one = new globalThis.treelibSolver.Solver("topdown"), all = new globalThis.treelibSolver.Solver("topdown");
    let data, table, isNew = true, growing = false, again = false, mapped = 0;
    const given = () => ({ ...table, X: table.X.slice() });
    const chosen = () => ({ alpha: ALPHAS[alpha.value], beta: BETAS[beta.value], depth: Number(depth.value) });

    function set(a, b) {
      [alpha.value, beta.value] = [ALPHAS.indexOf(a), BETAS.indexOf(b)];
      alpha.tell();
      beta.tell();
      show();
    }
    /* Grow the tree of the sliders; of several moves while it grows, the last one. */
    async function show() {
      const asked = chosen(), of = data, at = place(Number(alpha.value), Number(beta.value));
      here.setAttribute("x", at.x);
      here.setAttribute("y", at.y);
      alpha.setAttribute("aria-valuetext", `alpha ${asked.alpha}`);
      beta.setAttribute("aria-valuetext", `beta ${asked.beta}`);
      again = growing;
      if (growing) return;
      growing = true;
      try {
        const found = one.ask("grow", { table: isNew ? given() : null, criterion: asked });
        isNew = false; // it is sorted there
        const { nodes, errors, ms } = await found, leaves = nodes.filter((node) => node.feature === null).length;
        if (of !== data) throw new Error("left"); // another set was chosen meanwhile
        const concave = isConcave(asked.alpha, asked.beta) ? "Concave: no split raises the impurity." : "Outside of where the family is known to be concave.";
        words.textContent = `α = ${asked.alpha}, β = ${asked.beta}: ${L.many(leaves)}, depth ${depthOf(nodes)}, ${errors} of ${L.counted(data.n, "row")} wrong; grown here in ${L.fraction(ms)} ms. ${concave}`;
        drawing.show(nodes, data);
        part.dataset.shown = `${choice.value} ${asked.alpha} ${asked.beta} ${asked.depth}`;
      } catch (error) {
        isNew = true;
        words.textContent = error.message === "left" ? "Stopped." : `Nothing to show: ${error.message ?? error}.`;
      }
      growing = false;
      if (again) show();
    }
    /* Colour the map for this data set and depth, row by row. */
    async function fillMap() {
      const turn = ++mapped, rows = [];
      if (turn > 1) all.restart();
      delete part.dataset.ready;
      stop.on(true);
      mapWords.textContent = "Growing a tree for every place of the map …";
      for (const cell of cells.flat()) cell.setAttribute("class", "empty");
      let found;
      try {
        found = await all.ask("map", { table: given(), alphas: ALPHAS, betas: BETAS, depth: Number(depth.value) }, (row) => rows.push(row));
      } catch (error) {
        if (turn !== mapped) return;
        mapWords.textContent = `No map: ${error.message ?? error}.`;
        stop.on(false);
        return;
      }
      if (turn !== mapped) return;
      stop.on(false);
      const values = rows.flat(), low = Math.min(...values), high = Math.max(...values);
      rows.forEach((row, j) => row.forEach((errors, i) => {
        const share = high > low ? (errors - low) / (high - low) : 0;
        cells[j][i].setAttribute("class", "");
        cells[j][i].style.fill = `color-mix(in srgb, ${colours[1]} ${Math.round(100 * share)}%, ${colours[0]})`;
        cells[j][i].replaceChildren(L.draw("title", {}, `α = ${ALPHAS[i]}, β = ${BETAS[j]}: ${L.counted(errors, "row")} wrong`));
      }));
      mapWords.textContent = `${values.length} criteria, ${found.n} different trees, from ${low} (light) to ${high} (dark) of ${data.n} rows wrong; all grown here in ${L.fraction(found.ms / 1000)} s.`;
      part.dataset.ready = "yes";
    }
    /* Stopped: no map, and the tree that stands there. */
    function end() {
      mapped++;
      all.restart();
      if (growing) one.restart();
      mapWords.textContent = "Stopped: no map of these criteria.";
      part.dataset.ready = "yes";
    }
    function load() {
      data = L.prepared(choice.value, 1, part);
      drawing.clear();
      table = L.tableOf(data);
      isNew = true;
      show();
      fillMap();
    }
    choice.addEventListener("change", load);
    load();
  }

  L.register("criterion", criterion);
})();
