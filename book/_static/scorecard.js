// The table of verdicts, a page at a time: filters and sorting over all claims, the state in the address.
// Without this script every claim is there, in one part a paper that opens and closes; with it they are text, of which
// only the rows that are shown are made.
(() => {
  const kept = document.querySelector("noscript.scorecard-claims");
  if (!kept) return;
  const SIZE = 100, text = kept.textContent;
  const ROW = /<tr id="([^"]*)" data-paper="([^"]*)" data-kind="([^"]*)" data-verdict="([^"]*)" data-deviation="([^"]*)" data-also="([^"]*)">.*?<\/tr>/gs;
  const rows = Array.from(text.matchAll(ROW), ([html, id, paper, kind, verdict, deviation, also]) => ({ html, id, paper, kind, verdict, deviation, also }));
  const place = new Map(rows.map((row, at) => [row.id, at]));
  const SIGNS = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&#x27;": "'", "&amp;": "&" };
  const plain = (html) => html.replace(/<wbr>/g, "").replace(/<[^>]*>/g, " ").replace(/&[#\w]+;/g, (sign) => SIGNS[sign] ?? sign);
  const wordsOf = (row) => (row.words ??= `${plain(row.html)} ${row.also}`.toLowerCase()); // read when something is typed

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const labelled = (text, control) => make("label", {}, `${text} `, control);
  const select = (name, label, options) =>
    labelled(label, make("select", { name }, ...options.map(([text, value]) => new Option(text, value))));
  const choice = (name, label) => {
    const values = [...new Set(rows.map((row) => row[name]))].sort((a, b) => a.includes("fitted") - b.includes("fitted"));
    return select(name, label, [["all", ""], ...values.map((value) => [value, value])]);
  };

  const form = make("form", { className: "scorecard-form" });
  form.append(
    choice("paper", "Paper"), choice("kind", "Kind"), choice("verdict", "Verdict"),
    labelled("Item or words", make("input", { type: "search", name: "text" })),
    select("sort", "Sort by", [
      ["the paper's order", ""], ["deviation, largest first", "falling"], ["deviation, smallest first", "rising"],
    ])
  );
  const status = make("p");
  status.setAttribute("role", "status");
  const table = make("table", { className: text.match(/<table class="([^"]*)"/)[1], tabIndex: 0 });
  table.innerHTML = `${text.match(/<thead>.*?<\/thead>/s)[0]}<tbody></tbody>`;
  const box = make("div", { className: "scorecard" }, table);
  const pager = (where) => {
    const turn = (by, text) => {
      const button = make("button", { type: "button", textContent: text });
      button.addEventListener("click", () => {
        page += by;
        update(true);
        if (where === "below") table.focus();
      });
      return button;
    };
    const list = make("select");
    list.addEventListener("change", () => { page = Number(list.value); update(true); });
    const nav = make("nav", { className: "scorecard-pages" },
      turn(-1, "Previous"), labelled("Page", list), turn(1, "Next"));
    nav.setAttribute("aria-label", `Pages of the table, ${where} it`);
    return { nav, list };
  };
  let page = 1;
  const pagers = [pager("above"), pager("below")];
  kept.replaceWith(form, status, pagers[0].nav, box, pagers[1].nav);

  const fitting = () => {
    const wanted = new FormData(form);
    const words = treelibWords.of(wanted.get("text"));
    const fits = rows.filter((row) =>
      ["paper", "kind", "verdict"].every((name) => !wanted.get(name) || row[name] === wanted.get(name))
      && (!words.length || treelibWords.found(wordsOf(row), words)));
    const sign = { falling: -1, rising: 1 }[wanted.get("sort")];
    if (!sign) return fits;
    const value = (row) => (row.deviation === "" ? null : Number(row.deviation));
    return fits.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return (x === null) - (y === null); // without a number: last
      return sign * (x - y);
    });
  };

  const show = () => {
    const fits = fitting();
    const last = Math.max(1, Math.ceil(fits.length / SIZE));
    page = Math.min(Math.max(1, Math.trunc(page) || 1), last);
    const from = (page - 1) * SIZE;
    const shown = fits.slice(from, from + SIZE);
    table.tBodies[0].innerHTML = shown.map((row) => row.html).join("");
    for (const { nav, list } of pagers) {
      const [previous, next] = nav.querySelectorAll("button");
      [previous.disabled, next.disabled] = [page === 1, page === last];
      list.replaceChildren(...Array.from({ length: last }, (_, at) => new Option(`${at + 1} of ${last}`, at + 1)));
      list.value = page;
      nav.hidden = last === 1;
    }
    const part = last > 1 ? `, ${from + 1} to ${from + shown.length} shown` : "";
    status.textContent = `${fits.length} of ${rows.length} claims${part}`;
    const head = table.querySelector("th[data-key=deviation]");
    const order = { falling: "descending", rising: "ascending" }[form.elements.sort.value];
    order ? head.setAttribute("aria-sort", order) : head.removeAttribute("aria-sort");
  };

  // what is shown stands in the address, so that it can be sent to somebody and the way back works
  const update = (turned) => {
    show();
    const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    if (page > 1) state.set("page", page);
    const address = location.pathname + (state.size ? `#${state}` : "");
    history[turned ? "pushState" : "replaceState"](null, "", address);
  };

  const read = () => {
    const hash = decodeURIComponent(location.hash.slice(1));
    const state = new URLSearchParams(hash.includes("=") ? location.hash.slice(1) : location.search);
    for (const name of ["paper", "kind", "verdict", "text", "sort"]) {
      form.elements[name].value = state.get(name) ?? "";
    }
    page = Number(state.get("page") ?? 1);
    if (place.has(hash)) page = Math.floor(place.get(hash) / SIZE) + 1; // one claim: the page that holds it
    show();
    if (!place.has(hash)) return;
    const asked = document.getElementById(hash);
    asked.classList.add("asked-for");
    asked.scrollIntoView({ block: "center" });
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { page = 1; update(false); });
  addEventListener("hashchange", read);
  addEventListener("popstate", read);
  read();
})();
