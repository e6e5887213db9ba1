// A claim's id typed into the search, whole or in part, finds its card; so do a printed number, ours, and what a paper
// numbers: "Theorem 4.1", "Table 2 of Hu".
(() => {
  const LONG = { "tab": "table", "fig": "figure", "thm": "theorem", "alg": "algorithm", "eq": "equation" };
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim().toLowerCase();
  const place = document.getElementById("search-results");
  if (!place || !window.treelibClaims) return;
  let isFound = false;
  const listed = (head, found) => {
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
  };
  // the search of pages does not know what stands above it, and would say that nothing was found
  const finish = () => {
    const said = () => {
      const status = place.querySelector(".search-summary");
      if (status?.textContent.includes("did not match any documents")) status.textContent = "No other page has these words.";
    };
    if (!isFound) return;
    said();
    new MutationObserver(said).observe(place, { childList: true, subtree: true, characterData: true });
  };
  const numbered = asked.replace(/^([a-z]+)\.? +/, (_, word) => `${LONG[word] ?? word} `).match(/^([a-z]+ [a-z]?\.?[\d.]*\d)(.*)$/);
  const name = numbered?.[1] ?? "", rest = (numbered?.[2] ?? "").split(/[^\p{L}\d]+/u).filter((word) => word && !["of", "in", "et", "al", "and", "the", "paper"].includes(word));
  const items = (treelibItems[name] ?? []).filter(([, , , words]) => rest.every((word) => words.includes(word)));
  listed(name.charAt(0).toUpperCase() + name.slice(1), items.map(([paper, id, n]) => [id, paper, n === 1 ? "one claim" : `${n} claims`]));
  const ids = asked.includes(".") ? Object.keys(treelibClaims) : [];
  const found = [...ids.filter((id) => id === asked), ...ids.filter((id) => id !== asked && id.includes(asked))];
  listed("Claims", found.map((id) => [id, id, treelibClaims[id][0]]));
  const number = asked.replace(/(?<=\d)[\s,\u2009\u202f](?=\d{3})/g, "").replace(/\s*%$/, "");
  if (!/^-?\d*\.?\d+$/.test(number) || number.replace(/\D/g, "").length < 3) return finish();
  const same = (value) => value !== "" && (value === number || Number(value) === Number(number));
  const near = (value) => number.includes(".") && value.startsWith(number); // ours has more digits
  const values = Object.entries(treelibClaims).filter(([, [, printed, ours]]) => same(printed) || same(ours) || near(ours));
  listed("Numbers", values.map(([id, [verdict, printed, ours]]) => [id, id, `printed ${printed || "as words"}, ours ${ours || "as words"}: ${verdict}`]));
  finish();
})();
// What a result shows of its page is sentences: no code, and cells of tables that do not run into each other.
addEventListener("DOMContentLoaded", () => { // then the search is there, and its index not yet
  Search.htmlToText = (html, anchor) => {
    const main = new DOMParser().parseFromString(html, "text/html").querySelector("article");
    if (!main) return "";
    for (const one of main.querySelectorAll(".headerlink, script, style, svg, noscript, .cell_input, .papers, .verdict-picture")) one.remove();
    for (const one of main.querySelectorAll("td, th, dt, dd, p, li, h1, h2, h3, h4, caption, pre, br")) one.after(" ");
    return ((anchor && main.querySelector(anchor)) || main).textContent.replace(/\s+/g, " ");
  };
});
