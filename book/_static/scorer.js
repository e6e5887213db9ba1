// How the search of the site ranks: chapters before the reference of the code, but for names of code; among chapters
// those first that are named after what is asked for; a page of that name before all, and that which answers a question
// of practice.
var Scorer = (() => {
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  const isCode = /[_(]|[a-z][A-Z]|^treelib\./.test(asked);
  const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const word = plain(asked);
  const named = (page) => {
    const name = plain(page.split("/").pop());
    return word.length < 4 || !name.includes(word) ? 0 : name === word ? 12 : 3;
  };
  const ANSWERS = {
    "book/welcome": /\b(install\w*|pip)\b/, "notebooks/own_data": /\b(missing|csv|excel|categor\w+|imbalance\w*)\b/,
    "notebooks/guide": /\b(scikit|sklearn|weights?|limits?|fit)\b/,
  };
  const answers = (page) => (ANSWERS[page]?.test(asked.toLowerCase()) ? 40 : 0);
  const worth = (page) => answers(page) + (
    page.startsWith("notebooks/") ? 12 + named(page) : page.startsWith("book/api/") ? (isCode ? 12 : -8) : 3 * named(page));
  return {
    score: ([page, , , , score]) => score + worth(page),
    objNameMatch: isCode ? 25 : 4,
    objPartialMatch: isCode ? 12 : 1,
    objPrio: { 0: 3, 1: 1, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
  };
})();
