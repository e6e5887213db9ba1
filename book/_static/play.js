/* The interactive parts of the book: plain scripts, no library, no request.
   A part is <div class="play" data-play="kind"> that holds its data as JSON text and a still picture. The
   picture stays where scripts are off; otherwise the part of that kind takes its place. */
(function () {
  "use strict";
  if (globalThis.treelibPlay) return; // a live part asks for it on pages that have it

  // ---- small helpers ---------------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  let serial = 0;

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  function number(value, digits) {
    if (value === null || value === undefined) return "–";
    if (!isFinite(value)) return "∞";
    return Number(value.toPrecision(digits || 4)).toString();
  }
  const percent = (value) => (value === null || value === undefined ? "–" : (100 * value).toFixed(2) + " %");
  const many = (n, word) => n + " " + word + (n === 1 ? "" : word === "leaf" ? "" : "s");
  const leaves = (n) => (n === 1 ? "1 leaf" : n + " leaves");

  /* Drawings come from treelib's own `Tree.to_svg`, made when the book was built. A large one shrinks a little
     at most; then its box scrolls, and takes the focus so that a keyboard can scroll it too. */
  function showDrawing(box, text) {
    box.innerHTML = text;
    const drawing = box.querySelector("svg");
    // a tree shrinks as far as its words can be read, then it is moved under the hand
    if (drawing) drawing.style.minWidth = Math.round(0.62 * drawing.getAttribute("width")) + "px";
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    scrolls ? box.setAttribute("tabindex", 0) : box.removeAttribute("tabindex");
    box.classList.toggle("pans", scrolls);
  }
  function drawingBox(label) {
    const box = el("div", { class: "play-tree", role: "region", "aria-label": label });
    box.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse" || !(event.buttons & 1)) return; // a finger scrolls by itself
      box.scrollLeft -= event.movementX;
      box.scrollTop -= event.movementY;
    });
    box.addEventListener("dragstart", (event) => event.preventDefault());
    return box;
  }

  /* A slider between two buttons that move it by one, since a finger is wider than a step. `show` draws a position
     and returns the words beside the slider, and after them what only a screen reader is told. */
  function slider(label, count, start, show) {
    const id = "play-" + ++serial;
    const input = el("input", { type: "range", id: id, min: 0, max: count - 1, step: 1, value: start });
    const text = el("output", { for: id, "aria-live": "off" }); // the slider itself says it
    const update = () => {
      const [words, more] = [show(Number(input.value))].flat();
      text.textContent = words;
      input.setAttribute("aria-valuetext", more ? words + "; " + more : words);
      back.disabled = Number(input.value) === 0;
      forth.disabled = Number(input.value) === count - 1;
    };
    const set = (value) => { input.value = value; update(); };
    const by = (step, sign, name) => el("button", { type: "button", class: "play-step", tabindex: -1, "aria-label": label + ": " + name,
      onclick: () => { set(Number(input.value) + step); input.dispatchEvent(new Event("touched")); } }, sign);
    const back = by(-1, "‹", "one step back"), forth = by(1, "›", "one step on");
    input.addEventListener("input", () => { update(); input.dispatchEvent(new Event("touched")); });
    const row = el("div", { class: "play-slider" }, el("label", { for: id }, label), back, input, forth, text);
    return { row: row, input: input, update: update, set: set };
  }

  // ---- a chart -----------------------------------------------------------------------------------------

  /* Lines over a log or linear x axis; returns a node and a function that marks one point of each line.
     `axes.picks` are the places on the x axis that a click or a drag chooses between: `axes.pick(i)`. */
  function chart(lines, axes) {
    const width = 560, height = 260, left = 62, right = 12, top = 30, bottom = 44;
    const xs = lines.flatMap((line) => line.points.map((point) => point[0]));
    const ys = lines.flatMap((line) => line.points.map((point) => point[1]));
    const warp = axes.log ? (v) => Math.log(v) : (v) => v;
    const x0 = warp(Math.min(...xs)), x1 = warp(Math.max(...xs)), y0 = axes.zero ? 0 : Math.min(...ys), y1 = Math.max(...ys);
    const x = (v) => left + ((warp(v) - x0) / (x1 - x0 || 1)) * (width - left - right);
    const y = (v) => height - bottom - ((v - y0) / (y1 - y0 || 1)) * (height - top - bottom);
    const root = draw("svg", { viewBox: "0 0 " + width + " " + height, class: "play-chart", role: "img", "aria-label": axes.label });
    for (const tick of ticks(y0, y1)) {
      root.append(
        draw("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), class: "grid" }),
        draw("text", { x: left - 6, y: y(tick) + 4, class: "end" }, axes.percent ? number(100 * tick, 3) + " %" : number(tick, 3)),
      );
    }
    const marks = axes.log ? logTicks(Math.min(...xs), Math.max(...xs)) : ticks(Math.min(...xs), Math.max(...xs));
    for (const tick of marks) root.append(draw("text", { x: x(tick), y: height - bottom + 18, class: "middle" }, number(tick, 3)));
    root.append(
      draw("text", { x: (left + width - right) / 2, y: height - 6, class: "middle" }, axes.x),
      draw("text", { x: 4, y: 14 }, axes.y),
      draw("path", { d: "M" + left + " " + top + "V" + (height - bottom) + "H" + (width - right), class: "axis" }),
    );
    const dots = lines.map((line) => {
      const path = line.points.map((point, i) => {
        const at = x(point[0]).toFixed(1) + " " + y(point[1]).toFixed(1);
        return i === 0 ? "M" + at : line.step ? "H" + x(point[0]).toFixed(1) + "V" + y(point[1]).toFixed(1) : "L" + at;
      });
      root.append(draw("path", { d: path.join(""), class: "line", style: "stroke:" + line.color, "stroke-dasharray": line.dash || null }));
      const dot = draw("circle", { r: 5.5, class: "dot", style: "fill:" + line.color, visibility: "hidden" });
      root.append(dot);
      return dot;
    });
    const legend = el("ul", { class: "play-legend" }, lines.map((line) =>
      el("li", {}, draw("svg", { viewBox: "0 0 30 10", width: 30, height: 10, "aria-hidden": "true" },
        draw("path", { d: "M0 5H30", class: "line", style: "stroke:" + line.color, "stroke-dasharray": line.dash || null })), " " + line.name)));
    const mark = (points) => points.forEach((point, i) => {
      dots[i].setAttribute("visibility", point ? "visible" : "hidden");
      if (point) { dots[i].setAttribute("cx", x(point[0])); dots[i].setAttribute("cy", y(point[1])); }
    });
    if (axes.picks) {
      const pick = (event) => {
        const box = root.getBoundingClientRect(), at = ((event.clientX - box.left) / box.width) * width;
        const far = (i) => Math.abs(x(axes.picks[i]) - at);
        axes.pick(axes.picks.reduce((best, _, i) => (far(i) < far(best) ? i : best), 0));
      };
      root.classList.add("pick");
      root.addEventListener("pointerdown", pick);
      root.addEventListener("pointermove", (event) => event.buttons & 1 && pick(event));
    }
    return { node: el("div", { class: "play-figure" }, root, legend), mark: mark };
  }

  function ticks(low, high) {
    const span = high - low || 1, raw = span / 4, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw);
    const out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) out.push(Number((k * step).toPrecision(12)));
    return out;
  }

  function logTicks(low, high) {
    const out = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
      for (const f of high / low > 200 ? [1] : [1, 2, 5]) {
        const value = Number((f * Math.pow(10, e)).toPrecision(12));
        if (value >= low * 0.999 && value <= high * 1.001) out.push(value);
      }
    }
    return out;
  }

  // ---- the regularization path: one price a leaf, several methods ----------------------------------------

  function path(data) {
    // every position of the slider is a range of prices in which no tree changes
    const cuts = [...new Set(data.methods.flatMap((m) => m.solutions.flatMap((s) => [s.low, s.high])))]
      .filter((v) => v !== null && v > data.low && v < data.high).sort((a, b) => a - b);
    const ends = [data.low, ...cuts, data.high]; // to the right a leaf costs more, and there are fewer
    const at = (method, price) => method.solutions.find((s) => s.low <= price && (s.high === null || price <= s.high));
    const lines = [];
    for (const method of data.methods) {
      lines.push({ name: method.name + ", training", color: method.color, points: method.solutions.map((s) => [s.leaves, s.train]) });
      lines.push({ name: method.name + ", test", color: method.color, dash: "5 4", points: method.solutions.map((s) => [s.leaves, s.test]) });
    }
    const price = (i) => Math.sqrt(ends[i] * ends[i + 1]);
    const frontier = chart(lines, { x: "leaves", y: "error", log: true, percent: true, label: "Error against leaves: training error falls with every leaf, test error does not",
      picks: ends.slice(1).map((_, i) => at(data.methods[0], price(i)).leaves), pick: (i) => control.set(i) });
    const panels = data.methods.map((method) => ({ method: method, words: el("p", {}), box: drawingBox("Tree of: " + method.name) }));
    const control = slider("price of a leaf, λ", ends.length - 1, Math.floor((ends.length - 1) / 2), (i) => {
      const marks = [], spoken = [];
      for (const panel of panels) {
        const found = at(panel.method, price(i));
        panel.words.textContent = leaves(found.leaves) + "; training error " + percent(found.train) + ", test error " + percent(found.test) +
          ". Optimal for λ from " + number(found.low, 3) + " to " + number(found.high === null ? Infinity : found.high, 3) + ".";
        showDrawing(panel.box, found.svg);
        marks.push([found.leaves, found.train], [found.leaves, found.test]);
        spoken.push(panel.method.name + ": " + leaves(found.leaves) + ", test error " + percent(found.test));
      }
      frontier.mark(marks);
      return ["λ from " + number(ends[i], 3) + " to " + number(ends[i + 1], 3), spoken.join("; ")];
    });
    return [control, [control.row, frontier.node,
      el("div", { class: "play-columns" }, panels.map((panel) => el("section", {}, el("h3", {}, panel.method.name), panel.words, panel.box)))]];
  }

  // ---- a heat map over two parameters ---------------------------------------------------------------------

  function heat(data) {
    const size = 26, left = 56, bottom = 46, nx = data.x.length, ny = data.y.length;
    const width = left + nx * size + 8, height = ny * size + bottom;
    const all = data.values.flat(), low = Math.min(...all), high = Math.max(...all);
    const root = draw("svg", { viewBox: "0 0 " + width + " " + height, class: "play-heat", tabindex: 0, role: "application",
      "aria-label": data.label + ". Arrow keys move through the grid." });
    const mix = (v) => "color-mix(in srgb, " + data.colors[1] + " " + Math.round(100 * (v - low) / (high - low || 1)) + "%, " + data.colors[0] + ")";
    const cell = (i, j) => ({ x: left + i * size, y: (ny - 1 - j) * size });
    data.values.forEach((row, j) => row.forEach((value, i) => root.append(
      draw("rect", { ...cell(i, j), width: size - 1, height: size - 1, style: "fill:" + mix(value), onmouseenter: () => show(i, j), onclick: () => choose(i, j) }))));
    const every = (n) => Math.ceil(n / 8);
    data.x.forEach((v, i) => i % every(nx) === 0 && root.append(draw("text", { x: left + (i + 0.5) * size, y: height - 28, class: "middle" }, number(v, 3))));
    data.y.forEach((v, j) => j % every(ny) === 0 && root.append(draw("text", { x: left - 6, y: cell(0, j).y + size / 2 + 4, class: "end" }, number(v, 3))));
    root.append(draw("text", { x: left + (nx * size) / 2, y: height - 8, class: "middle" }, data.xname),
      draw("text", { x: 14, y: (ny * size) / 2, class: "middle", transform: "rotate(-90 14 " + (ny * size) / 2 + ")" }, data.yname));
    const frame = draw("rect", { width: size - 1, height: size - 1, class: "here" });
    root.append(frame);
    const words = el("p", { "aria-live": "polite" }), box = drawingBox("Tree at the chosen point");
    let chosen = data.start;
    function show(i, j) {
      const at = cell(i, j);
      frame.setAttribute("x", at.x); frame.setAttribute("y", at.y);
      words.textContent = data.xname + " = " + number(data.x[i], 3) + ", " + data.yname + " = " + number(data.y[j], 3) + ": " + data.vname + " " + percent(data.values[j][i]);
      showDrawing(box, data.trees[data.tree[j][i]]);
    }
    function choose(i, j) {
      chosen = [Math.max(0, Math.min(nx - 1, i)), Math.max(0, Math.min(ny - 1, j))];
      for (const [k, control] of controls.entries()) control.set(chosen[k]);
      show(...chosen);
    }
    // the mouse looks, a click chooses: so the way from the map to the tree changes nothing
    root.addEventListener("mouseleave", () => show(...chosen));
    root.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!move) return;
      event.preventDefault();
      choose(chosen[0] + move[0], chosen[1] + move[1]);
    });
    const controls = [[data.xname, data.x], [data.yname, data.y]].map(([name, values], k) => {
      const control = slider(name, values.length, chosen[k], (i) => number(values[i], 3));
      control.input.addEventListener("touched", () => choose(Number(controls[0].input.value), Number(controls[1].input.value)));
      return control;
    });
    const scale = el("div", { class: "play-scale" }, percent(low),
      el("span", { style: "background:linear-gradient(to right," + data.colors.join() + ")" }), percent(high));
    return [{ update: () => choose(...chosen) }, [el("div", { class: "play-columns" },
      el("section", {}, root, scale, controls.map((control) => control.row)), el("section", {}, words, box))]];
  }

  // ---- a forest and its born-again tree on a plane --------------------------------------------------------

  function plane(data) {
    const size = 300;
    const x = (v) => ((v - data.x[0]) / (data.x[1] - data.x[0])) * size, y = (v) => size - ((v - data.y[0]) / (data.y[1] - data.y[0])) * size;
    const rectangle = (r, attributes) => draw("rect", { x: x(r[0]), y: y(r[3]), width: x(r[1]) - x(r[0]), height: y(r[2]) - y(r[3]), ...attributes });
    const points = () => data.points.map((p) => draw("circle", { cx: x(p[0]), cy: y(p[1]), r: 2.4, class: "point", style: "fill:" + data.colors[p[2]] }));
    const board = (label) => draw("svg", { viewBox: "-1 -1 " + (size + 2) + " " + (size + 2), class: "play-plane", role: "img", "aria-label": label });
    const left = board("Classes that the forest gives to the cells of the plane"), right = board("Leaves of the born-again tree on the plane");
    const words = [el("p", {}), el("p", {})], box = drawingBox("Born-again tree");
    const control = slider("trees in the forest", data.steps.length, data.steps.length - 1, (i) => {
      const step = data.steps[i];
      left.replaceChildren(...step.cells.map((c) => rectangle(c, { style: "fill:" + data.colors[c[4]], class: "cell" })), ...points());
      right.replaceChildren(...step.leaves.map((c) => rectangle(c, { style: "fill:" + data.colors[c[4]], class: "leaf" })), ...points());
      words[0].textContent = many(step.n_trees, "tree") + " with " + leaves(step.forest_leaves) + " in all; " + step.cells.length + " cells.";
      words[1].textContent = "One tree of depth " + step.depth + " with " + leaves(step.leaves.length) + "; equal to the forest on every cell.";
      showDrawing(box, step.svg);
      return [many(step.n_trees, "tree"), "forest of " + leaves(step.forest_leaves) + ", born-again tree of " + leaves(step.leaves.length)];
    });
    const legend = el("ul", { class: "play-legend" }, data.classes.map((name, code) =>
      el("li", {}, el("span", { class: "swatch", style: "background:" + data.colors[code] }), " " + name)),
      el("li", {}, data.features[0] + " to the right, " + data.features[1] + " upwards"));
    return [control, [control.row, legend, el("div", { class: "play-columns" },
      el("section", {}, el("h3", {}, "The forest"), left, words[0]), el("section", {}, el("h3", {}, "Its born-again tree"), right, words[1])), box]];
  }

  // ---- re-verify: score a stored tree again, here and now ---------------------------------------------------

  /* Data sets come as scripts, since a page opened from disk may load a script but not fetch a file. */
  const waiting = {};
  window.treelibData = (name, table) => waiting[name].resolve(table);
  function load(name, file) {
    if (!waiting[name]) {
      waiting[name] = {};
      waiting[name].table = new Promise((resolve, reject) => {
        waiting[name].resolve = resolve;
        const script = el("script", { src: file });
        script.onerror = () => { delete waiting[name]; reject(new Error("The data file " + file + " did not load.")); };
        document.head.append(script);
      });
    }
    return waiting[name].table;
  }

  async function sha256(text) {
    if (!(window.crypto && crypto.subtle)) return null; // only on secure pages
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
  }

  /* Columns of a table: {"values": [...]} or, for 0/1 columns, {"bits": base64, "n": rows}. */
  function column(packed) {
    if (packed.values) return packed.values;
    const bytes = atob(packed.bits), out = new Array(packed.n);
    for (let i = 0; i < packed.n; i++) out[i] = (bytes.charCodeAt(i >> 3) >> (i & 7)) & 1;
    return out;
  }

  /* Errors, leaves and exact objective of a stored tree (format treelib.tree.stored) on a table. */
  function score(tree, table) {
    const nodes = tree.nodes, columns = table.columns.map(column), labels = column(table.y);
    let errors = 0;
    for (let row = 0; row < labels.length; row++) {
      let node = 0;
      while (nodes.left[node] !== null) {
        const value = columns[nodes.feature[node]][row], threshold = nodes.threshold[node];
        const goesLeft = value === null ? nodes.missing_left[node] : threshold === "inf" || value <= threshold;
        node = goesLeft ? nodes.left[node] : nodes.right[node];
      }
      if (nodes.label[node] !== labels[row]) errors++;
    }
    return { samples: labels.length, errors: errors, leaves: nodes.left.filter((child) => child === null).length };
  }

  /* errors / samples + price * leaves as an exact fraction; price is [numerator, denominator]. */
  function objective(found, price) {
    const [a, b] = price.map(BigInt), n = BigInt(found.samples);
    const top = BigInt(found.errors) * b + a * n * BigInt(found.leaves), bottom = n * b;
    const gcd = (p, q) => (q === 0n ? p : gcd(q, p % q)), g = gcd(top, bottom);
    const scaled = (top * 10n ** 16n) / bottom;
    const digits = scaled.toString().padStart(17, "0");
    return { fraction: top / g + "/" + bottom / g, decimal: digits.slice(0, -16) + "." + digits.slice(-16) };
  }

  function verify(data) {
    const said = el("p", { role: "status" }), answer = el("div", { class: "play-answer" }, said);
    const button = el("button", { type: "button", class: "play-button", "data-check": true }, "Verify again");
    let busy = false;
    button.addEventListener("click", async () => {
      if (busy) return;
      busy = true; // not disabled: the button keeps the focus
      said.textContent = "Loading the data …";
      answer.replaceChildren(said);
      try {
        const started = performance.now(), table = await load(data.data, data.file);
        const found = score(data.tree, table);
        const record = { id: data.id, data: data.data, data_sha256: data.sha256, tree_sha256: await sha256(JSON.stringify(data.tree)),
          samples: found.samples, errors: found.errors, leaves: found.leaves };
        const lines = [["errors", data.stored.errors, found.errors], ["leaves", data.stored.leaves, found.leaves]];
        if (data.price) {
          const value = objective(found, data.price);
          record.regularization = data.price.join("/");
          record.objective = value.fraction;
          lines.push(["objective", data.stored.objective, value.fraction + " = " + value.decimal]);
        }
        const accuracy = (100 * (found.samples - found.errors)) / found.samples;
        lines.push(["accuracy", data.printed ? data.printed + " (printed)" : "–", accuracy.toFixed(6) + " %"]);
        const same = found.errors === data.stored.errors && found.leaves === data.stored.leaves &&
          (!data.price || record.objective === data.stored.objective);
        record.agrees_with_stored = same;
        record.seconds = Number(((performance.now() - started) / 1000).toFixed(4));
        record.version = data.version;
        record.date = new Date().toISOString();
        const file = URL.createObjectURL(new Blob([JSON.stringify(record, null, 2) + "\n"], { type: "application/json" }));
        said.replaceChildren(el("strong", { class: "verdict " + (same ? "match" : "differs") }, same ? "The stored result holds." : "The stored result does not hold."),
          " " + found.samples + " rows scored in this browser.");
        answer.append(
          el("table", { class: "table" }, el("thead", {}, el("tr", {}, ["quantity", "stored", "here, now"].map((t) => el("th", { scope: "col" }, t)))),
            el("tbody", {}, lines.map((line) => el("tr", {}, el("th", { scope: "row" }, line[0]), el("td", {}, String(line[1])), el("td", {}, String(line[2])))))),
          el("p", {}, el("a", { href: file, download: data.id + ".json" }, "Record of this check (JSON)")));
      } catch (error) {
        said.textContent = error.message;
      }
      busy = false;
    });
    const picture = el("details", {}, el("summary", {}, "The tree"), drawingBox("Stored tree"));
    picture.addEventListener("toggle", () => showDrawing(picture.lastChild, data.svg));
    button.setAttribute("aria-label", "Verify again: " + data.title);
    return [{ update: () => {} }, [el("div", { class: "play-bar" }, button, el("span", {}, data.title)), answer, picture]];
  }

  /* One button for all checks of a page, above the first of them. */
  function verifyAll() {
    const buttons = [...document.querySelectorAll(".play-button[data-check]")];
    if (buttons.length < 2) return;
    const all = el("button", { type: "button", class: "play-button" }, "Verify all " + buttons.length), said = el("span", { role: "status" });
    const answers = (verdict) => document.querySelectorAll(".play-answer .verdict" + verdict).length;
    new MutationObserver(() => {
      const words = answers(".match") + " of " + buttons.length + " stored results hold.";
      if (answers("") === buttons.length && said.textContent !== words) said.textContent = words;
    }).observe(document.querySelector(".bd-article") || document.body, { childList: true, subtree: true });
    all.addEventListener("click", () => { said.textContent = "Scoring …"; for (const button of buttons) button.click(); });
    buttons[0].closest(".play").before(el("div", { class: "play-bar play-all" }, all, said));
  }

  globalThis.treelibPlay = { chart };

  // ---- start ----------------------------------------------------------------------------------------------

  const kinds = { path: path, heat: heat, plane: plane, verify: verify };
  function start() {
    for (const part of document.querySelectorAll("div.play[data-play]")) {
      const data = JSON.parse(part.querySelector("script[type='application/json']").textContent);
      const [control, nodes] = kinds[part.dataset.play](data);
      part.replaceChildren(...nodes);
      control.update(); // now that sizes can be measured
      part.classList.add("ready");
    }
    verifyAll();
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
