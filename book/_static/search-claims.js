// A claim's id typed into the search, whole or in part, finds its card; so do a printed number, ours, what a paper
// numbers ("Theorem 4.1", "Table 2 of Hu"), and words of what a claim is about ("COMPAS accuracy", "banana solutions").
(() => {
  const LONG = { "tab": "table", "fig": "figure", "thm": "theorem", "alg": "algorithm", "eq": "equation" };
  const FILLING = ["of", "in", "et", "al", "and", "the", "a", "for", "on", "paper"];
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim().toLowerCase();
  const place = document.getElementById("search-results");
  if (!place || !window.treelibClaims) return;
  let isFound = false;
  const listed = (head, found, words = "") => {
    if (!found.length) return;
    isFound = true;
    const list = document.createElement("ul");
    list.className = "search-claims";
    for (const [id, text, after] of found.slice(0, 10)) {
      const link = Object.assign(document.createElement("a"), {
        href: `claims/${id.split(".").slice(0, 2).join(".")}.html#${id}`, textContent: text,
      });
      const item = document.createElement("li");
      item.append(link, ` ${after}`);
      list.append(item);
    }
    const title = found.length > 10 ? `${head}, the first ten of ${found.length}` : head;
    place.before(Object.assign(document.createElement("h2"), { textContent: title }), list);
    if (found.length <= 10 || !words) return;
    const all = document.createElement("a");
    [all.href, all.textContent] = [`book/scorecard.html#${new URLSearchParams({ text: words })}`, "all on the scorecard"];
    list.after(Object.assign(document.createElement("p"), { className: "search-all" }));
    list.nextSibling.append(all);
  };
  const isNumber = /^[-\d.,\s%]*\d[-\d.,\s%]*$/.test(asked);
  // the search of pages skips numbers, does not know what stands above it, and would say that nothing was found
  const finish = () => {
    const said = () => {
      const status = place.querySelector(".search-summary");
      if (!status?.textContent.includes("did not match any documents")) return;
      if (isNumber) status.textContent = "Pages are searched for words, not for numbers; add a word, as in \u201cbanana 62\u201d.";
      else if (isFound) status.textContent = "No other page has these words.";
    };
    said();
    new MutationObserver(said).observe(place, { childList: true, subtree: true, characterData: true });
  };
  const numbered = asked.replace(/^([a-z]+)\.? +/, (_, word) => `${LONG[word] ?? word} `).match(/^([a-z]+ [a-z]?\.?[\d.]*\d)(.*)$/);
  const name = numbered?.[1] ?? "", rest = (numbered?.[2] ?? "").split(/[^\p{L}\d]+/u).filter((word) => word && !FILLING.includes(word));
  const items = (treelibItems[name] ?? []).filter(([, , , words]) => rest.every((word) => words.includes(word)));
  listed(name.charAt(0).toUpperCase() + name.slice(1), items.map(([paper, id, n]) => [id, paper, n === 1 ? "one claim" : `${n} claims`]));
  const ids = asked.includes(".") ? Object.keys(treelibClaims) : [];
  const found = [...ids.filter((id) => id === asked), ...ids.filter((id) => id !== asked && id.includes(asked))];
  listed("Claims", found.map((id) => [id, id, treelibClaims[id][0]]));
  const values = ([verdict, printed, ours]) => `printed ${printed || "as words"}, ours ${ours || "as words"}: ${verdict}`;
  const words = treelibWords.of(asked).filter((word) => !FILLING.includes(word));
  if (words.length > 1 && !isNumber && !items.length && !found.length) {
    const fits = Object.entries(treelibClaims).filter(([id, [, printed, ours, title, also]]) =>
      treelibWords.found(`${id} ${title} ${also} ${printed} ${ours}`.toLowerCase(), words));
    fits.sort(([, a], [, b]) => a[3].length - b[3].length); // what is about little else first
    listed("Claims", fits.map(([id, one]) => [id, id, `${one[3]}; ${values(one)}`]), words.join(" "));
  }
  const number = asked.replace(/(?<=\d)[\s,\u2009\u202f](?=\d{3})/g, "").replace(/\s*%$/, "");
  if (!/^-?\d*\.?\d+$/.test(number)) return finish();
  const same = (value) => value !== "" && (value === number || Number(value) === Number(number));
  const hasDigits = number.includes(".") && number.replace(/\D/g, "").length > 2;
  const near = (value) => hasDigits && value.startsWith(number); // ours has more digits
  const alike = Object.entries(treelibClaims).filter(([, [, printed, ours]]) => same(printed) || same(ours) || near(ours));
  listed("Numbers", alike.map(([id, one]) => [id, id, `${one[3]}; ${values(one)}`]), number);
  finish();
})();
// What a result shows of its page is sentences: no code, and cells of tables that do not run into each other.
addEventListener("DOMContentLoaded", () => { // then the search is there, and its index not yet
  const parse = Search._parseQuery;
  Search._parseQuery = (query) => { // a letter alone would be marked within every word
    const parsed = parse(query), marked = parsed[3];
    for (const word of [...marked]) if (word.length < 2) marked.delete(word);
    localStorage.setItem("sphinx_highlight_terms", [...marked].join(" "));
    return parsed;
  };
  Search.htmlToText = (html, anchor) => {
    const main = new DOMParser().parseFromString(html, "text/html").querySelector("article");
    if (!main) return "";
    for (const one of main.querySelectorAll(".headerlink, script, style, svg, noscript, .cell_input, .papers, .verdict-picture")) one.remove();
    for (const one of main.querySelectorAll("td, th, dt, dd, p, li, h1, h2, h3, h4, caption, pre, br")) one.after(" ");
    return ((anchor && main.querySelector(anchor)) || main).textContent.replace(/\s+/g, " ");
  };
});
