/* "Your table, here": the page's controls, its live tree and its downloads. Needs table.js, kernels.js, solver.js,
   tables.js and sparse.wasm.js; the other kernels are loaded when their method is chosen. Nothing is sent anywhere: the page's content policy forbids every connection. */
(function () {
  "use strict";
  const root = document.getElementById("your-table");
  if (!root) return;
  const T = globalThis.treelibTable, { counted } = globalThis.treelibReader, here = document.currentScript.src;
  const METHODS = { sparse: "Best tree (exact search)", dyadic: "Best tree of halved intervals (dyadic)", topdown: "Top-down tree (greedy)", bornagain: "Born-again tree" };
  const KERNELS = { bornagain: ["topdown", "bornagain"] };
  const CRITERIA = { "Gini impurity": [2, 1], entropy: [1, 1], "Kearns–Mansour": [0.5, 2] };
  let serial = 0;

  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value === true) node.setAttribute(name, "");
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }
  const labelled = (words, control, hint) => {
    control.id ||= "table-" + ++serial;
    return el("p", { class: "table-field" }, el("label", { for: control.id }, words), control, hint ? el("small", {}, hint) : null);
  };

  root.textContent = "";
  const why = globalThis.treelibSolver.missing();
  if (why) {
    root.append(el("p", { role: "alert" }, why + " Open this page in a current Chrome, Edge, Firefox or Safari, or fit your table in Python: "),
      el("pre", {}, "treelib fit table.csv --target COLUMN --out report.html"));
    return;
  }

  const say = el("p", { class: "table-status", role: "status", "aria-live": "polite" });
  const alarm = el("p", { class: "table-alarm", role: "alert" });
  const file = el("input", { type: "file", accept: ".csv,.txt,.tsv,text/csv", onchange: () => file.files[0] && open(file.files[0]) });
  const drop = el("div", { class: "table-drop" }, labelled("A CSV file of your own", file, "or drop it here; it stays on this machine"));
  const known = el("select", { onchange: () => known.value && choose(known.value) }, el("option", { value: "" }, "choose …"),
    Object.keys(globalThis.treelibTables || {}).map((name) => el("option", { value: name }, globalThis.treelibTables[name].title)));
  const target = el("select", { disabled: true, onchange: () => showLeave() });
  const price = el("input", { type: "text", inputmode: "decimal", value: "0.01", size: 8, autocomplete: "off" });
  const depth = el("select", {}, [["", "no limit"], ...[1, 2, 3, 4, 5, 6].map((d) => [d, d])].map(([value, words]) => el("option", { value, selected: value === 4 }, String(words))));
  const limit = el("select", {}, [["1", "1"], ["3", "3"], ["5", "5"], ["10", "10"], ["20", "20"], ["50", "50"], ["", "all"]].map(([value, words]) => el("option", { value, selected: value === "10" }, words)));
  const method = el("select", { onchange: () => takeMethod() }, Object.entries(METHODS).map(([value, words]) => el("option", { value }, words)));
  const criterion = el("select", {}, Object.keys(CRITERIA).map((name) => el("option", {}, name)));
  const numbers = (list, chosen) => el("select", {}, list.map((value) => el("option", { value, selected: value === chosen }, value)));
  const trees = numbers([1, 2, 3, 4, 5, 7, 10, 15, 20], 5), high = numbers([1, 2, 3, 4], 2), seed = numbers(Array.from({ length: 20 }, (_, i) => i), 0);
  const least = el("select", {}, el("option", { value: 1 }, "leaves"), el("option", { value: 0 }, "splits on a path"));
  const seconds = el("input", { type: "text", inputmode: "numeric", value: "60", size: 5, autocomplete: "off" });
  const leave = el("fieldset", { class: "table-leave", hidden: true }, el("legend", {}, "Columns to leave out"));
  // a button that is disabled loses the focus, and with it the place of whoever uses the keyboard
  const button = (words, action) => el("button", { type: "button", class: "part-button", "aria-disabled": "true", onclick: ({ target }) => target.ariaDisabled === "true" || action() }, words);
  const allow = (control, may) => control.setAttribute("aria-disabled", String(!may));
  const go = button("Find the best tree", () => run()), halt = button("Stop and keep the tree", () => solver.stop());
  const buttons = el("p", { class: "table-buttons" }, go, " ", halt), chooser = labelled("or a data set of this book", known);
  const verdict = el("p", { class: "table-verdict" });
  const drawing = el("pre", { class: "table-tree", tabindex: 0, role: "region", "aria-label": "The best tree found" });
  const notes = el("ul", { class: "table-notes" });
  const saves = el("p", { class: "table-saves", hidden: true });
  const lines = el("pre", { class: "table-lines", tabindex: 0, role: "region", "aria-label": "The same fit in Python" });
  const copy = el("button", { type: "button", class: "part-button", onclick: () => copyLines() }, "Copy these lines");
  const python = el("div", { hidden: true }, el("h2", {}, "The same fit in Python"), lines, el("p", {}, copy));

  // what each method asks for
  const fields = [[labelled("Splitting criterion", criterion), "topdown bornagain"], [labelled("Trees of the forest", trees), "bornagain"],
    [labelled("Depth of each tree", high), "bornagain"], [labelled("Draw of the forest", seed), "bornagain"], [labelled("Fewest", least), "bornagain"], [labelled("Leaf penalty", price, "as a fraction of the rows"), "sparse dyadic"],
    [labelled("Most splits on a path", depth), "sparse topdown"], [labelled("Most cuts of a column", limit), "sparse"], [labelled("Seconds", seconds), "sparse bornagain"]];
  const showFields = () => fields.forEach(([field, methods]) => { field.hidden = !methods.split(" ").includes(method.value); });
  root.append(drop, chooser, alarm,
    el("div", { class: "table-fields" }, labelled("Column to predict", target), labelled("Method", method), fields.map(([field]) => field)),
    leave, buttons, say, notes, verdict, drawing, saves, python);

  const solver = new globalThis.treelibSolver.Solver("sparse");
  let table = null, name = "table.csv", reading = false, running = false, written = "";
  showFields();

  /* Take the kernel of the method that is chosen, loaded at its first use. */
  async function takeMethod() {
    const chosen = method.value, kernels = KERNELS[chosen] ?? [chosen];
    showFields();
    refuse("");
    for (const kernel of kernels.filter((one) => !globalThis.treelibWasm[one])) {
      allow(go, false);
      await new Promise((resolve) => document.head.append(el("script", { src: new URL(`${kernel}.wasm.js`, here).href, onload: resolve, onerror: resolve })));
    }
    if (chosen !== method.value) return; // another one since
    if (kernels.some((one) => !globalThis.treelibWasm[one])) { refuse("This method did not load. Reload the page."); return; }
    if (running) say.textContent = "Stopped.";
    running = false;
    allow(halt, false);
    if (!reading) { solver.change(...kernels); allow(go, table !== null); } else { method.value = "sparse"; showFields(); refuse("Wait until the table is read."); }
  }

  /* Say what is wrong beside what was clicked, and have it seen. */
  const refuse = (words, beside = buttons) => {
    if (words) beside.after(alarm);
    alarm.textContent = words;
    if (words) alarm.scrollIntoView({ block: "nearest" });
  };

  async function open(chosen) {
    forget();
    if (chosen.size > 100e6) { refuse(`${chosen.name} has ${Math.round(chosen.size / 1e6)} MB; a page takes up to 100 MB. Take a sample of its rows, or fit it in Python.`, chooser); return; }
    known.value = "";
    await take(chosen.name, async () => new Uint8Array(await chosen.arrayBuffer()));
  }
  function choose(chosen) {
    forget();
    file.value = "";
    take(chosen + ".csv", () => globalThis.treelibTables[chosen].csv);
  }
  /* Have a table read by the worker: large ones take seconds. */
  async function take(called, give) {
    reading = true;
    say.textContent = `Reading ${called} …`;
    const refused = (words) => { reading = false; say.textContent = ""; refuse(words, chooser); };
    try {
      await solver.open(give, {
        table: (read) => { reading = false; show(read, called); },
        refused,
        error: (words) => refused(`${called} cannot be read: ${words}.`),
      });
    } catch {
      refused(`${called} cannot be read. If it is a folder, open it and take the file.`);
    }
  }
  function forget() {
    if (reading || running) solver.restart();
    reading = running = false;
    table = null;
    target.disabled = true;
    allow(go, false);
    allow(halt, false);
    leave.hidden = saves.hidden = python.hidden = true;
    for (const node of [say, alarm, verdict, drawing, notes]) node.textContent = "";
  }
  function show(read, called) {
    [table, name] = [read, called];
    target.replaceChildren(...table.names.map((one, i) => el("option", { value: one, selected: i === table.names.length - 1 }, one)));
    target.disabled = false;
    allow(go, true);
    leave.replaceChildren(leave.firstChild, ...table.names.map((one) => el("label", {}, el("input", { type: "checkbox", value: one }), " " + one)));
    leave.hidden = table.names.length > 200;
    showLeave();
    say.textContent = `${called}: ${table.n} rows, ${table.names.length} columns. Choose what to predict, and start.`;
  }

  /* The column to predict cannot be left out. */
  function showLeave() {
    for (const label of leave.querySelectorAll("label")) label.hidden = label.firstChild.value === target.value;
  }

  /* A number that was typed, or words on what is wrong with it. */
  function typed(input, words, low, high) {
    const value = Number(input.value.trim().replace(",", "."));
    const good = input.value.trim() !== "" && value >= low && value <= high;
    input.setAttribute("aria-invalid", String(!good));
    if (!good) throw new T.TableError(`${words} must be a number from ${low} to ${high}; it is “${input.value}”.`);
    return value;
  }

  function run() {
    if (running || !table) return;
    alarm.textContent = "";
    const options = { method: method.value, pair: CRITERIA[criterion.value], depth: depth.value ? Number(depth.value) : null, limit: limit.value ? Number(limit.value) : null,
      trees: Number(trees.value), high: Number(high.value), seed: Number(seed.value), objective: Number(least.value) };
    const asks = (field) => !field.closest(".table-field").hidden;
    try {
      options.price = asks(price) ? typed(price, "The leaf penalty", 0, 1) : 0;
      options.seconds = asks(seconds) ? typed(seconds, "Seconds", 1, 86400) : 0;
    } catch (error) {
      if (!(error instanceof T.TableError)) throw error;
      refuse(error.message);
      return;
    }
    const dropped = [...leave.querySelectorAll("input:checked")].map((box) => box.value).filter((one) => one !== target.value);
    const isBook = known.value && target.value === table.names[table.names.length - 1];
    const source = isBook ? globalThis.treelibTables[known.value].name : null;
    const within = options.depth === null ? "" : `, with at most ${options.depth} split${options.depth > 1 ? "s" : ""} on a path`;
    running = true;
    allow(go, false);
    allow(halt, true);
    say.textContent = `Cutting the columns of ${table.n} rows …`;
    let data, scope, latest;
    const end = () => { running = false; allow(go, table !== null); allow(halt, false); };
    const [alpha, beta] = options.pair;
    const wanted = { sparse: { price: options.price, depth: options.depth, seconds: options.seconds, bytes: 1.5e9 },
      topdown: { task: "grow", given: { criterion: { alpha, beta, depth: options.depth } } },
      dyadic: { task: "dyadicBest", given: { price: options.price } },
      bornagain: { task: "reborn", given: { alpha, beta, trees: options.trees, depth: options.high, seed: options.seed, objective: options.objective, seconds: options.seconds } } }[options.method];
    solver.fit(wanted, { target: target.value, limit: options.limit, drop: dropped, judge: true }, {
      prepared: (outline) => {
        data = { ...outline, refusesMissing: options.method === "bornagain" };
        scope = options.method === "topdown" ? `Grown from the top by ${criterion.value}, one split at a time${within}: nothing is proved, a better tree may exist.`
          : ["dyadic", "bornagain"].includes(options.method) ? "" : (data.isWhole ? `over all cuts of ${data.missed.length ? "the columns kept" : "every column"}` : `over at most ${options.limit} cuts of ${data.missed.length ? "each of the columns kept" : "a column"}`) + within;
        saves.hidden = true;
        notes.replaceChildren(...data.notes.map((note) => el("li", {}, note)));
        lines.textContent = T.inPython(data, name, options, source, dropped);
        python.hidden = false;
        say.textContent = `${data.n} rows, ${options.method === "sparse" ? `${data.columns.length} cuts, ` : ""}${data.classes.length} classes: searching.`;
        verdict.textContent = drawing.textContent = written = "";
      },
      refused: (words) => {
        end();
        say.textContent = "";
        refuse(words);
      },
      part: (looked) => { say.textContent = `${looked} rectangles looked at …`; },
      progress: (found) => display(found, data, found.halvings ? halved(found, data) : scope),
      bounds: (bounds) => solver.last && display({ ...solver.last, ...bounds }, data, scope),
      tree: (found) => {
        if (found.halvings) scope = halved(found, data);
        display(found, data, scope);
        offer(found, data);
        say.textContent = `${say.textContent} Judging on held-out rows …`;
        latest = found;
      },
      judging: ({ fold, of }) => { say.textContent = `Judging on held-out rows: fold ${fold} of ${of} …`; },
      judged: (judged) => {
        end();
        display({ ...latest, judged }, data, scope);
        window.treelibLast = { ...latest, judged, scope, n: data.n, cuts: data.columns.length };
      },
      error: (words) => {
        end();
        say.textContent = "";
        refuse(words === "memory" ? "The browser gives this page no more memory. Take fewer cuts a column, less depth, or a sample of the rows."
          : words === "stopped" ? "Stopped before there was a tree." : `The search ended: ${words}.`);
      },
    });
  }

  const percent = (value) => (100 * value).toFixed(value < 0.0995 ? 2 : 1) + "\u00a0%";
  /* What the proof of a dyadic tree ranges over. */
  function halved({ halvings }, data) {
    const most = Math.max(...halvings), list = halvings.map((n, j) => [n, data.features[j].name]).filter(([n]) => n > 0);
    const named = list.length > 8 ? `at most ${most} times each` : list.map(([n, name]) => `${name} ${n} times`).join(", ") + " at most";
    return `over all trees that halve the ranges of columns on a path (${named})`;
  }
  const ENDS = { running: "Searching", stopped: "Stopped", time: "The time is up", memory: "The memory is full" };
  function display(found, data, scope) {
    const nodes = found.grown;
    const leaves = nodes.filter((node) => node.feature === null);
    const errors = leaves.reduce((sum, node) => sum + node.samples - node.value[node.label], 0);
    const share = (wrong, n) => `${percent(wrong / n)} (${wrong} of ${counted(n, "row")})`;
    const size = `${leaves.length} ${leaves.length === 1 ? "leaf" : "leaves"}; training error ${share(errors, data.n)}${heldOut(found.judged, share)}`;
    const gap = found.objective ? (found.objective - found.lower) / found.objective : 0;
    const proof = found.born ? likeForest(found) : found.reason === "done" && !found.optimal ? scope : found.optimal ? `Proved optimal ${scope}${data.missed.length ? "; columns were left out, see above." : ": no tree is better."}`
      : `${ENDS[found.reason] ?? "Searching"}. No tree is more than ${percent(gap)} better: objective ${found.objective.toFixed(6)}, proved at least ${found.lower.toFixed(6)}, ${scope}.`;
    verdict.textContent = `${size}. ${proof}`;
    const text = T.toText(nodes, data);
    if (text !== written) drawing.textContent = written = text;
    if (found.reason === "running") return;
    const value = found.objective === undefined ? "Grown" : `${found.optimal ? "Proved optimal" : ENDS[found.reason]}: ${found.born ? sizeOf(found.objective, found.born) : `objective ${found.objective.toFixed(6)}`}`;
    say.textContent = `${value}.`;
  }
  /* The error on rows that were not in the fit, as text: of the folds that were fitted, or why there is none. */
  function heldOut(judged, share) {
    if (!judged) return "";
    if (!judged.rows) return "; held-out error not known";
    return `; held-out error ${share(judged.errors, judged.rows)}, ${judged.folds === 1 ? "one fold" : `${judged.folds} folds`}`;
  }
  const sizeOf = (n, { objective }) => (objective ? `${n} ${n === 1 ? "leaf" : "leaves"}` : `${n} split${n === 1 ? "" : "s"} on the longest path`);
  /* What a born-again tree is to its forest. */
  function likeForest({ born, lower, optimal, reason }) {
    const forest = `${born.trees} ${born.trees === 1 ? "tree" : "trees"} with ${born.leaves} leaves in all`;
    return `${optimal ? "" : `${ENDS[reason] ?? "Searching"}. `}It gives the class of the vote of ${forest} everywhere. ${optimal ? `Proved: no such tree has fewer than ${sizeOf(lower, born)}.` : `Every such tree has at least ${sizeOf(lower, born)}.`}`;
  }

  function offer(found, data) {
    const nodes = found.grown;
    const forms = [["text", "txt", (tree, table) => T.toText(tree, table, null)], ["JSON", "json", T.toJson], ["SQL", "sql", T.toSql], ["Python", "py", T.toPython]];
    const link = ([words, ending, write]) => el("button", { type: "button", class: "part-button", "data-form": ending, onclick: () => save(`tree.${ending}`, write(nodes, data)) }, `Save as ${words}`);
    const forest = () => `[${found.forest.map((tree) => T.toJson(tree, { ...data, refusesMissing: false })).join(",")}]\n`;
    saves.replaceChildren(...forms.flatMap((form) => [link(form), " "]),
      found.forest ? el("button", { type: "button", class: "part-button", "data-form": "forest", onclick: () => save("forest.json", forest()) }, "Save the forest as JSON") : "");
    saves.hidden = false;
  }
  function save(called, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = el("a", { href: address, download: called });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
  async function copyLines() {
    try {
      await navigator.clipboard.writeText(lines.textContent);
      say.textContent = "Copied.";
    } catch { // from a disk, or where the reader said no
      getSelection().selectAllChildren(lines);
      say.textContent = "The lines are selected; press Ctrl-C.";
    }
  }

  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const [chosen, more] = event.dataTransfer.files;
    if (more) { forget(); refuse("Drop one file at a time.", chooser); } else if (chosen) open(chosen);
  });
  root.dataset.ready = "yes";
})();
