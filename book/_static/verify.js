/* Stored trees verified again: a part is <div class="part" data-verify> that holds a tree and its figures as JSON
   text, and a still picture. The picture stays where scripts are off; otherwise a button takes its place. A plain
   script, no library; it loads nothing but the data sets. */
(function () {
  "use strict";

  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value === true ? "" : value);
    node.append(...children.flat());
    return node;
  }

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
    const box = el("div", { class: "part-tree", role: "region", "aria-label": label });
    box.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse" || !(event.buttons & 1)) return; // a finger scrolls by itself
      box.scrollLeft -= event.movementX;
      box.scrollTop -= event.movementY;
    });
    box.addEventListener("dragstart", (event) => event.preventDefault());
    return box;
  }

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
    const said = el("p", { role: "status" }), answer = el("div", { class: "part-answer" }, said);
    const button = el("button", { type: "button", class: "part-button", "data-check": true }, "Verify again");
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
          " " + found.samples + " samples scored in this browser.");
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
    return [el("div", { class: "part-bar" }, button, el("span", {}, data.title)), answer, picture];
  }

  /* One button for all checks of a page, above the first of them. */
  function verifyAll() {
    const buttons = [...document.querySelectorAll(".part-button[data-check]")];
    if (buttons.length < 2) return;
    const all = el("button", { type: "button", class: "part-button" }, "Verify all " + buttons.length), said = el("span", { role: "status" });
    const answers = (verdict) => document.querySelectorAll(".part-answer .verdict" + verdict).length;
    new MutationObserver(() => {
      const words = answers(".match") + " of " + buttons.length + " stored results hold.";
      if (answers("") === buttons.length && said.textContent !== words) said.textContent = words;
    }).observe(document.querySelector(".bd-article") || document.body, { childList: true, subtree: true });
    all.addEventListener("click", () => { said.textContent = "Scoring …"; for (const button of buttons) button.click(); });
    buttons[0].closest(".part").before(el("div", { class: "part-bar part-all" }, all, said));
  }

  // ---- start ----------------------------------------------------------------------------------------------

  function start() {
    for (const part of document.querySelectorAll("div.part[data-verify]")) {
      part.replaceChildren(...verify(JSON.parse(part.querySelector("script[type='application/json']").textContent)));
      part.classList.add("ready");
    }
    verifyAll();
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
