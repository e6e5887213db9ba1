// Formulas come after the page: what sets them is loaded when everything else works, and sets those near the view first.
(() => {
  const here = document.currentScript.src;
  addEventListener("load", () => {
    const script = Object.assign(document.createElement("script"), { src: new URL("mathjax/startup.js", here).href });
    document.head.append(script);
  });
  // a formula that is wider than the column can be moved by the keyboard too
  const widths = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const formula = target.querySelector("mjx-container");
      if (formula && formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula?.removeAttribute("tabindex");
    }
  });
  addEventListener("DOMContentLoaded", () => {
    for (const block of document.querySelectorAll("div.math")) widths.observe(block);
  });
})();
