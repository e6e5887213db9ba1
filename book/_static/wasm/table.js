/* A reader's CSV file as the search takes it: read, checked, cut into 0/1 columns by the package's own rules
   (treelib/table/encode.py and binarize.py), and a tree written out. Pure functions without a page; the tests hold
   every one of them to Python. Loaded as a plain script, since pages from a disk may load no modules, and handed on to
   workers as the text `source`. */
(function tables() {
  "use strict";

  const MOST_BYTES = 100e6, MOST_CLASSES = 50, MOST_CATEGORIES = 50, MOST_CELLS = 4e8, MOST_COLUMNS = 2000;
  const SEPARATORS = [",", ";", "\t", "|"];
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
  const INFINITE = /^[+-]?inf(inity)?$/i;
  // what pandas.read_csv takes for a missing value
  const MISSING = new Set(["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]);
  const TRUTHS = new Map([["True", 1], ["TRUE", 1], ["true", 1], ["False", 0], ["FALSE", 0], ["false", 0]]);

  /* An error whose words are for the reader. */
  class TableError extends Error {}
  const refuse = (words) => { throw new TableError(words); };
  const some = (names, most = 12) => names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
  const quote = (name) => "“" + (name.length > 60 ? name.slice(0, 59) + "…" : name) + "”";

  /* Text of a file's bytes, or an error that says what the file is instead. */
  function decode(bytes) {
    const head = [...bytes.subarray(0, 4)];
    const starts = (...signs) => signs.every((sign, i) => head[i] === sign);
    if (!bytes.length) refuse("The file is empty.");
    if (bytes.length > MOST_BYTES) refuse(`The file has ${Math.round(bytes.length / 1e6)} MB; a page takes up to 100 MB. Take a sample of its rows, or fit it in Python.`);
    if (starts(0x50, 0x4b)) refuse("This is a zip archive or a spreadsheet (.xlsx, .ods). Unpack it, or save the sheet as CSV.");
    if (starts(0x1f, 0x8b)) refuse("This file is compressed (gzip). Unpack it first.");
    if (starts(0x50, 0x41, 0x52, 0x31)) refuse("This is a Parquet file. Save it as CSV.");
    if (starts(0x25, 0x50, 0x44, 0x46)) refuse("This is a PDF file. Give a CSV file.");
    if (starts(0xff, 0xfe, 0, 0) || starts(0, 0, 0xfe, 0xff)) refuse("The file is in UTF-32. Save it as UTF-8.");
    if (starts(0xff, 0xfe) || starts(0xfe, 0xff)) refuse("The file is in UTF-16. Save it as UTF-8.");
    if (bytes.subarray(0, 65536).includes(0)) refuse("The file holds zero bytes, so it is no text. Save it as CSV in UTF-8.");
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      refuse("The file is not UTF-8 text. Save it as UTF-8.");
    }
    if (text.includes("\0")) refuse("The file holds zero bytes, so it is no text. Save it as CSV in UTF-8.");
    if (/^\s*<(!doctype|!--|\?xml|html|svg|table)/i.test(text)) refuse("This is a web page or XML. Give a CSV file.");
    if (text.startsWith("{\\rtf")) refuse("This is a text document (RTF). Give a CSV file.");
    if (/^\s*[{[]\s*["{[\]}\d-]/.test(text)) refuse("This looks like JSON. Save the table as CSV.");
    if (!text.trim()) refuse("The file holds nothing but blanks.");
    return text;
  }

  /* Fields of a line, quotation marks read as RFC 4180 says. Yields arrays of texts and the line each began in. */
  function* records(text, separator) {
    let row = [], field = "", at = 0, line = 1, first = 1, quoted = false, closed = false;
    const n = text.length;
    while (at < n) {
      const sign = text[at];
      if (quoted) {
        if (sign === '"' && text[at + 1] === '"') { field += '"'; at += 2; continue; }
        if (sign === '"') { quoted = false; closed = true; at++; continue; }
        if (sign === "\n") line++;
        let stop = at + 1;
        while (stop < n && text[stop] !== '"' && text[stop] !== "\n") stop++;
        field += text.slice(at, stop);
        at = stop;
        continue;
      }
      if (sign === '"' && !field.trim() && !closed) { quoted = true; first = row.length ? first : line; field = ""; at++; continue; }
      if (sign === separator) { row.push(field); field = ""; closed = false; at++; continue; }
      if (sign === "\n" || sign === "\r") {
        if (sign === "\r" && text[at + 1] === "\n") at++;
        at++;
        row.push(field);
        if (row.length > 1 || row[0].trim() || closed) yield [row, first];
        row = []; field = ""; closed = false; line++; first = line;
        continue;
      }
      if (closed && sign.trim()) refuse(`In line ${line}, something follows a closing quotation mark. A mark inside a quoted value is written twice.`);
      let stop = at + 1;
      while (stop < n && text[stop] !== separator && text[stop] !== "\n" && text[stop] !== "\r" && (text[stop] !== '"' || field || text.slice(at, stop).trim())) stop++;
      if (!closed) field += text.slice(at, stop);
      at = stop;
    }
    if (quoted) refuse(`A quotation mark that opens in line ${first} is never closed.`);
    row.push(field);
    if (row.length > 1 || row[0].trim() || closed) yield [row, first];
  }

  /* What is wrong with a first line of a single name: a title, a remark or a word to Excel stands above the names. */
  function alone(name, lines) {
    if (/^sep=/i.test(name)) return `The first line, ${quote(name)}, is a word to Excel. Delete it: the first line must name the columns.`;
    const later = lines.slice(1, 20).find((line) => SEPARATORS.some((sign) => line.includes(sign)));
    if (later) return `The first line, ${quote(name)}, names a single column, and a later line has several values. Delete what stands above the names of the columns.`;
    return `There is a single column, ${quote(name)}. Its values must be separated by a comma, semicolon, tab or |.`;
  }

  /* A table of texts: {names, columns, separator}, columns as arrays of trimmed texts; errors say what is wrong and where. */
  function read(text, separator) {
    text = text.replace(/^\uFEFF/, "");
    const lines = text.slice(0, 1e6).split(/[\r\n]+/).filter((line) => line.trim()), head = lines[0] || "";
    const bare = head.replace(/"[^"]*"/g, "");
    const count = (sign) => bare.split(sign).length;
    separator ||= SEPARATORS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
    let names = null, columns;
    for (const [row, line] of records(text, separator)) {
      if (!names) {
        names = row.map((name) => name.trim());
        if (names.length < 2 || /^sep=/i.test(names[0])) refuse(alone(names.length < 2 ? names[0] : head.trim(), lines));
        if (names.length > MOST_COLUMNS) refuse(`The first line names ${names.length} columns; a page takes up to ${MOST_COLUMNS}.`);
        const empty = names.indexOf("");
        if (empty >= 0) refuse(`Column ${empty + 1} has no name. The first line must name every column.`);
        const twice = names.filter((name, i) => names.indexOf(name) < i);
        if (names.every((name) => NUMBER.test(name))) refuse("The first line holds numbers only. It must name the columns.");
        if (twice.length) refuse(`The name ${quote(twice[0])} occurs more than once in the first line. Rename the columns.`);
        columns = names.map(() => []);
        continue;
      }
      if (row.length !== names.length) refuse(`Line ${line} has ${row.length} value${row.length > 1 ? "s" : ""}, but the first line names ${names.length} columns.`);
      for (let j = 0; j < row.length; j++) columns[j].push(row[j].trim());
    }
    if (!names) refuse("The file holds no line.");
    if (!columns[0].length) refuse("There is a line of names, but no row below it.");
    return { names, columns, separator };
  }

  const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  /* What a column holds: {kind: "number" | "text", values}, numbers with NaN and texts with null where missing. */
  function clean(texts, name) {
    const known = texts.filter((text) => !MISSING.has(text));
    if (known.some((text) => INFINITE.test(text)) && known.every((text) => INFINITE.test(text) || NUMBER.test(text))) {
      refuse(`The column ${quote(name)} holds infinite values. Replace them, or leave the column out.`);
    }
    if (known.length === texts.length && known.every((text) => TRUTHS.has(text))) {
      return { kind: "number", values: Float64Array.from(texts, (text) => TRUTHS.get(text)) };
    }
    if (known.every((text) => NUMBER.test(text))) {
      const values = Float64Array.from(texts, (text) => (MISSING.has(text) ? NaN : Number(text)));
      if (values.some((value) => Math.abs(value) === Infinity)) refuse(`The column ${quote(name)} holds numbers beyond 1.8e308. Rescale it, or leave it out.`);
      return { kind: "number", values };
    }
    return { kind: "text", values: texts.map((text) => (MISSING.has(text) ? null : text)) };
  }

  // numbers as they are written elsewhere: 1,5 and 1.234,5 and 1 234 and 12 % and $ 3 and '7'
  const LIKE_NUMBER = /^['‘’“"]?[+-]?[$€£¥]?\s?\d[\d.,'’_\s]*[%€$£¥]?['‘’”"]?$/;
  const LIKE_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b/;
  /* What to say of a column of categories most of which look like numbers or dates, or nothing. */
  function asNumbers(categories, name) {
    const dates = categories.filter((text) => LIKE_DATE.test(text));
    if (2 * dates.length > categories.length) return `${quote(name)} is taken as words: a date such as ${quote(dates[0])} is no number. Give the year, or the days since some day, in a column of its own.`;
    const strange = categories.filter((text) => !NUMBER.test(text));
    const other = strange.filter((text) => !LIKE_NUMBER.test(text)), wrong = other[0] ?? strange[0];
    if (categories.length < 3 || 2 * other.length >= categories.length) return "";
    return `${quote(name)} is taken as words, not as numbers: ${quote(wrong)} is none. ${other.length ? "Leave a field empty where the value is missing." : "Write numbers like 1234.5."}`;
  }

  /* The classes of a target column, in their order, and the code of every row. Numbers are one class where they are
     equal, as 1 and 1.0, and must be whole: Python takes others for a quantity. */
  function classes(texts, name) {
    const different = [...new Set(texts)], numeric = different.every((text) => NUMBER.test(text) || INFINITE.test(text));
    const isWhole = different.every((text) => /^[+-]?\d+$/.test(text)), key = (text) => (isWhole ? String(BigInt(text)) : numeric && NUMBER.test(text) ? Number(text) : text);
    const first = new Map();
    for (const text of different) if (!first.has(key(text))) first.set(key(text), text);
    const names = [...first.values()];
    if (names.length < 2) refuse(`The target ${quote(name)} has one value only, ${quote(names[0] ?? "")}. Two classes are needed.`);
    if (names.length > MOST_CLASSES) refuse(`The target ${quote(name)} has ${names.length} different values, more than ${MOST_CLASSES}. It looks like ${numeric ? "a quantity: cut it into ranges first" : "free text"}.`);
    const broken = numeric && names.find((text) => !Number.isInteger(Number(text)));
    if (broken) refuse(`The target ${quote(name)} holds ${quote(broken)}, which is no whole number. It looks like a quantity: cut it into ranges, or name its classes in words.`);
    names.sort(numeric ? (a, b) => Number(a) - Number(b) || byCode(a, b) : byCode);
    const code = new Map(names.map((text, k) => [key(text), k])), codes = new Map(different.map((text) => [text, code.get(key(text))]));
    return { names, y: Int32Array.from(texts, (text) => codes.get(text)) };
  }

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

  /* Whether there are so many thresholds that the search on numbers is the faster, as Python decides it
     (treelib/sparse/continuous/search.py). */
  function hasManyValues(features, n) {
    const step = n * features.length > 2 ** 20 ? Math.floor(n / 1000) + 1 : 1;
    let many = 0;
    for (const { values } of features) {
      const sorted = values.filter((value, i) => i % step === 0 && value === value).sort();
      for (let i = 1; i < sorted.length; i++) many += sorted[i] > sorted[i - 1];
    }
    return many > 60;
  }

  /* A table as the search takes it.

     limit: the most thresholds of a column, null for all; drop: names of columns to leave out; hasNumbers: whether
     the search on numbers is at hand, which takes all thresholds of a table of many as they are (`onNumbers`).
     Returns features ({name, column, category, values, isZeroOne}), the kept columns (feature, threshold, bits), classes, y,
     the notes on what was left out, and `dropped`, the names that Python must leave out too. */
  function prepare(table, target, limit, drop = [], hasNumbers = false) {
    const notes = [], dropped = [], at = table.names.indexOf(target);
    if (at < 0) refuse(`There is no column ${quote(target)}.`);
    const rows = [];
    table.columns[at].forEach((text, i) => MISSING.has(text) || rows.push(i));
    if (!rows.length) refuse(`No row has a value of the target ${quote(target)}.`);
    if (rows.length < table.columns[at].length) notes.push(`${table.columns[at].length - rows.length} rows without a value of ${quote(target)} are left out.`);
    const { names, y } = classes(rows.map((i) => table.columns[at][i]), target);
    const numeric = [], encoded = [];
    table.names.forEach((name, j) => {
      if (j === at) return;
      if (drop.includes(name)) { dropped.push(name); return; }
      const { kind, values } = clean(table.columns[j], name); // by all rows, as Python reads a column before it leaves rows out
      const column = { kind, values: rows.length < values.length ? values.constructor.from(rows, (i) => values[i]) : values };
      if (column.kind === "number") {
        numeric.push({ name, column: name, category: null, values: column.values, isZeroOne: column.values.every((x) => x === 0 || x === 1) });
        return;
      }
      const categories = [...new Set(column.values.filter((value) => value !== null))].sort(byCode), hint = asNumbers([...new Set(values)].filter((value) => value !== null), name);
      if (categories.length > MOST_CATEGORIES) {
        notes.push(`${quote(name)} is left out: it has ${categories.length} categories, more than ${MOST_CATEGORIES}. ${hint}`.trim());
        dropped.push(name);
        return;
      }
      if (hint) notes.push(hint);
      for (const category of categories) {
        encoded.push({ name: `${name} = ${category}`, column: name, category, values: Float64Array.from(column.values, (value) => Number(value === category)) });
      }
      if (column.values.includes(null)) encoded.push({ name: `${name} is missing`, column: name, category: undefined, values: Float64Array.from(column.values, (value) => Number(value === null)) });
    });
    const features = [...numeric, ...encoded];
    if (!features.length) refuse(`No column is left to predict from. ${notes.slice(0, 5).join(" ")}`.trim());
    const columns = [], known = new Map(), n = rows.length, onNumbers = limit === null && hasNumbers && hasManyValues(features, n);
    if (onNumbers) limit = 1; // shown to nobody: a column without a cut is still named
    let most = 0; // cuts that one column of numbers has
    features.forEach((feature, f) => {
      const cuts = thresholds(feature.values, limit);
      most = Math.max(most, cuts.filter(isFinite).length);
      if (!cuts.length) notes.push(`${quote(feature.name)} has the same value everywhere: no split can use it.`);
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
    const isWhole = onNumbers || limit === null || most < limit;
    return { features, columns, classes: names, y, n, notes, dropped, target, isWhole, onNumbers, separator: table.separator };
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
  function outline({ features, columns, classes, n, notes, dropped, target, isWhole, onNumbers, separator }) {
    return {
      features: features.map(({ name, column, category, isZeroOne, values }) => ({ name, column, category, isZeroOne, hasMissing: values.some(Number.isNaN) })),
      columns: columns.map(({ feature, threshold }) => ({ feature, threshold })),
      classes, n, notes, dropped, target, isWhole, onNumbers, separator,
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
    if (feature.isZeroOne) return [`${feature.name} = 0`, `${feature.name} = 1`];
    return [`${feature.name} <= ${shown(node)}${goesLeft(node, feature) ? " or missing" : ""}`, `${feature.name} > ${shown(node)}`];
  }

  // missing values go to the left: a choice of top-down trees alone
  const goesLeft = (node, feature) => node.missingLeft === true && feature.hasMissing === true;
  /* The tree in words; `digits` null writes every threshold exactly. */
  function toText(nodes, data, digits = 4) {
    const shown = shortened(nodes, digits);
    const leaf = (node) => `${data.classes[node.label]} (${node.samples} rows, ${node.samples - node.value[node.label]} errors${node.isOpen ? ", may be split" : ""})`;
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
    return lines.join("\n");
  }

  /* The package's own format of trees, which treelib.Tree.from_json reads. */
  function toJson(nodes, data) {
    const column = (name) => nodes.map((node) => node[name]);
    const missing = data.features.flatMap((feature, j) => (feature.hasMissing ? [j] : []));
    return JSON.stringify({
      format: "treelib.tree", version: 1, task: "classification", n_features: data.features.length,
      feature_names: data.features.map((feature) => feature.name), class_names: data.classes,
      features_with_missing: typeof nodes[0].missingLeft === "boolean" ? missing : null, // top-down trees know
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
    if (isFlag(feature)) return `${column} IS NULL OR ${column} <> ${sqlText(feature.category)}`;
    return node.threshold === Infinity ? `${column} IS NOT NULL` : `${goesLeft(node, feature) ? `${column} IS NULL OR ` : ""}${column} <= ${node.threshold}`;
  }
  /* One SQL expression over the columns of the file; missing values as NULL. */
  function toSql(nodes, data) {
    const write = (at, pad) => {
      const node = nodes[at];
      if (node.feature === null) return sqlText(data.classes[node.label]);
      const inner = pad + "  ";
      return `CASE WHEN ${sqlTest(node, data.features)}\n${inner}THEN ${write(node.left, inner)}\n${inner}ELSE ${write(node.right, inner)}\n${pad}END`;
    };
    return write(0, "") + "\n";
  }

  const pyText = (text) => JSON.stringify(text).replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029");
  function pyTest(node, features) {
    const feature = features[node.feature], value = `row[${pyText(feature.column)}]`;
    if (feature.category === undefined) return `${value} is not None`;
    if (isFlag(feature)) return `${value} != ${pyText(feature.category)}`;
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
  function inPython(data, file, options, known) {
    const left = [data.target, ...data.dropped].map(pyText).join(", "), model = estimator(options);
    const isForest = options.method === "bornagain", name = isForest ? "forest" : "model";
    const more = isForest ? [`model = treelib.BornAgainTreeClassifier(objective="${options.objective ? "leaves" : "depth"}").from_ensemble(forest.trees_)`] : [];
    if (known && !data.dropped.length) {
      return ["import treelib.datasets", `data = treelib.datasets.load(${pyText(known)})`,
        `${name} = ${model}.fit(data.X, data.y)`, ...more].join("\n");
    }
    return [
      "import pandas, treelib",
      `table = pandas.read_csv(${pyText(file)}, sep=${pyText(data.separator)}, engine="python", skipinitialspace=True).dropna(subset=[${pyText(data.target)}])`,
      `${name} = ${model}.fit(table.drop(columns=[${left}]), table[${pyText(data.target)}])`, ...more,
    ].join("\n");
  }

  globalThis.treelibTable = {
    TableError, decode, read, prepare, flatten, matrix, outline, grow, sides, toText, toJson, toSql, toPython, inPython, thresholds,
    source: `(${tables})();\n`,
  };
})();
