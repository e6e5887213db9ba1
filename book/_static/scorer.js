// How the search of the site ranks: chapters before the reference of the code, but for names of code.
var Scorer = (() => {
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  const isCode = /[_(]|[a-z][A-Z]|^treelib\./.test(asked);
  const worth = (page) =>
    page.startsWith("notebooks/") ? 12 : page.startsWith("book/api/") ? (isCode ? 12 : -8) : 0;
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
