// Buttons that copy the citation of a card, or the text of a report. Without this script the texts are there to be selected.
(() => {
  for (const text of document.querySelectorAll("details.cite .copied")) {
    const kind = text.dataset.kind ?? (text.tagName === "PRE" ? "BibTeX" : "text");
    const button = Object.assign(document.createElement("button"), {
      type: "button", className: "copy", textContent: `Copy as ${kind}`,
    });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
      } catch {
        getSelection().selectAllChildren(text); // no clipboard from a file: the text is selected instead
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = `Copy as ${kind}`; }, 2000);
    });
    text.after(button);
  }
})();
