/* A table of reader.js as the search takes it: cut into 0/1 columns by the package's own rules (treelib/table/encode.py
   and binarize.py), and a tree written out. Pure functions without a page; the tests hold every one of them to Python.
   Loaded as a plain script, since pages from a disk may load no modules, and handed on to workers as the text `source`. */
(function tables() {
  "use strict";

  const { TableError, refuse, quote, counted, byCode, decode, read, setApart } = globalThis.treelibReader;
  const MOST_CELLS = 4e8;

  // ---- thresholds, as treelib/table/binarize.py chooses them -------------------------------------------

  function midpoint(low, high) {
    const middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
  }

  /* Gaps between neighbouring values that split `mass` evenly, at most `limit`. */
  function quantileGaps(mass, limit) {
    let rest = mass.reduce((sum, value) => sum + value, 0), share = 0;
    const heavy = Float64Array.from(mass).sort().reverse();
    for (let k = 0; k <= limit; k++) {
      share = rest / (limit + 1 - k);
      if (heavy[k] <= share) break;
      rest -= heavy[k];
    }
    const below = new Float64Array(mass.length);
    let sum = 0;
    for (let i = 0; i < mass.length; i++) below[i] = sum += Math.min(mass[i], share);
    const gaps = new Set(), all = below[mass.length - 1];
    for (let k = 1; k <= limit; k++) {
      const target = all * k / (limit + 1);
      let above = 0;
      while (above < mass.length - 1 && below[above] < target) above++;
      above = Math.min(above, mass.length - 2);
      const before = Math.max(above - 1, 0);
      gaps.add(target - below[before] < below[above] - target ? before : above);
    }
    return [...gaps].sort((a, b) => a - b);
  }

  /* Ascending thresholds of a numeric column, Infinity last where it has both numbers and missing values. */
  function thresholds(values, limit) {
    const sorted = values.filter((value) => value === value).sort(), distinct = [], mass = [];
    for (const value of sorted) {
      if (distinct.length && distinct[distinct.length - 1] === value) mass[mass.length - 1]++;
      else { distinct.push(value); mass.push(1); }
    }
    let gaps = distinct.slice(1).map((_, i) => i);
    if (limit !== null && gaps.length > limit) gaps = quantileGaps(mass, limit);
    const found = gaps.map((i) => midpoint(distinct[i], distinct[i + 1]));
    if (sorted.length < values.length && distinct.length) found.push(Infinity);
    return found;
  }

  /* A table as the search takes it.

     limit: the most thresholds of a column, null for all; drop: names of columns to leave out.
     Returns features ({name, column, kind, category, values, isZeroOne, sides, kept}), the kept columns (feature, threshold,
     bits), classes, y, the notes, and `dropped`, `missed` and `isMade` of `setApart`. */
  function prepare(table, target, limit, drop = []) {
    const { columns: found, names, y, n, notes, dropped, missed, isMade } = setApart(table, target, drop), numeric = [], encoded = [];
    for (const { name, column, kind, values, sides, kept } of found) {
      if (kind !== "category") {
        numeric.push({ name, column, kind, category: null, values, sides, isZeroOne: values.every((x) => x === 0 || x === 1) });
        continue;
      }
      for (const category of [...new Set(values.filter((value) => value !== null))].sort(byCode)) {
        encoded.push({ name: `${name} = ${category}`, column, kind, category, kept, values: Float64Array.from(values, (value) => Number(value === category)) });
      }
      if (values.includes(null)) encoded.push({ name: `${name} is missing`, column, kind, category: undefined, values: Float64Array.from(values, (value) => Number(value === null)) });
    }
    const features = [...numeric, ...encoded];
    const columns = [], known = new Map();
    let most = 0; // cuts that one column of numbers has
    features.forEach((feature, f) => {
      const cuts = thresholds(feature.values, limit);
      most = Math.max(most, cuts.filter(isFinite).length);
      if ((columns.length + cuts.length) * n > MOST_CELLS) refuse(`${n} rows with more than ${columns.length} cuts do not fit into a page. Allow fewer cuts a column, or take a sample of the rows.`);
      for (const threshold of cuts) {
        const bits = new Uint8Array(n);
        let hash = 0;
        for (let i = 0; i < n; i++) {
          bits[i] = feature.values[i] <= threshold ? 0 : 1;
          if (bits[i] !== bits[0]) hash = (Math.imul(hash, 31) + i * 2654435761) | 0;
        }
        // equal columns and complements split alike: the first stands for all
        const alike = known.get(hash) || [];
        const same = alike.some((c) => { const other = columns[c].bits, flip = other[0] ^ bits[0]; return other.every((bit, i) => (bit ^ flip) === bits[i]); });
        if (same) continue;
        known.set(hash, [...alike, columns.length]);
        columns.push({ feature: f, threshold, bits });
      }
    });
    if (!columns.length) refuse("Every column has the same value in all rows: there is nothing to split on.");
    // as the package says it: a column that has as many cuts as are allowed may have had more
    const isWhole = (limit === null || most < limit) && !found.some(({ kept }) => kept);
    return { features, columns, classes: names, y, n, notes, dropped, missed, isMade, target, isWhole };
  }

  /* Flat arrays for the kernel: columns uint8 (n, p), costs float64 (n, n_classes). */
  function flatten({ columns, classes, y, n }) {
    const p = columns.length, k = classes.length, bits = new Uint8Array(n * p), costs = new Float64Array(n * k).fill(1);
    columns.forEach((column, c) => { for (let i = 0; i < n; i++) bits[i * p + c] = column.bits[i]; });
    y.forEach((code, i) => { costs[i * k + code] = 0; });
    return { bits, costs, n, p, k };
  }

  /* A prepared table as kernels on numbers take it. */
  function matrix({ features, y, n, classes }) {
    const d = features.length, X = new Float64Array(n * d);
    features.forEach(({ values }, j) => { for (let i = 0; i < n; i++) X[i * d + j] = values[i]; });
    return { X, y: Array.from(y), n, d, k: classes.length };
  }

  /* What a page needs to show a tree of a prepared table: all but its rows. */
  function outline({ features, columns, classes, n, notes, dropped, missed, isMade, target, isWhole }) {
    return {
      features: features.map(({ values, ...feature }) => ({ ...feature, hasMissing: values.some(Number.isNaN) })),
      columns: columns.map(({ feature, threshold }) => ({ feature, threshold })),
      classes, n, notes, dropped, missed, isMade, target, isWhole,
    };
  }

  // ---- the tree, written out ---------------------------------------------------------------------------

  /* Nodes in preorder with the training rows counted: {feature, threshold, left, right, label, samples, value}.
     tree: [column, false child, true child, label] of the search; left is where the value is at most the threshold. */
  function grow(tree, data) {
    const [column, no, yes, label] = tree;
    const nodes = column.map((c, i) => c < 0
      ? { feature: null, threshold: null, left: null, right: null, label: label[i] }
      : { feature: data.columns[c].feature, threshold: data.columns[c].threshold, left: no[i], right: yes[i], label: label[i] });
    for (const node of nodes) { node.value = new Array(data.classes.length).fill(0); node.samples = 0; }
    for (let i = 0; i < data.n; i++) {
      let at = 0;
      for (;;) {
        nodes[at].value[data.y[i]]++;
        nodes[at].samples++;
        if (column[at] < 0) break;
        at = data.columns[column[at]].bits[i] ? yes[at] : no[at];
      }
    }
    for (const node of nodes) node.label = node.value.indexOf(Math.max(...node.value));
    return nodes;
  }

  const isFlag = (feature) => feature.category !== null;
  const isOther = (feature) => Boolean(feature.kept) && feature.category === globalThis.treelibRules.other;
  /* The thresholds of nodes as texts, of so few digits (null: exactly) that different ones of a feature still look
     different; as treelib/tree/labels.py. */
  function shortened(nodes, digits) {
    const texts = new Map();
    for (const feature of new Set(nodes.map((node) => node.feature))) {
      const cuts = [...new Set(nodes.filter((node) => node.feature === feature).map((node) => node.threshold))];
      let shown = cuts.map(String);
      for (let d = digits ?? 17; d < 17; d++) {
        const short = cuts.map((cut) => String(Number(cut?.toPrecision(d))));
        if (new Set(short).size === cuts.length) { shown = short; break; }
      }
      cuts.forEach((cut, i) => texts.set(`${feature} ${cut}`, shown[i]));
    }
    return (node) => texts.get(`${node.feature} ${node.threshold}`);
  }
  /* Words of the two sides of a split. */
  function sides(node, features, shown) {
    const feature = features[node.feature];
    if (isFlag(feature)) {
      if (feature.category === undefined) return [`${feature.column} is not missing`, `${feature.column} is missing`];
      return [`${feature.column} is not ${feature.category}`, `${feature.column} = ${feature.category}`];
    }
    if (node.threshold === Infinity) return [`${feature.name} is known`, `${feature.name} is missing`];
    if (feature.kind === "truth") return [`${feature.name} is false${goesLeft(node, feature) ? " or missing" : ""}`, `${feature.name} is true`];
    if (feature.isZeroOne) return [`${feature.name} = 0`, `${feature.name} = 1`];
    return [`${feature.name} <= ${shown(node)}${goesLeft(node, feature) ? " or missing" : ""}`, `${feature.name} > ${shown(node)}`];
  }

  // missing values go to the left: a choice of top-down trees alone
  const goesLeft = (node, feature) => node.missingLeft === true && feature.hasMissing === true;
  /* The tree in words; `digits` null writes every threshold exactly. */
  function toText(nodes, data, digits = 4) {
    const shown = shortened(nodes, digits);
    const leaf = (node) => `${data.classes[node.label]} (${counted(node.samples, "row")}, ${counted(node.samples - node.value[node.label], "error")}${node.isOpen ? ", may be split" : ""})`;
    const lines = [];
    const write = (at, pad) => {
      const node = nodes[at];
      sides(node, data.features, shown).forEach((words, side) => {
        const child = nodes[side ? node.right : node.left], [tie, rest] = side ? ["└─ ", "   "] : ["├─ ", "│  "];
        lines.push(pad + tie + words + (child.feature === null ? ": " + leaf(child) : ""));
        if (child.feature !== null) write(side ? node.right : node.left, pad + rest);
      });
    };
    if (nodes[0].feature === null) return leaf(nodes[0]);
    write(0, "");
    return (data.refusesMissing ? "For rows without missing values:\n" : "") + lines.join("\n");
  }

  /* The package's own format of trees, which treelib.Tree.from_json reads. */
  function toJson(nodes, data) {
    const column = (name) => nodes.map((node) => node[name]);
    const missing = data.features.flatMap((feature, j) => (feature.hasMissing ? [j] : []));
    return JSON.stringify({
      format: "treelib.tree", version: 1, task: "classification", n_features: data.features.length,
      feature_names: data.features.map((feature) => feature.name), class_names: data.classes,
      features_with_missing: typeof nodes[0].missingLeft === "boolean" ? missing : null, // top-down trees know
      ...(data.refusesMissing ? { refuses_missing: true } : {}), // born-again trees
      nodes: {
        left: column("left"), right: column("right"), feature: column("feature"),
        threshold: column("threshold").map((value) => (value === Infinity ? "inf" : value)),
        missing_left: nodes.map((node) => Number(node.missingLeft === true && node.feature !== null)), label: column("label"), samples: column("samples"), value: column("value"),
      },
    }, null, 1) + "\n";
  }

  const sqlName = (text) => '"' + text.replaceAll('"', '""') + '"', sqlText = (text) => "'" + text.replaceAll("'", "''") + "'";
  function sqlTest(node, features) {
    const feature = features[node.feature], column = sqlName(feature.column);
    if (feature.category === undefined) return `${column} IS NOT NULL`;
    if (isOther(feature)) return `${column} IS NULL OR ${column} IN (${feature.kept.map(sqlText).join(", ")})`;
    if (isFlag(feature)) return `${column} IS NULL OR ${column} <> ${sqlText(feature.category)}`;
    if (node.threshold === Infinity && feature.kind !== "truth") return `${column} IS NOT NULL`;
    const given = feature.sides ? column : `LOWER(CAST(${column} AS CHAR(5)))`;
    if (feature.kind === "truth") return truthTest(node, feature, (negative, words) => `${negative ? `${column} IS NULL OR ` : ""}${given} ${negative ? "NOT " : ""}IN (${words.map(sqlText).join(", ")})`);
    return `${goesLeft(node, feature) ? `${column} IS NULL OR ` : ""}${column} <= ${node.threshold}`;
  }
  /* The left side of a split of truth values, however they are written: `among(negative, words)` says that a value is (not) one of words. */
  function truthTest(node, feature, among) {
    const { true: yes, false: no } = feature.sides ?? globalThis.treelibRules;
    if (node.threshold === Infinity) return among(false, [...yes, ...no]);
    return goesLeft(node, feature) ? among(true, yes) : among(false, no);
  }
  /* One SQL expression over the columns of the file; missing values as NULL. */
  function toSql(nodes, data) {
    const write = (at, pad) => {
      const node = nodes[at];
      if (node.feature === null) return sqlText(data.classes[node.label]);
      const inner = pad + "  ";
      return `CASE WHEN ${sqlTest(node, data.features)}\n${inner}THEN ${write(node.left, inner)}\n${inner}ELSE ${write(node.right, inner)}\n${pad}END`;
    };
    const missing = columnsOf(data).map((column) => `${sqlName(column)} IS NULL`).join(" OR ");
    return (data.refusesMissing ? `CASE WHEN ${missing}\n  THEN NULL\n  ELSE ${write(0, "  ")}\nEND` : write(0, "")) + "\n";
  }
  const columnsOf = (data) => [...new Set(data.features.map(({ column }) => column))];

  const pyText = (text) => JSON.stringify(text).replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029");
  function pyTest(node, features) {
    const feature = features[node.feature], value = `row[${pyText(feature.column)}]`;
    if (feature.category === undefined) return `${value} is not None`;
    if (isOther(feature)) return `${value} is None or ${value} in [${feature.kept.map(pyText).join(", ")}]`;
    if (isFlag(feature)) return `${value} != ${pyText(feature.category)}`;
    const given = feature.sides ? value : `str(${value}).strip().lower()`;
    if (feature.kind === "truth") return truthTest(node, feature, (negative, words) => `${given} ${negative ? "not " : ""}in [${words.map(pyText).join(", ")}]`);
    return node.threshold === Infinity ? `${value} is not None` : `${value} is ${goesLeft(node, feature) ? "None or" : "not None and"} ${value} <= ${node.threshold}`;
  }
  /* A Python function of a row, a dict of column name to value; missing values as None. */
  function toPython(nodes, data) {
    const lines = ["def predict(row):", `    """${data.target.replace(/[\\"]/g, " ")} of a row: a dict of values, numbers as numbers, None where missing."""`];
    const write = (at, pad) => {
      const node = nodes[at];
      if (node.feature === null) { lines.push(`${pad}return ${pyText(data.classes[node.label])}`); return; }
      lines.push(`${pad}if ${pyTest(node, data.features)}:`);
      write(node.left, pad + "    ");
      lines.push(`${pad}else:`);
      write(node.right, pad + "    ");
    };
    if (data.refusesMissing) lines.push(`    if any(row[name] is None for name in [${columnsOf(data).map(pyText).join(", ")}]):`, "        return None");
    write(0, "    ");
    return lines.join("\n") + "\n";
  }

  /* The estimator with what the reader chose; `method` is "topdown" with its `pair` (alpha, beta), "dyadic", "bornagain" (the forest
     alone), or the exact search. */
  function estimator({ method, pair, price, depth, limit, trees, high, seed }) {
    const deep = depth === null ? [] : [`max_depth=${depth}`];
    if (method === "topdown") return `treelib.TopDownTreeClassifier(${['"tsallis"', `alpha=${pair[0]}`, `beta=${pair[1]}`, ...deep].join(", ")})`;
    if (method === "dyadic") return `treelib.DyadicTreeClassifier(${price})`;
    if (method === "bornagain") return `treelib.TopDownForestClassifier("tsallis", alpha=${pair[0]}, beta=${pair[1]}, n_estimators=${trees}, max_depth=${high}, max_features=None, random_state=${seed})`;
    return `treelib.OptimalSparseTreeClassifier(${[price, ...deep, ...(limit === null ? [] : [`max_thresholds=${limit}`])].join(", ")})`;
  }

  /* The same fit in Python. */
  function inPython(data, file, options, known, drop = []) {
    const left = drop.length ? `, drop=[${drop.map(pyText).join(", ")}]` : "", model = estimator(options);
    const isForest = options.method === "bornagain", name = isForest ? "forest" : "model";
    const more = isForest ? [`model = treelib.BornAgainTreeClassifier(objective="${options.objective ? "leaves" : "depth"}").from_ensemble(forest.trees_)`] : [];
    if (known && !data.dropped.length && !data.isMade) {
      return ["import treelib.datasets", `data = treelib.datasets.load(${pyText(known)})`,
        `${name} = ${model}.fit(data.X, data.y)`, ...more].join("\n");
    }
    return [
      "import treelib", "from treelib.owndata.columns.preparing import Preparing", "from treelib.owndata.read import read_table",
      `table = read_table(${pyText(file)}, ${pyText(data.target)}${left}, preparing=Preparing())`,
      `${name} = ${model}.fit(table.X, table.y)`, ...more,
    ].join("\n");
  }

  globalThis.treelibTable = {
    TableError, decode, read, prepare, flatten, matrix, outline, grow, sides, toText, toJson, toSql, toPython, inPython, thresholds,
    source: `${globalThis.treelibReader.source}(${tables})();\n`,
  };
})();
