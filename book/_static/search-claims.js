// A claim's id typed into the search, whole or in part, finds its card.
(() => {
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim().toLowerCase();
  const place = document.getElementById("search-results");
  if (!place || !asked.includes(".") || !window.treelibClaims) return;
  const ids = Object.keys(treelibClaims);
  const found = [...ids.filter((id) => id === asked), ...ids.filter((id) => id !== asked && id.includes(asked))];
  if (!found.length) return;
  const list = document.createElement("ul");
  list.className = "search-claims";
  for (const id of found.slice(0, 10)) {
    const link = Object.assign(document.createElement("a"), {
      href: `claims/${id.split(".").slice(0, 2).join(".")}.html#${id}`, textContent: id,
    });
    const item = document.createElement("li");
    item.append(link, ` ${treelibClaims[id]}`);
    list.append(item);
  }
  const head = Object.assign(document.createElement("h2"), {
    textContent: found.length > 10 ? `Claims, the first ten of ${found.length}` : "Claims",
  });
  place.before(head, list);
})();
