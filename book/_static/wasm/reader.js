/* A CSV file as a table of columns, by the rules of treelib/owndata/columns/rules.json (`treelibRules`), in the steps of
   `treelib fit`: text.py, cells.py, kinds.py, preparing.py and targets.py stand in that folder, and functions here have their names.
   The tests run the examples of the rules in both languages, and compare columns, notes and trees of many files. Loaded as a
   plain script, since pages from a disk may load no modules, and handed on to workers as the text `source`. */
(function reader() {
  "use strict";

  const RULES = globalThis.treelibRules, LIMITS = RULES.limits;
  const MOST_BYTES = 100e6, MOST_COLUMNS = 2000;
  const PATTERNS = Object.fromEntries(["excel", "number", "infinite", "code", "whole", "date", "identifier", "range", "open", "below", "first"].map((name) => [name, new RegExp(RULES[name])]));
  const DIGITS = { ".": new RegExp(RULES.digits["."]), ",": new RegExp(RULES.digits[","]) };
  const PLAIN = /^[+-]?[0-9]*\.?[0-9]+$/;
  const ALWAYS = new Set(RULES.missing.always), BESIDE_OTHERS = new Set(RULES.missing["beside others"]);
  const TRUTHS = new Map([...RULES.true.map((word) => [word, 1]), ...RULES.false.map((word) => [word, 0])]);

  /* An error whose words are for the reader. */
  class TableError extends Error {}
  const refuse = (words) => { throw new TableError(words); };
  const quote = (name) => "“" + (name.length > 60 ? name.slice(0, 59) + "…" : name) + "”";

  // ---- rules.py ----------------------------------------------------------------------------------------

  const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const fits = (name, text) => PATTERNS[name].test(text);
  const filled = (words, facts) => words.replace(/\{([a-z]+)\}/g, (_, name) => facts[name]);
  const note = (key, facts = {}) => filled(RULES.notes[key], facts);
  const counted = (n, what = "cell") => `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;
  const cut = (text) => { const signs = [...text]; return `'${signs.slice(0, LIMITS.letters).join("")}${signs.length > LIMITS.letters ? "…" : ""}'`; };
  function listed(words) {
    const sorted = [...words].sort(byCode), more = sorted.length - LIMITS.words;
    return sorted.slice(0, LIMITS.words).map(cut).join(", ") + (more > 0 ? ` and ${more} more` : "");
  }

  // ---- text.py -----------------------------------------------------------------------------------------

  /* What a file is that is no CSV file, by its first bytes; the sentence says what to do. */
  const OTHERS = [
    [[0x50, 0x4b], "This is a zip archive or a spreadsheet (.xlsx, .ods). Unpack it, or save the sheet as CSV."],
    [[0x1f, 0x8b], "This file is compressed (gzip). Unpack it first."], [[0x42, 0x5a, 0x68], "This file is compressed (bzip2). Unpack it first."],
    [[0x50, 0x41, 0x52, 0x31], "This is a Parquet file. Save it as CSV."], [[0x25, 0x50, 0x44, 0x46], "This is a PDF file. Give a CSV file."],
    [[0xff, 0xfe, 0, 0], "The file is in UTF-32. Save it as UTF-8."], [[0, 0, 0xfe, 0xff], "The file is in UTF-32. Save it as UTF-8."],
  ];

  /* {text, notes} of a file's bytes, or an error that says what the file is instead. */
  function decode(bytes) {
    const starts = (signs) => signs.every((sign, i) => bytes[i] === sign);
    if (!bytes.length) refuse("The file is empty.");
    if (bytes.length > MOST_BYTES) refuse(`The file has ${Math.round(bytes.length / 1e6)} MB; a page takes up to 100 MB. Take a sample of its rows, or fit it in Python.`);
    const other = OTHERS.find(([signs]) => starts(signs));
    if (other) refuse(other[1]);
    const marked = starts([0xff, 0xfe]) ? "utf-16le" : starts([0xfe, 0xff]) ? "utf-16be" : null;
    let text, notes = [];
    try {
      text = new TextDecoder(marked ?? "utf-8", { fatal: true }).decode(bytes);
    } catch {
      const hasUtf8 = /[^\0-\x7f\ufffd]/.test(new TextDecoder("utf-8").decode(bytes));
      const isNoText = bytes.some((sign) => (sign < 0x20 && ![9, 10, 11, 12, 13, 0x1a].includes(sign)) || [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(sign));
      if (bytes.includes(0)) refuse("The file holds zero bytes, so it is no text. Save it as CSV in UTF-8.");
      if (marked || hasUtf8 || isNoText) refuse(`The file is not ${marked ? "UTF-16" : "UTF-8"} text. Save it as UTF-8.`);
      [text, notes] = [new TextDecoder("windows-1252").decode(bytes), [note("windows")]];
    }
    if (text.includes("\0")) refuse("The file holds zero bytes, so it is no text. Save it as CSV in UTF-8.");
    if (/^\s*<(!doctype|!--|\?xml|html|svg|table)/i.test(text)) refuse("This is a web page or XML. Give a CSV file.");
    if (text.startsWith("{\\rtf")) refuse("This is a text document (RTF). Give a CSV file.");
    if (/^\s*[{[]\s*["{[\]}\d-]/.test(text)) refuse("This looks like JSON. Save the table as CSV.");
    if (!text.trim()) refuse("The file holds nothing but blanks.");
    return { text, notes };
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

  /* What is wrong with a first line of a single name: a title or a remark stands above the names. */
  function alone(name, lines) {
    const later = lines.slice(1, 20).find((line) => [...RULES.separators].some((sign) => line.includes(sign)));
    if (later) return `The first line, ${quote(name)}, names a single column, and a later line has several values. Delete what stands above the names of the columns.`;
    return `There is a single column, ${quote(name)}. Its values must be separated by a comma, semicolon, tab or |.`;
  }

  /* The likeliest sign between the values of the first line, quoted names aside. */
  function separatorOf(line) {
    const bare = line.replace(/"[^"]*"/g, ""), count = (sign) => bare.split(sign).length;
    return [...RULES.separators].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
  }

  /* Names of the columns; one without a name is called by its place. */
  function namesOf(row) {
    const names = row.map((name, i) => name.trim() || `column ${i + 1}`), twice = names.find((name, i) => names.indexOf(name) < i);
    if (names.length > MOST_COLUMNS) refuse(`The first line names ${names.length} columns; a page takes up to ${MOST_COLUMNS}.`);
    if (names.every((name) => PLAIN.test(name))) refuse("The first line holds numbers only. It must name the columns.");
    if (twice !== undefined) refuse(`The name ${quote(twice)} occurs more than once in the first line. Rename the columns.`);
    return names;
  }

  /* Words, the different texts of a column without white space around them, and the word of each row. */
  function cellsOf(texts) {
    const place = new Map(), codes = Int32Array.from(texts, (text) => {
      const word = text.trim();
      if (!place.has(word)) place.set(word, place.size);
      return place.get(word);
    });
    return { words: [...place.keys()], codes };
  }

  /* Rows of each word. */
  function countsOf({ words, codes }) {
    const counts = new Float64Array(words.length);
    for (const code of codes) counts[code]++;
    return new Map(words.map((word, i) => [word, counts[i]]).filter(([, n]) => n));
  }

  /* A table of cells: {names, columns, n, separator, notes}; errors say what is wrong and where. `given` is text, or
     what `decode` gives. */
  function read(given, separator) {
    let { text, notes } = typeof given === "string" ? { text: given, notes: [] } : given;
    text = text.replace(/^\uFEFF/, "");
    const head = /^[^\r\n]*/.exec(text)[0], asked = PATTERNS.excel.exec(head);
    if (asked) [separator, text] = [separator || asked[1], text.slice(head.length).replace(/^\r?\n|^\r/, "")];
    const lines = text.slice(0, 1e6).split(/[\r\n]+/).filter((line) => line.trim());
    if (/^[\s|:-]*-[\s|:-]*$/.test(lines[1] ?? "")) refuse("This is a table in Markdown. Save it as CSV.");
    separator ||= separatorOf(lines[0] || "");
    let names = null, first, columns, again = 0;
    for (const [row, line] of records(text, separator)) {
      if (!names) {
        if (row.length < 2) refuse(alone(row[0].trim(), lines));
        names = namesOf(row);
        columns = names.map(() => []);
        first = row.map((cell) => cell.trim());
        continue;
      }
      if (first.some(Boolean) && row.length === first.length && row.every((cell, j) => cell.trim() === first[j])) { again++; continue; }
      if (row.length > names.length && row.slice(names.length).every((cell) => !cell.trim())) row.length = names.length;
      if (row.length !== names.length) refuse(`Line ${line} has ${counted(row.length, "value")}, but the first line names ${names.length} columns.`);
      for (let j = 0; j < row.length; j++) columns[j].push(row[j]);
    }
    if (!names) refuse("The file holds no line.");
    if (!columns[0].length) refuse("There is a line of names, but no row below it.");
    const onRows = again ? [note("names again", { rows: counted(again, "row") })] : [];
    return { names, columns: columns.map(cellsOf), n: columns[0].length, separator, notes: [...notes, ...onRows] };
  }

  // ---- cells.py ----------------------------------------------------------------------------------------

  /* [value, sign of money or per cent] of a cell; [null, ""] where it holds no number. `decimal` is "." or ",". */
  function number(text, decimal) {
    if (PLAIN.test(text)) { // as most cells are, which need no second look
      if (decimal === "." || !text.includes(".")) return [Number(text), ""];
      if (!DIGITS[decimal].test(text.replace(/^[+-]/, ""))) return [null, ""];
    }
    if (fits("infinite", text)) return [text[0] === "-" ? -Infinity : Infinity, ""];
    const found = PATTERNS.number.exec(text);
    if (!found) return [null, ""];
    const [opened, minus, before, more, body, after, closed] = found.slice(1).map((part) => part || ""), digits = body.trim();
    if (Boolean(opened) !== Boolean(closed) || (before && after) || [opened, minus, more].filter(Boolean).length > 1) return [null, ""];
    if (!DIGITS[decimal].test(digits)) return [null, ""];
    const value = Number(digits.replace(/['’ \u00a0\u202f]/g, "").replaceAll(decimal === "," ? "." : ",", "").replace(",", "."));
    return [opened || (minus + more).includes("-") ? -value : value, before + after];
  }

  const truth = (text) => TRUTHS.get(text.toLowerCase()) ?? null;
  /* Whether `part` of so many cells stands for all. */
  const nearly = (part, whole) => part >= LIMITS.nearly * whole && whole > 0;
  const LONGEST = Math.max(...[...ALWAYS, ...BESIDE_OTHERS].map((word) => word.length));
  const isMissing = (word) => word.length <= LONGEST && (ALWAYS.has(word.toLowerCase()) || BESIDE_OTHERS.has(word.toLowerCase()));
  function sum(words, counts) {
    let all = 0;
    for (const word of words) all += counts.get(word);
    return all;
  }
  const commonest = (counts) => [...counts.keys()].reduce((best, word) => (best === "" || counts.get(word) > counts.get(best) || (counts.get(word) === counts.get(best) && word < best) ? word : best), "");

  /* How numbers are written in a file, one decision for all its columns: `speaks`, {",": cells that are numbers with a
     decimal comma alone, ".": with a point alone}, and `doubtful`, those that are with both, and not the same. */
  function decimalMarks(columns) {
    const speaks = { ",": new Map(), ".": new Map() }, doubtful = new Map();
    const add = (to, word, n) => to.set(word, (to.get(word) ?? 0) + n);
    for (const counts of columns) {
      const only = [], either = [], fit = { ",": 0, ".": 0 };
      let n = 0, isCode = false;
      for (const [word, k] of counts) {
        if (isMissing(word)) continue;
        const [point] = number(word, "."), [comma] = number(word, ",");
        n += k;
        isCode ||= fits("code", word);
        if (point !== null) fit["."] += k;
        if (comma !== null) fit[","] += k;
        if ((point === null) !== (comma === null)) only.push([point === null ? "," : ".", word, k]);
        else if (point !== comma) either.push([word, k]);
      }
      if (isCode || !(nearly(fit[","], n) || nearly(fit["."], n))) continue;
      for (const [mark, word, k] of only) add(speaks[mark], word, k);
      for (const [word, k] of either) add(doubtful, word, k);
    }
    return { speaks, doubtful };
  }

  const decimalOf = (speaks) => (sum(speaks[","].keys(), speaks[","]) > sum(speaks["."].keys(), speaks["."]) ? "," : ".");

  /* {decimal, notes} of a table. */
  function decimalOfTable(table) {
    const { speaks, doubtful } = decimalMarks(table.columns.map(countsOf)), decimal = decimalOf(speaks), notes = [];
    const comma = commonest(speaks[","]), point = commonest(speaks["."]);
    if (comma && point) notes.push(note("two ways", { comma, point, chosen: decimal === "." ? "decimal points" : "decimal commas" }));
    else if (comma && decimal === ",") notes.push(note("comma"));
    else if (decimal === "." && [...doubtful.keys(), ...speaks["."].keys()].some((word) => word.includes(","))) notes.push(note("thousands"));
    if (doubtful.size && !comma && !point) notes.push(note("doubt", { word: commonest(doubtful), value: number(commonest(doubtful), decimal)[0] }));
    return { decimal, notes };
  }

  // ---- kinds.py ----------------------------------------------------------------------------------------

  /* A column: {name, kind, words, codes, meaning, notes, odd}; `meaning` maps words that are not missing to a number, or
     of categories and dates to a text. */
  function readColumn(name, cells, decimal, isTarget = false) {
    const counts = countsOf(cells), all = [...counts.keys()];
    const rest = all.filter((word) => !isMissing(word)), some = all.filter(isMissing);
    const missing = some.filter((word) => ALWAYS.has(word.toLowerCase())), soft = some.filter((word) => BESIDE_OTHERS.has(word.toLowerCase()));
    if (!soft.length && !rest.length) return { name, ...cells, kind: "empty", meaning: new Map(), notes: [], odd: [] };
    const enough = isTarget && rest.length <= LIMITS.classes ? (part, whole) => part === whole : nearly;
    const { kind, meaning, said } = kindOf(rest, counts, decimal, enough), notes = [], odd = [];
    const say = (key, words) => {
      const some = words.filter(Boolean), facts = { words: listed(some), cells: counted(sum(some, counts)), kind: kind === "truth" ? "truth value" : kind };
      if (some.length) notes.push(note(key, facts));
    };
    if (kind === "category") {
      for (const word of [...rest, ...soft]) meaning.set(word, code(word));
      say("missing", missing);
      say(isTarget ? "kept class" : "kept", soft);
    } else {
      odd.push(...rest.filter((word) => !meaning.has(word)));
      say("missing", [...missing, ...soft]);
      say("strange", odd);
    }
    return { name, ...cells, kind, meaning, notes: [...notes, ...said], odd };
  }

  /* The kind of the words that are not missing, what those mean that fit it, and what there is to say. */
  function kindOf(rest, counts, decimal, enough) {
    const n = sum(rest, counts), has = (meaning) => enough(sum(meaning.keys(), counts), n);
    const found = (kind, meaning = new Map(), said = []) => ({ kind, meaning, said });
    if (!rest.length) return found("category");
    if (rest.every((word) => truth(word) !== null) && !rest.every((word) => /^[0-9]/.test(word))) return found("truth", new Map(rest.map((word) => [word, truth(word)])));
    const [numbers, sign] = numbersOf(rest, counts, decimal);
    if (has(numbers)) {
      const codes = [...numbers.keys()].filter((word) => fits("code", word)).sort(byCode);
      if (codes.length) return found("category", new Map(), [note("code", { word: codes[0] })]);
      return found("number", numbers, sign ? [sign === "%" ? note("per cent") : note("amounts", { sign })] : []);
    }
    const dates = new Map(rest.filter((word) => fits("date", word)).map((word) => [word, word]));
    return has(dates) ? found("date", dates) : found("category");
  }

  /* The numbers that bear the sign of most of them, and this sign of money or per cent. */
  function numbersOf(rest, counts, decimal) {
    const found = rest.map((word) => [word, ...number(word, decimal)]).filter(([, value]) => value !== null), shares = new Map();
    for (const [word, , sign] of found) shares.set(sign, (shares.get(sign) ?? 0) + counts.get(word));
    const common = commonestSign(shares);
    return [new Map(found.filter(([, , sign]) => sign === common).map(([word, value]) => [word, value])), common];
  }
  const commonestSign = (shares) => [...shares.keys()].sort(byCode).reduce((best, sign) => (best === null || shares.get(sign) > shares.get(best) ? sign : best), null) ?? "";

  /* A category by its name: 2.0 is the code 2, as programs write it beside missing ones. */
  const code = (word) => (fits("whole", word) ? word.split(".")[0] : word);

  const ofRows = (column, rows) => (rows.length < column.codes.length ? { ...column, codes: Int32Array.from(rows, (i) => column.codes[i]) } : column);
  const knownOf = (column) => new Map([...countsOf(column).keys()].filter((word) => column.meaning.has(word)).map((word) => [word, column.meaning.get(word)]));
  /* Values of the rows: numbers with NaN, or texts with null. */
  function valuesOf(column) {
    const isText = column.kind === "category", meant = column.words.map((word) => column.meaning.get(word) ?? (isText ? null : NaN));
    return isText ? Array.from(column.codes, (at) => meant[at]) : Float64Array.from(column.codes, (at) => meant[at]);
  }

  /* Why a column of the whole file tells nothing but the row, a key of the reasons, "distinct" or "". */
  function identifies(column) {
    const n = column.codes.length, known = column.meaning; // of a whole file every word occurs
    if (n < LIMITS.rows || known.size < n || !["category", "number"].includes(column.kind)) return "";
    if (column.kind === "category") return "identifier";
    const whole = wholeNumbers(known);
    if (new Set(whole.values()).size < n) return "";
    const byRow = Array.from(column.codes, (at) => whole.get(column.words[at]));
    const most = byRow.reduce((a, b) => (a > b ? a : b)), least = byRow.reduce((a, b) => (a < b ? a : b)), span = most - least + 1n;
    const grows = span <= BigInt(2 * n) && byRow.every((one, i) => i === 0 || byRow[i - 1] < one);
    return span === BigInt(n) || grows || fits("identifier", column.name) ? "rows" : "distinct";
  }

  /* Why a column cannot help, a key of the reasons, or "". */
  function useless(column) {
    if (column.kind === "date") return "date";
    const distinct = new Set(), { words, codes, meaning } = column;
    let hasMissing = false;
    for (const at of codes) {
      if (meaning.has(words[at])) distinct.add(meaning.get(words[at]));
      else hasMissing = true;
      if (distinct.size > LIMITS.categories) return column.kind === "category" ? "categories" : "";
    }
    return distinct.size > 1 || (distinct.size && hasMissing) ? "" : distinct.size ? "constant" : "empty";
  }

  /* Notes on whole numbers that float64 cannot tell apart. */
  function onLongNumbers(column) {
    if (column.kind !== "number" || !column.words.some((word) => word.length >= 16 && fits("whole", word))) return [];
    const whole = wholeNumbers(knownOf(column)), n = new Set(whole.values()).size, left = new Set([...whole.keys()].map((word) => column.meaning.get(word))).size;
    return left < n ? [note("long", { left, n })] : [];
  }

  /* The words that are whole numbers, exactly; none where one is another number. */
  function wholeNumbers(known) {
    for (const value of known.values()) if (!Number.isInteger(value)) return new Map();
    return new Map([...known].map(([word, value]) => [word, fits("whole", word) ? exact(word) : BigInt(value)]));
  }
  const exact = (word) => BigInt(word.split(".")[0].replace("+", ""));

  // ---- preparing.py ------------------------------------------------------------------------------------

  const DAY = 86400e3, OTHER = RULES.other;
  const TIME = /^(?:(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2}))?(?:(?:^|[T ]+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d*)?)?(?: ?([ap])m)?(?: ?(?:z|utc)| ?([+-]\d{2}):?(\d{2})?)?)?$/i;
  /* Parts of a time in milliseconds since 1970. */
  const PARTS = {
    year: (time) => new Date(time).getUTCFullYear(),
    month: (time) => new Date(time).getUTCMonth() + 1,
    weekday: (time) => (new Date(time).getUTCDay() + 6) % 7 + 1,
    day: (time) => time / DAY,
    hour: (time) => new Date(time).getUTCHours() + new Date(time).getUTCMinutes() / 60,
  };

  /* Columns that a tree can test, made of one, and the note on them; no column where nothing can be made of it. */
  function prepared(column) {
    if (column.kind === "date") {
      const columns = Object.keys(PARTS).map((part) => ofDate(column, part)).filter((one) => new Set(knownOf(one).values()).size > 1);
      return { columns, said: columns.length ? [note("parts", { names: columns.map((one) => one.part).join(", ") }) + inDoubt([...column.meaning.keys()])] : [] };
    }
    if (column.kind !== "category") return { columns: [column], said: [] };
    const known = knownOf(column), order = orderOf([...new Set(known.values())]);
    if (order) return { columns: order.slice(1).map((_, k) => atLeast(column, order, k + 1)), said: [note("ordered", { order: order.join(" < ") })] };
    const counts = new Map(), ofWord = countsOf(column);
    for (const [word, category] of known) counts.set(category, (counts.get(category) ?? 0) + ofWord.get(word));
    if (counts.size <= LIMITS.categories) return { columns: [column], said: [] };
    if (counts.size > LIMITS.scattered * sum(counts.keys(), counts)) return { columns: [], said: [] };
    const kept = new Set([...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || byCode(a, b)).slice(0, LIMITS.categories - 1));
    const meaning = new Map([...column.meaning].map(([word, category]) => [word, kept.has(category) ? category : OTHER]));
    const pooled = { ...column, meaning, kept: [...known.keys()].filter((word) => meaning.get(word) !== OTHER) };
    return { columns: [pooled], said: [note("pooled", { n: counts.size, kept: kept.size, other: OTHER })] };
  }

  /* Categories that are ranges of numbers, in their order; or null. */
  function orderOf(categories) {
    const low = new Map(), isRange = (one) => fits("range", one.toLowerCase());
    if (categories.length < 3 || categories.filter(isRange).length < 2) return null;
    if (!categories.every((one) => isRange(one) || fits("open", one.toLowerCase()))) return null;
    for (const one of categories) low.set(one, Number(PATTERNS.first.exec(one)[0]) - 0.5 * fits("below", one.toLowerCase()));
    return new Set(low.values()).size === categories.length ? [...categories].sort((a, b) => low.get(a) - low.get(b)) : null;
  }

  /* Whether a category is the k-th of an order or a later one; `sides` are its words. */
  function atLeast(column, order, k) {
    const meaning = new Map([...column.meaning].filter(([, one]) => order.includes(one)).map(([word, one]) => [word, Number(order.indexOf(one) >= k)]));
    const words = (side) => [...meaning.keys()].filter((word) => meaning.get(word) === side).sort(byCode);
    return { ...column, name: `${column.name} at least ${order[k]}`, of: column.name, kind: "truth", meaning, sides: { true: words(1), false: words(0) } };
  }

  /* A part of a date as a column of numbers. */
  function ofDate(column, part) {
    const words = [...column.meaning.keys()], times = timesOf(words);
    const meaning = new Map(words.map((word, i) => [word, PARTS[part](times[i])]).filter(([, value]) => value === value));
    return { ...column, name: `${column.name} (${part})`, kind: "number", meaning, part };
  }

  /* Day and month at the beginning of a text, which come in either order; or null. */
  const headOf = (word) => /^(\d{1,2})([-/.])(\d{1,2})\2/.exec(word);
  const isDayFirstOf = (heads) => heads.some((found) => found && (found[2] === "." || Number(found[1]) > 12));

  /* The note that days may be months, with a space before it, or "". */
  function inDoubt(words) {
    const some = words.filter(headOf).sort(byCode), heads = some.map(headOf);
    if (!some.length || heads.some((found) => Math.max(Number(found[1]), Number(found[3])) > 12)) return "";
    return ` ${note("days or months", { word: some[0], order: isDayFirstOf(heads) ? "day.month" : "month/day" })}`;
  }

  /* Milliseconds since 1970 of texts, NaN where they are none. Days come before months with points between, or where some
     first number is above 12. A time of day alone is one of 1970-01-01, and a number of days leads so far after it. */
  function timesOf(words) {
    const spans = words.map((word) => /^(-?\d+) days/.exec(word));
    if (spans.some(Boolean)) return spans.map((found) => (found ? Number(found[1]) * DAY : NaN));
    const isDayFirst = isDayFirstOf(words.map(headOf));
    return words.map((word) => {
      const found = TIME.exec(word);
      if (!found) return NaN;
      const [year, month, day, one, two, end, hour, minutes, seconds] = found.slice(1, 10).map((text) => (text === undefined ? null : Number(text)));
      let date = [year, month, day];
      if (one !== null) date = isDayFirst ? [fullYear(end), two, one] : [fullYear(end), one, two];
      if (one !== null && date[1] > 12 && date[2] <= 12) date = [date[0], date[2], date[1]];
      if (year === null && one === null) date = [1970, 1, 1];
      const half = (found[10] ?? "").toLowerCase(), hours = half ? hour % 12 + 12 * (half === "p") : hour ?? 0;
      const start = Date.UTC(date[0], date[1] - 1, date[2]), isThere = date[1] <= 12 && new Date(start).getUTCDate() === date[2] && hours < 24 && (minutes ?? 0) < 60 && (seconds ?? 0) < 60;
      const ahead = found[11] ? Number(found[11]) * 60 + Math.sign(Number(found[11] + "1")) * Number(found[12] ?? 0) : 0;
      return isThere ? start + 60e3 * (60 * hours + (minutes ?? 0) - ahead) + 1e3 * (seconds ?? 0) : NaN;
    });
  }
  /* A year of two digits is the one nearest to this year. */
  function fullYear(year) {
    const now = new Date().getUTCFullYear(), full = year + 100 * Math.floor(now / 100);
    return year >= 100 ? year : full >= now + 50 ? full - 100 : full < now - 50 ? full + 100 : full;
  }

  // ---- targets.py --------------------------------------------------------------------------------------

  /* {names, y, rows, isQuantity, notes} of the classes: their names in order, the class of each row that has one, and these rows. */
  function targetOf(column) {
    const { name } = column, known = knownOf(column);
    if (column.kind === "number" && [...known.values()].some((value) => Math.abs(value) === Infinity)) refuse(`The target ${quote(name)} holds infinite values. Replace or drop them.`);
    const ofWord = classesOf(column, known), different = [...new Set(ofWord.values())];
    if (!different.length) refuse(`No row has a value of the target ${quote(name)}.`);
    if (different.length < 2) refuse(`The target ${quote(name)} has one value only, ${quote(String(different[0]))}. Two classes are needed.`);
    if (different.length > LIMITS.classes) {
      const hint = { number: "a quantity: cut it into ranges first", date: "times: cut them into ranges first" }[column.kind] ?? "free text";
      refuse(`The target ${quote(name)} has ${different.length} different values, more than ${LIMITS.classes}. It looks like ${hint}.`);
    }
    const isWhole = different.every((one) => typeof one === "bigint");
    const names = isWhole ? different.sort(byCode).map(String) : different.map(String).sort(byCode), place = new Map(names.map((one, k) => [one, k]));
    const codes = column.words.map((word) => (ofWord.has(word) ? place.get(String(ofWord.get(word))) : -1)), rows = [];
    column.codes.forEach((at, i) => codes[at] >= 0 && rows.push(i));
    return { names, rows, y: Int32Array.from(rows, (i) => codes[column.codes[i]]) };
  }

  /* The class of each known word: a whole number where it is one, as 1 and 1.0, and else text. Spellings of one truth
     value are one class, called as most rows call it. */
  function classesOf(column, known) {
    if (column.kind === "number") return new Map([...known].map(([word, value]) => [word, fits("whole", word) ? exact(word) : Number.isSafeInteger(value) ? BigInt(value) : word]));
    if (column.kind !== "truth") return known;
    const counts = countsOf(column), called = new Map();
    for (const word of [...known.keys()].sort((a, b) => counts.get(a) - counts.get(b) || byCode(a, b))) called.set(known.get(word), word);
    return new Map([...known].map(([word, value]) => [word, called.get(value)]));
  }

  // ---- read.py -----------------------------------------------------------------------------------------

  /* A table with its target set apart: {columns: [{name, column, kind, values, sides, kept}], names and y of the classes, n,
     notes, dropped, missed, isMade}. column: its name in the file; dropped: names of columns that are left out; missed: those
     of them that could have helped and nobody asked to leave out; isMade: whether a column was made of another. */
  function setApart(table, target, drop = []) {
    const at = table.names.indexOf(target);
    if (at < 0) refuse(`There is no column ${quote(target)}.`);
    const { decimal, notes: onMarks } = decimalOfTable(table), asTarget = readColumn(target, table.columns[at], decimal, true);
    const { names, y, rows } = targetOf(asTarget), said = (name, notes) => (notes.length ? [`${name}: ${notes.join(" ")}`] : []);
    const notes = [...table.notes, ...onMarks, ...said(target, asTarget.notes)], columns = [], dropped = [], missed = [];
    let isMade = false;
    if (rows.length < table.n) notes.push(note("target", { n: counted(table.n - rows.length, "row"), name: target }));
    table.names.forEach((name, j) => {
      if (j === at) return;
      if (drop.includes(name)) { dropped.push(name); return; }
      const whole = readColumn(name, table.columns[j], decimal), first = identifies(whole), column = ofRows(whole, rows);
      const why = first === "distinct" ? useless(column) : first || useless(column), mine = [...column.notes];
      if (first === "distinct") mine.push(note("distinct"));
      const { columns: made, said: onMade } = ["", "date", "categories"].includes(why) ? prepared(column) : { columns: [], said: [] };
      if (made.length) {
        notes.push(...said(name, [...mine, ...onMade, ...onLongNumbers(column)]));
        isMade ||= onMade.length > 0;
        for (const one of made) columns.push({ name: one.name, column: one.of ?? one.name, kind: one.kind, values: valuesOf(one), sides: one.sides, kept: one.kept });
        return;
      }
      if (why) mine.push(note("left out", { why: filled(RULES.reasons[why], { n: new Set(knownOf(column).values()).size, most: LIMITS.categories }) }));
      if (why !== "rows") mine.push(...onLongNumbers(column));
      notes.push(...said(name, mine));
      dropped.push(name);
      if (!RULES.harmless.includes(why)) missed.push(name);
    });
    for (const { name, kind, values } of columns) {
      if (kind === "number" && values.some((value) => Math.abs(value) === Infinity)) refuse(`The column ${quote(name)} holds infinite values or numbers beyond 1.8e308. Replace them, or leave the column out.`);
    }
    if (!columns.length) refuse(`No column is left to predict from. ${notes.slice(0, 5).join(" ")}`.trim());
    return { columns, names, y, n: rows.length, notes, dropped, missed, isMade };
  }

  globalThis.treelibReader = {
    TableError, refuse, quote, counted, byCode, decode, read, separatorOf, cellsOf, countsOf, number, decimalMarks, decimalOf, readColumn, fits, orderOf, timesOf, PARTS, setApart,
    source: `globalThis.treelibRules = ${JSON.stringify(RULES)};\n(${reader})();\n`,
  };
})();
