// Checks a proof that no decision tree is better by the rules of checktree.py, which says why they hold.
// Sets of rows are bits in 32-bit words; costs are whole numbers below 2^53, or the page says that they are too fine.
"use strict";

(function () {
  if (globalThis.checktree) return; // a page may name the script more than once

  const MOST = Number.MAX_SAFE_INTEGER;

  function must(holds, words) {
    if (!holds) throw new Error(words);
  }

  // ---- exact numbers: [numerator, denominator] as BigInt --------------------------------------------------

  function gcd(a, b) {
    while (b) [a, b] = [b, a % b];
    return a;
  }

  function exact(value) {
    const text = String(value).trim();
    const found = /^(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$|^(\d{1,400})\/(\d{1,400})$/.exec(text);
    must(found, `'${text.slice(0, 40)}' is not a number of at least 0`);
    let above, under;
    if (found[4] !== undefined) {
      [above, under] = [BigInt(found[4]), BigInt(found[5])];
      must(under > 0n, "a number is divided by 0");
    } else {
      const digits = found[2] || "", power = BigInt(found[3] || 0) - BigInt(digits.length);
      above = BigInt(found[1] + digits) * (power > 0n ? 10n ** power : 1n);
      under = power < 0n ? 10n ** -power : 1n;
    }
    const common = gcd(above, under) || 1n;
    return [above / common, under / common];
  }

  const times = (a, b) => [a[0] * b[0], a[1] * b[1]];
  const plus = (a, b) =>
    a[1] === b[1] ? [a[0] + b[0], a[1]] : reduced([a[0] * b[1] + b[0] * a[1], a[1] * b[1]]);

  function reduced(a) {
    const common = gcd(a[0], a[1]) || 1n;
    return [a[0] / common, a[1] / common];
  }

  const words = (a) => (a[1] === 1n ? `${a[0]}` : `${a[0]}/${a[1]}`);

  function small(value) {
    must(value <= BigInt(MOST), "its numbers are too fine for this page; checktree.py takes them");
    return Number(value);
  }

  // ---- the table ------------------------------------------------------------------------------------------

  function readCsv(text) {
    const rows = [];
    let row = [], cell = "", quoted = false, was = false, i = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    const end = () => {
      if (row.length || cell || was) rows.push([...row, cell]);
      row = [];
      cell = "";
      was = false;
    };
    for (; i < text.length; i++) {
      const c = text[i];
      if (quoted) {
        if (c !== '"') cell += c;
        else if (text[i + 1] === '"') cell += text[++i];
        else quoted = false;
      } else if (c === '"' && cell === "" && !was) quoted = was = true;
      else if (c === ",") {
        row.push(cell);
        cell = "";
        was = false;
      } else if (c === "\n") end();
      else if (c === "\r") {
        if (text[i + 1] === "\n") i++;
        end();
      } else cell += c;
    }
    end();
    return rows;
  }

  function numberOf(cell) {
    const text = cell.trim();
    if (text === "" || /^[+-]?nan$/i.test(text)) return NaN;
    must(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text), `'${text.slice(0, 40)}' is not a number`);
    return Number(text);
  }

  const byValue = (a, b) => a - b;

  // place of the first of ascending values that is at least x; and of the first above it
  function firstAtLeast(values, x, above) {
    let low = 0, high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (above ? values[middle] <= x : values[middle] < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function readTable(text, head) {
    const [names, ...rows] = readCsv(text);
    must(rows.length && rows.every((row) => row.length === names.length), "it is empty, or has rows of other lengths");
    const wanted = [...head.numbers, ...head.categories, head.target, ...(head.weight ? [head.weight] : [])];
    const count = (list, name) => list.filter((one) => one === name).length;
    for (const name of wanted) {
      must(count(wanted, name) === 1 && count(names, name) === 1, `it must have one column '${name}'`);
    }
    const column = (name) => rows.map((row) => row[names.indexOf(name)]);
    const tests = new Map();
    for (const name of head.numbers) {
      const cells = column(name).map(numberOf);
      const given = head.thresholds && head.thresholds[name];
      must(!head.thresholds || (Array.isArray(given) && given.every(Number.isFinite)), `the thresholds of '${name}'`);
      const labels = given
        ? [...new Set(given)].sort(byValue).concat([Infinity])
        : [...new Set(cells.filter((x) => x === x))].sort(byValue);
      tests.set(name, { labels, places: cells.map((x) => (x === x ? firstAtLeast(labels, x) : labels.length)) });
    }
    for (const name of head.categories) {
      const cells = column(name);
      for (const value of [...new Set(cells)].sort()) {
        const test = value ? `${name} = ${value}` : `${name} is missing`;
        must(!tests.has(test), `two of its columns are called '${test}'`);
        tests.set(test, { labels: [0], places: cells.map((cell) => Number(cell === value)) });
      }
    }
    return merged(tests, column(head.target), head.weight ? column(head.weight) : null, head, rows.length);
  }

  // equal rows become one
  function merged(tests, labels, weights, head, n) {
    const all = [...tests.values()], known = new Map(), first = [], group = [];
    for (let i = 0; i < n; i++) {
      const key = all.map((test) => test.places[i]).join();
      if (!known.has(key)) first.push(i) && known.set(key, first.length - 1);
      group.push(known.get(key));
    }
    const classes = [...new Set(labels)].sort(), code = new Map(classes.map((name, k) => [name, k]));
    const cost = classes.map((c) =>
      classes.map((k) => (head.costs ? exact(head.costs[c][k]) : [c === k ? 0n : 1n, 1n]))
    );
    let total = [0n, 1n];
    const sums = first.map(() => classes.map(() => [0n, 1n]));
    for (let i = 0; i < n; i++) {
      const weight = weights ? exact(weights[i]) : [1n, 1n], row = sums[group[i]];
      total = plus(total, weight);
      for (let k = 0; k < classes.length; k++) row[k] = plus(row[k], times(weight, cost[code.get(labels[i])][k]));
    }
    const price = reduced(times(exact(head.regularization), total));
    let unit = price[1];
    for (const row of sums) for (const one of row) unit = (unit / gcd(unit, one[1])) * one[1];
    const whole = (one) => small((one[0] * unit) / one[1]);
    const table = { classes, tests, total: reduced(total), unit, price: whole(price), n: first.length };
    table.costs = sums.map((row) => Float64Array.from(row, whole));
    small(table.costs.reduce((sum, row) => sum + BigInt(Math.max(...row)), 0n) + 4n * BigInt(table.price));
    table.least = table.costs.map((row) => Math.min(...row));
    const most = all.reduce((found, test) => Math.max(found, test.labels.length), 0) + 1;
    table.sums = new Float64Array(most * classes.length); // of the rows at each place, in between all 0
    table.here = new Uint8Array(most);
    table.width = (table.n + 31) >> 5;
    table.rows = new Uint32Array(table.width);
    for (let g = 0; g < table.n; g++) table.rows[g >> 5] |= 1 << (g & 31);
    for (const test of all) {
      const places = Int32Array.from(first, (i) => test.places[i]);
      test.places = places;
      test.masks = test.labels.map((_, k) => {
        const mask = new Uint32Array(table.width);
        for (let g = 0; g < table.n; g++) if (places[g] <= k) mask[g >> 5] |= 1 << (g & 31);
        return mask;
      });
    }
    table.kept = new Map();
    return table;
  }

  // ---- sets and rule 2 ------------------------------------------------------------------------------------

  function both(a, b) {
    const found = new Uint32Array(a.length);
    for (let i = 0; i < a.length; i++) found[i] = a[i] & b[i];
    return found;
  }

  function without(a, b) {
    const found = new Uint32Array(a.length);
    for (let i = 0; i < a.length; i++) found[i] = a[i] & ~b[i];
    return found;
  }

  function isWithin(a, b) {
    for (let i = 0; i < a.length; i++) if (a[i] & ~b[i]) return false;
    return true;
  }

  function isApart(a, b) {
    for (let i = 0; i < a.length; i++) if (a[i] & b[i]) return false;
    return true;
  }

  function upTo(test, value) {
    return firstAtLeast(test.labels, value === null ? Infinity : value, true) - 1;
  }

  function where(table, rows, [name, side, value]) {
    const test = table.tests.get(name);
    must(test, `there is no column '${name}'`);
    const place = upTo(test, value), low = place < 0 ? new Uint32Array(table.width) : test.masks[place];
    return side === "<=" ? both(rows, low) : without(rows, low);
  }

  // members of a set, cost of the best leaf, and of what no test can tell apart
  function facts(table, rows) {
    const members = [], total = new Float64Array(table.classes.length);
    let floor = 2 * table.price;
    for (let word = 0; word < rows.length; word++) {
      for (let rest = rows[word]; rest; rest &= rest - 1) {
        const g = 32 * word + 31 - Math.clz32(rest & -rest), costs = table.costs[g];
        members.push(g);
        floor += table.least[g];
        for (let k = 0; k < total.length; k++) total[k] += costs[k];
      }
    }
    return { members, total, leaf: Math.min(...total) + table.price, floor };
  }

  // cost of the best split
  function split(table, rows, { members, total }) {
    const key = String.fromCharCode(...new Uint16Array(rows.buffer)), n = total.length, { sums, here } = table, left = new Float64Array(n);
    if (table.kept.has(key)) return table.kept.get(key);
    let best = Infinity;
    for (const { labels, places } of table.tests.values()) {
      for (const g of members) {
        const at = places[g], costs = table.costs[g];
        here[at] = 1;
        for (let k = 0; k < n; k++) sums[at * n + k] += costs[k];
      }
      left.fill(0);
      let isFirst = true;
      for (let place = 0; place <= labels.length; place++) {
        if (!here[place]) continue;
        if (!isFirst) {
          let low = Infinity, high = Infinity;
          for (let k = 0; k < n; k++) {
            low = Math.min(low, left[k]);
            high = Math.min(high, total[k] - left[k]);
          }
          best = Math.min(best, low + high);
        }
        isFirst = false;
        here[place] = 0;
        for (let k = 0; k < n; k++) {
          left[k] += sums[place * n + k];
          sums[place * n + k] = 0;
        }
      }
    }
    if (table.kept.size > 20000) table.kept.clear();
    table.kept.set(key, best + 2 * table.price);
    return best + 2 * table.price;
  }

  // what rule 2 says; where quick, less of it, but sooner
  function bound(table, rows, depth, isQuick = false) {
    const found = facts(table, rows), { leaf, floor } = found;
    if (depth === 0 || isQuick || leaf <= floor) return depth === 0 ? leaf : Math.min(leaf, floor);
    return Math.min(leaf, split(table, rows, found), depth === 1 ? leaf : floor + table.price);
  }

  // ---- lemmas ---------------------------------------------------------------------------------------------

  const below = (depth) => (depth === null ? null : depth - 1);
  const show = (table, cost) => Number(cost) / Number(table.unit);

  function checkLemma(table, lemma, known) {
    const depth = lemma.depth === undefined ? null : lemma.depth, claimed = exact(lemma.bound);
    const least = small((claimed[0] * table.unit + claimed[1] - 1n) / claimed[1]);
    const rows = lemma.path.reduce((part, test) => where(table, part, test), table.rows);
    must(bound(table, rows, 0) >= least, "a single leaf costs less than it claims");

    function said(part, named) {
      let best = 0;
      for (const k of named) {
        must(Number.isInteger(k) && k >= 0 && k < known.length, `it names lemma ${k}, which is not before it`);
        const deep = known[k].depth === null || (depth !== null && depth - 1 <= known[k].depth);
        must(deep && isWithin(known[k].rows, part), "it names a lemma of other rows or less depth");
        best = Math.max(best, known[k].least);
      }
      return best;
    }

    for (const [name, { labels, masks }] of depth === 0 ? [] : table.tests) {
      let first = 0, end = labels.length - 1;
      while (first <= end && isApart(rows, masks[first])) first++;
      while (end >= first && isWithin(rows, masks[end])) end--;
      for (const [value, left, right] of (lemma.cuts || {})[name] || [[null, [], []]]) {
        const last = Math.min(upTo(table.tests.get(name), value), end);
        if (first > last) continue;
        const low = both(rows, masks[first]), high = without(rows, masks[last]);
        const ofLow = said(low, left), ofHigh = said(high, right);
        let found = ofLow + ofHigh;
        for (const isQuick of [true, false]) {
          if (found >= least) break;
          found = Math.max(ofLow, bound(table, low, below(depth), isQuick));
          found += Math.max(ofHigh, bound(table, high, below(depth), isQuick));
        }
        must(
          found >= least,
          `column '${name}', splits from ${labels[first]} to ${labels[last]}: ${show(table, found)} is shown, and it claims more`
        );
        first = last + 1;
      }
      must(first > end, `column '${name}': the splits from ${labels[first]} on are left out`);
    }
    return { rows, depth, least };
  }

  function costOf(table, node, rows, depth) {
    if ("label" in node) {
      const k = table.classes.indexOf(node.label);
      must(k >= 0, `the tree predicts '${node.label}', which is no class`);
      let sum = table.price;
      for (let g = 0; g < table.n; g++) if ((rows[g >> 5] >>> (g & 31)) & 1) sum += table.costs[g][k];
      return sum;
    }
    must(depth !== 0, "the tree is deeper than the limit");
    return ["<=", ">"].reduce(
      (sum, side) =>
        sum + costOf(table, node[side], where(table, rows, [node.column, side, node.value]), below(depth)),
      0
    );
  }

  async function unpacked(bytes) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  const text = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

  // What a proof shows, as {bound, cost, isOptimal, trees, lemmas}; an error says where it fails.
  async function check(tableBytes, proofBytes, progress) {
    let place = "head";
    try {
      const lines = text(await unpacked(proofBytes)).split("\n");
      if (lines[lines.length - 1] === "") lines.pop();
      const head = JSON.parse(lines[0]);
      must(head.format === "checktree 1", "its format is not 'checktree 1'");
      place = "table";
      must(crypto.subtle, "this browser checks SHA-256 on https or localhost only");
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", tableBytes));
      const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      must(hex === head.sha256, "the proof is about another one");
      const table = readTable(text(tableBytes), head), known = [];
      let clock = performance.now();
      for (const line of lines.slice(1)) {
        place = `lemma ${known.length}`;
        known.push(checkLemma(table, JSON.parse(line), known));
        if (progress && performance.now() - clock > 100) {
          progress(known.length, lines.length - 1);
          await new Promise((resume) => setTimeout(resume));
          clock = performance.now();
        }
      }
      place = "end";
      must(known.length === head.lemmas, `cut off: ${known.length} of ${head.lemmas} lemmas are there`);
      const last = known[known.length - 1], depth = head.max_depth;
      must(!last || last.depth === depth, "the last lemma is about trees of another depth");
      const least = last ? last.least : bound(table, table.rows, depth);
      const cost = costOf(table, head.tree, table.rows, depth);
      const part = ([above, under]) => reduced([BigInt(above) * under, table.unit * table.total[0]]);
      return {
        bound: words(part([least, table.total[1]])),
        cost: words(part([cost, table.total[1]])),
        value: least / Number(table.unit) / (Number(table.total[0]) / Number(table.total[1])),
        isOptimal: least === cost,
        lemmas: known.length,
        trees:
          `${table.tests.size} columns, ${head.regularization} a leaf, depth ${depth || "unlimited"}` +
          (head.thresholds ? ", at the thresholds it lists" : ""),
      };
    } catch (error) {
      throw new Error(`${place}: ${error.message}`);
    }
  }

  // ---- the part of the page -------------------------------------------------------------------------------

  async function run(answer, tableBytes, proofBytes) {
    const start = performance.now();
    answer.textContent = "Checking …";
    try {
      const found = await check(tableBytes, proofBytes, (k, n) => (answer.textContent = `Lemma ${k} of ${n} …`));
      const seconds = ((performance.now() - start) / 1000).toFixed(2);
      answer.dataset.seconds = seconds;
      answer.textContent =
        `Proved, by ${found.lemmas} lemmas, in ${seconds} s: of all trees (${found.trees}) none costs less than ` +
        `${found.bound} (${found.value.toPrecision(6)}). ` +
        (found.isOptimal ? "The tree costs as much: it is optimal." : `The tree costs ${found.cost}.`);
    } catch (error) {
      answer.textContent = `Refused, ${error.message}.`;
    }
  }

  const fromBase64 = (code) => Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));

  function start(part) {
    const answer = part.querySelector(".proof-answer");
    const given = part.querySelector("script");
    const button = part.querySelector("button");
    if (given) {
      const files = JSON.parse(given.textContent);
      button.addEventListener("click", async () =>
        run(answer, await unpacked(fromBase64(files.table)), fromBase64(files.proof))
      );
      return;
    }
    const chosen = {};
    const take = async (files) => {
      for (const file of files) chosen[/\.csv$/i.test(file.name) ? "table" : "proof"] = file;
      const bytes = async (file) => new Uint8Array(await file.arrayBuffer());
      if (chosen.table && chosen.proof) run(answer, await bytes(chosen.table), await bytes(chosen.proof));
      else answer.textContent = chosen.table ? "Now the proof." : "Now the table, a .csv file.";
    };
    part.querySelector("input").addEventListener("change", (event) => take(event.target.files));
    part.addEventListener("dragover", (event) => event.preventDefault());
    part.addEventListener("drop", (event) => {
      event.preventDefault();
      take(event.dataTransfer.files);
    });
  }

  globalThis.checktree = { check };
  if (typeof document !== "undefined") document.querySelectorAll(".proof-check").forEach(start);
})();
