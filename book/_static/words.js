// Claims are found by words in any order: each begins a word of the claim, and "α" is no other word than "alpha".
globalThis.treelibWords = (() => {
  const isPart = /[\p{L}\p{N}]/u;
  const begins = (text, word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || !isPart.test(text[at - 1]) || !isPart.test(word[0])) return true;
    }
    return false;
  };
  return {
    of: (asked) => asked.toLowerCase().split(/[\s,;:"“”]+/).filter((word) => isPart.test(word)),
    found: (text, words) => words.every((word) => begins(text, word)),
  };
})();
